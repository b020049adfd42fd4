#ifndef CUDAPERF_BENCH_CANDIDATE_SUITE_H_
#define CUDAPERF_BENCH_CANDIDATE_SUITE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "tests/server/candidate_file.h"

namespace cudaperf::bench {

// Tasks of the suite and the candidates that its files expect to pass.
struct CandidateSuite {
  std::map<std::string, reward::v1::Task> tasks;
  // Neighbours are of different tasks. `CandidateFile::task` is filled in.
  std::vector<server::CandidateFile> device_only;
  std::vector<server::CandidateFile> launchers;

  // Reads these tasks, or all if `names` is empty, below the folder that CUDAPERF_SOURCE_DIR names.
  static absl::StatusOr<CandidateSuite> Read(const std::vector<std::string>& names);

  // Files below tests/hostile, and their tasks if those are not here yet.
  absl::StatusOr<std::vector<server::CandidateFile>> ReadHostile(const std::vector<std::string>& names);
};

}  // namespace cudaperf::bench

#endif  // CUDAPERF_BENCH_CANDIDATE_SUITE_H_
