// Runs what nvcc makes of nvcc_kernels.cu and compares with the same computed here.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

#include "gtest/gtest.h"
#include "tests/emulator/kernel_fixture.h"

namespace cudaperf::emulator {
namespace {

class NvccTest : public KernelFixture {
 protected:
  static void SetUpTestSuite() {
    char folder[] = "/tmp/cudaperf_nvcc_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    const std::string ptx = std::string(folder) + "/kernels.ptx";
    const std::string command =
        CUDAPERF_NVCC " -ptx -lineinfo -std=c++17 -gencode arch=compute_90,code=compute_90 " CUDAPERF_SOURCE_DIR
                      "/tests/emulator/nvcc_kernels.cu -o " +
        ptx;
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::ostringstream text;
    text << std::ifstream(ptx).rdbuf();
    std::filesystem::remove_all(folder);
    const auto module = Module::Parse(text.str());
    ASSERT_TRUE(module.ok()) << module.status();
    compiled_ = *module;
  }
  static void TearDownTestSuite() { compiled_.reset(); }

  void SetUp() override {
    ASSERT_NE(compiled_, nullptr);
    module_ = compiled_;
    options_.checkers = true;
    options_.thread_count = 2;
    options_.instruction_budget = 200'000'000;
  }

  template <typename... Arguments>
  LaunchResult Run(std::string_view kernel, Device::Dimensions grid, Device::Dimensions block, Arguments... arguments) {
    LaunchResult result = Launch(kernel, grid, block, arguments...);
    EXPECT_EQ(result.status, Status::kOk) << result.detail;
    for (const reward::v1::Finding& finding : result.findings) ADD_FAILURE() << finding.ShortDebugString();
    return result;
  }

  static std::vector<float> Ramp(size_t count, float scale = 0.25f) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = scale * static_cast<float>(static_cast<int>(i * 7919 % 61) - 30);
    return values;
  }

  static inline std::shared_ptr<const Module> compiled_;
};

TEST_F(NvccTest, Saxpy) {
  const std::vector<float> x = Ramp(1000), y = Ramp(1000, 0.5f);
  const uint64_t dx = Upload(x, "x", true), dy = Upload(y, "y");
  const LaunchResult result = Run("saxpy", {4, 1, 1}, {256, 1, 1}, 1000, 2.0f, dx, dy);
  const std::vector<float> got = Download<float>(dy, 1000);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(got[i], std::fma(2.0f, x[i], y[i]));
  EXPECT_EQ(result.execution.counters().flop_fp32_count(), 2000);
  ASSERT_GE(result.execution.lines_size(), 1);
  EXPECT_EQ(result.execution.lines(0).file(), "nvcc_kernels.cu");
}

template <typename T>
std::vector<double> Product(const std::vector<T>& a, const std::vector<T>& b, int n) {
  std::vector<double> c(n * n, 0);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) c[i * n + j] += static_cast<double>(a[i * n + k]) * b[k * n + j];
  return c;
}

TEST_F(NvccTest, TiledMatrixMultiply) {
  constexpr int kN = 37;
  const std::vector<float> a = Ramp(kN * kN), b = Ramp(kN * kN, 0.125f);
  const std::vector<double> want = Product(a, b, kN);
  const uint64_t out = Output<float>(kN * kN);
  const LaunchResult result = Run("matmul_f32", {3, 3, 1}, {16, 16, 1}, Upload(a), Upload(b), out, kN);
  const std::vector<float> got = Download<float>(out, kN * kN);
  for (int i = 0; i < kN * kN; ++i) ASSERT_NEAR(got[i], want[i], 1e-4);
  EXPECT_EQ(result.execution.counters().shared_bank_conflict_count(), 0);
  const std::vector<double> a64(a.begin(), a.end()), b64(b.begin(), b.end());
  const uint64_t out64 = Output<double>(kN * kN);
  Run("matmul_f64", {3, 3, 1}, {16, 16, 1}, Upload(a64), Upload(b64), out64, kN);
  EXPECT_EQ(Download<double>(out64, kN * kN), want);
}

