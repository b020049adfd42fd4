#include "sandbox/compile/device_compile.h"

#include "absl/strings/str_cat.h"
#include "sandbox/compile/compiler_log.h"
#include "sandbox/compile/kernel_resources.h"
#include "sandbox/compile/standard_headers.h"
#include "sandbox/compile/valid_text.h"

namespace cudaperf::sandbox {

using worker::v1::CompileRequest;
using worker::v1::CompileResponse;

namespace {

std::vector<std::string> Flags(const CompileRequest& request) {
  std::vector<std::string> flags = {absl::StrCat("-arch=", request.architecture()), "-std=c++20", "-lineinfo",
                                    "--ptxas-options=-v"};
  if (request.fast_math()) flags.push_back("--use_fast_math");
  return flags;
}

worker::v1::CompileStatus StatusOf(const NvrtcLibrary::Output& output) {
  if (output.succeeded) return worker::v1::COMPILE_STATUS_SUCCEEDED;
  if (output.out_of_memory) return worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED;
  return worker::v1::COMPILE_STATUS_FAILED;
}

}  // namespace

CompileResponse CompileForDevice(const NvrtcLibrary& nvrtc, const std::string& toolkit_root,
                                 const CompileRequest& request) {
  const std::vector<std::string> flags = Flags(request);
  std::vector<std::string> options = flags;
  options.push_back(absl::StrCat("-I", toolkit_root, "/include"));
  options.push_back(absl::StrCat("-I", toolkit_root, "/include/cccl"));
  options.push_back(absl::StrCat("--pre-include=", kImplicitHeader));
  NvrtcLibrary::Output output = nvrtc.Compile(request.source(), "candidate.cu", options);
  CompileResponse response;
  response.set_status(StatusOf(output));
  if (!output.succeeded && !(output.log.size() > 0 && !output.internal_error)) response.set_detail(output.result);
  CompilerLog log =
      ParseCompilerLog(output.log, {toolkit_root + "/include/cccl", toolkit_root + "/include", toolkit_root});
  for (reward::v1::Diagnostic& diagnostic : log.diagnostics) *response.add_diagnostics() = std::move(diagnostic);
  response.set_log(std::move(log.text));
  for (const std::string& flag : flags) response.add_flags(flag);
  if (!output.succeeded) return response;
  for (reward::v1::KernelResources& kernel : DescribeKernels(output.cubin, output.ptx, output.log)) {
    *response.add_kernels() = std::move(kernel);
  }
  response.mutable_program()->set_ptx(ToValidUtf8(output.ptx));
  response.mutable_program()->set_cubin(std::move(output.cubin));
  return response;
}

}  // namespace cudaperf::sandbox
