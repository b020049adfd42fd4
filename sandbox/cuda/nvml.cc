#include "sandbox/cuda/nvml.h"

#include <dlfcn.h>
#include <unistd.h>

#include <fstream>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

// nvmlClocksThrottleReason*: those that an idle GPU or an operator's own clock setting do not explain.
struct Reason {
  unsigned long long bit;
  const char* name;
};
constexpr Reason kReasons[] = {{0x4, "power cap"},
                               {0x8, "hardware slowdown"},
                               {0x20, "temperature"},
                               {0x40, "hardware temperature limit"},
                               {0x80, "power brake"}};
constexpr unsigned int kMostProcesses = 128;

// 0 at the end of the line, and for what cannot be seen from here.
pid_t ParentOf(pid_t pid) {
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  std::string word;
  while (status >> word) {
    pid_t parent = 0;
    if (word == "PPid:" && status >> parent) return parent;
  }
  return 0;
}

bool IsBelow(pid_t pid, pid_t ancestor) {
  for (; pid > 1; pid = ParentOf(pid)) {
    if (pid == ancestor) return true;
  }
  return false;
}

}  // namespace

bool Nvml::Resolve(void* library) {
  const auto find = [&](const char* name, auto* function) {
    *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(dlsym(library, name));
    return *function != nullptr;
  };
  return find("nvmlInit_v2", &init_) && find("nvmlShutdown", &shutdown_) &&
         find("nvmlDeviceGetHandleByUUID", &handle_by_uuid_) &&
         find("nvmlDeviceGetCurrentClocksThrottleReasons", &throttle_reasons_) &&
         find("nvmlDeviceGetComputeRunningProcesses_v3", &compute_processes_);
}

absl::StatusOr<std::unique_ptr<Nvml>> Nvml::Open(const std::string& uuid) {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return absl::NotFoundError(absl::StrCat("no NVML: ", dlerror()));
  std::unique_ptr<Nvml> nvml(new Nvml);
  if (!nvml->Resolve(library)) return absl::NotFoundError("this NVML lacks a function; update the driver");
  if (const int error = nvml->init_(); error != 0) {
    nvml->shutdown_ = nullptr;
    return absl::UnavailableError(absl::StrCat("nvmlInit: error ", error));
  }
  if (const int error = nvml->handle_by_uuid_(uuid.c_str(), &nvml->device_); error != 0) {
    return absl::UnavailableError(absl::StrCat("nvmlDeviceGetHandleByUUID: error ", error));
  }
  return nvml;
}

Nvml::~Nvml() {
  if (shutdown_ != nullptr) shutdown_();
}

std::vector<std::string> Nvml::ThrottleReasons() const {
  std::vector<std::string> reasons;
  unsigned long long bits = 0;
  if (throttle_reasons_(device_, &bits) != 0) return reasons;
  for (const Reason& reason : kReasons) {
    if ((bits & reason.bit) != 0) reasons.push_back(absl::StrCat("clocks are lowered: ", reason.name));
  }
  return reasons;
}

std::vector<pid_t> Nvml::ComputeProcesses() const {
  std::vector<ProcessInfo> found(kMostProcesses);
  unsigned int count = kMostProcesses;
  if (compute_processes_(device_, &count, found.data()) != 0) return {};
  std::vector<pid_t> processes;
  for (unsigned int i = 0; i < count && i < kMostProcesses; ++i) processes.push_back(static_cast<pid_t>(found[i].pid));
  return processes;
}

std::vector<pid_t> Strangers(const std::vector<pid_t>& processes) {
  std::vector<pid_t> strangers;
  for (const pid_t pid : processes) {
    if (!IsBelow(pid, getpid())) strangers.push_back(pid);
  }
  return strangers;
}

}  // namespace cudaperf::sandbox
