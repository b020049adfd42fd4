#ifndef CUDAPERF_TESTS_SANDBOX_JAIL_JAIL_FIXTURE_H_
#define CUDAPERF_TESTS_SANDBOX_JAIL_JAIL_FIXTURE_H_

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sandbox/jail/jailed_process.h"

namespace cudaperf::sandbox {

// How a testcase ended and what it printed.
struct Outcome {
  ProcessEnd end;
  std::string output;
};

// Runs the programs of testcases/ in jails of both levels. A level that the machine does not allow is skipped, aloud.
class JailTest : public testing::TestWithParam<reward::v1::SandboxLevel> {
 protected:
  void SetUp() override;

  // Options that run the testcase; its standard output goes to a pipe.
  JailOptions Options(const std::string& testcase, std::vector<std::string> arguments = {}) const;
  // Runs to the end.
  Outcome Run(JailOptions options);
  // Runs and leaves it running, without its output.
  std::unique_ptr<JailedProcess> Start(const JailOptions& options);

  // Processes of this machine whose command line names a testcase.
  static int SurvivorCount();
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_TESTS_SANDBOX_JAIL_JAIL_FIXTURE_H_
