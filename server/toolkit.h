#ifndef CUDAPERF_SERVER_TOOLKIT_H_
#define CUDAPERF_SERVER_TOOLKIT_H_

#include <string>

namespace cudaperf::server {

// Folder of the CUDA toolkit: CUDAToolkit_ROOT from the environment, else the one found when this was built, if it is
// still there, else the usual place.
std::string DefaultToolkitRoot();

// Version of the toolkit in a folder as `major.minor`, read from its headers; empty when there is none.
std::string ToolkitVersion(const std::string& root);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_TOOLKIT_H_
