#ifndef CUDAPERF_SERVER_EVALUATION_ID_H_
#define CUDAPERF_SERVER_EVALUATION_ID_H_

#include <string>

namespace cudaperf::server {

// A new name for one evaluation: 16 hex digits, random, so that the logs of many daemons can be read together.
std::string NewEvaluationId();

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_EVALUATION_ID_H_
