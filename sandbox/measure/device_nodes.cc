#include "sandbox/measure/device_nodes.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {
namespace {

std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// `Device Minor: 	 0`; empty when it does not say.
std::string MinorNumber(const std::string& pci_bus_id) {
  // One name each: functions of a GPU with more than one, or 32-bit domains, are written differently by libraries.
  const std::string text = ReadAll(absl::StrCat("/proc/driver/nvidia/gpus/", pci_bus_id, "/information"));
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::pair<absl::string_view, absl::string_view> field = absl::StrSplit(line, absl::MaxSplits(':', 1));
    if (field.first == "Device Minor") return std::string(absl::StripAsciiWhitespace(field.second));
  }
  return "";
}

bool IsGpuNode(const std::string& name) {
  return name.size() > 6 && name.starts_with("nvidia") && absl::ascii_isdigit(static_cast<unsigned char>(name[6]));
}

}  // namespace

std::vector<std::string> DeviceNodes(const std::string& pci_bus_id) {
  std::vector<std::string> nodes;
  const std::string minor = MinorNumber(pci_bus_id);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", error)) {
    const std::string name = entry.path().filename().string();
    const bool is_control = name == "nvidiactl" || name == "nvidia-uvm" || name == "nvidia-uvm-tools";
    const bool is_mine = IsGpuNode(name) && (minor.empty() || name == "nvidia" + minor);
    if (is_control || is_mine) nodes.push_back(entry.path().string());
  }
  // Rights to MIG slices.
  for (const auto& entry : std::filesystem::directory_iterator("/dev/nvidia-caps", error)) {
    nodes.push_back(entry.path().string());
  }
  return nodes;
}

std::string DriverVersionText(int cuda_version) {
  // `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build ...`
  const std::string text = ReadAll("/proc/driver/nvidia/version");
  for (absl::string_view word : absl::StrSplit(text, absl::ByAnyChar(" \t\n"), absl::SkipEmpty())) {
    const bool is_release = absl::ascii_isdigit(static_cast<unsigned char>(word[0])) && word.find('.') != word.npos;
    if (is_release) return std::string(word);
  }
  return absl::StrCat("CUDA ", cuda_version / 1000, ".", cuda_version % 1000 / 10);
}

}  // namespace cudaperf::sandbox
