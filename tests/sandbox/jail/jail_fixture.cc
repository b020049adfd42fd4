#include "tests/sandbox/jail/jail_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "absl/time/clock.h"
#include "tests/test_paths.h"

namespace cudaperf::sandbox {
namespace {

const std::string kTestcaseFolder = tests::BinaryFolder() + "/tests/jail_testcases/";

std::string ReadAll(int fd) {
  std::string text;
  char buffer[4096];
  ssize_t count;
  while ((count = read(fd, buffer, sizeof(buffer))) > 0) text.append(buffer, static_cast<size_t>(count));
  return text;
}

}  // namespace

void JailTest::SetUp() {
  JailOptions options;
  options.level = GetParam();
  options.argv = {"/bin/true"};
  const absl::StatusOr<std::unique_ptr<JailedProcess>> process = JailedProcess::Start(options);
  if (absl::IsFailedPrecondition(process.status())) GTEST_SKIP() << process.status();
  ASSERT_TRUE(process.ok()) << process.status();
}

JailOptions JailTest::Options(const std::string& testcase, std::vector<std::string> arguments) const {
  JailOptions options;
  options.level = GetParam();
  options.argv = {kTestcaseFolder + testcase};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.limits.wall_time = absl::Seconds(20);
  return options;
}

Outcome JailTest::Run(JailOptions options) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  UniqueFd reader(ends[0]);
  UniqueFd writer(ends[1]);
  options.descriptors.emplace_back(writer.get(), STDOUT_FILENO);
  std::unique_ptr<JailedProcess> process = Start(options);
  if (process == nullptr) return {};
  writer.Reset();
  Outcome outcome;
  outcome.output = ReadAll(reader.get());
  const absl::StatusOr<ProcessEnd> end = process->Wait(absl::Now() + absl::Seconds(60));
  EXPECT_TRUE(end.ok()) << end.status();
  if (end.ok()) outcome.end = *end;
  return outcome;
}

std::unique_ptr<JailedProcess> JailTest::Start(const JailOptions& options) {
  absl::StatusOr<std::unique_ptr<JailedProcess>> process = JailedProcess::Start(options);
  EXPECT_TRUE(process.ok()) << process.status();
  return process.ok() ? *std::move(process) : nullptr;
}

int JailTest::SurvivorCount() {
  int count = 0;
  DIR* processes = opendir("/proc");
  while (const dirent* process = readdir(processes)) {
    std::ostringstream command;  // stays empty when the process ends while it is read
    command << std::ifstream(std::string("/proc/") + process->d_name + "/cmdline").rdbuf();
    if (command.str().find(kTestcaseFolder) != std::string::npos) ++count;
  }
  closedir(processes);
  return count;
}

}  // namespace cudaperf::sandbox
