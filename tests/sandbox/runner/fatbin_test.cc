#include "sandbox/runtime/fatbin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>

#include "sandbox/runtime/cubin_registers.h"

namespace cudaperf::sandbox {
namespace {

template <typename Integer>
void Put(std::string* bytes, Integer value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// An image the way nvcc writes it: a header of 64 bytes, then padded content.
std::string Image(uint16_t kind, const std::string& content, uint32_t compressed_bytes = 0) {
  std::string image;
  Put<uint16_t>(&image, kind);
  Put<uint16_t>(&image, 0x0101);
  Put<uint32_t>(&image, 64);
  Put<uint64_t>(&image, content.size());
  Put<uint32_t>(&image, compressed_bytes);
  Put<uint32_t>(&image, 0);
  Put<uint16_t>(&image, 0);
  Put<uint16_t>(&image, 9);
  Put<uint32_t>(&image, 90);
  image.resize(64);
  return image + content;
}

std::string Fatbin(const std::string& images) {
  std::string fatbin;
  Put<uint32_t>(&fatbin, 0xBA55ED50);
  Put<uint16_t>(&fatbin, 1);
  Put<uint16_t>(&fatbin, 16);
  Put<uint64_t>(&fatbin, images.size());
  return fatbin + images;
}

TEST(FatbinTest, ListsImagesAndCutsPtxAtItsPadding) {
  const std::string fatbin = Fatbin(Image(1, std::string(".version 9.0\n\0\0\0", 16)) + Image(2, "ELF!"));
  const auto images = ListFatbinImages(fatbin);
  ASSERT_TRUE(images.ok()) << images.status();
  ASSERT_EQ(images->size(), 2);
  EXPECT_EQ((*images)[0].content, ".version 9.0\n");
  EXPECT_EQ((*images)[0].architecture, 90);
  EXPECT_EQ((*images)[1].kind, FatbinImage::Kind::kCubin);
  EXPECT_EQ((*images)[1].content, "ELF!");
  EXPECT_EQ(FatbinBytes(fatbin).value(), fatbin.size());
}

TEST(FatbinTest, CompressedImageIsNotSupported) {
  EXPECT_TRUE(absl::IsUnimplemented(ListFatbinImages(Fatbin(Image(1, "abcd", 4))).status()));
}

TEST(FatbinTest, LengthsThatLeadOutsideAreRefused) {
  std::string fatbin = Fatbin(Image(1, "abcd"));
  for (size_t size = 0; size < fatbin.size(); ++size) {
    EXPECT_FALSE(ListFatbinImages(fatbin.substr(0, size)).ok()) << size;
  }
  for (uint64_t length : {uint64_t{5}, uint64_t{1} << 40, ~uint64_t{0}, ~uint64_t{63}}) {
    std::string broken = fatbin;
    std::memcpy(&broken[16 + 8], &length, sizeof(length));
    EXPECT_FALSE(ListFatbinImages(broken).ok()) << length;
  }
  const uint32_t no_header = 0;
  std::memcpy(&fatbin[16 + 4], &no_header, sizeof(no_header));
  EXPECT_FALSE(ListFatbinImages(fatbin).ok());
}

// The smallest cubin that tells a kernel's registers.
std::string Cubin() {
  const std::string names = std::string("\0.nv.info\0.strtab\0.symtab\0kernel\0", 33);
  constexpr uint64_t kHeader = 64, kInfo = 64, kSymbols = 64 + 12, kNames = 64 + 12 + 48;
  std::string cubin(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  cubin.resize(kHeader);
  Put<uint32_t>(&cubin, 0x00082f04);
  Put<uint32_t>(&cubin, 1);
  Put<uint32_t>(&cubin, 42);
  std::string symbol(48, '\0');
  symbol[24] = 26;
  cubin += symbol + names;
  const uint64_t sections = cubin.size();
  auto section = [&](uint32_t name, uint32_t type, uint64_t offset, uint64_t size, uint32_t link) {
    Put<uint32_t>(&cubin, name);
    Put<uint32_t>(&cubin, type);
    Put<uint64_t>(&cubin, 0);
    Put<uint64_t>(&cubin, 0);
    Put<uint64_t>(&cubin, offset);
    Put<uint64_t>(&cubin, size);
    Put<uint32_t>(&cubin, link);
    cubin.append(64 - 44, '\0');
  };
  section(1, 0x70000000, kInfo, 12, 1);
  section(10, 3, kNames, names.size(), 0);
  section(18, 2, kSymbols, 48, 1);
  std::memcpy(&cubin[40], &sections, 8);
  const uint16_t counts[3] = {64, 3, 1};
  std::memcpy(&cubin[58], counts, 6);
  return cubin;
}

TEST(CubinRegistersTest, ReadsTheCountOfEachKernel) {
  EXPECT_THAT(CubinRegisterCounts(Cubin()), ::testing::ElementsAre(::testing::Pair("kernel", 42)));
}

TEST(CubinRegistersTest, AnyBytesAreSafe) {
  const std::string cubin = Cubin();
  std::mt19937 random(1);
  for (size_t size = 0; size < cubin.size(); ++size) CubinRegisterCounts(cubin.substr(0, size));
  for (int i = 0; i < 20000; ++i) {
    std::string broken = cubin;
    for (int flips = 0; flips < 4; ++flips) broken[random() % broken.size()] = static_cast<char>(random());
    CubinRegisterCounts(broken);
    ListFatbinImages(Fatbin(broken)).ok();
  }
}

}  // namespace
}  // namespace cudaperf::sandbox
