#include "analyzers/source_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace cudaperf::analyzers {
namespace {

using reward::v1::AnalysisReport;
using reward::v1::SourceFinding;

AnalysisReport Analyze(const std::string& source, const std::string& entry_point = "saxpy") {
  reward::v1::CudaTask task;
  task.set_entry_point(entry_point);
  reward::v1::Candidate candidate;
  candidate.set_source(source);
  const reward::v1::CompileReport compile;
  const auto report = SourcePolicy().Analyze({task, candidate, compile, ""});
  EXPECT_TRUE(report.ok());
  return *report;
}

std::vector<std::string> Rejections(const std::string& source) {
  std::vector<std::string> rules;
  const AnalysisReport report = Analyze(source);
  for (const SourceFinding& finding : report.source_findings()) {
    if (finding.rejects()) rules.push_back(finding.rule());
  }
  return rules;
}

std::vector<std::string> Warnings(const std::string& source) {
  std::vector<std::string> rules;
  const AnalysisReport report = Analyze(source);
  for (const SourceFinding& finding : report.source_findings()) {
    if (!finding.rejects()) rules.push_back(finding.rule());
  }
  return rules;
}

TEST(SourcePolicyTest, RejectsWhatReachesOut) {
  const std::pair<const char*, const char*> sources[] = {
      {"#include \"/etc/passwd\"\n", "include-path"},
      {"#include </proc/self/environ>\n", "include-path"},
      {"#  include <../secret.h>\n", "include-path"},
      {"#include \"a/../../b.h\"\n", "include-path"},
      {"#inc\\\nlude \"/etc/passwd\"\n", "include-path"},
      {"/* x */ #include \"/etc/passwd\"\n", "include-path"},
      {"%:include \"/etc/passwd\"\n", "include-path"},
      {"#if __has_include(\"/etc/shadow\")\n#endif\n", "include-path"},
      {"int cudaperf_invoke(void** a) { return 0; }", "reserved-name"},
      {"#define f cudaperf_invoke\n", "reserved-name"},
      {R"(__global__ void k(){ asm("} .visible .entry evil(){ret;"); })", "inline-assembly"},
      {R"(__global__ void k(){ asm volatile("}" " .func f() {"); })", "inline-assembly"},
      {R"(asm(".incbin \"/etc/passwd\"");)", "inline-assembly"},
      {R"(__asm__(".sec" "tion .data; x: .inc" "bin \"f\"");)", "inline-assembly"},
      {R"(asm("\x2eincbin \"f\"");)", "inline-assembly"},
      {"asm(R\"x(\n.globl evil\n)x\");", "inline-assembly"},
      {R"(__global__ void k(){ asm("/* hi */ .global .u32 g;"); })", "inline-assembly"},
      {R"(__global__ void k(){ asm("ret; }"); })", "inline-assembly"},
  };
  for (const auto& [source, rule] : sources) EXPECT_THAT(Rejections(source), testing::Contains(rule)) << source;
}

TEST(SourcePolicyTest, HonestCodeIsNeverRejected) {
  const char* sources[] = {
      "#include <cuda_fp16.h>\n#include <cub/cub.cuh>\n#include \"cooperative_groups.h\"\n",
      "// #include \"/etc/passwd\"\n/* cudaperf_invoke asm(\".entry\") */\n// cudaperf: launch saxpy<<<1, 256>>>(n)\n",
      "const char* s = \"#include \\\"/etc/passwd\\\" cudaperf_x .incbin\"; const char c = '\"';\n",
      "const char* raw = R\"(\n#include \"/etc/passwd\"\n asm(\".entry\") cudaperf_x)\";\n",
      R"(__device__ float4 load(const float4* p){ float4 v;
         asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];"
             : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p)); return v; })",
      R"(__device__ int f(int x){ asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; @p mov.u32 %0, 1; }" : "=r"(x) : "r"(x)); return x; })",
      R"(__device__ void copy(){ asm("cp.async.commit_group;\n" ::); asm volatile("cp.async.wait_all;"); })",
      R"(__device__ int f(){ int x; asm("{\n\t"); asm(".reg .u32 t;\n\tmov.u32 %0, 1;" : "=r"(x)); asm("}\n\t"); return x; })",
      R"(__device__ float g(float x){ asm("ex2.approx.ftz.f32 %0, %1; // .entry is only a comment" : "=f"(x) : "f"(x)); return x; })",
      R"(__device__ int h(int x){ asm("mov.u32 %0, %%laneid;" : "=r"(x)); asm("ld.const.u32 %0, [%1];" : "=r"(x) : "l"(0l)); return x; })",
      "int my_cudaperf_value; int million = 1'000'000; int a = 8 / 2;\n",
      "__global__ void k(float* p) { p[0] = p[1] / *p; }\n",
      "#define STR(x) #x\n#pragma unroll 4\n",
  };
  for (const char* source : sources) EXPECT_THAT(Rejections(source), testing::IsEmpty()) << source;
}

