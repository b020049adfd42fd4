#include "sandbox/compile/entry_signature.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cudaperf::sandbox {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr char kInvoke[] =
    "extern \"C\" void cudaperf_invoke(void** a) {\n  saxpy(*(int*)a[0], *(float*)a[1], *(float**)a[2]);\n}\n";

TEST(EntrySignatureTest, TellsWhatIsWanted) {
  EXPECT_THAT(DescribeSignatureMismatch("saxpy", kInvoke, ""), HasSubstr("void saxpy(int, float, float*)"));
}

TEST(EntrySignatureTest, TellsWhatIsThereInstead) {
  EXPECT_THAT(DescribeSignatureMismatch("saxpy", kInvoke,
                                        "__global__ void k(int n) { if (n) {} }\n"
                                        "// void saxpy(char) {}\n"
                                        "extern \"C\" void saxpy(int n,\n    double a) {\n  k<<<1, 1>>>(n);\n}\n"),
              EndsWith("found: extern \"C\" void saxpy(int n, double a)"));
}

TEST(EntrySignatureTest, FindsFunctionsInExternBlocks) {
  EXPECT_THAT(DescribeSignatureMismatch("saxpy", kInvoke, "extern \"C\" {\nvoid saxpy(long n) {}\n}\n"),
              EndsWith("found: void saxpy(long n)"));
}

TEST(EntrySignatureTest, MissingEntryNamesTheOthers) {
  const std::string sentence =
      DescribeSignatureMismatch("saxpy", kInvoke, "__device__ int f(int a) { return a; }\nvoid solve(int n) { }\n");
  EXPECT_THAT(sentence, HasSubstr("no function saxpy is defined; found: void solve(int n)"));
  EXPECT_THAT(sentence, Not(HasSubstr("__device__")));
}

TEST(EntrySignatureTest, UnfinishedSourceIsSurvived) {
  for (const char* source : {"void f(", "/*", "\"", "\"\\", "#define", "{{{{", "}}}}", "void saxpy(int", "//"}) {
    EXPECT_THAT(DescribeSignatureMismatch("saxpy", kInvoke, source), HasSubstr("no function saxpy")) << source;
  }
  EXPECT_THAT(DescribeSignatureMismatch("saxpy", "saxpy(*(int*", ""), HasSubstr("void saxpy("));
}

}  // namespace
}  // namespace cudaperf::sandbox
