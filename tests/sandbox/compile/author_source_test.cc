// What people and models write who think of nvcc and a whole program: each of it compiles, and where it cannot, the
// reason told is the author's mistake.
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/sandbox/compile/compiler_fixture.h"

namespace cudaperf::sandbox {
namespace {

using testing::HasSubstr;
using testing::Not;
using worker::v1::COMPILE_STATUS_FAILED;
using worker::v1::COMPILE_STATUS_SUCCEEDED;
using worker::v1::COMPILE_STATUS_TIMED_OUT;
using worker::v1::CompileResponse;

class AuthorSourceTest : public CompilerTest {
 protected:
  enum class By { kNvrtc, kNvcc };

  void Compiles(const std::string& source, By by) {
    const CompileResponse response = Compile(Device(source));
    ASSERT_EQ(response.status(), COMPILE_STATUS_SUCCEEDED) << TextOf(response) << source;
    EXPECT_EQ(response.kernels_size(), 1) << source;
    EXPECT_THAT(response.program().ptx(), HasSubstr(".entry"));
    EXPECT_GT(response.kernels(0).register_count(), 0);
    bool by_nvcc = false;
    for (const std::string& flag : response.flags()) by_nvcc |= flag == "-cubin";
    EXPECT_EQ(by_nvcc, by == By::kNvcc) << source;
  }
};

TEST_F(AuthorSourceTest, UsualHeadersAreThere) {
  for (const char* header : {"stdint.h",       "cstdint",
                             "math.h",         "cmath",
                             "float.h",        "cfloat",
                             "limits.h",       "climits",
                             "assert.h",       "cassert",
                             "stdio.h",        "cstdio",
                             "stddef.h",       "cstddef",
                             "stdlib.h",       "cstdlib",
                             "string.h",       "cstring",
                             "limits",         "algorithm",
                             "cuda_runtime.h", "device_launch_parameters.h"}) {
    Compiles(absl::StrCat("#include <", header, ">\n__global__ void k(float* x) { *x = sqrtf(*x); }\n"), By::kNvrtc);
  }
}

TEST_F(AuthorSourceTest, UsualNamesNeedNoHeader) {
  Compiles(
      "__constant__ float lowest = -INFINITY;\n"
      "__global__ void k(size_t n, float* x, int32_t* y) {\n"
      "  assert(n > 0);\n"
      "  if (n == 1) printf(\"%d\\n\", y[0]);\n"
      "  y[0] = INT_MAX;\n  y[1] = CHAR_BIT;\n  x[0] = NAN;\n  x[1] = (float)M_PI + lowest;\n"
      "}\n",
      By::kNvrtc);
}

TEST_F(AuthorSourceTest, UsualHeadersDeclareWhatTheyShould) {
  Compiles(
      "#include <algorithm>\n#include <cfloat>\n#include <cmath>\n#include <cstdint>\n#include <limits>\n"
      "#include <cuda/std/cstdint>\n#include <cuda_pipeline.h>\n#include <cuda_fp16.h>\n#include <mma.h>\n"
      "__global__ void k(std::uint64_t n, float* x, uint32_t* y) {\n"
      "  x[0] = std::max(std::sqrt(x[1]), -FLT_MAX) + std::numeric_limits<float>::max();\n"
      "  y[0] = UINT32_MAX - (uint32_t)n + std::isnan(x[2]) + INT8_MAX;\n"
      "}\n",
      By::kNvrtc);
}

TEST_F(AuthorSourceTest, UnknownHeadersAreLeftToNvcc) {
  Compiles(
      "#include <cuda.h>\n#include <iostream>\n#include <type_traits>\n#include <vector>\n"
      "template <typename T> __device__ T one() { return std::is_same<T, float>::value ? T(1) : T(2); }\n"
      "__global__ void k(float* x) { *x = one<float>(); }\n",
      By::kNvcc);
}

TEST_F(AuthorSourceTest, ProgramAroundTheKernelIsDropped) {
  Compiles(
      "#include <stdio.h>\n#include <stdlib.h>\n#include <cuda_runtime.h>\n"
      "#define CHECK(call) do { if ((call) != cudaSuccess) { fprintf(stderr, \"failed\\n\"); exit(1); } } while (0)\n"
      "__global__ void k(int n, float* x) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] *= 2;\n}\n"
      "static int blocks(int n) { return (n + 255) / 256; }\n"
      "int main() {\n  float* x;\n  CHECK(cudaMalloc(&x, 4096));\n  k<<<blocks(1024), 256>>>(1024, x);\n"
      "  CHECK(cudaDeviceSynchronize());\n  return 0;\n}\n",
      By::kNvcc);
}

TEST_F(AuthorSourceTest, ConstantFunctionsOfTheHostMayBeCalled) {
  Compiles(
      "#include <algorithm>\n#include <utility>\n"
      "constexpr int twice(int x) { return 2 * x; }\n"
      "__global__ void k(int* x) { *x = std::max<int>(twice(*x), 3); }\n",
      By::kNvcc);
}

TEST_F(AuthorSourceTest, MistakeIsToldWhereItIs) {
  const CompileResponse response =
      Compile(Device("#include <vector>\nint main() { return 0; }\n__global__ void k(int* x) {\n  *x = missing;\n}\n"));
  EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED);
  ASSERT_GT(response.diagnostics_size(), 0);
  EXPECT_EQ(response.diagnostics(0).file(), "candidate.cu");
  EXPECT_EQ(response.diagnostics(0).line(), 4);
  EXPECT_THAT(response.diagnostics(0).message(), HasSubstr("\"missing\" is undefined"));
  EXPECT_THAT(TextOf(response), Not(HasSubstr("host function")));
}

TEST_F(AuthorSourceTest, MissingHeaderIsTold) {
  const CompileResponse response = Compile(Device("#include \"my_kernels.h\"\n__global__ void k() {}\n"));
  EXPECT_EQ(response.status(), COMPILE_STATUS_FAILED);
  EXPECT_THAT(TextOf(response), HasSubstr("my_kernels.h"));
}

TEST_F(AuthorSourceTest, BombIsNotGivenASecondTime) {
  worker::v1::CompileRequest request = Device(
      "constexpr int f(long n) { int s = 0; for (long i = 0; i < n; ++i) s ^= (int)i; return s; }\n"
      "template <int N> struct S { static constexpr int v = S<N - 1>::v + S<N - 2>::v + f(100000); };\n"
      "template <> struct S<0> { static constexpr int v = 1; };\ntemplate <> struct S<1> { static constexpr int v = 1; "
      "};\n"
      "int main() { constexpr int v = S<400>::v; return v; }\n__global__ void k(int* x) { *x = 1; }\n");
  request.mutable_time_limit()->set_seconds(1);
  const CompileResponse response = Compile(request);
  EXPECT_EQ(response.status(), COMPILE_STATUS_TIMED_OUT) << TextOf(response);
  // nvcc would have been given less.
  EXPECT_THAT(response.detail(), HasSubstr("more than 1s of processor time"));
}

}  // namespace
}  // namespace cudaperf::sandbox
