// Errors: names, texts, and the last one.
#include <cctype>
#include <map>
#include <string>

#include "sandbox/runtime/emulated_runtime.h"

namespace cudaperf::sandbox {
namespace {

struct ErrorText {
  cudaError_t error;
  const char* name;
  // Null: the words of the name.
  const char* text;
};

#define CUDAPERF_ERROR(name, text) \
  { name, #name, text }
constexpr ErrorText kErrors[] = {
    CUDAPERF_ERROR(cudaSuccess, "no error"),
    CUDAPERF_ERROR(cudaErrorInvalidValue, "invalid argument"),
    CUDAPERF_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    CUDAPERF_ERROR(cudaErrorInitializationError, "initialization error"),
    CUDAPERF_ERROR(cudaErrorCudartUnloading, nullptr),
    CUDAPERF_ERROR(cudaErrorProfilerDisabled, nullptr),
    CUDAPERF_ERROR(cudaErrorProfilerNotInitialized, nullptr),
    CUDAPERF_ERROR(cudaErrorProfilerAlreadyStarted, nullptr),
    CUDAPERF_ERROR(cudaErrorProfilerAlreadyStopped, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    CUDAPERF_ERROR(cudaErrorInvalidPitchValue, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    CUDAPERF_ERROR(cudaErrorInvalidHostPointer, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidDevicePointer, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidTexture, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidTextureBinding, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidChannelDescriptor, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    CUDAPERF_ERROR(cudaErrorAddressOfConstant, nullptr),
    CUDAPERF_ERROR(cudaErrorTextureFetchFailed, nullptr),
    CUDAPERF_ERROR(cudaErrorTextureNotBound, nullptr),
    CUDAPERF_ERROR(cudaErrorSynchronizationError, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidFilterSetting, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidNormSetting, nullptr),
    CUDAPERF_ERROR(cudaErrorMixedDeviceExecution, nullptr),
    CUDAPERF_ERROR(cudaErrorNotYetImplemented, nullptr),
    CUDAPERF_ERROR(cudaErrorMemoryValueTooLarge, nullptr),
    CUDAPERF_ERROR(cudaErrorStubLibrary, nullptr),
    CUDAPERF_ERROR(cudaErrorInsufficientDriver, nullptr),
    CUDAPERF_ERROR(cudaErrorCallRequiresNewerDriver, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidSurface, nullptr),
    CUDAPERF_ERROR(cudaErrorDuplicateVariableName, nullptr),
    CUDAPERF_ERROR(cudaErrorDuplicateTextureName, nullptr),
    CUDAPERF_ERROR(cudaErrorDuplicateSurfaceName, nullptr),
    CUDAPERF_ERROR(cudaErrorDevicesUnavailable, "the emulated device is gone"),
    CUDAPERF_ERROR(cudaErrorIncompatibleDriverContext, nullptr),
    CUDAPERF_ERROR(cudaErrorMissingConfiguration, "missing launch configuration"),
    CUDAPERF_ERROR(cudaErrorPriorLaunchFailure, nullptr),
    CUDAPERF_ERROR(cudaErrorLaunchMaxDepthExceeded, nullptr),
    CUDAPERF_ERROR(cudaErrorLaunchFileScopedTex, nullptr),
    CUDAPERF_ERROR(cudaErrorLaunchFileScopedSurf, nullptr),
    CUDAPERF_ERROR(cudaErrorSyncDepthExceeded, nullptr),
    CUDAPERF_ERROR(cudaErrorLaunchPendingCountExceeded, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    CUDAPERF_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    CUDAPERF_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    CUDAPERF_ERROR(cudaErrorDeviceNotLicensed, nullptr),
    CUDAPERF_ERROR(cudaErrorSoftwareValidityNotEstablished, nullptr),
    CUDAPERF_ERROR(cudaErrorStartupFailure, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidKernelImage, nullptr),
    CUDAPERF_ERROR(cudaErrorDeviceUninitialized, nullptr),
    CUDAPERF_ERROR(cudaErrorMapBufferObjectFailed, nullptr),
    CUDAPERF_ERROR(cudaErrorUnmapBufferObjectFailed, nullptr),
    CUDAPERF_ERROR(cudaErrorArrayIsMapped, nullptr),
    CUDAPERF_ERROR(cudaErrorAlreadyMapped, nullptr),
    CUDAPERF_ERROR(cudaErrorNoKernelImageForDevice, nullptr),
    CUDAPERF_ERROR(cudaErrorAlreadyAcquired, nullptr),
    CUDAPERF_ERROR(cudaErrorNotMapped, nullptr),
    CUDAPERF_ERROR(cudaErrorNotMappedAsArray, nullptr),
    CUDAPERF_ERROR(cudaErrorNotMappedAsPointer, nullptr),
    CUDAPERF_ERROR(cudaErrorECCUncorrectable, nullptr),
    CUDAPERF_ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    CUDAPERF_ERROR(cudaErrorDeviceAlreadyInUse, nullptr),
    CUDAPERF_ERROR(cudaErrorPeerAccessUnsupported, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidPtx, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidGraphicsContext, nullptr),
    CUDAPERF_ERROR(cudaErrorNvlinkUncorrectable, nullptr),
    CUDAPERF_ERROR(cudaErrorJitCompilerNotFound, nullptr),
    CUDAPERF_ERROR(cudaErrorUnsupportedPtxVersion, nullptr),
    CUDAPERF_ERROR(cudaErrorJitCompilationDisabled, nullptr),
    CUDAPERF_ERROR(cudaErrorUnsupportedExecAffinity, nullptr),
    CUDAPERF_ERROR(cudaErrorUnsupportedDevSideSync, nullptr),
    CUDAPERF_ERROR(cudaErrorContained, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidSource, nullptr),
    CUDAPERF_ERROR(cudaErrorFileNotFound, nullptr),
    CUDAPERF_ERROR(cudaErrorSharedObjectSymbolNotFound, nullptr),
    CUDAPERF_ERROR(cudaErrorSharedObjectInitFailed, nullptr),
    CUDAPERF_ERROR(cudaErrorOperatingSystem, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    CUDAPERF_ERROR(cudaErrorIllegalState, nullptr),
    CUDAPERF_ERROR(cudaErrorLossyQuery, nullptr),
    CUDAPERF_ERROR(cudaErrorSymbolNotFound, nullptr),
    CUDAPERF_ERROR(cudaErrorNotReady, "device not ready"),
    CUDAPERF_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    CUDAPERF_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    CUDAPERF_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    CUDAPERF_ERROR(cudaErrorLaunchIncompatibleTexturing, nullptr),
    CUDAPERF_ERROR(cudaErrorPeerAccessAlreadyEnabled, nullptr),
    CUDAPERF_ERROR(cudaErrorPeerAccessNotEnabled, nullptr),
    CUDAPERF_ERROR(cudaErrorSetOnActiveProcess, nullptr),
    CUDAPERF_ERROR(cudaErrorContextIsDestroyed, nullptr),
    CUDAPERF_ERROR(cudaErrorAssert, "device-side assert triggered"),
    CUDAPERF_ERROR(cudaErrorTooManyPeers, nullptr),
    CUDAPERF_ERROR(cudaErrorHostMemoryAlreadyRegistered, nullptr),
    CUDAPERF_ERROR(cudaErrorHostMemoryNotRegistered, nullptr),
    CUDAPERF_ERROR(cudaErrorHardwareStackError, nullptr),
    CUDAPERF_ERROR(cudaErrorIllegalInstruction, nullptr),
    CUDAPERF_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    CUDAPERF_ERROR(cudaErrorInvalidAddressSpace, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidPc, nullptr),
    CUDAPERF_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    CUDAPERF_ERROR(cudaErrorCooperativeLaunchTooLarge, nullptr),
    CUDAPERF_ERROR(cudaErrorTensorMemoryLeak, nullptr),
    CUDAPERF_ERROR(cudaErrorNotPermitted, nullptr),
    CUDAPERF_ERROR(cudaErrorNotSupported, "operation not supported"),
    CUDAPERF_ERROR(cudaErrorSystemNotReady, nullptr),
    CUDAPERF_ERROR(cudaErrorSystemDriverMismatch, nullptr),
    CUDAPERF_ERROR(cudaErrorCompatNotSupportedOnDevice, nullptr),
    CUDAPERF_ERROR(cudaErrorMpsConnectionFailed, nullptr),
    CUDAPERF_ERROR(cudaErrorMpsRpcFailure, nullptr),
    CUDAPERF_ERROR(cudaErrorMpsServerNotReady, nullptr),
    CUDAPERF_ERROR(cudaErrorMpsMaxClientsReached, nullptr),
    CUDAPERF_ERROR(cudaErrorMpsMaxConnectionsReached, nullptr),
    CUDAPERF_ERROR(cudaErrorMpsClientTerminated, nullptr),
    CUDAPERF_ERROR(cudaErrorCdpNotSupported, nullptr),
    CUDAPERF_ERROR(cudaErrorCdpVersionMismatch, nullptr),
    CUDAPERF_ERROR(cudaErrorStreamCaptureUnsupported, nullptr),
    CUDAPERF_ERROR(cudaErrorStreamCaptureInvalidated, nullptr),
    CUDAPERF_ERROR(cudaErrorStreamCaptureMerge, nullptr),
    CUDAPERF_ERROR(cudaErrorStreamCaptureUnmatched, nullptr),
    CUDAPERF_ERROR(cudaErrorStreamCaptureUnjoined, nullptr),
    CUDAPERF_ERROR(cudaErrorStreamCaptureIsolation, nullptr),
    CUDAPERF_ERROR(cudaErrorStreamCaptureImplicit, nullptr),
    CUDAPERF_ERROR(cudaErrorCapturedEvent, nullptr),
    CUDAPERF_ERROR(cudaErrorStreamCaptureWrongThread, nullptr),
    CUDAPERF_ERROR(cudaErrorTimeout, nullptr),
    CUDAPERF_ERROR(cudaErrorGraphExecUpdateFailure, nullptr),
    CUDAPERF_ERROR(cudaErrorExternalDevice, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidClusterSize, nullptr),
    CUDAPERF_ERROR(cudaErrorFunctionNotLoaded, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidResourceType, nullptr),
    CUDAPERF_ERROR(cudaErrorInvalidResourceConfiguration, nullptr),
    CUDAPERF_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef CUDAPERF_ERROR

// `cudaErrorStreamCaptureMerge` says `stream capture merge`.
std::string Words(const std::string& name) {
  std::string words;
  for (char c : name.substr(std::string("cudaError").size())) {
    if (std::isupper(static_cast<unsigned char>(c)) && !words.empty()) words += ' ';
    words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

struct Named {
  std::string name;
  std::string text;
};

const Named* FindError(cudaError_t error) {
  static const auto* const errors = [] {
    auto* made = new std::map<cudaError_t, Named>();
    for (const ErrorText& entry : kErrors) {
      (*made)[entry.error] = {entry.name, entry.text != nullptr ? entry.text : Words(entry.name)};
    }
    return made;
  }();
  auto found = errors->find(error);
  return found == errors->end() ? nullptr : &found->second;
}

constexpr char kUnknown[] = "unrecognized error code";

}  // namespace
}  // namespace cudaperf::sandbox

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
  const auto* found = cudaperf::sandbox::FindError(error);
  return found == nullptr ? cudaperf::sandbox::kUnknown : found->name.c_str();
}

const char* cudaGetErrorString(cudaError_t error) {
  const auto* found = cudaperf::sandbox::FindError(error);
  return found == nullptr ? cudaperf::sandbox::kUnknown : found->text.c_str();
}

cudaError_t cudaGetLastError() { return cudaperf::sandbox::EmulatedRuntime::Get().TakeLastError(); }

cudaError_t cudaPeekAtLastError() { return cudaperf::sandbox::EmulatedRuntime::Get().PeekLastError(); }

}  // extern "C"
