#ifndef CUDAPERF_EMULATOR_CONTROL_FLOW_H_
#define CUDAPERF_EMULATOR_CONTROL_FLOW_H_

#include "emulator/program.h"

namespace cudaperf::emulator {

// Fills in where the lanes of every branch meet again: at the branch's immediate post-dominator, or nowhere before the
// end when that only ends the thread. Bounded: a graph too tangled for its step limit gets no meeting places, which
// costs counters their truth about divergence, never results.
void FindReconvergence(Code& code);

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_CONTROL_FLOW_H_
