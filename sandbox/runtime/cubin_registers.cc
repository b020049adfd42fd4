#include "sandbox/runtime/cubin_registers.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace cudaperf::sandbox {
namespace {

// Attributes of `.nv.info`: a format byte, an attribute byte, two bytes that are a value or the length of what follows.
constexpr uint8_t kSizedFormat = 0x04;
constexpr uint8_t kRegisterCount = 0x2f;

template <typename Record>
std::optional<Record> ReadAt(absl::string_view bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Record)) return std::nullopt;
  Record record;
  std::memcpy(&record, bytes.data() + offset, sizeof(record));
  return record;
}

absl::string_view Content(absl::string_view elf, const Elf64_Shdr& section) {
  if (section.sh_offset > elf.size() || section.sh_size > elf.size() - section.sh_offset) return {};
  return elf.substr(section.sh_offset, section.sh_size);
}

std::string NameAt(absl::string_view strings, uint64_t offset) {
  if (offset >= strings.size()) return "";
  absl::string_view rest = strings.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

std::vector<Elf64_Shdr> Sections(absl::string_view elf) {
  std::vector<Elf64_Shdr> sections;
  const auto header = ReadAt<Elf64_Ehdr>(elf, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  for (uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = ReadAt<Elf64_Shdr>(elf, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return {};
    sections.push_back(*section);
  }
  return sections;
}

}  // namespace

std::map<std::string, int> CubinRegisterCounts(absl::string_view cubin) {
  const std::vector<Elf64_Shdr> sections = Sections(cubin);
  const auto header = ReadAt<Elf64_Ehdr>(cubin, 0);
  if (sections.empty() || header->e_shstrndx >= sections.size()) return {};
  const absl::string_view section_names = Content(cubin, sections[header->e_shstrndx]);
  absl::string_view info;
  absl::string_view symbols;
  absl::string_view symbol_names;
  for (const Elf64_Shdr& section : sections) {
    if (NameAt(section_names, section.sh_name) == ".nv.info") info = Content(cubin, section);
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    symbols = Content(cubin, section);
    symbol_names = Content(cubin, sections[section.sh_link]);
  }
  std::map<std::string, int> counts;
  for (uint64_t at = 0; const auto entry = ReadAt<uint32_t>(info, at);) {
    const uint8_t format = *entry & 0xff;
    const uint8_t attribute = (*entry >> 8) & 0xff;
    const uint64_t length = format == kSizedFormat ? *entry >> 16 : 0;
    at += sizeof(uint32_t);
    const auto symbol_index = ReadAt<uint32_t>(info, at);
    const auto count = ReadAt<uint32_t>(info, at + sizeof(uint32_t));
    at += length;
    if (format != kSizedFormat || attribute != kRegisterCount || length < 8 || !symbol_index || !count) continue;
    const auto symbol = ReadAt<Elf64_Sym>(symbols, uint64_t{*symbol_index} * sizeof(Elf64_Sym));
    if (symbol) counts[NameAt(symbol_names, symbol->st_name)] = static_cast<int>(*count);
  }
  return counts;
}

}  // namespace cudaperf::sandbox
