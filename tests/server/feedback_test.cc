#include "server/feedback.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace cudaperf::server {
namespace {

using reward::v1::Candidate;
using reward::v1::Evaluation;
using reward::v1::Feedback;
using reward::v1::Task;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr int kLimit = 4096;

template <typename Message>
Message Parse(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

Task SaxpyTask() {
  return Parse<Task>(R"(name: "saxpy" cuda {
    entry_point: "saxpy"
    parameters { name: "y" dtype: DATA_TYPE_FLOAT32 buffer { direction: DIRECTION_INOUT extent: "n" } }
    cases { name: "tail" role: CASE_ROLE_SCREEN sizes { key: "n" value: 1023 } }
    cases { name: "model" role: CASE_ROLE_MODEL sizes { key: "n" value: 65536 } sizes { key: "m" value: 3 } } })");
}

Candidate Source() {
  Candidate candidate;
  candidate.set_source(
      "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "\ty[i] = a * foo + y[i];\n"
      "}\n");
  return candidate;
}

Feedback Compose(const std::string& evidence, int limit = kLimit) {
  return ComposeFeedback(SaxpyTask(), Source(), Parse<Evaluation>(evidence), limit);
}

std::string FirstLine(const Feedback& feedback) { return feedback.text().substr(0, feedback.text().find('\n')); }

TEST(FeedbackTest, CompileErrorsQuoteTheirLineWithACaret) {
  const Feedback feedback = Compose(R"(outcome: OUTCOME_COMPILE_FAILED compile {
    diagnostics { file: "candidate.cu" line: 2 severity: SEVERITY_WARNING message: "variable \"i\" is signed" }
    diagnostics { file: "candidate.cu" line: 3 severity: SEVERITY_ERROR message: "identifier \"foo\" is undefined" }
    diagnostics { file: "/usr/local/include/cuda_fp16.hpp" line: 9 severity: SEVERITY_ERROR message: "bad half" } })");
  EXPECT_EQ(FirstLine(feedback), "Does not compile: 2 errors.");
  EXPECT_THAT(feedback.text(), HasSubstr("- line 3: error: identifier \"foo\" is undefined\n"
                                         "    3 |  y[i] = a * foo + y[i];\n"
                                         "      |             ^\n"));
  EXPECT_THAT(feedback.text(), HasSubstr("error in cuda_fp16.hpp: bad half"));
  EXPECT_THAT(feedback.text(), Not(HasSubstr("/usr/")));
  ASSERT_EQ(feedback.items_size(), 3);
  EXPECT_EQ(feedback.items(0).topic(), "compile");
  EXPECT_EQ(feedback.items(0).line(), 3);
  EXPECT_THAT(feedback.items(2).message(), StartsWith("warning"));
}

TEST(FeedbackTest, ColumnOfTheCompilerPlacesTheCaret) {
  const Feedback feedback = Compose(R"(outcome: OUTCOME_COMPILE_FAILED compile {
    diagnostics { file: "candidate.cu" line: 2 column: 7 severity: SEVERITY_ERROR message: "oops" } })");
  EXPECT_EQ(FirstLine(feedback), "Does not compile: 1 error.");
  EXPECT_THAT(feedback.text(), HasSubstr("    2 |   int i = blockIdx"));
  EXPECT_THAT(feedback.text(), HasSubstr("\n      |       ^\n"));
}

TEST(FeedbackTest, LinesBeyondTheSourceAreNotQuoted) {
  const Feedback feedback = Compose(R"(outcome: OUTCOME_COMPILE_FAILED compile {
    diagnostics { file: "candidate.cu" line: 99999 column: 3 severity: SEVERITY_ERROR message: "too few arguments" } })");
  EXPECT_THAT(feedback.text(), HasSubstr("- line 99999: error: too few arguments\n"));
  EXPECT_THAT(feedback.text(), Not(HasSubstr(" | ")));
}

TEST(FeedbackTest, CompilerLimitsAreSaidWithoutDiagnostics) {
  EXPECT_EQ(
      FirstLine(Compose(R"(outcome: OUTCOME_COMPILE_FAILED outcome_detail: "compiling took longer than allowed")")),
      "Does not compile: compiling took longer than allowed");
}

