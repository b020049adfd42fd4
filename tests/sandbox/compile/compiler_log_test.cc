#include "sandbox/compile/compiler_log.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::SEVERITY_ERROR;
using reward::v1::SEVERITY_NOTE;
using reward::v1::SEVERITY_WARNING;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST(CompilerLogTest, FrontEndErrorHasLineAndColumn) {
  const CompilerLog log = ParseCompilerLog(
      "candidate.cu(2): error: identifier \"y\" is undefined\n"
      "  __global__ void f(int* x) { x[0] = y; float z = }\n"
      "                                     ^\n\n"
      "1 error detected in the compilation of \"candidate.cu\".\n",
      {});
  ASSERT_THAT(log.diagnostics, SizeIs(1));
  EXPECT_EQ(log.diagnostics[0].file(), "candidate.cu");
  EXPECT_EQ(log.diagnostics[0].line(), 2);
  EXPECT_EQ(log.diagnostics[0].column(), 36);
  EXPECT_EQ(log.diagnostics[0].severity(), SEVERITY_ERROR);
  EXPECT_EQ(log.diagnostics[0].message(), "identifier \"y\" is undefined");
}

TEST(CompilerLogTest, NumberedWarningIsAWarning) {
  const CompilerLog log =
      ParseCompilerLog("candidate.cu(4): warning #177-D: variable \"unused\" was declared but never referenced\n", {});
  ASSERT_THAT(log.diagnostics, SizeIs(1));
  EXPECT_EQ(log.diagnostics[0].severity(), SEVERITY_WARNING);
  EXPECT_EQ(log.diagnostics[0].message(), "variable \"unused\" was declared but never referenced");
}

TEST(CompilerLogTest, MessageGoesOnUntilTheSourceLine) {
  const CompilerLog log = ParseCompilerLog(
      "candidate.cu(5): error: no instance of function template \"f\" matches the argument list\n"
      "            argument types are: (int)\n"
      "    f(3);\n"
      "    ^\n"
      "candidate.cu(1): note #3327-D: candidate function template \"f(T *)\" failed deduction\n"
      "  template <class T> void f(T*);\n"
      "                          ^\n\n",
      {});
  ASSERT_THAT(log.diagnostics, SizeIs(2));
  EXPECT_EQ(log.diagnostics[0].message(),
            "no instance of function template \"f\" matches the argument list argument types are: (int)");
  EXPECT_EQ(log.diagnostics[0].column(), 3);
  EXPECT_EQ(log.diagnostics[1].severity(), SEVERITY_NOTE);
  EXPECT_EQ(log.diagnostics[1].line(), 1);
}

TEST(CompilerLogTest, HeaderLosesItsFolder) {
  const CompilerLog log =
      ParseCompilerLog("/opt/cuda/include/crt/math.h(12): error: no\n", {"/opt/cuda/include", "/opt/cuda"});
  ASSERT_THAT(log.diagnostics, SizeIs(1));
  EXPECT_EQ(log.diagnostics[0].file(), "math.h");
  EXPECT_THAT(log.text, Not(HasSubstr("/opt")));
}

TEST(CompilerLogTest, GccIsUnderstood) {
  const CompilerLog log = ParseCompilerLog(
      "reference.c: In function 'f':\n"
      "reference.c:3:10: error: 'y' undeclared (first use in this function)\n"
      "reference.c:9: warning: something\n"
      "reference.c:1:10: fatal error: nothing.h: No such file or directory\n",
      {});
  ASSERT_THAT(log.diagnostics, SizeIs(3));
  EXPECT_EQ(log.diagnostics[0].line(), 3);
  EXPECT_EQ(log.diagnostics[0].column(), 10);
  EXPECT_EQ(log.diagnostics[0].message(), "'y' undeclared (first use in this function)");
  EXPECT_EQ(log.diagnostics[1].severity(), SEVERITY_WARNING);
  EXPECT_EQ(log.diagnostics[2].severity(), SEVERITY_ERROR);
}

TEST(CompilerLogTest, ToolsAreUnderstood) {
  const CompilerLog log = ParseCompilerLog(
      "ptxas error   : Entry function 'k' uses too much shared data (0x14000 bytes, 0xc000 max)\n"
      "ptxas /scratch/candidate.ptx, line 26; error   : Illegal modifier '.x' for instruction 'mov'\n"
      "/usr/bin/ld: candidate.o: in function `g':\n"
      "candidate.cu:(.text+0x12): undefined reference to `foo'\n"
      "nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)\n"
      "nvrtc: error: invalid value for --gpu-architecture (-arch)\n",
      {"/scratch"});
  ASSERT_THAT(log.diagnostics, SizeIs(5));
  EXPECT_EQ(log.diagnostics[0].message(), "Entry function 'k' uses too much shared data (0x14000 bytes, 0xc000 max)");
  EXPECT_EQ(log.diagnostics[1].message(), "Illegal modifier '.x' for instruction 'mov'");
  EXPECT_EQ(log.diagnostics[2].message(), "undefined reference to `foo'");
}

TEST(CompilerLogTest, ResourceReportIsHidden) {
  const CompilerLog log = ParseCompilerLog(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Function properties for k\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas         .     40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 10 registers, used 0 barriers\n",
      {});
  EXPECT_THAT(log.diagnostics, IsEmpty());
  EXPECT_EQ(log.text, "");
}

TEST(CompilerLogTest, FloodIsBounded) {
  std::string output;
  for (int i = 0; i < 20000; ++i) output += "candidate.cu(1): error: flood\n";
  const CompilerLog log = ParseCompilerLog(output, {});
  EXPECT_THAT(log.diagnostics, SizeIs(100));
  EXPECT_LE(log.text.size(), 64u << 10);
  EXPECT_THAT(log.text, testing::EndsWith("[cut]\n"));
}

TEST(CompilerLogTest, GarbageIsNoDiagnostic) {
  for (const char* text : {"", "\n\n", "(", "): ", "a(b): error: x", "a(): error: x", ":1:2: error: x",
                           "x(99999999999): error: y", "error", "^\n^\n", "a(1): error", "\xff\xfe(1): \x80"}) {
    EXPECT_THAT(ParseCompilerLog(text, {}).diagnostics, IsEmpty()) << text;
  }
}

TEST(CompilerLogTest, BytesThatAreNoTextAreReplaced) {
  const CompilerLog log = ParseCompilerLog("candidate.cu(1): error: bad \xff byte\n", {});
  ASSERT_THAT(log.diagnostics, SizeIs(1));
  EXPECT_EQ(log.diagnostics[0].message(), "bad ? byte");
}

}  // namespace
}  // namespace cudaperf::sandbox
