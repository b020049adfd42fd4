#ifndef CUDAPERF_SANDBOX_COMPILE_ELF_FILE_H_
#define CUDAPERF_SANDBOX_COMPILE_ELF_FILE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cudaperf::sandbox {

// Sections and symbols of a 64-bit little-endian ELF file. Its bytes are hostile: every offset is checked, nothing is
// followed twice. Views point into the bytes given, which must outlive it.
class ElfFile {
 public:
  struct Section {
    std::string_view name;
    uint32_t type = 0;
    uint64_t size = 0;
    // Empty where the file holds none (NOBITS).
    std::string_view content;
    uint32_t link = 0;
  };
  struct Symbol {
    std::string_view name;
    uint8_t info = 0;
    uint8_t other = 0;
    uint16_t section = 0;
    uint64_t size = 0;
  };

  // nullopt when the bytes are not such a file.
  static std::optional<ElfFile> Parse(std::string_view bytes);

  const std::vector<Section>& sections() const { return sections_; }
  // nullptr when there is none of that name.
  const Section* FindSection(std::string_view name) const;
  // Of all symbol tables of `type` (SHT_SYMTAB or SHT_DYNSYM).
  std::vector<Symbol> Symbols(uint32_t type) const;

 private:
  std::vector<Section> sections_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_ELF_FILE_H_
