#include "bench/candidate_suite.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/task_file.h"
#include "tests/test_paths.h"

namespace cudaperf::bench {
namespace {

std::filesystem::path TasksFolder() { return std::filesystem::path(tests::SourceFolder()) / "tasks"; }

// One of each row, then the next of each.
std::vector<server::CandidateFile> Interleave(const std::vector<std::vector<server::CandidateFile>>& rows) {
  std::vector<server::CandidateFile> mixed;
  size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  for (size_t i = 0; i < longest; ++i) {
    for (const auto& row : rows) {
      if (i < row.size()) mixed.push_back(row[i]);
    }
  }
  return mixed;
}

}  // namespace

absl::StatusOr<CandidateSuite> CandidateSuite::Read(const std::vector<std::string>& names) {
  std::vector<std::string> folders;
  for (const std::string& name : names) folders.push_back(TasksFolder() / name);
  if (names.empty()) folders = proto::FindTasks(TasksFolder());
  CandidateSuite suite;
  std::vector<std::vector<server::CandidateFile>> device_only, launchers;
  for (const std::string& folder : folders) {
    absl::StatusOr<reward::v1::Task> task = proto::ReadTaskFile(folder);
    if (!task.ok()) return task.status();
    const std::string name = std::filesystem::path(folder).filename();
    suite.tasks[name] = *std::move(task);
    device_only.emplace_back();
    launchers.emplace_back();
    for (server::CandidateFile& file : server::ReadCandidateFiles(std::filesystem::path(folder) / "candidates")) {
      if (!file.Accepts(reward::v1::OUTCOME_PASSED)) continue;
      file.task = name;
      const bool is_device_only = file.source.find("// cudaperf: launch") != std::string::npos;
      (is_device_only ? device_only : launchers).back().push_back(std::move(file));
    }
  }
  suite.device_only = Interleave(device_only);
  suite.launchers = Interleave(launchers);
  if (suite.device_only.empty() && suite.launchers.empty()) {
    return absl::NotFoundError(absl::StrCat("no candidates below ", TasksFolder().string()));
  }
  return suite;
}

absl::StatusOr<std::vector<server::CandidateFile>> CandidateSuite::ReadHostile(const std::vector<std::string>& names) {
  std::vector<server::CandidateFile> files;
  for (const std::string& name : names) {
    const auto path = std::filesystem::path(tests::SourceFolder()) / "tests/hostile" / absl::StrCat(name, ".cu");
    if (!std::filesystem::exists(path)) return absl::NotFoundError(absl::StrCat("there is no ", path.string()));
    files.push_back(server::ReadCandidateFile(path));
    const std::string& task_name = files.back().task;
    if (tasks.contains(task_name)) continue;
    absl::StatusOr<reward::v1::Task> task = proto::ReadTaskFile(TasksFolder() / task_name);
    if (!task.ok()) return task.status();
    tasks[task_name] = *std::move(task);
  }
  return files;
}

}  // namespace cudaperf::bench
