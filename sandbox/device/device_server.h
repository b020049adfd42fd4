#ifndef CUDAPERF_SANDBOX_DEVICE_DEVICE_SERVER_H_
#define CUDAPERF_SANDBOX_DEVICE_DEVICE_SERVER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "cudaperf/worker/v1/device.pb.h"
#include "emulator/device.h"
#include "emulator/device_memory.h"
#include "emulator/module.h"
#include "sandbox/device/device_ledger.h"
#include "sandbox/device/shared_mapping.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// The emulated GPU's driver: answers requests of both channels against one emulated device. Knows no sockets. Requests
// of the command channel may be hostile; none of them can end the process, take more than the memory limit or touch
// what the judge attached other than by the rules of device memory. Not thread-safe.
class DeviceServer {
 public:
  enum class Channel { kControl, kCommand };

  // Allocations alive at once, and modules loaded.
  static constexpr size_t kMaxAllocations = 65536;
  static constexpr size_t kMaxModules = 64;

  worker::v1::DeviceResponse Handle(Channel channel, const worker::v1::DeviceRequest& request,
                                    std::vector<UniqueFd> descriptors);

  // False until the first reset, and from a collect until the next one: commands have to wait.
  bool takes_commands() const { return takes_commands_; }

  // The command channel is no longer served, for this reason: a refused call of the candidate.
  void DropCommands(std::string reason);

 private:
  struct Buffer {
    SharedMapping memory;
    bool initialized = false;
  };
  struct LoadedModule {
    std::shared_ptr<const emulator::Module> module;
    Channel channel;
  };

  void Configure(const worker::v1::ConfigureRequest& request, worker::v1::DeviceResponse* response);
  void AttachBuffer(const worker::v1::AttachBufferRequest& request, const std::vector<UniqueFd>& descriptors,
                    worker::v1::DeviceResponse* response);
  void DetachBuffer(const worker::v1::DetachBufferRequest& request, worker::v1::DeviceResponse* response);
  void Collect(const worker::v1::CollectRequest& request, worker::v1::CollectResponse* response);
  void LoadModule(Channel channel, const worker::v1::LoadModuleRequest& request,
                  worker::v1::LoadModuleResponse* response);
  void Launch(const worker::v1::LaunchRequest& request, worker::v1::LaunchResponse* response);
  void Allocate(Channel channel, const worker::v1::AllocateRequest& request, worker::v1::AllocateResponse* response);
  worker::v1::DeviceError Free(Channel channel, const worker::v1::FreeRequest& request);
  void Copy(const worker::v1::CopyRequest& request, worker::v1::CopyResponse* response);
  worker::v1::DeviceError Fill(const worker::v1::FillRequest& request, bool continues);
  void FindSymbol(const worker::v1::SymbolRequest& request, worker::v1::SymbolResponse* response);
  void Report(const worker::v1::ReportRequest& request);
  void ResetChannel(Channel channel);
  void FindAddress(const worker::v1::AddressRequest& request, worker::v1::AddressResponse* response) const;

  // Files what is wrong with a launch that does not come to the emulator.
  void RefuseLaunch(std::string detail, worker::v1::LaunchResponse* response);
  worker::v1::DeviceError Refuse(worker::v1::DeviceError error, std::string detail);
  // NONE when the host may write there.
  worker::v1::DeviceError CheckWritable(absl::string_view call, uint64_t address, int64_t size_bytes);
  absl::StatusOr<std::string> LayOut(const emulator::Kernel& kernel, const worker::v1::LaunchRequest& request) const;
  void FreeAllocations(Channel channel);
  const LoadedModule* FindModule(int32_t module) const;

  worker::v1::ConfigureRequest configuration_;
  int64_t warp_schedule_ = 0;
  bool takes_commands_ = false;
  // Null until configured.
  std::unique_ptr<emulator::DeviceMemory> memory_;
  std::unique_ptr<emulator::Device> device_;
  std::map<uint64_t, Buffer> buffers_;
  std::map<uint64_t, Channel> allocations_;
  std::map<int32_t, LoadedModule> modules_;
  int32_t next_module_ = 1;
  DeviceLedger ledger_;
  // What the request before was, if it was a copy: only that can be continued.
  worker::v1::CopyRequest::Kind last_copy_ = worker::v1::CopyRequest::KIND_UNSPECIFIED;
  bool last_was_fill_ = false;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_DEVICE_DEVICE_SERVER_H_