TEST_F(NvccTest, HalfPrecision) {
  // 1.0 everywhere: sums of ones are exact.
  constexpr int kN = 20;
  const uint64_t out = Output<uint16_t>(kN * kN);
  Run("matmul_f16", {2, 2, 1}, {16, 16, 1}, Upload(std::vector<uint16_t>(kN * kN, 0x3c00)),
      Upload(std::vector<uint16_t>(kN * kN, 0x3c00)), out, kN);
  EXPECT_EQ(Download<uint16_t>(out, kN * kN), std::vector<uint16_t>(kN * kN, 0x4d00));
  const uint64_t x = Upload(std::vector<uint32_t>(40, 0x40003c00));
  Run("half_pairs", {1, 1, 1}, {64, 1, 1}, x, Upload(std::vector<uint32_t>(40, 0x40004000)), 40);
  EXPECT_EQ(Download<uint32_t>(x, 40)[39], 0x45804300u);
}

TEST_F(NvccTest, Reductions) {
  const std::vector<float> x = Ramp(5003);
  const double want = std::accumulate(x.begin(), x.end(), 0.0);
  const uint64_t out = Upload(std::vector<float>{0});
  dynamic_shared_bytes_ = 32;
  Run("reduce", {5, 1, 1}, {256, 1, 1}, Upload(x), out, 5003);
  dynamic_shared_bytes_ = 0;
  EXPECT_NEAR(Download<float>(out, 1)[0], want, 1e-2);
  std::vector<float> peak = x;
  peak[4321] = 99;
  const uint64_t best = Output<float>(1), where = Output<int>(1);
  Run("tree_max", {1, 1, 1}, {256, 1, 1}, Upload(peak), best, where, 5003);
  EXPECT_EQ(Download<float>(best, 1)[0], 99);
  EXPECT_EQ(Download<int>(where, 1)[0], 4321);
}

TEST_F(NvccTest, Transpose) {
  constexpr int kN = 45;
  const std::vector<float> in = Ramp(kN * kN);
  const uint64_t out = Output<float>(kN * kN);
  const LaunchResult result = Run("transpose", {2, 2, 1}, {32, 8, 1}, Upload(in), out, kN);
  const std::vector<float> got = Download<float>(out, kN * kN);
  for (int i = 0; i < kN; ++i)
    for (int j = 0; j < kN; ++j) ASSERT_EQ(got[i * kN + j], in[j * kN + i]);
  EXPECT_EQ(result.execution.counters().shared_bank_conflict_count(), 0);
}

TEST_F(NvccTest, ConvolutionReadsConstants) {
  const std::vector<float> x = Ramp(301);
  const uint64_t out = Output<float>(301);
  const LaunchResult result = Run("convolve", {3, 1, 1}, {128, 1, 1}, Upload(x), out, 301);
  const std::vector<float> got = Download<float>(out, 301);
  for (int i = 0; i < 301; ++i) {
    float want = 0;
    for (int k = 0; k < 8 && i + k < 301; ++k) want = std::fma(x[i + k], static_cast<float>(k + 1), want);
    ASSERT_NEAR(got[i], want, 1e-4);
  }
  EXPECT_GT(result.execution.counters().constant_request_count(), 0);
}

TEST_F(NvccTest, Histogram) {
  std::vector<uint8_t> x(3001);
  std::vector<int> want(256, 0);
  for (size_t i = 0; i < x.size(); ++i) ++want[x[i] = static_cast<uint8_t>(i * i)];
  const uint64_t bins = Upload(std::vector<int>(256, 0));
  Run("histogram", {4, 1, 1}, {128, 1, 1}, Upload(x), bins, 3001);
  EXPECT_EQ(Download<int>(bins, 256), want);
}

