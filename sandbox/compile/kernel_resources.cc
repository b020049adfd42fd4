#include "sandbox/compile/kernel_resources.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "sandbox/compile/elf_file.h"
#include "sandbox/compile/ptx_entries.h"
#include "sandbox/compile/ptxas_report.h"
#include "sandbox/compile/valid_text.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::KernelResources;

constexpr size_t kMaxKernels = 1024;
constexpr size_t kMaxNameBytes = 4096;
// STO_CUDA_ENTRY: in a symbol's `other` field, marks what can be launched.
constexpr uint8_t kEntrySymbol = 0x10;

std::string Demangle(const std::string& name) {
  // The demangler recurses; what is longer than any real kernel's name stays as it is.
  if (name.size() > kMaxNameBytes || !name.starts_with("_Z")) return name;
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                   std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

int64_t SectionSize(const ElfFile& file, const std::string& name) {
  const ElfFile::Section* section = file.FindSection(name);
  constexpr uint64_t kLargest = uint64_t{1} << 40;
  return section == nullptr ? 0 : static_cast<int64_t>(std::min(section->size, kLargest));
}

}  // namespace

std::vector<KernelResources> DescribeKernels(std::string_view cubin, std::string_view ptx,
                                             std::string_view compiler_output) {
  std::vector<KernelResources> kernels;
  const std::optional<ElfFile> file = ElfFile::Parse(cubin);
  if (!file) return kernels;
  std::map<std::string, KernelResources> report = ParsePtxasReport(compiler_output);
  const std::map<std::string, std::vector<std::string>> entries = ReadPtxEntries(ptx);
  for (const ElfFile::Symbol& symbol : file->Symbols(SHT_SYMTAB)) {
    const bool is_entry = ELF64_ST_TYPE(symbol.info) == STT_FUNC && (symbol.other & kEntrySymbol) != 0;
    if (!is_entry || symbol.name.empty() || kernels.size() >= kMaxKernels) continue;
    const std::string name(symbol.name);
    KernelResources kernel = report[name];
    // The section also holds what the architecture reserves, so ptxas's own figure is the better one.
    if (kernel.name().empty()) kernel.set_static_shared_bytes(SectionSize(*file, ".nv.shared." + name));
    kernel.set_name(ToValidUtf8(name));
    kernel.set_demangled_name(ToValidUtf8(Demangle(name)));
    kernel.set_constant_bytes(std::max(kernel.constant_bytes(), SectionSize(*file, ".nv.constant0." + name)));
    if (const auto entry = entries.find(name); entry != entries.end()) {
      for (const std::string& type : entry->second) kernel.add_parameter_types(ToValidUtf8(type));
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace cudaperf::sandbox
