#include "sandbox/jail/jailed_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sandbox/jail/supervised_process.h"
#include "tests/sandbox/jail/jail_fixture.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::SANDBOX_LEVEL_FULL;
using reward::v1::SANDBOX_LEVEL_REDUCED;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Cause = ProcessEnd::Cause;

INSTANTIATE_TEST_SUITE_P(Levels, JailTest, testing::Values(SANDBOX_LEVEL_FULL, SANDBOX_LEVEL_REDUCED),
                         [](const auto& info) { return info.param == SANDBOX_LEVEL_FULL ? "Full" : "Reduced"; });

TEST_P(JailTest, ExitCodeIsTold) {
  for (int code : {0, 1, 42, 137, 255}) {
    const Outcome outcome = Run(Options("exit_with", {absl::StrCat(code)}));
    EXPECT_EQ(outcome.end.cause, Cause::kExited);
    EXPECT_EQ(outcome.end.exit_code, code);
  }
}

TEST_P(JailTest, SignalIsToldFromAnExitCode) {
  for (int signal : {SIGSEGV, SIGABRT, SIGTERM, SIGKILL}) {
    const Outcome outcome = Run(Options("raise_signal", {absl::StrCat(signal)}));
    EXPECT_EQ(outcome.end.cause, Cause::kSignaled) << signal;
    EXPECT_EQ(outcome.end.signal, signal);
  }
}

TEST_P(JailTest, EnvironmentIsTheGivenOneAlone) {
  setenv("CUDAPERF_SECRET", "1", 1);
  JailOptions options = Options("print_surroundings");
  options.environment = {"GIVEN=yes"};
  const std::string output = Run(options).output;
  EXPECT_THAT(output, testing::EndsWith(" cwd=/ GIVEN=yes"));
}

TEST_P(JailTest, EveryJailHasAUserOfItsOwnWhenWeAreRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "not root: jails share our user";
  JailOptions blocking = Options("endless_loop");
  std::unique_ptr<JailedProcess> other = Start(blocking);
  const std::string first = Run(Options("print_surroundings")).output;
  EXPECT_THAT(first, StartsWith("user=5"));
  EXPECT_THAT(first, Not(StartsWith("user=0")));
}

TEST_P(JailTest, ForkBombDiesWithItsTree) {
  JailOptions options = Options("fork_bomb");
  options.forking = JailOptions::Forking::kAllowed;
  options.limits.wall_time = absl::Milliseconds(300);
  const Outcome outcome = Run(options);
  EXPECT_EQ(outcome.end.cause, Cause::kWallTime);
  EXPECT_EQ(SurvivorCount(), 0);
}

TEST_P(JailTest, SessionEscapeeDiesWithItsTree) {
  JailOptions options = Options("session_escapee");
  options.forking = JailOptions::Forking::kAllowed;
  const Outcome outcome = Run(options);
  EXPECT_EQ(outcome.end.cause, Cause::kExited);
  EXPECT_EQ(SurvivorCount(), 0);
}

TEST_P(JailTest, MemoryBombDiesOfMemory) {
  JailOptions options = Options("memory_bomb");
  options.limits.memory_bytes = int64_t{256} << 20;
  EXPECT_EQ(Run(options).end.cause, Cause::kMemory);
}

TEST_P(JailTest, EndlessLoopDiesOfWallTime) {
  JailOptions options = Options("endless_loop");
  options.limits.wall_time = absl::Milliseconds(200);
  const absl::Time start = absl::Now();
  EXPECT_EQ(Run(options).end.cause, Cause::kWallTime);
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(200));
}

TEST_P(JailTest, EndlessLoopDiesOfProcessorTime) {
  JailOptions options = Options("endless_loop");
  options.limits.cpu_time = absl::Milliseconds(200);
  EXPECT_EQ(Run(options).end.cause, Cause::kCpuTime);
}

