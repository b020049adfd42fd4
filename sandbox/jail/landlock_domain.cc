#include "sandbox/jail/landlock_domain.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace cudaperf::sandbox {
namespace {

// The kernel's interface, spelled out: build machines carry older headers than the kernels this runs on.
constexpr uint64_t kExecute = 1 << 0, kWriteFile = 1 << 1, kReadFile = 1 << 2, kReadDir = 1 << 3, kRemoveDir = 1 << 4,
                   kRemoveFile = 1 << 5, kMakeDir = 1 << 7, kMakeRegular = 1 << 8, kMakeSymlink = 1 << 12,
                   kRefer = 1 << 13, kTruncate = 1 << 14, kIoctlDevice = 1 << 15;
constexpr uint64_t kAllOfAbi1 = (1 << 13) - 1;
constexpr uint64_t kFileOnly = kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDevice;
constexpr uint64_t kBindTcp = 1 << 0, kConnectTcp = 1 << 1;
constexpr uint64_t kScopeAbstractSocket = 1 << 0, kScopeSignal = 1 << 1;

struct RulesetAttributes {
  uint64_t file_rights;
  uint64_t network_rights;
  uint64_t scopes;
};

struct __attribute__((packed)) PathAttributes {
  uint64_t rights;
  int32_t parent_fd;
};

constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr int kVersionFlag = 1, kPathBeneath = 1;

uint64_t FileRights(int abi) {
  uint64_t rights = kAllOfAbi1;
  if (abi >= 2) rights |= kRefer;
  if (abi >= 3) rights |= kTruncate;
  if (abi >= 5) rights |= kIoctlDevice;
  return rights;
}

}  // namespace

int LandlockDomain::KernelAbi() {
  const long abi = syscall(kCreateRuleset, nullptr, 0, kVersionFlag);
  return abi > 0 ? static_cast<int>(abi) : 0;
}

LandlockDomain::LandlockDomain() : abi_(KernelAbi()) {
  if (abi_ < 1) return;
  RulesetAttributes attributes{.file_rights = FileRights(abi_), .network_rights = 0, .scopes = 0};
  size_t size = sizeof(uint64_t);
  if (abi_ >= 4) {
    attributes.network_rights = kBindTcp | kConnectTcp;
    size = 2 * sizeof(uint64_t);
  }
  if (abi_ >= 6) {
    attributes.scopes = kScopeAbstractSocket | kScopeSignal;
    size = 3 * sizeof(uint64_t);
  }
  ruleset_ = UniqueFd(static_cast<int>(syscall(kCreateRuleset, &attributes, size, 0)));
}

bool LandlockDomain::Allow(const std::string& path, unsigned long long rights) {
  UniqueFd place(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place.valid()) return errno == ENOENT || errno == ENOTDIR;
  struct stat entry;
  if (fstat(place.get(), &entry) != 0) return false;
  rights &= FileRights(abi_);
  if (!S_ISDIR(entry.st_mode)) rights &= kFileOnly;
  PathAttributes attributes{.rights = rights, .parent_fd = place.get()};
  return syscall(kAddRule, ruleset_.get(), kPathBeneath, &attributes, 0) == 0;
}

bool LandlockDomain::AllowReading(const std::string& path) { return Allow(path, kExecute | kReadFile | kReadDir); }

bool LandlockDomain::AllowWriting(const std::string& path) {
  return Allow(path, kReadFile | kReadDir | kWriteFile | kTruncate | kMakeDir | kMakeRegular | kMakeSymlink |
                         kRemoveDir | kRemoveFile | kRefer);
}

bool LandlockDomain::AllowDevice(const std::string& path) { return Allow(path, kReadFile | kWriteFile | kIoctlDevice); }

bool LandlockDomain::Enter() {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return syscall(kRestrictSelf, ruleset_.get(), 0) == 0;
}

}  // namespace cudaperf::sandbox
