// A program whose libraries and bubblewrap come with it, as deploy/bundle packs them.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sandbox/jail/jailed_process.h"
#include "tests/sandbox/jail/jail_fixture.h"
#include "tests/test_paths.h"

namespace cudaperf::sandbox {
namespace {

namespace fs = std::filesystem;

// Folders bin/ and lib/cudaperf-bundled/ somewhere, reachable by everybody.
class BundleFolder {
 public:
  BundleFolder() : root_(fs::canonical(testing::TempDir()) / "cudaperf-bundle-XXXXXX") {
    EXPECT_NE(mkdtemp(root_.data()), nullptr);
    chmod(root_.c_str(), 0755);
    fs::create_directories(root_ + "/bin");
    fs::create_directories(Libraries());
  }
  ~BundleFolder() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  std::string Libraries() const { return root_ + "/lib/cudaperf-bundled"; }

  std::string Copy(const std::string& program) const {
    const std::string copy = root_ + "/bin/" + fs::path(program).filename().string();
    fs::copy_file(program, copy);
    return copy;
  }

  std::string Write(const std::string& name, const std::string& text, mode_t mode = 0644) const {
    const std::string path = root_ + "/" + name;
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }

 private:
  std::string root_;
};

TEST_P(JailTest, ABundlesLibrariesCanBeReadAndNothingElseOfIt) {
  const BundleFolder bundle;
  const std::string library = bundle.Write("lib/cudaperf-bundled/libsome.so", "x");
  const std::string other = bundle.Write("lib/other", "x");
  JailOptions options = Options("read_files", {library, other});
  options.argv[0] = bundle.Copy(options.argv[0]);
  EXPECT_EQ(Run(options).output, library + " ");
}

TEST_P(JailTest, ABundlesOwnBubblewrapComesFirst) {
  if (GetParam() != reward::v1::SANDBOX_LEVEL_FULL) GTEST_SKIP() << "bubblewrap serves FULL alone";
  const BundleFolder bundle;
  bundle.Copy(tests::BinaryFolder() + "/bin/cudaperf-jail");
  bundle.Write("bin/bwrap", "#!/bin/sh\necho bwrap: here with $LD_LIBRARY_PATH >&2\n", 0755);
  JailOptions options = Options("exit_with", {"0"});
  options.argv[0] = bundle.Copy(options.argv[0]);
  const absl::Status refused = JailedProcess::Start(options).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("here with " + bundle.Libraries()));
}

}  // namespace
}  // namespace cudaperf::sandbox
