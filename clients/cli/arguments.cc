#include "clients/cli/arguments.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace cudaperf::clients {

absl::StatusOr<Arguments> Arguments::Parse(const std::vector<std::string>& words, const std::vector<Option>& options) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!absl::StartsWith(words[i], "--") || words[i] == "--") {
      arguments.positional_.push_back(words[i]);
      continue;
    }
    const size_t equals = words[i].find('=');
    const std::string name = words[i].substr(2, equals == std::string::npos ? equals : equals - 2);
    const auto option = std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.name == name; });
    if (option == options.end()) return absl::InvalidArgumentError(absl::StrCat("unknown option --", name));
    std::string value = equals == std::string::npos ? "" : words[i].substr(equals + 1);
    if (option->takes == Option::Takes::kSwitch && equals != std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat("--", name, " takes no value"));
    }
    if (option->takes == Option::Takes::kValue && equals == std::string::npos) {
      if (++i == words.size()) return absl::InvalidArgumentError(absl::StrCat("--", name, " needs a value"));
      value = words[i];
    }
    arguments.values_[name].push_back(std::move(value));
  }
  return arguments;
}

std::string Arguments::Get(const std::string& name, const std::string& fallback) const {
  const auto found = values_.find(name);
  return found == values_.end() ? fallback : found->second.back();
}

std::vector<std::string> Arguments::GetAll(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::string DescribeOptions(const std::vector<Option>& options) {
  std::string text;
  for (const Option& option : options) {
    const std::string left = absl::StrCat("--", option.name, option.value_name.empty() ? "" : " ", option.value_name);
    absl::StrAppendFormat(&text, "  %-26s %s\n", left, option.help);
  }
  return text;
}

}  // namespace cudaperf::clients
