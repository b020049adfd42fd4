#include "sandbox/task/task_digest.h"

#include <map>

#include "sandbox/task/sha256.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Generator;

template <typename Range>
void AddEach(Sha256& digest, absl::string_view name, const Range& values) {
  digest.Add(name, static_cast<int64_t>(values.size()));
  for (const std::string& value : values) digest.Add(name, absl::string_view(value));
}

void AddGenerator(Sha256& digest, const Generator& generator) {
  digest.Add("generator", static_cast<int64_t>(generator.kind_case()));
  switch (generator.kind_case()) {
    case Generator::kUniform:
      digest.Add("min", generator.uniform().min()).Add("max", generator.uniform().max());
      break;
    case Generator::kNormal:
      digest.Add("mean", generator.normal().mean()).Add("stddev", generator.normal().stddev());
      break;
    case Generator::kIntegerRange:
      digest.Add("min", absl::string_view(generator.integer_range().min()));
      digest.Add("max", absl::string_view(generator.integer_range().max()));
      break;
    case Generator::kSorted:
      digest.Add("min", generator.sorted().min()).Add("max", generator.sorted().max());
      break;
    case Generator::kCsrRowOffsets:
      digest.Add("nonzero_count", absl::string_view(generator.csr_row_offsets().nonzero_count()));
      break;
    case Generator::kCsrColumnIndices:
      digest.Add("row_offsets", absl::string_view(generator.csr_column_indices().row_offsets()));
      digest.Add("column_count", absl::string_view(generator.csr_column_indices().column_count()));
      break;
    case Generator::kConstant:
      digest.Add("value", generator.constant().value());
      break;
    case Generator::kPermutation:
    case Generator::KIND_NOT_SET:
      break;
  }
}

void AddTolerance(Sha256& digest, const reward::v1::Tolerance& tolerance) {
  digest.Add("has_relative", int64_t{tolerance.has_relative()}).Add("relative", tolerance.relative());
  digest.Add("has_scaled", int64_t{tolerance.has_scaled()}).Add("scaled", tolerance.scaled());
  digest.Add("allow_non_finite", int64_t{tolerance.allow_non_finite()});
}

void AddParameter(Sha256& digest, const reward::v1::Parameter& parameter) {
  digest.Add("parameter", absl::string_view(parameter.name()));
  digest.Add("dtype", static_cast<int64_t>(parameter.dtype()));
  digest.Add("shape", static_cast<int64_t>(parameter.shape_case()));
  digest.Add("value", absl::string_view(parameter.scalar().value()));
  digest.Add("direction", static_cast<int64_t>(parameter.buffer().direction()));
  digest.Add("extent", absl::string_view(parameter.buffer().extent()));
  AddGenerator(digest, parameter.generator());
  digest.Add("has_tolerance", int64_t{parameter.has_tolerance()});
  AddTolerance(digest, parameter.tolerance());
}

void AddCase(Sha256& digest, const reward::v1::Case& test_case) {
  digest.Add("case", absl::string_view(test_case.name())).Add("role", static_cast<int64_t>(test_case.role()));
  // Maps of protobuf have no order of their own.
  const std::map<std::string, int64_t> sizes(test_case.sizes().begin(), test_case.sizes().end());
  digest.Add("sizes", static_cast<int64_t>(sizes.size()));
  for (const auto& [name, value] : sizes) digest.Add(name, value);
  const std::map<std::string, Generator> generators(test_case.generators().begin(), test_case.generators().end());
  digest.Add("generators", static_cast<int64_t>(generators.size()));
  for (const auto& [name, generator] : generators) {
    digest.Add("generator_of", absl::string_view(name));
    AddGenerator(digest, generator);
  }
}

void AddCandidate(Sha256& digest, const reward::v1::Candidate& candidate) {
  digest.Add("source", absl::string_view(candidate.source()));
  digest.Add("kind", static_cast<int64_t>(candidate.kind()));
  digest.Add("launches", static_cast<int64_t>(candidate.launches_size()));
  for (const reward::v1::Launch& launch : candidate.launches()) {
    digest.Add("kernel", absl::string_view(launch.kernel()));
    AddEach(digest, "grid", launch.grid());
    AddEach(digest, "block", launch.block());
    digest.Add("dynamic_shared_bytes", absl::string_view(launch.dynamic_shared_bytes()));
    AddEach(digest, "arguments", launch.arguments());
  }
  digest.Add("scratch", static_cast<int64_t>(candidate.scratch_size()));
  for (const reward::v1::Scratch& scratch : candidate.scratch()) {
    digest.Add("name", absl::string_view(scratch.name())).Add("dtype", static_cast<int64_t>(scratch.dtype()));
    digest.Add("extent", absl::string_view(scratch.extent()));
  }
}

}  // namespace

std::string TaskDigest(const reward::v1::Task& task) {
  const reward::v1::CudaTask& cuda = task.cuda();
  Sha256 digest;
  digest.Add("task", int64_t{1}).Add("kind", static_cast<int64_t>(task.kind_case()));
  digest.Add("reference_source", absl::string_view(cuda.reference_source()));
  digest.Add("entry_point", absl::string_view(cuda.entry_point()));
  digest.Add("parameters", static_cast<int64_t>(cuda.parameters_size()));
  for (const reward::v1::Parameter& parameter : cuda.parameters()) AddParameter(digest, parameter);
  digest.Add("cases", static_cast<int64_t>(cuda.cases_size()));
  for (const reward::v1::Case& test_case : cuda.cases()) AddCase(digest, test_case);
  AddTolerance(digest, cuda.tolerance());
  digest.Add("memory_space", static_cast<int64_t>(cuda.memory_space()));
  digest.Add("fast_math", int64_t{cuda.fast_math()});
  AddCandidate(digest, cuda.baseline());
  return digest.FinishText();
}

std::string CandidateDigest(const reward::v1::Candidate& candidate) {
  Sha256 digest;
  digest.Add("candidate", int64_t{1});
  AddCandidate(digest, candidate);
  return digest.FinishText();
}

}  // namespace cudaperf::sandbox
