#include "sandbox/jail/jail_plan.h"

#include <charconv>
#include <string_view>
#include <utility>

namespace cudaperf::sandbox {
namespace {

struct NumberField {
  std::string_view name;
  int64_t JailPlan::*field;
};
constexpr NumberField kNumbers[] = {
    {"--wall-ms=", &JailPlan::wall_ms},
    {"--cpu-ms=", &JailPlan::cpu_ms},
    {"--memory=", &JailPlan::memory_bytes},
    {"--file=", &JailPlan::file_bytes},
    {"--processes=", &JailPlan::process_count},
    {"--scratch=", &JailPlan::scratch_bytes},
    {"--user=", &JailPlan::user},
};

struct FlagField {
  std::string_view name;
  bool JailPlan::*field;
};
constexpr FlagField kFlags[] = {
    {"--full", &JailPlan::full}, {"--forking", &JailPlan::forking}, {"--with-scratch", &JailPlan::scratch}};

template <typename Number>
bool Parse(std::string_view text, Number& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// True and the rest of `text` in `value` when it starts with `prefix`.
bool Consume(std::string_view text, std::string_view prefix, std::string_view& value) {
  if (!text.starts_with(prefix)) return false;
  value = text.substr(prefix.size());
  return true;
}

bool ParseOne(std::string_view text, JailPlan& plan) {
  for (const FlagField& flag : kFlags) {
    if (text == flag.name) return plan.*flag.field = true;
  }
  std::string_view value;
  for (const NumberField& number : kNumbers) {
    if (Consume(text, number.name, value)) return Parse(value, plan.*number.field);
  }
  if (Consume(text, "--control-fd=", value)) return Parse(value, plan.control_fd);
  if (Consume(text, "--scratch-path=", value)) return plan.scratch_path = value, true;
  if (Consume(text, "--readable=", value)) return plan.readable_paths.emplace_back(value), true;
  if (Consume(text, "--device=", value)) return plan.device_paths.emplace_back(value), true;
  if (Consume(text, "--env=", value)) return plan.environment.emplace_back(value), true;
  return false;
}

}  // namespace

std::vector<std::string> JailPlan::ToArguments(const std::string& program, const std::string& phase) const {
  std::vector<std::string> arguments = {program, phase};
  for (const FlagField& flag : kFlags) {
    if (this->*flag.field) arguments.emplace_back(flag.name);
  }
  for (const NumberField& number : kNumbers) {
    arguments.push_back(std::string(number.name) + std::to_string(this->*number.field));
  }
  arguments.push_back("--control-fd=" + std::to_string(control_fd));
  if (!scratch_path.empty()) arguments.push_back("--scratch-path=" + scratch_path);
  for (const std::string& path : readable_paths) arguments.push_back("--readable=" + path);
  for (const std::string& path : device_paths) arguments.push_back("--device=" + path);
  for (const std::string& variable : environment) arguments.push_back("--env=" + variable);
  arguments.push_back("--");
  arguments.insert(arguments.end(), argv.begin(), argv.end());
  return arguments;
}

std::optional<JailPlan> JailPlan::FromArguments(int argc, char** argv) {
  JailPlan plan;
  plan.full = false;
  int next = 2;
  for (; next < argc && std::string_view(argv[next]) != "--"; ++next) {
    if (!ParseOne(argv[next], plan)) return std::nullopt;
  }
  for (++next; next < argc; ++next) plan.argv.emplace_back(argv[next]);
  const bool bounded = plan.wall_ms > 0 && plan.cpu_ms > 0 && plan.memory_bytes > 0 && plan.file_bytes > 0 &&
                       plan.process_count > 0 && plan.scratch_bytes > 0;
  if (!bounded || plan.argv.empty() || plan.control_fd < 3) return std::nullopt;
  return plan;
}

}  // namespace cudaperf::sandbox
