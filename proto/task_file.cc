#include "proto/task_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"

namespace cudaperf::proto {
namespace {

class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    if (text_.empty()) text_ = absl::StrCat("line ", line + 1, ", column ", column + 1, ": ", message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

absl::StatusOr<reward::v1::Task> Parse(const std::string& text, const std::string& path) {
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  reward::v1::Task task;
  if (!parser.ParseFromString(text, &task)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": not a cudaperf.reward.v1.Task: ", error.text()));
  }
  return task;
}

constexpr char kTaskFile[] = "task.textproto";

absl::Status Inline(const std::filesystem::path& folder, const std::string& name, std::string* into) {
  absl::StatusOr<std::string> content = ReadFile(folder / name);
  if (!content.ok()) return content.status();
  *into = *std::move(content);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path))
    return absl::NotFoundError(absl::StrCat(path, ": cannot read it"));
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::vector<std::string> FindTasks(const std::string& path) {
  std::error_code ignored;
  std::vector<std::string> tasks;
  if (!std::filesystem::exists(std::filesystem::path(path) / kTaskFile, ignored)) {
    for (const auto& entry : std::filesystem::directory_iterator(path, ignored)) {
      if (std::filesystem::exists(entry.path() / kTaskFile, ignored)) tasks.push_back(entry.path());
    }
  }
  std::sort(tasks.begin(), tasks.end());
  return tasks.empty() ? std::vector<std::string>{path} : tasks;
}

absl::StatusOr<reward::v1::Task> ReadTaskFile(const std::string& path) {
  std::filesystem::path file = path;
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) file /= kTaskFile;
  absl::StatusOr<std::string> text = ReadFile(file);
  if (!text.ok()) return text.status();
  absl::StatusOr<reward::v1::Task> task = Parse(*text, file);
  if (!task.ok()) return task;
  const std::filesystem::path folder = file.parent_path();
  if (!task->reference_file().empty()) {
    const absl::Status status =
        Inline(folder, task->reference_file(), task->mutable_cuda()->mutable_reference_source());
    if (!status.ok()) return status;
  }
  if (!task->baseline_file().empty()) {
    std::string* source = task->mutable_cuda()->mutable_baseline()->mutable_source();
    if (absl::Status status = Inline(folder, task->baseline_file(), source); !status.ok()) return status;
  }
  task->clear_reference_file();
  task->clear_baseline_file();
  return task;
}

}  // namespace cudaperf::proto
