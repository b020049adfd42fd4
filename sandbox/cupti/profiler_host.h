#ifndef CUDAPERF_SANDBOX_CUPTI_PROFILER_HOST_H_
#define CUDAPERF_SANDBOX_CUPTI_PROFILER_HOST_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"
#include "sandbox/cupti/cupti_library.h"
#include "sandbox/cupti/metric_table.h"

namespace cudaperf::sandbox {

// CUPTI's knowledge about one chip's metrics: schedules them and computes them from what was counted. Needs no GPU. Not
// thread-safe.
class ProfilerHost {
 public:
  // `availability` may be empty for chips that this CUPTI knows. `library` is not owned; outlives this.
  static absl::StatusOr<std::unique_ptr<ProfilerHost>> Create(const CuptiLibrary* library, const std::string& chip,
                                                              const std::string& availability);
  ~ProfilerHost();
  ProfilerHost(const ProfilerHost&) = delete;
  ProfilerHost& operator=(const ProfilerHost&) = delete;

  // False also for a metric's name that is not spelled out to its last part.
  bool Knows(const std::string& metric) const;

  // Schedules the metrics. A host object serves one schedule: later ones would hold the earlier metrics too.
  absl::StatusOr<worker::v1::ProfilerConfig> Schedule(const std::vector<std::string>& metrics);

  // The metrics of one range of a counter data image.
  absl::StatusOr<MetricValues> Evaluate(absl::Span<const uint8_t> counter_data, size_t range,
                                        const std::vector<const char*>& metrics) const;

 private:
  ProfilerHost(const CuptiLibrary* library, std::string chip, std::string availability)
      : library_(library), chip_(std::move(chip)), availability_(std::move(availability)) {}

  const CuptiLibrary* const library_;
  // CUPTI may keep pointers to them.
  const std::string chip_;
  const std::string availability_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_CUPTI_PROFILER_HOST_H_