TEST(FeedbackTest, RejectionNamesTheRule) {
  const Feedback feedback = Compose(R"(outcome: OUTCOME_REJECTED outcome_detail: "line 2: reserved name"
    analysis { source_findings { rule: "reserved-name" line: 2 message: "the name is reserved" rejects: true }
               source_findings { rule: "device-printf" line: 3 message: "printf is slow" } })");
  EXPECT_EQ(FirstLine(feedback), "Rejected: line 2: reserved name");
  ASSERT_EQ(feedback.items_size(), 1);
  EXPECT_EQ(feedback.items(0).topic(), "rule");
  EXPECT_THAT(feedback.text(), HasSubstr("- line 2: the name is reserved\n    2 |   int i"));
}

TEST(FeedbackTest, MismatchPatternsInWords) {
  const struct {
    const char* mismatch;
    const char* words;
  } patterns[] = {
      {"pattern: MISMATCH_PATTERN_TAIL", "all wrong elements are in the tail, from index 1022 on"},
      {"pattern: MISMATCH_PATTERN_STRIDED stride: 32", "every 32nd element is wrong, from index 1022 on"},
      {"pattern: MISMATCH_PATTERN_STRIDED stride: 3", "every 3rd element"},
      {"pattern: MISMATCH_PATTERN_STRIDED stride: 11", "every 11th element"},
      {"pattern: MISMATCH_PATTERN_ALL_ZERO", "every wrong element is zero"},
      {"pattern: MISMATCH_PATTERN_ALL", "every element is wrong"},
      {"pattern: MISMATCH_PATTERN_UNTOUCHED", "the wrong elements were never written, the first at index 1022"},
      {"pattern: MISMATCH_PATTERN_HEAD", "all wrong elements are at the start, up to index 0"},
      {"pattern: MISMATCH_PATTERN_NON_FINITE", "the wrong elements are NaN or infinite"},
      {"pattern: MISMATCH_PATTERN_RUN", "the wrong elements are one run of 1, from index 1022 on"},
      {"pattern: MISMATCH_PATTERN_SCATTERED max_absolute_error: 1e-4 max_relative_error: 1e-3", "look at precision"},
  };
  for (const auto& pattern : patterns) {
    const Feedback feedback =
        Compose(std::string(R"(outcome: OUTCOME_WRONG_RESULT outcome_detail: "case tail" screen { cases {
      case_name: "tail" status: CASE_STATUS_WRONG_RESULT mismatches { parameter: "y" mismatch_count: 1 element_count: 1023
      elements { index: 1022 got: "0" expected: "3.5" } )") +
                pattern.mismatch + "} } }");
    EXPECT_EQ(FirstLine(feedback), "Wrong result: case tail");
    ASSERT_EQ(feedback.items_size(), 1) << pattern.words;
    EXPECT_EQ(feedback.items(0).topic(), "mismatch");
    EXPECT_THAT(feedback.text(), HasSubstr("- case tail (n = 1023): 1 of 1023 elements of y are wrong; "))
        << pattern.words;
    EXPECT_THAT(feedback.text(), HasSubstr(pattern.words));
    EXPECT_THAT(feedback.text(), HasSubstr("y[1022] = 0 (expected 3.5)"));
  }
}

TEST(FeedbackTest, FewElementsAreRepeated) {
  std::string elements;
  for (int i = 0; i < 8; ++i) {
    elements +=
        "elements { index: " + std::to_string(i) + " got: \"1\" expected: \"secret" + std::to_string(i) + "\" }";
  }
  const Feedback feedback = Compose(R"(outcome: OUTCOME_WRONG_RESULT screen { cases { case_name: "tail"
    status: CASE_STATUS_WRONG_RESULT mismatches { parameter: "y" mismatch_count: 8 element_count: 1023 )" +
                                    elements + "} } }");
  EXPECT_THAT(feedback.text(), HasSubstr("secret3"));
  EXPECT_THAT(feedback.text(), Not(HasSubstr("secret4")));
}

TEST(FeedbackTest, FaultsComeBeforeWrongElementsAndOncePerFinding) {
  const std::string finding =
      R"(findings { kind: FINDING_KIND_OUT_OF_BOUNDS kernel: "saxpy" file: "candidate.cu" line: 3
    block: [3, 0, 0] thread: [255, 0, 0] message: "writes 4 bytes beyond y" count: 12 fatal: true })";
  const Feedback feedback = Compose(R"(outcome: OUTCOME_MEMORY_FAULT outcome_detail: "case tail: out of bounds" screen {
    cases { case_name: "model" status: CASE_STATUS_WRONG_RESULT mismatches { parameter: "y" mismatch_count: 1 element_count: 9 }
      findings { kind: FINDING_KIND_SHARED_RACE line: 2 message: "threads 0 and 1" } )" +
                                    finding + R"( }
    cases { case_name: "tail" status: CASE_STATUS_MEMORY_FAULT detail: "illegal access" )" +
                                    finding + R"( } })");
  EXPECT_EQ(FirstLine(feedback), "The kernel was stopped by a fault: case tail: out of bounds");
  ASSERT_EQ(feedback.items_size(), 4);
  EXPECT_EQ(feedback.items(0).topic(), "fault");
  EXPECT_EQ(feedback.items(0).line(), 3);
  EXPECT_THAT(feedback.items(0).message(), StartsWith("out of bounds: writes 4 bytes beyond y, kernel saxpy, block (3, "
                                                      "0, 0), thread (255, 0, 0), 12 times. Guard"));
  EXPECT_THAT(feedback.items(0).message(), HasSubstr("    3 |  y[i] = a"));
  EXPECT_THAT(feedback.items(1).message(), HasSubstr("the kernel was stopped: illegal access"));
  EXPECT_EQ(feedback.items(2).topic(), "checker");
  EXPECT_THAT(feedback.items(2).message(), HasSubstr("__syncthreads()"));
  EXPECT_EQ(feedback.items(3).topic(), "mismatch");
}

