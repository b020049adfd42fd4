#ifndef CUDAPERF_SANDBOX_TASK_TASK_DIGEST_H_
#define CUDAPERF_SANDBOX_TASK_TASK_DIGEST_H_

#include <string>

#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::sandbox {

// `sha256:` and 64 hex digits over everything that decides an evaluation, field by field. Name, description and file
// names are labels: they are not part of it.
std::string TaskDigest(const reward::v1::Task& task);

std::string CandidateDigest(const reward::v1::Candidate& candidate);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_TASK_DIGEST_H_
