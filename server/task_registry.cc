#include "server/task_registry.h"

#include <set>
#include <utility>

#include "sandbox/task/task_digest.h"

namespace cudaperf::server {

TaskRegistry::TaskRegistry(TaskAdmission* admission, int64_t task_limit)
    : admission_(admission), task_limit_(task_limit) {}

TaskRegistry::Entry TaskRegistry::Find(absl::string_view name_or_digest) {
  absl::MutexLock lock(&mutex_);
  const auto name = names_.find(name_or_digest);
  return Touch(name == names_.end() ? name_or_digest : absl::string_view(name->second));
}

absl::StatusOr<TaskRegistry::Entry> TaskRegistry::Register(const reward::v1::Task& task,
                                                           const sandbox::CallScope& scope) {
  absl::StatusOr<Entry> entry = Adopt(task, scope);
  if (!entry.ok() || task.name().empty()) return entry;
  absl::MutexLock lock(&mutex_);
  if (Touch((*entry)->task_id) == nullptr) Keep(*entry);
  names_[task.name()] = (*entry)->task_id;
  return entry;
}

absl::StatusOr<TaskRegistry::Entry> TaskRegistry::Adopt(const reward::v1::Task& task,
                                                        const sandbox::CallScope& scope) {
  const std::string task_id = sandbox::TaskDigest(task);
  absl::StatusOr<Entry> entry = Find(task_id);
  if (*entry == nullptr) entry = flights_.Do(task_id, scope, [&] { return Check(task, scope); });
  if (!entry.ok()) return entry;
  absl::MutexLock lock(&mutex_);
  if (Touch(task_id) == nullptr) Keep(*entry);
  return entry;
}

absl::StatusOr<TaskRegistry::Entry> TaskRegistry::Check(const reward::v1::Task& task, const sandbox::CallScope& scope) {
  absl::StatusOr<RegisteredTask> admitted = admission_->Admit(task, scope);
  if (!admitted.ok()) return admitted.status();
  return std::make_shared<const RegisteredTask>(*std::move(admitted));
}

std::vector<TaskRegistry::Listed> TaskRegistry::List() const {
  absl::MutexLock lock(&mutex_);
  std::vector<Listed> listed;
  std::set<absl::string_view> named;
  for (const auto& [name, task_id] : names_) {
    listed.push_back({name, tasks_.find(task_id)->second.task});
    named.insert(task_id);
  }
  for (const auto& [task_id, slot] : tasks_) {
    if (!named.contains(task_id)) listed.push_back({"", slot.task});
  }
  return listed;
}

TaskRegistry::Entry TaskRegistry::Touch(absl::string_view task_id) {
  const auto found = tasks_.find(task_id);
  if (found == tasks_.end()) return nullptr;
  ages_.splice(ages_.begin(), ages_, found->second.age);
  return found->second.task;
}

void TaskRegistry::Keep(const Entry& task) {
  while (static_cast<int64_t>(tasks_.size()) >= task_limit_) Drop(std::string(ages_.back()));
  ages_.push_front(task->task_id);
  tasks_[task->task_id] = {task, ages_.begin()};
}

void TaskRegistry::Drop(const std::string& task_id) {
  std::erase_if(names_, [&](const auto& name) { return name.second == task_id; });
  const auto found = tasks_.find(task_id);
  ages_.erase(found->second.age);
  tasks_.erase(found);
}

}  // namespace cudaperf::server
