#ifndef CUDAPERF_SERVER_FEEDBACK_H_
#define CUDAPERF_SERVER_FEEDBACK_H_

#include "cudaperf/reward/v1/evaluation.pb.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::server {

// Turns the evidence into text for the model's next turn: one headline, then one point per line, most useful first;
// `items` are the points that the text has. Valid UTF-8 of at most `limit_bytes` bytes. Pure.
reward::v1::Feedback ComposeFeedback(const reward::v1::Task& task, const reward::v1::Candidate& candidate,
                                     const reward::v1::Evaluation& evidence, int limit_bytes);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_FEEDBACK_H_