TEST_P(JailTest, ChildrenThatHaveEndedCountForProcessorTime) {
  JailOptions options = Options("busy_children");
  options.forking = JailOptions::Forking::kAllowed;
  options.limits.cpu_time = absl::Milliseconds(300);
  EXPECT_EQ(Run(options).end.cause, Cause::kCpuTime);
  EXPECT_EQ(SurvivorCount(), 0);
}

TEST_P(JailTest, FilesOutsideTheScratchFolderCannotBeWritten) {
  const std::vector<std::string> places = {"/",        "/tmp", "/usr", "/dev",  "/dev/shm",
                                           "/var/tmp", "/run", "/etc", "/proc", "/scratch"};
  EXPECT_EQ(Run(Options("write_files", places)).output, "");
}

TEST_P(JailTest, ScratchFolderIsWritableAndAlone) {
  JailOptions options = Options("write_files", {".", "/tmp", "/", "/dev/shm"});
  options.scratch = JailOptions::Scratch::kPrivate;
  EXPECT_EQ(Run(options).output, ". ");
}

TEST_P(JailTest, ScratchFolderIsGoneAfterwardsHoweverDeep) {
  JailOptions options = Options("deep_folders");
  options.scratch = JailOptions::Scratch::kPrivate;
  const Outcome outcome = Run(options);
  // Without a mount namespace such a tree counts as too much already.
  EXPECT_TRUE(outcome.end.cause == Cause::kMemory ||
              (outcome.end.cause == Cause::kExited && outcome.end.exit_code == 0));
  ASSERT_THAT(outcome.output, StartsWith("/"));
  EXPECT_NE(access(outcome.output.c_str(), F_OK), 0) << outcome.output;
}

TEST_P(JailTest, ScratchFolderIsBounded) {
  JailOptions options = Options("fill_scratch");
  options.scratch = JailOptions::Scratch::kPrivate;
  options.limits.scratch_bytes = int64_t{64} << 20;
  const Outcome outcome = Run(options);
  if (outcome.end.cause == Cause::kExited) {
    EXPECT_LE(atoi(outcome.output.c_str()), 64);
    EXPECT_GE(atoi(outcome.output.c_str()), 56);
  } else {
    EXPECT_EQ(outcome.end.cause, Cause::kMemory);
  }
}

TEST_P(JailTest, FileSizeIsBounded) {
  JailOptions options = Options("large_file");
  options.scratch = JailOptions::Scratch::kPrivate;
  options.limits.file_bytes = int64_t{4} << 20;
  const Outcome outcome = Run(options);
  EXPECT_EQ(outcome.end.cause, Cause::kSignaled);
  EXPECT_EQ(outcome.end.signal, SIGXFSZ);
}

TEST_P(JailTest, NoSocketOpens) { EXPECT_EQ(Run(Options("open_sockets")).output, ""); }

TEST_P(JailTest, HostFilesCannotBeRead) {
  const std::string secret = testing::TempDir() + "/cudaperf-secret";
  UniqueFd file(open(secret.c_str(), O_CREAT | O_WRONLY, 0644));
  ASSERT_EQ(write(file.get(), "x", 1), 1);
  const std::vector<std::string> places = {
      secret, "/etc/passwd",     "/etc/hostname",   "/root",         "/home",       "/var/log",
      "/tmp", "/proc/1/environ", "/proc/1/cmdline", "/proc/meminfo", "/sys/kernel", "/dev/zero"};
  EXPECT_EQ(Run(Options("read_files", places)).output, "");
  unlink(secret.c_str());
}

TEST_P(JailTest, GivenPathsCanBeRead) {
  const std::string given = testing::TempDir() + "/cudaperf-given";
  UniqueFd file(open(given.c_str(), O_CREAT | O_WRONLY, 0644));
  ASSERT_EQ(write(file.get(), "x", 1), 1);
  JailOptions options = Options("read_files", {given});
  options.readable_paths = {given};
  EXPECT_EQ(Run(options).output, given + " ");
  unlink(given.c_str());
}

