#ifndef CUDAPERF_SANDBOX_JAIL_BUNDLE_H_
#define CUDAPERF_SANDBOX_JAIL_BUNDLE_H_

#include <string>

namespace cudaperf::sandbox {

// A bundle (deploy/README.md) carries the libraries that its programs need: `lib/cudaperf-bundled` beside the programs'
// own folder. Path of that folder; empty when `program` is not part of a bundle.
std::string BundledLibraries(const std::string& program);

// The file `name` in the folder of `program`; empty when it is not there, or cannot be executed.
std::string ProgramBeside(const std::string& program, const std::string& name);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_BUNDLE_H_
