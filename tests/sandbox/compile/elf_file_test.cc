#include "sandbox/compile/elf_file.h"

#include <elf.h>

#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace cudaperf::sandbox {
namespace {

std::string Sample() {
  std::ifstream file(CUDAPERF_SOURCE_DIR "/tests/sandbox/compile/samples/three_kernels.cubin", std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Touches every byte that a parsed file gives access to.
size_t Walk(const std::string& bytes) {
  const std::optional<ElfFile> file = ElfFile::Parse(bytes);
  if (!file) return 0;
  size_t sum = 0;
  for (const ElfFile::Section& section : file->sections()) {
    for (char c : section.content) sum += static_cast<unsigned char>(c);
    sum += section.name.size();
  }
  for (const ElfFile::Symbol& symbol : file->Symbols(SHT_SYMTAB)) {
    for (char c : symbol.name) sum += static_cast<unsigned char>(c);
  }
  return sum;
}

TEST(ElfFileTest, SectionsAndSymbolsAreFound) {
  const std::string bytes = Sample();
  const std::optional<ElfFile> file = ElfFile::Parse(bytes);
  ASSERT_TRUE(file.has_value());
  ASSERT_NE(file->FindSection(".text.cname"), nullptr);
  EXPECT_EQ(file->FindSection(".text.missing"), nullptr);
  bool found = false;
  for (const ElfFile::Symbol& symbol : file->Symbols(SHT_SYMTAB)) found |= symbol.name == "cname";
  EXPECT_TRUE(found);
}

TEST(ElfFileTest, OtherBytesAreRefused) {
  EXPECT_FALSE(ElfFile::Parse("").has_value());
  EXPECT_FALSE(ElfFile::Parse("\x7f"
                              "ELF")
                   .has_value());
  EXPECT_FALSE(ElfFile::Parse(std::string(1000, 'x')).has_value());
}

TEST(ElfFileTest, EveryTruncationIsSurvived) {
  const std::string bytes = Sample();
  for (size_t size = 0; size < bytes.size(); size += 7) {
    // A copy of that very size, so that a sanitizer sees what is read past it.
    EXPECT_LE(Walk(std::string(bytes.data(), size)), size_t{256} * bytes.size() * 64);
  }
}

TEST(ElfFileTest, BrokenFieldsAreSurvived) {
  const std::string bytes = Sample();
  std::mt19937 random(7);
  size_t parsed = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string broken = bytes;
    for (int i = 0; i < 8; ++i) broken[random() % broken.size()] = static_cast<char>(random());
    // Header and section table are where the offsets are.
    broken[16 + random() % 48] = static_cast<char>(random());
    parsed += Walk(broken) > 0 ? 1 : 0;
  }
  EXPECT_GT(parsed, 0u);
}

}  // namespace
}  // namespace cudaperf::sandbox