TEST(FeedbackTest, LargestFailingCaseIsExplainedFirst) {
  const Feedback feedback = Compose(R"(outcome: OUTCOME_WRONG_RESULT screen {
    cases { case_name: "one" status: CASE_STATUS_WRONG_RESULT
      mismatches { parameter: "y" mismatch_count: 1 element_count: 1 pattern: MISMATCH_PATTERN_ALL } }
    cases { case_name: "tail" status: CASE_STATUS_WRONG_RESULT
      mismatches { parameter: "y" mismatch_count: 1 element_count: 1023 pattern: MISMATCH_PATTERN_TAIL } } })");
  ASSERT_GE(feedback.items_size(), 2);
  EXPECT_THAT(feedback.items(0).message(), HasSubstr("case tail"));
  EXPECT_THAT(feedback.items(1).message(), HasSubstr("case one"));
}

TEST(FeedbackTest, CrashesAndTimeoutsInWords) {
  const Feedback crash = Compose(R"(outcome: OUTCOME_CRASHED outcome_detail: "case tail: killed by SIGSEGV" screen {
    cases { case_name: "model" status: CASE_STATUS_PASSED }
    cases { case_name: "tail" status: CASE_STATUS_CRASHED detail: "killed by SIGSEGV" } })");
  EXPECT_EQ(FirstLine(crash), "The host process died before it answered: case tail: killed by SIGSEGV");
  EXPECT_THAT(crash.text(), HasSubstr("- case tail (n = 1023): the host process died: killed by SIGSEGV\n"));
  EXPECT_THAT(crash.text(), HasSubstr("- 1 case passes; failing: tail\n"));
  const Feedback timeout =
      Compose(R"(outcome: OUTCOME_TIMED_OUT screen { cases { case_name: "tail" status: CASE_STATUS_TIMED_OUT
    findings { kind: FINDING_KIND_INSTRUCTION_BUDGET message: "200000000 instructions" line: 2 fatal: true } } })");
  EXPECT_EQ(FirstLine(timeout), "Did not finish in time.");
  EXPECT_THAT(timeout.text(),
              HasSubstr("- line 2: instruction budget used up: 200000000 instructions. Check that every loop ends"));
  EXPECT_EQ(timeout.items(1).topic(), "timeout");
}

// A passing candidate in one case, with its limiter and the fields of its profile.
std::string Passed(const std::string& limiter, const std::string& profile, const std::string& rest = "") {
  return R"(outcome: OUTCOME_PASSED timing { source: TIMING_SOURCE_MODELED speedup: 0.25 gpu: "h200" cases { case_name: "model"
    candidate { median { nanos: 20000 } } baseline { median { nanos: 5000 } } speed_of_light { nanos: 3000 } speedup: 0.25 limiter: ")" +
         limiter + "\" } } profile { coalescing: 1 " +
         (profile.find("lane_utilization") == std::string::npos ? "lane_utilization: 1 " : "") + profile + " } " + rest;
}

std::string Launch(const std::string& fields) {
  return R"(executions { kernel: "saxpy" grid: 4096 block: 256 )" + fields + " }";
}