TEST_P(JailTest, FoldersThatOnlyRootReachesCanBeGiven) {
  if (geteuid() != 0) GTEST_SKIP() << "not root";
  if (GetParam() == SANDBOX_LEVEL_REDUCED) GTEST_SKIP() << "needs a mount namespace";
  std::string folder = testing::TempDir() + "/cudaperf-private-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string given = folder + "/given";
  UniqueFd file(open(given.c_str(), O_CREAT | O_WRONLY, 0644));
  ASSERT_EQ(write(file.get(), "x", 1), 1);
  JailOptions options = Options("read_files", {given});
  options.readable_paths = {given};
  EXPECT_EQ(Run(options).output, given + " ");
  unlink(given.c_str());
  rmdir(folder.c_str());
}

TEST_P(JailTest, OtherProcessesAreOutOfReach) {
  std::unique_ptr<JailedProcess> neighbour = Start(Options("endless_loop"));
  const Outcome outcome = Run(Options("attack_processes", {absl::StrCat(getpid()), absl::StrCat(getppid())}));
  EXPECT_EQ(outcome.output, "alive");
  EXPECT_TRUE(absl::IsDeadlineExceeded(neighbour->Wait(absl::Now()).status()));
}

TEST_P(JailTest, OnlyGivenDescriptorsAreOpen) {
  UniqueFd leaked(open("/dev/null", O_RDONLY));
  UniqueFd given(open("/dev/null", O_RDONLY | O_CLOEXEC));
  JailOptions options = Options("list_descriptors");
  options.descriptors = {{given.get(), 9}};
  EXPECT_EQ(Run(options).output, "0 1 2 9 ");
}

TEST_P(JailTest, DescriptorsMaySwapPlaces) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  UniqueFd reader(ends[0]);
  UniqueFd writer(ends[1]);
  JailOptions options = Options("list_descriptors");
  options.descriptors = {{reader.get(), writer.get()}, {writer.get(), reader.get()}};
  std::vector<int> numbers = {reader.get(), writer.get()};
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(Run(options).output, absl::StrCat("0 1 2 ", numbers[0], " ", numbers[1], " "));
}

TEST_P(JailTest, NamespacesCannotBeMade) {
  JailOptions options = Options("make_namespaces");
  options.forking = JailOptions::Forking::kAllowed;
  EXPECT_EQ(Run(options).output, "");
}

TEST_P(JailTest, ProcessesCannotBeStartedUnlessAllowed) {
  EXPECT_EQ(Run(Options("start_processes")).output, "");
  JailOptions options = Options("start_processes");
  options.forking = JailOptions::Forking::kAllowed;
  EXPECT_THAT(Run(options).output, HasSubstr("fork "));
}

TEST_P(JailTest, DangerousCallsAreRefused) { EXPECT_EQ(Run(Options("forbidden_calls")).output, ""); }

TEST_P(JailTest, CallsOfAnotherArchitectureKill) {
  const Outcome outcome = Run(Options("foreign_architecture"));
  EXPECT_EQ(outcome.end.cause, Cause::kSignaled);
  // SIGSEGV where the kernel has no 32-bit interface at all.
  EXPECT_THAT(outcome.end.signal, testing::AnyOf(SIGSYS, SIGSEGV));
}

TEST_P(JailTest, LimitsCannotBeLifted) { EXPECT_EQ(Run(Options("raise_limits")).output, ""); }

TEST_P(JailTest, ThreadsAreBounded) {
  JailOptions options = Options("thread_bomb");
  options.limits.process_count = 20;
  const Outcome outcome = Run(options);
  EXPECT_LE(atoi(outcome.output.c_str()), 23);
  EXPECT_GE(atoi(outcome.output.c_str()), 10);
}

