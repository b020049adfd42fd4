#ifndef CUDAPERF_BENCH_ARGUMENTS_H_
#define CUDAPERF_BENCH_ARGUMENTS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace cudaperf::bench {

// What is written behind a benchmark's name: `--name value` or `--name=value`, and flags of the daemon behind `--`.
class Arguments {
 public:
  // INVALID_ARGUMENT names a flag that is not in `known`, or lacks its value.
  static absl::StatusOr<Arguments> Parse(int argc, char** argv, const std::vector<std::string>& known);

  std::string Text(const std::string& name, const std::string& otherwise = "") const;
  // Split at commas; empty when not given.
  std::vector<std::string> List(const std::string& name) const;
  // At least 1.
  int Count(const std::string& name, int otherwise) const;

  const std::vector<std::string>& daemon_flags() const { return daemon_flags_; }
  // The command as given, without the program's folder.
  const std::string& command() const { return command_; }

 private:
  std::map<std::string, std::string> values_;
  std::vector<std::string> daemon_flags_;
  std::string command_;
};

}  // namespace cudaperf::bench

#endif  // CUDAPERF_BENCH_ARGUMENTS_H_