TEST(FeedbackTest, PassingCandidateSaysSpeedAndLimiterFirst) {
  const Feedback feedback = Compose(Passed("dram bandwidth", ""));
  EXPECT_EQ(FirstLine(feedback),
            "Correct, 4.00 times slower than the baseline (modelled on h200); limited by dram bandwidth.");
  EXPECT_THAT(feedback.text(),
              HasSubstr("- case model (m = 3, n = 65536): 20.00 us, baseline 5.00 us; limited by dram bandwidth; "
                        "the hardware's limit is 3.00 us\n"));
}

TEST(FeedbackTest, UncoalescedLineIsNamedWithItsStride) {
  const Feedback feedback = Compose(Passed(
      "dram bandwidth",
      R"(counters { global_load_sector_count: 3200 global_store_sector_count: 400 } )" +
          Launch(
              R"(lines { file: "candidate.cu" line: 7 lane_stride_bytes: 132 counters { global_load_request_count: 100
                global_load_sector_count: 3200 global_load_ideal_sector_count: 400 } }
                lines { file: "candidate.cu" line: 8 lane_stride_bytes: 4 counters { global_store_request_count: 100
                global_store_sector_count: 400 global_store_ideal_sector_count: 400 } })")));
  ASSERT_GE(feedback.items_size(), 1);
  EXPECT_EQ(feedback.items(0).topic(), "memory");
  EXPECT_EQ(feedback.items(0).line(), 7);
  EXPECT_THAT(
      feedback.text(),
      HasSubstr("- line 7: 32.0 sectors per request, ideal 4.0; neighbouring lanes are 132 bytes apart (89 % of "
                "all sectors)"));
  EXPECT_THAT(feedback.text(), Not(HasSubstr("line 8")));
}

TEST(FeedbackTest, EachWeaknessIsNamedOnItsEvidence) {
  const struct {
    std::string evidence;
    const char* topic;
    const char* words;
  } weaknesses[] = {
      {Passed(
           "shared memory",
           Launch(
               R"(lines { line: 12 counters { shared_load_request_count: 100 shared_bank_conflict_count: 3100 } })")),
       "shared memory",
       "line 12: 32-way bank conflicts: 31.0 extra passes per shared memory request. If lanes walk down"},
      {Passed("issue", R"(lane_utilization: 0.5 counters { branch_count: 10 divergent_branch_count: 5 } )" +
                           Launch("lines { line: 5 counters { branch_count: 10 divergent_branch_count: 5 } }")),
       "divergence", "line 5: 50 % of the branches split their warp; over the whole kernel 16.0 of 32 lanes"},
      {Passed("issue", R"(lane_utilization: 0.5 executions { kernel: "k" grid: 4096 block: 16 })"), "divergence",
       "Blocks of 16 threads leave lanes of their last warp empty"},
      {Passed("latency", "",
              R"(analysis { launch_occupancies { kernel: "saxpy" threads_per_block: 256 occupancy { theoretical: 0.125
                                limiter: "registers" } } })"),
       "occupancy",
       "occupancy of saxpy is at most 12 %, limited by registers (256 threads and 0 bytes of shared memory per block): "
       "use fewer"},
      {Passed(
           "latency", "",
           R"(compile { kernels { name: "saxpy" register_count: 255 spill_store_bytes: 64 spill_load_bytes: 128 } })"),
       "spills", "saxpy spills registers: 64 bytes stored and 128 loaded per thread with 255 registers"},
      {Passed("atomics", R"(counters { global_atomic_thread_count: 1000 } )" +
                             Launch("lines { line: 9 counters { global_atomic_thread_count: 1000 } }")),
       "atomics", "line 9: 1000 atomic operations on global memory serialise"},
      {Passed("launch", Launch("") + Launch("")), "launch",
       "2 kernel launches cost more than the work in them: fuse them"},
      {Passed("latency", R"(executions { kernel: "saxpy" grid: 2 block: 256 })"), "parallelism",
       "saxpy runs 2 blocks on 132 multiprocessors"},
      {Passed("transfer", R"(transfers { host_to_device_bytes: 4096 host_to_device_count: 1024 })"), "transfer",
       "copies 4096 bytes to the device in 1024 and 0 bytes back in 0 transfers; these cost most of the time"},
      {Passed("fp64", R"(counters { flop_fp64_count: 77 })"), "precision",
       "77 double precision operations in a task without doubles"},
      {Passed("latency", R"(counters { global_load_request_count: 10 global_load_bytes: 1280 })"), "memory",
       "loads are packed but only 4 bytes wide"},
      {Passed("l1 throughput", R"(counters { global_load_sector_count: 6400 global_unique_load_sector_count: 100 })"),
       "memory", "every distinct sector is loaded 64 times from global memory"},
      {Passed("issue", Launch("") + R"(executions { kernel: "second" grid: 1 block: 32 })"), "speed",
       "time on the device goes to saxpy"},
      {Passed("issue", "",
              R"(analysis { source_findings { rule: "device-printf" line: 4 message: "printf is slow" } })"),
       "rule", "line 4: printf is slow"},
  };
  for (const auto& weakness : weaknesses) {
    const Feedback feedback = Compose(weakness.evidence);
    EXPECT_THAT(feedback.text(), HasSubstr(weakness.words));
    ASSERT_GE(feedback.items_size(), 1) << weakness.words;
    EXPECT_EQ(feedback.items(0).topic(), weakness.topic) << feedback.text();
  }
}

