// Every file of this folder says what it does, to which task, and which outcomes are right; nothing of it runs here.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cudaperf/reward/v1/evaluation.pb.h"
#include "gtest/gtest.h"

namespace cudaperf {
namespace {

namespace fs = std::filesystem;

const fs::path& SourceFolder() {
  static const fs::path folder = fs::path(CUDAPERF_SOURCE_DIR) / "tests/hostile";
  return folder;
}

// The `// key: value` lines at the top of a source.
std::map<std::string, std::string> ReadHeader(const fs::path& path) {
  std::ifstream file(path);
  const std::string source(std::istreambuf_iterator<char>(file), {});
  std::map<std::string, std::string> header;
  for (absl::string_view line : absl::StrSplit(source, '\n')) {
    if (!absl::ConsumePrefix(&line, "// ")) break;
    const std::pair<absl::string_view, absl::string_view> field = absl::StrSplit(line, absl::MaxSplits(": ", 1));
    header.emplace(field.first, field.second);
  }
  return header;
}

std::vector<fs::path> Sources() {
  std::vector<fs::path> sources;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(SourceFolder())) {
    if (entry.path().extension() == ".cu") sources.push_back(entry.path());
  }
  return sources;
}

TEST(HostileSourcesTest, EachSaysWhatItDoesAndWhichOutcomesAreRight) {
  EXPECT_GE(Sources().size(), 25u);
  for (const fs::path& path : Sources()) {
    SCOPED_TRACE(path.filename());
    std::map<std::string, std::string> header = ReadHeader(path);
    EXPECT_FALSE(header["what"].empty());
    EXPECT_TRUE(fs::exists(fs::path(CUDAPERF_SOURCE_DIR) / "tasks" / header["task"] / "task.textproto"));
    bool may_pass = false;
    for (const absl::string_view name : absl::StrSplit(header["expect"], ' ')) {
      reward::v1::Outcome outcome = reward::v1::OUTCOME_UNSPECIFIED;
      EXPECT_TRUE(reward::v1::Outcome_Parse(std::string(name), &outcome)) << name;
      may_pass |= outcome == reward::v1::OUTCOME_PASSED;
    }
    if (path.filename() == "honest.cu") {
      EXPECT_EQ(header["expect"], "OUTCOME_PASSED");
    } else if (may_pass) {
      EXPECT_FALSE(header["why"].empty()) << "a hostile source that may pass says why";
    }
  }
}

}  // namespace
}  // namespace cudaperf
