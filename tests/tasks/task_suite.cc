#include "tests/tasks/task_suite.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "google/protobuf/text_format.h"

namespace cudaperf::tasks {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> SortedEntries(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<fs::path> TaskFolders() {
  std::vector<fs::path> folders;
  for (const fs::path& path : SortedEntries(fs::path(CUDAPERF_SOURCE_DIR) / "tasks")) {
    if (fs::exists(path / "task.textproto")) folders.push_back(path);
  }
  return folders;
}

absl::StatusOr<reward::v1::Task> ReadTask(const fs::path& folder) {
  reward::v1::Task task;
  if (!google::protobuf::TextFormat::ParseFromString(ReadText(folder / "task.textproto"), &task)) {
    return absl::InvalidArgumentError(absl::StrCat((folder / "task.textproto").string(), " does not parse"));
  }
  for (const std::string& name : {task.reference_file(), task.baseline_file()}) {
    if (name.empty() || !fs::is_regular_file(folder / name)) {
      return absl::NotFoundError(absl::StrCat(folder.string(), " lacks its file `", name, "`"));
    }
  }
  task.mutable_cuda()->set_reference_source(ReadText(folder / task.reference_file()));
  task.mutable_cuda()->mutable_baseline()->set_source(ReadText(folder / task.baseline_file()));
  task.clear_reference_file();
  task.clear_baseline_file();
  return task;
}

std::vector<CandidateFile> ReadCandidates(const fs::path& folder) {
  std::vector<CandidateFile> candidates;
  for (const fs::path& path : SortedEntries(folder / "candidates")) {
    if (path.extension() != ".cu") continue;
    CandidateFile& candidate = candidates.emplace_back();
    candidate.path = path;
    candidate.source = ReadText(path);
    const std::vector<std::string> lines = absl::StrSplit(candidate.source, absl::MaxSplits('\n', 2));
    if (absl::string_view text = lines[0]; absl::ConsumePrefix(&text, "// ")) candidate.description = std::string(text);
    if (lines.size() < 2) continue;
    if (absl::string_view text = lines[1]; absl::ConsumePrefix(&text, "// expect: ")) {
      reward::v1::Outcome_Parse(std::string(text), &candidate.expected);
    }
  }
  return candidates;
}

}  // namespace cudaperf::tasks
