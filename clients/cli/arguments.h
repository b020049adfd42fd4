#ifndef CUDAPERF_CLIENTS_CLI_ARGUMENTS_H_
#define CUDAPERF_CLIENTS_CLI_ARGUMENTS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace cudaperf::clients {

// One option of a command. A switch takes no value.
struct Option {
  enum class Takes { kValue, kSwitch };
  std::string name;
  Takes takes = Takes::kValue;
  // Behind the name in the help, e.g. `FILE`.
  std::string value_name;
  std::string help;
};

// What was written behind a command's name: options (`--name value`, `--name=value`, repeated or not) and the rest.
class Arguments {
 public:
  // INVALID_ARGUMENT naming what is not known or lacks a value.
  static absl::StatusOr<Arguments> Parse(const std::vector<std::string>& words, const std::vector<Option>& options);

  // The last value; `fallback` when there is none.
  std::string Get(const std::string& name, const std::string& fallback = "") const;
  // Every value, in order.
  std::vector<std::string> GetAll(const std::string& name) const;
  bool Has(const std::string& name) const { return values_.contains(name); }
  const std::vector<std::string>& positional() const { return positional_; }

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> positional_;
};

// One line per option.
std::string DescribeOptions(const std::vector<Option>& options);

}  // namespace cudaperf::clients

#endif  // CUDAPERF_CLIENTS_CLI_ARGUMENTS_H_
