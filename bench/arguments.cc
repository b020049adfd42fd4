#include "bench/arguments.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace cudaperf::bench {

absl::StatusOr<Arguments> Arguments::Parse(int argc, char** argv, const std::vector<std::string>& known) {
  Arguments arguments;
  arguments.command_ = std::filesystem::path(argv[0]).filename();
  for (int i = 1; i < argc; ++i) absl::StrAppend(&arguments.command_, " ", argv[i]);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") {
      arguments.daemon_flags_.assign(argv + i + 1, argv + argc);
      break;
    }
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (name.rfind("--", 0) != 0 || std::find(known.begin(), known.end(), name.substr(2)) == known.end()) {
      return absl::InvalidArgumentError(absl::StrCat("unknown argument ", word));
    }
    if (equals == std::string::npos && i + 1 == argc)
      return absl::InvalidArgumentError(absl::StrCat(word, ": no value"));
    arguments.values_[name.substr(2)] = equals == std::string::npos ? argv[++i] : word.substr(equals + 1);
  }
  return arguments;
}

std::string Arguments::Text(const std::string& name, const std::string& otherwise) const {
  const auto found = values_.find(name);
  return found == values_.end() ? otherwise : found->second;
}

std::vector<std::string> Arguments::List(const std::string& name) const {
  return absl::StrSplit(Text(name), ',', absl::SkipEmpty());
}

int Arguments::Count(const std::string& name, int otherwise) const {
  const std::string text = Text(name);
  return text.empty() ? otherwise : std::max(1, std::atoi(text.c_str()));
}

}  // namespace cudaperf::bench
