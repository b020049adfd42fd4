#include "sandbox/task/launch_binding.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "sandbox/task/data_type.h"
#include "sandbox/task/excerpt.h"
#include "sandbox/task/expression.h"
#include "sandbox/task/kernel_lookup.h"
#include "sandbox/task/sizes.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Case;
using reward::v1::CudaTask;
using reward::v1::KernelResources;
using reward::v1::Launch;

// Limits of compute capability 9.0, CUDA programming guide, table of technical specifications.
constexpr std::array<int64_t, 3> kMaxGrid = {(int64_t{1} << 31) - 1, 65535, 65535};
constexpr std::array<int64_t, 3> kMaxBlock = {1024, 1024, 64};
constexpr int64_t kMaxThreads = 1024;
constexpr int64_t kMaxSharedBytes = 227 * 1024;
constexpr int64_t kRegistersPerBlock = 65536;
constexpr int64_t kRegisterUnit = 256;
// Bytes of what another part says about the candidate's text, which it quotes.
constexpr size_t kMostReason = 400;

std::string Times(const std::array<int64_t, 3>& extent) { return absl::StrJoin(extent, " x "); }

// One launch of one case; every message starts with the launch's place and name.
class LaunchBinder {
 public:
  LaunchBinder(const CudaTask& task, const Case& test_case, const LaunchDescription& description, const Sizes& sizes,
               int index)
      : task_(task),
        case_(test_case),
        description_(description),
        launch_(description.launches[index]),
        sizes_(sizes),
        prefix_(absl::StrCat("launch ", index + 1, " (", Excerpt(launch_.kernel()), "): ")) {}

  absl::StatusOr<BoundLaunch> Bind(absl::Span<const KernelResources> kernels) {
    const absl::StatusOr<const KernelResources*> kernel = FindKernel(launch_.kernel(), kernels);
    if (!kernel.ok()) return Rejection(kernel.status().message());
    bound_.kernel = (*kernel)->name();
    if (absl::Status status = BindShape(**kernel); !status.ok()) return status;
    if (absl::Status status = BindArguments(**kernel); !status.ok()) return status;
    return std::move(bound_);
  }

 private:
  absl::Status Rejection(absl::string_view message) const {
    return absl::InvalidArgumentError(absl::StrCat(prefix_, message));
  }

  absl::StatusOr<int64_t> Evaluate(absl::string_view text, absl::string_view what) const {
    absl::StatusOr<int64_t> value = EvaluateExpression(text, sizes_);
    if (value.ok()) return value;
    return Rejection(absl::StrCat(what, " `", Excerpt(text), "`: ", Excerpt(value.status().message(), kMostReason),
                                  " in case ", case_.name()));
  }

  template <typename Range>
  absl::Status EvaluateDimensions(const Range& texts, absl::string_view what, std::array<int64_t, 3>& into) const {
    if (texts.empty() || texts.size() > 3) return Rejection(absl::StrCat(what, " must have one to three dimensions"));
    for (int i = 0; i < texts.size(); ++i) {
      const absl::StatusOr<int64_t> value = Evaluate(texts.Get(i), what);
      if (!value.ok()) return value.status();
      into[i] = *value;
    }
    return absl::OkStatus();
  }

  absl::Status CheckDimensions(absl::string_view what, const std::array<int64_t, 3>& found,
                               const std::array<int64_t, 3>& most, absl::string_view unit) const {
    for (int i = 0; i < 3; ++i) {
      if (found[i] < 1) {
        return Rejection(absl::StrCat(what, " of ", Times(found), " ", unit, " in case ", case_.name(),
                                      ": every dimension must be at least 1"));
      }
      if (found[i] > most[i]) {
        return Rejection(absl::StrCat(what, " of ", Times(found), " ", unit, " in case ", case_.name(),
                                      ": the most is ", Times(most)));
      }
    }
    return absl::OkStatus();
  }

