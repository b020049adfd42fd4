#ifndef CUDAPERF_TESTS_SERVER_CANDIDATE_FILE_H_
#define CUDAPERF_TESTS_SERVER_CANDIDATE_FILE_H_

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cudaperf/reward/v1/evaluation.pb.h"

namespace cudaperf::server {

// A candidate under tasks/ or tests/hostile/, with what its head says: `// task: NAME`, `// expect: OUTCOME_A
// [OUTCOME_B]`,
// `// never: WORD ...`.
struct CandidateFile {
  std::string name;
  std::string source;
  // Folder of the task under tasks/; empty when the file does not say.
  std::string task;
  std::set<std::string> expected;
  // What must not occur anywhere in the answer.
  std::vector<std::string> forbidden;

  bool Accepts(reward::v1::Outcome outcome) const { return expected.contains(reward::v1::Outcome_Name(outcome)); }
};

CandidateFile ReadCandidateFile(const std::filesystem::path& path);

// The .cu files of a folder, by name.
std::vector<CandidateFile> ReadCandidateFiles(const std::filesystem::path& folder);

}  // namespace cudaperf::server

#endif  // CUDAPERF_TESTS_SERVER_CANDIDATE_FILE_H_