TEST_F(NvccTest, DecoupledLookBackScan) {
  std::vector<int> x(2000), want(2000);
  for (int i = 0; i < 2000; ++i) x[i] = i % 17 - 3;
  std::partial_sum(x.begin(), x.end(), want.begin());
  const uint64_t out = Output<int>(2000);
  Run("scan", {16, 1, 1}, {128, 1, 1}, Upload(x), out, Upload(std::vector<int>(16, 0)), Upload(std::vector<int>(16, 0)),
      2000);
  EXPECT_EQ(Download<int>(out, 2000), want);
}

TEST_F(NvccTest, Softmax) {
  const std::vector<float> x = Ramp(3 * 200, 0.05f);
  const uint64_t out = Output<float>(600);
  Run("softmax", {3, 1, 1}, {128, 1, 1}, Upload(x), out, 200);
  const std::vector<float> got = Download<float>(out, 600);
  for (int row = 0; row < 3; ++row) {
    double sum = 0;
    for (int i = 0; i < 200; ++i) sum += std::exp(static_cast<double>(x[row * 200 + i]));
    for (int i = 0; i < 200; ++i)
      ASSERT_NEAR(got[row * 200 + i], std::exp(static_cast<double>(x[row * 200 + i])) / sum, 1e-7);
  }
}

TEST_F(NvccTest, SparseMatrixVector) {
  const std::vector<int> offsets = {0, 2, 2, 5, 6}, columns = {0, 3, 1, 2, 3, 0};
  const std::vector<double> values = {1, 2, 3, 4, 5, 6}, x = {1, 10, 100, 1000};
  const uint64_t out = Output<double>(4);
  const LaunchResult result =
      Run("spmv", {1, 1, 1}, {32, 1, 1}, Upload(offsets), Upload(columns), Upload(values), Upload(x), out, 4);
  EXPECT_EQ(Download<double>(out, 4), (std::vector<double>{2001, 0, 5430, 6}));
  EXPECT_GT(result.execution.counters().divergent_branch_count(), 0);
}

TEST_F(NvccTest, NBody) {
  std::vector<float> bodies(4 * 70);
  for (size_t i = 0; i < bodies.size(); ++i) bodies[i] = static_cast<float>(i * 37 % 101) / 50;
  const uint64_t out = Output<float>(4 * 70);
  Run("nbody", {2, 1, 1}, {64, 1, 1}, Upload(bodies), out, 70);
  const std::vector<float> got = Download<float>(out, 280);
  for (int i = 0; i < 70; ++i) {
    double force = 0;
    for (int k = 0; k < 70; ++k) {
      const double dx = bodies[4 * k] - bodies[4 * i], dy = bodies[4 * k + 1] - bodies[4 * i + 1],
                   dz = bodies[4 * k + 2] - bodies[4 * i + 2];
      force += dx * bodies[4 * k + 3] / std::pow(dx * dx + dy * dy + dz * dz + 1e-3, 1.5);
    }
    ASSERT_NEAR(got[4 * i], force, 1e-3 * (1 + std::fabs(force)));
  }
}

TEST_F(NvccTest, CallsStackGroupsAndLibraryFunctions) {
  const uint64_t out = Output<float>(64);
  Run("calls", {1, 1, 1}, {64, 1, 1}, out, 20);
  const std::vector<float> got = Download<float>(out, 64);
  for (int t = 0; t < 64; ++t) {
    double want = 0;
    for (int i = 0; i < 20; ++i) want += t * ((i * 7) & 15);
    want += t / 8 * 64 + 28 + std::sin(100000.0 * t) + std::pow(t, 1.5);
    ASSERT_NEAR(got[t], want, 1e-3 + 1e-6 * want) << t;
  }
  const LaunchResult failed = Launch("calls", {1, 1, 1}, {32, 1, 1}, out, 1000);
  EXPECT_NE(FindFinding(failed, reward::v1::FINDING_KIND_DEVICE_TRAP), nullptr);
}

}  // namespace
}  // namespace cudaperf::emulator