  absl::Status BindShape(const KernelResources& kernel) {
    if (absl::Status status = EvaluateDimensions(launch_.grid(), "grid", bound_.grid); !status.ok()) return status;
    if (absl::Status status = EvaluateDimensions(launch_.block(), "block", bound_.block); !status.ok()) return status;
    if (absl::Status status = CheckDimensions("grid", bound_.grid, kMaxGrid, "blocks"); !status.ok()) return status;
    if (absl::Status status = CheckDimensions("block", bound_.block, kMaxBlock, "threads"); !status.ok()) return status;
    const int64_t threads = bound_.block[0] * bound_.block[1] * bound_.block[2];
    if (threads > kMaxThreads) {
      return Rejection(absl::StrCat("block of ", Times(bound_.block), " = ", threads, " threads in case ", case_.name(),
                                    ": the most is ", kMaxThreads));
    }
    const int64_t warps = (threads + 31) / 32;
    const int64_t warp_registers = (kernel.register_count() * 32 + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
    if (warps * warp_registers > kRegistersPerBlock) {
      return Rejection(absl::StrCat(threads, " threads of ", kernel.register_count(),
                                    " registers each need more than the ", kRegistersPerBlock,
                                    " registers of a block: use smaller blocks or __launch_bounds__"));
    }
    return BindShared(kernel);
  }

  absl::Status BindShared(const KernelResources& kernel) {
    if (!launch_.dynamic_shared_bytes().empty()) {
      const absl::StatusOr<int64_t> bytes = Evaluate(launch_.dynamic_shared_bytes(), "shared memory size");
      if (!bytes.ok()) return bytes.status();
      bound_.dynamic_shared_bytes = *bytes;
    }
    if (bound_.dynamic_shared_bytes < 0) {
      return Rejection(absl::StrCat("shared memory size is ", bound_.dynamic_shared_bytes, " in case ", case_.name()));
    }
    const int64_t room = kMaxSharedBytes - kernel.static_shared_bytes();
    if (bound_.dynamic_shared_bytes <= room) return absl::OkStatus();
    return Rejection(absl::StrCat(bound_.dynamic_shared_bytes, " bytes of dynamic and ", kernel.static_shared_bytes(),
                                  " of static shared memory in case ", case_.name(), ": a block may have ",
                                  kMaxSharedBytes));
  }

  absl::Status BindArguments(const KernelResources& kernel) {
    std::vector<std::string> texts(launch_.arguments().begin(), launch_.arguments().end());
    if (texts.empty()) {
      for (const reward::v1::Parameter& parameter : task_.parameters()) texts.push_back(parameter.name());
    }
    const std::string signature =
        absl::StrCat("kernel ", Excerpt(KernelTitle(kernel)), " takes (",
                                                Excerpt(absl::StrJoin(kernel.parameter_types(), ", "), kMostReason), ")");
    if (static_cast<int>(texts.size()) != kernel.parameter_types_size()) {
      return Rejection(absl::StrCat(signature, ", ", texts.size(),
                                    texts.size() == 1 ? " argument was" : " arguments were",
                                    launch_.arguments().empty() ? " given: the task's parameters" : " given"));
    }
    for (size_t i = 0; i < texts.size(); ++i) {
      const std::string& type = kernel.parameter_types(static_cast<int>(i));
      absl::StatusOr<BoundArgument> argument = BindArgument(absl::StripAsciiWhitespace(texts[i]), type);
      if (!argument.ok()) {
        return Rejection(
            absl::StrCat(signature, "; argument ", i + 1, ", `", Excerpt(texts[i]), "`: ",
                         Excerpt(argument.status().message(), kMostReason)));
      }
      argument->type = type;
      bound_.arguments.push_back(*std::move(argument));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<BoundArgument> BindArgument(absl::string_view text, absl::string_view type) const {
    for (int i = 0; i < task_.parameters_size(); ++i) {
      const reward::v1::Parameter& parameter = task_.parameters(i);
      if (parameter.name() != text) continue;
      if (parameter.has_buffer()) return BindAddress(BoundArgument::Source::kBuffer, i, type);
      // Zero stands in for the value: what can fail with it fails with every value.
      const std::string zero(ElementSize(parameter.dtype()), '\0');
      if (auto converted = ConvertScalar(zero, parameter.dtype(), type); !converted.ok()) return converted.status();
      return BoundArgument{.source = BoundArgument::Source::kScalar, .index = i};
    }
    for (size_t i = 0; i < description_.scratch.size(); ++i) {
      if (description_.scratch[i].name() != text) continue;
      return BindAddress(BoundArgument::Source::kScratch, static_cast<int>(i), type);
    }
    const absl::StatusOr<int64_t> value = EvaluateExpression(text, sizes_);
    if (!value.ok()) return value.status();
    const std::string bytes(reinterpret_cast<const char*>(&*value), sizeof(*value));
    absl::StatusOr<std::string> converted = ConvertScalar(bytes, reward::v1::DATA_TYPE_INT64, type);
    if (!converted.ok()) return converted.status();
    return BoundArgument{.source = BoundArgument::Source::kValue, .bytes = *std::move(converted)};
  }

  static absl::StatusOr<BoundArgument> BindAddress(BoundArgument::Source source, int index, absl::string_view type) {
    if (type == "u64" || type == "b64" || type == "s64") return BoundArgument{.source = source, .index = index};
    return absl::InvalidArgumentError(absl::StrCat("a buffer cannot be passed as ", type));
  }

  const CudaTask& task_;
  const Case& case_;
  const LaunchDescription& description_;
  const Launch& launch_;
  const Sizes& sizes_;
  const std::string prefix_;
  BoundLaunch bound_;
};

// The case's sizes, and the whole-number scalars that follow from them where no size has that name.
Sizes LaunchSizes(const CudaTask& task, const Case& test_case) {
  const Sizes sizes = CaseSizes(test_case);
  Sizes extended = sizes;
  for (const reward::v1::Parameter& parameter : task.parameters()) {
    if (!parameter.has_scalar() || parameter.scalar().value().empty() || IsFloatingPoint(parameter.dtype())) continue;
    const absl::StatusOr<int64_t> value = EvaluateExpression(parameter.scalar().value(), sizes);
    if (value.ok()) extended.emplace(parameter.name(), *value);
  }
  return extended;
}

absl::StatusOr<int64_t> ScratchBytes(const reward::v1::Scratch& scratch, const Case& test_case, const Sizes& sizes) {
  const absl::StatusOr<int64_t> extent = EvaluateExpression(scratch.extent(), sizes);
  if (!extent.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("scratch ", Excerpt(scratch.name()), ": ", Excerpt(extent.status().message(), kMostReason), " in case ", test_case.name()));
  }
  int64_t bytes = 0;
  if (*extent < 0 || __builtin_mul_overflow(*extent, ElementSize(scratch.dtype()), &bytes)) {
    return absl::InvalidArgumentError(
        absl::StrCat("scratch ", Excerpt(scratch.name()), " has ", *extent, " elements in case ", test_case.name()));
  }
  return bytes;
}

absl::Status CheckScratchNames(const CudaTask& task, const LaunchDescription& description) {
  for (size_t i = 0; i < description.scratch.size(); ++i) {
    const std::string& name = description.scratch[i].name();
    const auto is_same = [&name](const auto& other) { return other.name() == name; };
    if (std::any_of(task.parameters().begin(), task.parameters().end(), is_same) ||
        std::any_of(description.scratch.begin(), description.scratch.begin() + i, is_same)) {
      return absl::InvalidArgumentError(absl::StrCat("scratch ", Excerpt(name), ": the name is taken"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LaunchPlan> BindLaunches(const CudaTask& task, const Case& test_case,
                                        const LaunchDescription& description,
                                        absl::Span<const KernelResources> kernels) {
  if (task.memory_space() == reward::v1::MEMORY_SPACE_HOST) {
    return absl::InvalidArgumentError(
        "this task passes host pointers: define a host function that copies and launches");
  }
  if (description.launches.empty()) {
    std::vector<std::string> titles;
    for (const KernelResources& kernel : kernels) titles.push_back(Excerpt(KernelTitle(kernel)));
    return absl::InvalidArgumentError(absl::StrCat(
        "no launch is given for ", titles.empty() ? "the source, which defines no kernel" : Excerpt(absl::StrJoin(titles, ", "), kMostReason),
        ": add a comment `// cudaperf: launch kernel<<<grid, block>>>(arguments)`, or a host function ",
        task.entry_point()));
  }
  if (absl::Status status = CheckScratchNames(task, description); !status.ok()) return status;
  const Sizes sizes = LaunchSizes(task, test_case);
  LaunchPlan plan;
  for (const reward::v1::Scratch& scratch : description.scratch) {
    const absl::StatusOr<int64_t> bytes = ScratchBytes(scratch, test_case, sizes);
    if (!bytes.ok()) return bytes.status();
    plan.scratch_bytes.push_back(*bytes);
  }
  for (size_t i = 0; i < description.launches.size(); ++i) {
    absl::StatusOr<BoundLaunch> launch =
        LaunchBinder(task, test_case, description, sizes, static_cast<int>(i)).Bind(kernels);
    if (!launch.ok()) return launch.status();
    plan.launches.push_back(*std::move(launch));
  }
  return plan;
}

absl::Status CheckLaunches(const CudaTask& task, const LaunchDescription& description,
                           absl::Span<const KernelResources> kernels) {
  for (const Case& test_case : task.cases()) {
    const absl::StatusOr<LaunchPlan> plan = BindLaunches(task, test_case, description, kernels);
    if (!plan.ok()) return plan.status();
  }
  return absl::OkStatus();
}

}  // namespace cudaperf::sandbox
