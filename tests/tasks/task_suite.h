#ifndef CUDAPERF_TESTS_TASKS_TASK_SUITE_H_
#define CUDAPERF_TESTS_TASKS_TASK_SUITE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/evaluation.pb.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::tasks {

// A candidate's file and what its second line says must become of it.
struct CandidateFile {
  std::filesystem::path path;
  std::string source;
  std::string description;  // first line
  reward::v1::Outcome expected = reward::v1::OUTCOME_UNSPECIFIED;
};

// Folders under tasks/ that hold a task, in order of their names.
std::vector<std::filesystem::path> TaskFolders();

// Whole content; empty when there is no such file.
std::string ReadText(const std::filesystem::path& path);

// The task of a folder with its reference and baseline read in. NOT_FOUND or INVALID_ARGUMENT says which file is wrong.
absl::StatusOr<reward::v1::Task> ReadTask(const std::filesystem::path& folder);

// The candidates of a folder, in order of their names.
std::vector<CandidateFile> ReadCandidates(const std::filesystem::path& folder);

}  // namespace cudaperf::tasks

#endif  // CUDAPERF_TESTS_TASKS_TASK_SUITE_H_
