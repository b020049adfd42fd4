#ifndef CUDAPERF_PROTO_TASK_FILE_H_
#define CUDAPERF_PROTO_TASK_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::proto {

// Reads a task's text proto (`path`: the file, or a folder with a `task.textproto`) and puts the content of
// `reference_file` and `baseline_file`, relative to it, into the task. NOT_FOUND or INVALID_ARGUMENT naming the file,
// and the line if there is one.
absl::StatusOr<reward::v1::Task> ReadTaskFile(const std::string& path);

// What `path` stands for: a folder of task folders for each of them, in order of their names; anything else for itself.
std::vector<std::string> FindTasks(const std::string& path);

// A file's bytes. NOT_FOUND when it cannot be read.
absl::StatusOr<std::string> ReadFile(const std::string& path);

}  // namespace cudaperf::proto

#endif  // CUDAPERF_PROTO_TASK_FILE_H_
