#ifndef CUDAPERF_TESTS_EMULATOR_KERNEL_FIXTURE_H_
#define CUDAPERF_TESTS_EMULATOR_KERNEL_FIXTURE_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "emulator/device.h"
#include "emulator/operations.h"
#include "gtest/gtest.h"

namespace cudaperf::emulator {

// A device with memory, and short words for launching on it.
class KernelFixture : public ::testing::Test {
 protected:
  using Status = LaunchResult::Status;

  // The interpreter under test: this processor's best, or with CUDAPERF_TEST_OPERATIONS=baseline the portable one.
  static const OperationSet& Operations() {
    const char* name = std::getenv("CUDAPERF_TEST_OPERATIONS");
    return name != nullptr && std::string_view(name) == BaselineOperations().name ? BaselineOperations()
                                                                                  : BestOperations();
  }

  // Wraps statements into `.entry k(p0, p1, p2, p3 : u64)` with registers of every kind; %rd0..%rd3 hold the
  // parameters.
  static std::string Kernel(std::string_view body, std::string_view declarations = "") {
    std::string ptx = ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"candidate.cu\"\n";
    ptx.append(declarations);
    ptx +=
        ".visible .entry k(.param .u64 k_0, .param .u64 k_1, .param .u64 k_2, .param .u64 k_3)\n{\n"
        ".reg .pred %p<16>; .reg .b16 %rs<32>; .reg .b32 %r<64>; .reg .b64 %rd<64>; .reg .f32 %f<64>; .reg .f64 "
        "%fd<32>;\n"
        "ld.param.u64 %rd0, [k_0]; ld.param.u64 %rd1, [k_1]; ld.param.u64 %rd2, [k_2]; ld.param.u64 %rd3, [k_3];\n"
        "mov.u32 %r0, %tid.x;\n";
    ptx.append(body);
    ptx += "\nret;\n}\n";
    return ptx;
  }

  void Load(std::string_view ptx) {
    absl::StatusOr<std::shared_ptr<const Module>> module = Module::Parse(ptx, Operations());
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *module;
  }

  template <typename T>
  uint64_t Upload(const std::vector<T>& values, std::string_view name = "buffer", bool read_only = false) {
    storage_.push_back(std::make_unique<std::vector<uint64_t>>(values.size() * sizeof(T) / 8 + 1));
    std::memcpy(storage_.back()->data(), values.data(), values.size() * sizeof(T));
    DeviceMemory::Attachment attachment;
    attachment.host = storage_.back()->data();
    attachment.size_bytes = static_cast<int64_t>(values.size() * sizeof(T));
    attachment.read_only = read_only;
    attachment.name = std::string(name);
    attachment.element_size_bytes = sizeof(T);
    return memory_.Attach(attachment).value();
  }

  template <typename T>
  uint64_t Output(size_t count, std::string_view name = "out") {
    const uint64_t address =
        memory_.Allocate(static_cast<int64_t>(count * sizeof(T)), DeviceMemory::Content::kUninitialized, name).value();
    memory_.Find(address)->element_size_bytes = sizeof(T);
    return address;
  }

  template <typename T>
  std::vector<T> Download(uint64_t address, size_t count) {
    std::vector<T> values(count);
    EXPECT_TRUE(memory_.CopyOut(address, values.data(), static_cast<int64_t>(count * sizeof(T))).ok());
    return values;
  }

  // Lays the arguments out as the kernel's parameters say.
  template <typename... Arguments>
  LaunchResult Launch(std::string_view kernel, Device::Dimensions grid, Device::Dimensions block,
                      Arguments... arguments) {
    const cudaperf::emulator::Kernel* found = module_->FindKernel(kernel);
    if (found == nullptr) {
      ADD_FAILURE() << "no kernel " << kernel;
      return LaunchResult{};
    }
    std::string parameters(static_cast<size_t>(found->parameter_block_bytes), '\0');
    size_t index = 0;
    const auto place = [&](const auto& value) {
      if (index >= found->parameters.size()) return;
      const KernelParameter& parameter = found->parameters[index++];
      std::memcpy(parameters.data() + parameter.offset_bytes, &value,
                  std::min<size_t>(sizeof(value), static_cast<size_t>(parameter.size_bytes)));
    };
    (place(arguments), ...);
    absl::StatusOr<LaunchResult> result =
        device_.Launch(module_, kernel, grid, block, dynamic_shared_bytes_, parameters, options_);
    if (!result.ok()) {
      ADD_FAILURE() << result.status();
      return LaunchResult{};
    }
    return *std::move(result);
  }

  // One warp of `body`; %rd0 is an output of 32 elements per register asked for.
  LaunchResult RunWarp(std::string_view body, uint64_t p0, uint64_t p1 = 0, uint64_t p2 = 0, uint64_t p3 = 0) {
    Load(Kernel(body));
    return Launch("k", {1, 1, 1}, {32, 1, 1}, p0, p1, p2, p3);
  }

  // Runs `body`, which leaves its result in `%r63` (or `%rd63`, `%f63`, `%fd31`, `%rs31` by T), in every lane of a
  // warp.
  template <typename T>
  std::vector<T> Evaluate(std::string_view body, std::string_view declarations = "") {
    const uint64_t out = Output<T>(32);
    constexpr bool kFloat = std::is_floating_point_v<T>;
    const std::string reg = sizeof(T) == 2   ? "%rs31"
                            : sizeof(T) == 4 ? (kFloat ? "%f63" : "%r63")
                            : kFloat         ? "%fd31"
                                             : "%rd63";
    const std::string type = "b" + std::to_string(8 * sizeof(T));
    std::string all(body);
    all += "\nmul.wide.u32 %rd10, %r0, " + std::to_string(sizeof(T)) + "; add.s64 %rd11, %rd0, %rd10; st.global." +
           type + " [%rd11], " + reg + ";";
    Load(Kernel(all, declarations));
    const LaunchResult result = Launch("k", {1, 1, 1}, {32, 1, 1}, out, uint64_t{0}, uint64_t{0}, uint64_t{0});
    EXPECT_EQ(result.status, Status::kOk) << result.detail;
    return Download<T>(out, 32);
  }

  const reward::v1::Finding* FindFinding(const LaunchResult& result, reward::v1::FindingKind kind) {
    for (const reward::v1::Finding& finding : result.findings) {
      if (finding.kind() == kind) return &finding;
    }
    return nullptr;
  }

  DeviceMemory memory_{int64_t{1} << 30};
  Device device_{&memory_};
  LaunchOptions options_;
  int64_t dynamic_shared_bytes_ = 0;
  std::shared_ptr<const Module> module_;
  std::vector<std::unique_ptr<std::vector<uint64_t>>> storage_;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_TESTS_EMULATOR_KERNEL_FIXTURE_H_