TEST(FeedbackTest, NoAdviceWithoutEvidence) {
  const Feedback feedback = Compose(
      Passed("dram bandwidth",
             R"(counters { global_load_sector_count: 400 global_unique_load_sector_count: 400 branch_count: 10 } )" +
                 Launch(R"(lines { line: 7 lane_stride_bytes: 4 counters { global_load_request_count: 100
                                      global_load_sector_count: 400 global_load_ideal_sector_count: 400 } })"),
             R"(analysis { launch_occupancies { kernel: "saxpy" occupancy { theoretical: 1 limiter: "warps" } } }
         compile { kernels { name: "saxpy" register_count: 16 } })"));
  ASSERT_EQ(feedback.items_size(), 1) << feedback.text();
  EXPECT_EQ(feedback.items(0).topic(), "speed");
}

std::vector<std::string> Evidence() {
  std::string many = "outcome: OUTCOME_COMPILE_FAILED compile {";
  for (int i = 0; i < 200; ++i) {
    many += "diagnostics { line: 3 severity: SEVERITY_ERROR message: \"\\303\\251tat \\342\\202\\254 number " +
            std::to_string(i) + "\" }";
  }
  return {many + "}",
          "outcome: OUTCOME_CRASHED outcome_detail: \"" + std::string(5000, 'x') + "\"",
          Passed("dram bandwidth", Launch("") + Launch("")),
          "outcome: OUTCOME_WRONG_RESULT",
          "",
          "outcome: OUTCOME_PASSED"};
}

bool IsUtf8(const std::string& text) {
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    }
    i += length;
  }
  return true;
}

TEST(FeedbackTest, TextStaysWithinItsLimitWhateverTheLimit) {
  for (const std::string& evidence : Evidence()) {
    for (int limit = 0; limit < 1200; limit += limit < 200 ? 1 : 37) {
      const Feedback feedback = Compose(evidence, limit);
      ASSERT_LE(feedback.text().size(), static_cast<size_t>(limit)) << evidence.substr(0, 80);
      ASSERT_TRUE(IsUtf8(feedback.text()));
      ASSERT_LE(feedback.items_size(), limit / 4 + 1);
      for (const auto& item : feedback.items()) ASSERT_THAT(feedback.text(), HasSubstr(item.message()));
    }
  }
}

TEST(FeedbackTest, SourceOfAnyBytesGivesValidUtf8) {
  Candidate candidate;
  candidate.set_source("int \xff\xfe = \xc3;\x01\n");
  const Feedback feedback =
      ComposeFeedback(SaxpyTask(), candidate, Parse<Evaluation>(R"(outcome: OUTCOME_COMPILE_FAILED compile {
    diagnostics { line: 1 severity: SEVERITY_ERROR message: "bad\033[31m" } })"),
                      kLimit);
  EXPECT_TRUE(IsUtf8(feedback.text()));
  EXPECT_THAT(feedback.text(), HasSubstr("    1 | int ?? = ?;?"));
  EXPECT_THAT(feedback.text(), Not(HasSubstr("\033")));
  std::string bytes;
  EXPECT_TRUE(feedback.SerializeToString(&bytes));
}

TEST(FeedbackTest, EveryOutcomeHasAHeadline) {
  for (int outcome = reward::v1::Outcome_MIN; outcome <= reward::v1::Outcome_MAX; ++outcome) {
    Evaluation evidence;
    evidence.set_outcome(static_cast<reward::v1::Outcome>(outcome));
    EXPECT_GT(FirstLine(ComposeFeedback(Task(), Candidate(), evidence, kLimit)).size(), 5u) << outcome;
  }
}

}  // namespace
}  // namespace cudaperf::server