TEST(SourcePolicyTest, EveryShippedSourceIsAccepted) {
  const std::filesystem::path tasks = std::filesystem::path(CUDAPERF_SOURCE_DIR) / "tasks";
  int seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tasks)) {
    if (entry.path().extension() != ".cu") continue;
    std::ifstream file(entry.path());
    std::stringstream source;
    source << file.rdbuf();
    EXPECT_THAT(Rejections(source.str()), testing::IsEmpty()) << entry.path().filename();
    ++seen;
  }
  EXPECT_GE(seen, 14);
}

TEST(SourcePolicyTest, WarnsAboutDoubtfulDeviceCode) {
  EXPECT_THAT(Warnings("__global__ void k() { printf(\"x\"); }"), testing::ElementsAre("device-printf"));
  EXPECT_THAT(Warnings("__device__ void f() { int* p = new int[4]; }"), testing::ElementsAre("device-allocation"));
  EXPECT_THAT(Warnings("__global__ void k() { volatile int x = 0; while (x < 9) ++x; }"),
              testing::ElementsAre("device-volatile"));
  EXPECT_THAT(Warnings("__global__ void k() { asm volatile(\"bar.sync 0;\"); }"), testing::IsEmpty());
  EXPECT_THAT(Warnings("struct L { void printf(const char*); };\n__global__ void k(L l) { l.printf(\"x\"); }"),
              testing::IsEmpty());
}

TEST(SourcePolicyTest, HostCodeMayDoWhatDeviceCodeShouldNot) {
  EXPECT_THAT(
      Warnings(
          "__global__ void k();\n__device__ int table[2] = {1, 2};\nvoid saxpy() { printf(\"x\"); int* p = new int; }"),
      testing::IsEmpty());
}

TEST(SourcePolicyTest, WarnsAboutHostCodeThatLeavesItsProcess) {
  EXPECT_THAT(Warnings("void saxpy() { if (fork() == 0) system(\"id\"); }"), testing::ElementsAre("host-process"));
  EXPECT_THAT(Warnings("__attribute__((constructor)) void early() {}"), testing::ElementsAre("host-constructor"));
  EXPECT_THAT(Warnings("struct S { int kill(int); }; void saxpy(S s) { s.kill(1); S::kill(2); }"), testing::IsEmpty());
}

TEST(SourcePolicyTest, FindingsCarryTheirLine) {
  const AnalysisReport report =
      Analyze("// one\n/* two\nthree */\n#include \"/x\"\nint a = R\"(\n)\"[0], cudaperf_b;\n");
  ASSERT_EQ(report.source_findings_size(), 2);
  EXPECT_EQ(report.source_findings(0).line(), 4);
  EXPECT_EQ(report.source_findings(1).line(), 6);
}

TEST(SourcePolicyTest, EntryPointOfTheTaskMayHaveAnyName) {
  EXPECT_EQ(Analyze("void cudaperf_demo() {}", "cudaperf_demo").source_findings_size(), 0);
}

TEST(SourcePolicyTest, ManyWarningsNeverHideARejection) {
  std::string source;
  for (int i = 0; i < 1000; ++i) source += "void f() { fork(); }\n";
  source += "#include \"/x\"\n";
  const AnalysisReport report = Analyze(source);
  EXPECT_EQ(report.source_findings_size(), 33);
  EXPECT_TRUE(report.source_findings(0).rejects());
}

TEST(SourcePolicyTest, UnfinishedSourceEnds) {
  for (const char* source : {"/*", "\"", "'", "R\"", "R\"x(", "#include <", "asm(", "asm(\"", "\\", "\\\n",
                             "__global__ void k() {", "%:", "L'"}) {
    EXPECT_THAT(Rejections(source), testing::IsEmpty()) << source;
  }
}

}  // namespace
}  // namespace cudaperf::analyzers
