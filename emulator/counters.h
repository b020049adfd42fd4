#ifndef CUDAPERF_EMULATOR_COUNTERS_H_
#define CUDAPERF_EMULATOR_COUNTERS_H_

#include <vector>

#include "cudaperf/reward/v1/report.pb.h"
#include "emulator/program.h"
#include "emulator/warp.h"

namespace cudaperf::emulator {

// Turns what the workers counted at every instruction into the launch's counters and those of its lines.
void SummarizeCounts(const Code& code, const Program& program, const std::vector<ExecutionCount>& counts,
                     const std::vector<MemoryCount>& memory, reward::v1::KernelExecution* execution);

// Adds `from`'s counts to `into`, element by element.
void AddCounts(const std::vector<ExecutionCount>& from, std::vector<ExecutionCount>& into);
void AddCounts(const std::vector<MemoryCount>& from, std::vector<MemoryCount>& into);

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_COUNTERS_H_
