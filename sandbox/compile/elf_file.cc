#include "sandbox/compile/elf_file.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace cudaperf::sandbox {
namespace {

constexpr size_t kMaxSections = 1 << 16;
constexpr size_t kMaxSymbols = 1 << 20;

// A copy of the structure at `offset`; false when it does not lie within the bytes.
template <typename Structure>
bool Read(std::string_view bytes, uint64_t offset, Structure& into) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Structure)) return false;
  std::memcpy(&into, bytes.data() + offset, sizeof(Structure));
  return true;
}

std::string_view Slice(std::string_view bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) return {};
  return bytes.substr(offset, size);
}

// The null-terminated text at `offset` of a string table; empty when it is not terminated.
std::string_view TextAt(std::string_view table, uint64_t offset) {
  if (offset >= table.size()) return {};
  const std::string_view rest = table.substr(offset);
  const size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

}  // namespace

std::optional<ElfFile> ElfFile::Parse(std::string_view bytes) {
  Elf64_Ehdr header;
  if (!Read(bytes, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_shentsize != sizeof(Elf64_Shdr)) {
    return std::nullopt;
  }
  ElfFile file;
  Elf64_Shdr first;
  if (!Read(bytes, header.e_shoff, first)) return file;
  // Files of many sections keep their number and their string table's index in the first one.
  const uint64_t count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
  const uint64_t names_index = header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx;
  std::vector<Elf64_Shdr> headers;
  for (uint64_t i = 0; i < std::min<uint64_t>(count, kMaxSections); ++i) {
    Elf64_Shdr section;
    if (!Read(bytes, header.e_shoff + i * sizeof(Elf64_Shdr), section)) return std::nullopt;
    headers.push_back(section);
  }
  const std::string_view names = names_index < headers.size()
                                     ? Slice(bytes, headers[names_index].sh_offset, headers[names_index].sh_size)
                                     : std::string_view();
  for (const Elf64_Shdr& section : headers) {
    const bool has_content = section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL;
    file.sections_.push_back(
        {.name = TextAt(names, section.sh_name),
         .type = section.sh_type,
         .size = section.sh_size,
         .content = has_content ? Slice(bytes, section.sh_offset, section.sh_size) : std::string_view(),
         .link = section.sh_link});
  }
  return file;
}

const ElfFile::Section* ElfFile::FindSection(std::string_view name) const {
  for (const Section& section : sections_) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

std::vector<ElfFile::Symbol> ElfFile::Symbols(uint32_t type) const {
  std::vector<Symbol> symbols;
  for (const Section& section : sections_) {
    if (section.type != type || section.link >= sections_.size()) continue;
    const std::string_view names = sections_[section.link].content;
    const size_t count = section.content.size() / sizeof(Elf64_Sym);
    for (size_t i = 0; i < count && symbols.size() < kMaxSymbols; ++i) {
      Elf64_Sym symbol;
      if (!Read(section.content, i * sizeof(Elf64_Sym), symbol)) break;
      symbols.push_back({.name = TextAt(names, symbol.st_name),
                         .info = symbol.st_info,
                         .other = symbol.st_other,
                         .section = symbol.st_shndx,
                         .size = symbol.st_size});
    }
  }
  return symbols;
}

}  // namespace cudaperf::sandbox