TEST_P(JailTest, KillTakesTheTreeWithin250Milliseconds) {
  for (int i = 0; i < 5; ++i) {
    JailOptions options = Options("fork_bomb");
    options.forking = JailOptions::Forking::kAllowed;
    std::unique_ptr<JailedProcess> process = Start(options);
    const absl::Time start = absl::Now();
    EXPECT_EQ(process->Kill().cause, Cause::kKilledByUs);
    RecordProperty(absl::StrCat("kill_", i), absl::FormatDuration(absl::Now() - start));
    EXPECT_LT(absl::Now() - start, absl::Milliseconds(250));
    EXPECT_EQ(SurvivorCount(), 0);
  }
}

TEST_P(JailTest, DestructionKills) {
  { std::unique_ptr<JailedProcess> process = Start(Options("endless_loop")); }
  EXPECT_EQ(SurvivorCount(), 0);
}

TEST_P(JailTest, KillAfterTheEndTellsTheEnd) {
  std::unique_ptr<JailedProcess> process = Start(Options("exit_with", {"3"}));
  pollfd ended{.fd = process->end_fd(), .events = POLLIN, .revents = 0};
  ASSERT_EQ(poll(&ended, 1, 20000), 1);
  EXPECT_EQ(process->Kill().exit_code, 3);
}

TEST_P(JailTest, WaitTimesOutWhileTheProgramRuns) {
  std::unique_ptr<JailedProcess> process = Start(Options("endless_loop"));
  EXPECT_TRUE(absl::IsDeadlineExceeded(process->Wait(absl::Now() + absl::Milliseconds(10)).status()));
  pollfd ended{.fd = process->end_fd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&ended, 1, 0), 0);
}

TEST_P(JailTest, MissingProgramIsOurFault) {
  JailOptions options = Options("no_such_program");
  EXPECT_FALSE(JailedProcess::Start(options).ok());
}

TEST_P(JailTest, ProcessorTimeIsTold) {
  std::unique_ptr<JailedProcess> process = Start(Options("endless_loop"));
  const absl::Duration before = process->ProcessorTime();
  const absl::Time give_up = absl::Now() + absl::Seconds(30);
  while (process->ProcessorTime() < before + absl::Milliseconds(50) && absl::Now() < give_up) {
  }
  EXPECT_GE(process->ProcessorTime(), before + absl::Milliseconds(50));
  process->Kill();
  EXPECT_EQ(process->ProcessorTime(), absl::ZeroDuration());
}

TEST(SupervisedProcessTest, SupervisorThatDiesBeforeTheProgramStartsIsNoticedAtOnce) {
  JailOptions options;
  options.argv = {"/bin/true"};
  const absl::Time start = absl::Now();
  EXPECT_TRUE(absl::IsInternal(SupervisedProcess::Start("/bin/false", options).status()));
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
}

TEST(JailOptionsTest, ZeroLimitIsRefused) {
  for (auto limit : {&JailLimits::memory_bytes, &JailLimits::file_bytes, &JailLimits::scratch_bytes}) {
    JailOptions options;
    options.argv = {"/bin/true"};
    options.limits.*limit = 0;
    EXPECT_TRUE(absl::IsInvalidArgument(JailedProcess::Start(options).status()));
  }
  JailOptions options;
  options.argv = {"/bin/true"};
  options.limits.cpu_time = absl::ZeroDuration();
  EXPECT_TRUE(absl::IsInvalidArgument(JailedProcess::Start(options).status()));
  options.limits.cpu_time.reset();
  options.limits.wall_time = absl::InfiniteDuration();
  EXPECT_TRUE(absl::IsInvalidArgument(JailedProcess::Start(options).status()));
}

TEST(JailOptionsTest, RelativeProgramIsRefused) {
  JailOptions options;
  options.argv = {"true"};
  EXPECT_TRUE(absl::IsInvalidArgument(JailedProcess::Start(options).status()));
}

}  // namespace
}  // namespace cudaperf::sandbox
