// Runs what nvcc makes of nvcc_features.cu and compares with the same computed here.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gtest/gtest.h"
#include "tests/emulator/kernel_fixture.h"

namespace cudaperf::emulator {
namespace {

uint16_t Brain(float value) { return static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16); }

uint16_t Half(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value == 0) return 0;
  return static_cast<uint16_t>((bits >> 16 & 0x8000) | ((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 0x3ff));
}

float FromHalf(uint16_t bits) {
  const float magnitude = std::ldexp(static_cast<float>(bits & 0x7c00 ? 1024 + (bits & 0x3ff) : bits & 0x3ff),
                                     std::max(bits >> 10 & 31, 1) - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

class NvccFeaturesTest : public KernelFixture {
 protected:
  static void SetUpTestSuite() {
    char folder[] = "/tmp/cudaperf_nvcc_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    const std::string ptx = std::string(folder) + "/kernels.ptx";
    const std::string command =
        CUDAPERF_NVCC " -ptx -lineinfo -std=c++17 -gencode arch=compute_90,code=compute_90 " CUDAPERF_SOURCE_DIR
                      "/tests/emulator/nvcc_features.cu -o " +
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
    options_.instruction_budget = 50'000'000;
  }

  template <typename... Arguments>
  LaunchResult Run(std::string_view kernel, Device::Dimensions grid, Device::Dimensions block, Arguments... arguments) {
    LaunchResult result = Launch(kernel, grid, block, arguments...);
    EXPECT_EQ(result.status, Status::kOk) << result.detail;
    for (const reward::v1::Finding& finding : result.findings) ADD_FAILURE() << finding.ShortDebugString();
    return result;
  }

  // C = A B + C + 1 on small whole numbers, which every type holds exactly. `columns_a`, `columns_b`: stored by
  // columns.
  template <typename In, typename Out, typename Encode, typename Decode>
  void CheckTile(std::string_view kernel, int m, int n, int k, bool columns_a, bool columns_b, Encode encode,
                 Decode decode) {
    std::vector<In> a(m * k), b(k * n);
    const auto left = [](int row, int column) { return (row * 3 + column * 5) % 7; };
    const auto right = [](int row, int column) { return (row * 5 + column * 2) % 9; };
    for (int r = 0; r < m; ++r) {
      for (int c = 0; c < k; ++c) a[columns_a ? c * m + r : r * k + c] = encode(left(r, c));
    }
    for (int r = 0; r < k; ++r) {
      for (int c = 0; c < n; ++c) b[columns_b ? c * k + r : r * n + c] = encode(right(r, c));
    }
    const uint64_t out = Upload(std::vector<Out>(m * n, Out{0}));
    const LaunchResult result = Run(kernel, {1, 1, 1}, {32, 1, 1}, Upload(a), Upload(b), out);
    const std::vector<Out> got = Download<Out>(out, m * n);
    for (int r = 0; r < m; ++r) {
      for (int c = 0; c < n; ++c) {
        int want = 1;
        for (int i = 0; i < k; ++i) want += left(r, i) * right(i, c);
        ASSERT_EQ(decode(got[r * n + c]), want) << kernel << " " << r << " " << c;
      }
    }
    EXPECT_EQ(result.execution.counters().flop_tensor_count(), 2 * m * n * k) << kernel;
    EXPECT_EQ(result.execution.counters().global_store_bytes(), static_cast<int64_t>(m * n * sizeof(Out))) << kernel;
  }

  static inline std::shared_ptr<const Module> compiled_;
};

TEST_F(NvccFeaturesTest, TensorTilesOfEveryShapeAndType) {
  const auto plain = [](auto value) { return static_cast<double>(value); };
  const auto half = [](uint16_t value) { return static_cast<double>(FromHalf(value)); };
  const auto to_half = [](int value) { return Half(static_cast<float>(value)); };
  const auto to_brain = [](int value) { return Brain(static_cast<float>(value)); };
  CheckTile<uint16_t, float>("tile_f16", 16, 16, 16, false, true, to_half, plain);
  CheckTile<uint16_t, float>("tile_f16_tall", 32, 8, 16, true, false, to_half, plain);
  CheckTile<uint16_t, uint16_t>("tile_f16_wide", 8, 32, 16, false, false, to_half, half);
  CheckTile<uint16_t, float>("tile_bf16", 32, 8, 16, false, true, to_brain, plain);
  CheckTile<int8_t, int32_t>(
      "tile_s8", 16, 16, 16, false, true, [](int v) { return static_cast<int8_t>(v); }, plain);
  CheckTile<uint8_t, int32_t>(
      "tile_u8", 8, 32, 16, true, false, [](int v) { return static_cast<uint8_t>(v); }, plain);
  CheckTile<float, float>(
      "tile_tf32", 16, 16, 8, false, false, [](int v) { return static_cast<float>(v); }, plain);
  CheckTile<double, double>(
      "tile_f64", 8, 8, 4, false, true, [](int v) { return static_cast<double>(v); }, plain);
}

TEST_F(NvccFeaturesTest, CallsThroughPointers) {
  const uint64_t out = Output<float>(32);
  Run("table_of_functions", {1, 1, 1}, {32, 1, 1}, out, 1);
  std::vector<float> got = Download<float>(out, 32);
  for (int i = 0; i < 32; ++i) {
    const int which = (i + 1) % 3;
    EXPECT_EQ(got[i], which == 0 ? i + 2.f : which == 1 ? i * 2.f : i - 2.f);
  }
  Run("virtual_functions", {1, 1, 1}, {32, 1, 1}, out);
  got = Download<float>(out, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(got[i], (i % 2 ? 1 : 3) * i * i);
}

TEST_F(NvccFeaturesTest, RecursionKeepsEveryLanesFrames) {
  const uint64_t out = Output<int>(64);
  Run("recursion", {1, 1, 1}, {64, 1, 1}, out);
  const std::vector<int> got = Download<int>(out, 64);
  int want[10] = {0, 1};
  for (int i = 2; i < 10; ++i) want[i] = want[i - 1] + want[i - 2];
  for (int i = 0; i < 64; ++i) EXPECT_EQ(got[i], want[i % 10]);
}

int Chain(int n, const int* above) {
  int own[4];
  for (int k = 0; k < 4; ++k) own[k] = n * k + above[(n + k) & 3];
  if (n == 0) return own[3];
  const int below = Chain(n - 1, own);
  return below + own[n & 3];
}

TEST_F(NvccFeaturesTest, FramesHaveArraysOfTheirOwnAndTheStackAnEnd) {
  const uint64_t out = Output<int>(32);
  Run("chain", {1, 1, 1}, {32, 1, 1}, out, 30);
  const int start[4] = {1, 2, 3, 4};
  EXPECT_EQ(Download<int>(out, 32)[7], Chain(30, start));
  const LaunchResult deep = Launch("chain", {1, 1, 1}, {32, 1, 1}, out, 1 << 20);
  EXPECT_EQ(deep.status, Status::kFault);
  EXPECT_NE(FindFinding(deep, reward::v1::FINDING_KIND_STACK_OVERFLOW), nullptr);
}

TEST_F(NvccFeaturesTest, BarrierOverTheGridNeedsACooperativeLaunch) {
  std::vector<float> values(1000);
  for (int i = 0; i < 1000; ++i) values[i] = static_cast<float>(i);
  const uint64_t a = Upload(values), b = Output<float>(1000);
  EXPECT_EQ(Launch("grid_barrier", {8, 1, 1}, {64, 1, 1}, a, b, 1000).status, Status::kFault);
  options_.cooperative = true;
  for (const int threads : {1, 3}) {
    options_.thread_count = threads;
    const uint64_t fresh = Upload(values);
    Run("grid_barrier", {8, 1, 1}, {64, 1, 1}, fresh, b, 1000);
    const std::vector<float> got = Download<float>(fresh, 1000);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(got[i], 2 * ((i + 1) % 1000));
  }
  EXPECT_EQ(Launch("grid_barrier", {265, 1, 1}, {1024, 1, 1}, a, b, 1000).status, Status::kBadLaunch);
}

TEST_F(NvccFeaturesTest, BarrierObjectsInSharedMemory) {
  std::vector<int> values(96);
  for (int i = 0; i < 96; ++i) values[i] = i * i;
  for (const int schedule : {0, 1, 7}) {
    options_.warp_schedule = schedule;
    const uint64_t out = Upload(std::vector<int>(96, 0));
    Run("block_barrier", {1, 1, 1}, {96, 1, 1}, Upload(values), out);
    const std::vector<int> got = Download<int>(out, 96);
    for (int i = 0; i < 96; ++i) ASSERT_EQ(got[i], 3 * values[(i + 1) % 96] + 3);
  }
}

TEST_F(NvccFeaturesTest, PackedIntegers) {
  std::vector<uint32_t> a(32), b(32);
  for (uint32_t i = 0; i < 32; ++i) {
    a[i] = i * 0x9e3779b9u;
    b[i] = i * 0x85ebca6bu + 77;
  }
  const uint64_t out = Output<uint32_t>(128);
  Run("packed_integers", {1, 1, 1}, {32, 1, 1}, Upload(a), Upload(b), out);
  const std::vector<uint32_t> got = Download<uint32_t>(out, 128);
  for (int i = 0; i < 32; ++i) {
    uint32_t differences = 0, total = 0, sums = 0, most = 0;
    for (int part = 0; part < 4; ++part) {
      const int x = a[i] >> (8 * part) & 255, y = b[i] >> (8 * part) & 255;
      differences |= static_cast<uint32_t>(std::abs(x - y)) << (8 * part);
      total += static_cast<uint32_t>(std::abs(x - y));
    }
    for (int part = 0; part < 2; ++part) {
      const auto x = static_cast<int16_t>(a[i] >> (16 * part)), y = static_cast<int16_t>(b[i] >> (16 * part));
      sums |= static_cast<uint32_t>(static_cast<uint16_t>(x + y)) << (16 * part);
      most |= static_cast<uint32_t>(static_cast<uint16_t>(std::max(x, y))) << (16 * part);
    }
    EXPECT_EQ(got[i], differences);
    EXPECT_EQ(got[32 + i], sums);
    EXPECT_EQ(got[64 + i], most);
    EXPECT_EQ(got[96 + i], total);
  }
}

TEST_F(NvccFeaturesTest, EightBitFloats) {
  const std::vector<float> x = {0,      1,         -1,  0.3f,    17,      1000, -1e9f,
                                0.001f, 0.015625f, 448, 1.0625f, 1.1875f, 240,  0.0029296875f};
  const std::vector<float> want = {0,         1,   -1, 0.3125f, 16,  448,        -448, 0.001953125f,
                                   0.015625f, 448, 1,  1.25f,   240, 0.00390625f};
  const uint64_t out = Output<float>(x.size());
  Run("eight_bit_floats", {1, 1, 1}, {static_cast<int64_t>(x.size()), 1, 1}, Upload(x), out);
  EXPECT_EQ(Download<float>(out, x.size()), want);
}

TEST_F(NvccFeaturesTest, FlashAttention) {
  constexpr int kN = 45, kDim = 32;
  std::vector<float> q(kN * kDim), k(q), v(q);
  for (int i = 0; i < kN * kDim; ++i) {
    q[i] = static_cast<float>(i * 37 % 101) / 50 - 1;
    k[i] = static_cast<float>(i * 53 % 97) / 48 - 1;
    v[i] = static_cast<float>(i * 29 % 89) / 44 - 1;
  }
  const uint64_t out = Output<float>(kN * kDim);
  Run("flash_attention", {(kN + 7) / 8, 1, 1}, {32, 8, 1}, Upload(q), Upload(k), Upload(v), out, kN);
  const std::vector<float> got = Download<float>(out, kN * kDim);
  for (int row = 0; row < kN; ++row) {
    std::vector<double> weight(kN);
    double sum = 0;
    for (int j = 0; j < kN; ++j) {
      double score = 0;
      for (int d = 0; d < kDim; ++d) score += static_cast<double>(q[row * kDim + d]) * k[j * kDim + d];
      sum += weight[j] = std::exp(score / std::sqrt(kDim));
    }
    for (int d = 0; d < kDim; ++d) {
      double want = 0;
      for (int j = 0; j < kN; ++j) want += weight[j] / sum * v[j * kDim + d];
      ASSERT_NEAR(got[row * kDim + d], want, 1e-5);
    }
  }
}

TEST_F(NvccFeaturesTest, NormalisationRotationAndGather) {
  std::vector<uint16_t> x(2 * 300);
  for (int i = 0; i < 600; ++i) x[i] = Brain(static_cast<float>(i % 13 - 6));
  const uint64_t normed = Output<uint16_t>(600);
  Run("rms_norm", {2, 1, 1}, {128, 1, 1}, Upload(x), normed, 150);
  double squares = 0;
  for (int i = 0; i < 300; ++i) squares += (i % 13 - 6) * (i % 13 - 6);
  const double first = std::bit_cast<float>(static_cast<uint32_t>(Download<uint16_t>(normed, 600)[0]) << 16);
  EXPECT_NEAR(first, -6 / std::sqrt(squares / 300), 0.01);
  const uint64_t q = Upload(std::vector<float>(10 * 64, 1));
  Run("rope", {10, 1, 1}, {32, 1, 1}, q, 64, 10000.f);
  const std::vector<float> turned = Download<float>(q, 640);
  const double angle = 7 * std::pow(10000.0, -2.0 * 5 / 64);
  EXPECT_NEAR(turned[7 * 64 + 10], std::cos(angle) - std::sin(angle), 1e-5);
  EXPECT_NEAR(turned[7 * 64 + 11], std::cos(angle) + std::sin(angle), 1e-5);
  std::vector<uint16_t> table(8 * 64);
  for (int i = 0; i < 512; ++i) table[i] = static_cast<uint16_t>(i);
  const uint64_t rows = Output<uint16_t>(3 * 64);
  Run("embedding", {3, 1, 1}, {32, 1, 1}, Upload(std::vector<int>{5, 0, 7}), Upload(table), rows, 64);
  const std::vector<uint16_t> got = Download<uint16_t>(rows, 192);
  EXPECT_EQ(got[10], 5 * 64 + 10);
  EXPECT_EQ(got[64 + 63], 63);
  EXPECT_EQ(got[128], 7 * 64);
}

TEST_F(NvccFeaturesTest, SpecialisedWarpsAndPipelines) {
  std::vector<float> x(64 * 5);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  for (const int schedule : {0, 1, 5}) {
    options_.warp_schedule = schedule;
    const uint64_t y = Output<float>(x.size());
    Run("specialised_warps", {1, 1, 1}, {128, 1, 1}, Upload(x), y, 320);
    const std::vector<float> got = Download<float>(y, x.size());
    for (int i = 0; i < 320; ++i) ASSERT_EQ(got[i], 2 * x[i / 64 * 64 + 63 - i % 64]) << i;
  }
  std::vector<int> words(4 * 128 * 3);
  for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<int>(i);
  const uint64_t out = Output<int>(words.size());
  Run("pipeline", {1, 1, 1}, {128, 1, 1}, Upload(words), out, 3);
  const std::vector<int> got = Download<int>(out, words.size());
  for (int i = 0; i < 384; ++i) {
    const int from = 4 * (i / 128 * 128 + 127 - i % 128);
    ASSERT_EQ(got[4 * i], from + 1);
    ASSERT_EQ(got[4 * i + 3], from + 3);
  }
}

TEST_F(NvccFeaturesTest, CooperativeGroups) {
  std::vector<int> x(64);
  for (int i = 0; i < 64; ++i) x[i] = i * 3 % 10;
  const uint64_t sums = Output<int>(64), scans = Output<int>(64);
  Run("groups", {1, 1, 1}, {64, 1, 1}, Upload(x), sums, scans);
  const std::vector<int> got = Download<int>(sums, 64), scanned = Download<int>(scans, 64);
  for (int i = 0; i < 64; ++i) {
    int sum = 0, scan = 0, odd = 0;
    for (int k = i / 16 * 16; k < i / 16 * 16 + 16; ++k) {
      sum += x[k];
      if (k <= i) scan += x[k];
    }
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) odd += x[k] & 1;
    EXPECT_EQ(got[i], sum + (x[i] & 1 ? 1000 * odd : 0)) << i;
    EXPECT_EQ(scanned[i], scan) << i;
  }
}

TEST_F(NvccFeaturesTest, BatchedTensorMultiply) {
  constexpr int kN = 64;
  std::vector<uint16_t> a(2 * kN * kN), b(a);
  const auto left = [](int i) { return i * 7 % 5 - 2; };
  const auto right = [](int i) { return i * 3 % 7 - 3; };
  for (int i = 0; i < 2 * kN * kN; ++i) {
    a[i] = Half(static_cast<float>(left(i)));
    b[i] = Half(static_cast<float>(right(i)));
  }
  const uint64_t out = Output<float>(2 * kN * kN);
  Run("batched_gemm", {2, 2, 2}, {128, 1, 1}, Upload(a), Upload(b), out, kN);
  const std::vector<float> got = Download<float>(out, 2 * kN * kN);
  for (int batch = 0; batch < 2; ++batch) {
    const int base = batch * kN * kN;
    for (int r = 0; r < kN; ++r) {
      for (int c = 0; c < kN; ++c) {
        int want = 0;
        for (int k = 0; k < kN; ++k) want += left(base + r * kN + k) * right(base + k * kN + c);
        ASSERT_EQ(got[base + r * kN + c], std::max(want, 0));
      }
    }
  }
}

}  // namespace
}  // namespace cudaperf::emulator
