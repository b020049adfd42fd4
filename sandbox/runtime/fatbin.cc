#include "sandbox/runtime/fatbin.h"

#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

constexpr uint32_t kMagic = 0xBA55ED50;
constexpr size_t kMaxFatbinBytes = size_t{256} << 20;

struct Header {
  uint32_t magic;
  uint16_t version;
  uint16_t header_bytes;
  uint64_t content_bytes;
};
static_assert(sizeof(Header) == 16);

// The part of an image's header that counts here.
struct ImageHeader {
  uint16_t kind;
  uint16_t version;
  uint32_t header_bytes;
  uint64_t padded_bytes;
  // 0 when not compressed.
  uint32_t compressed_bytes;
  uint32_t options_offset;
  uint16_t minor;
  uint16_t major;
  uint32_t architecture;
};
static_assert(sizeof(ImageHeader) == 32);

constexpr uint16_t kPtxImage = 1;
constexpr uint16_t kElfImage = 2;

}  // namespace

absl::StatusOr<size_t> FatbinBytes(absl::string_view header) {
  Header fields;
  if (header.size() < sizeof(fields)) return absl::InvalidArgumentError("fat binary without a header");
  std::memcpy(&fields, header.data(), sizeof(fields));
  if (fields.magic != kMagic || fields.version != 1 || fields.header_bytes < sizeof(fields) ||
      fields.content_bytes > kMaxFatbinBytes) {
    return absl::InvalidArgumentError("not the header of a fat binary");
  }
  return fields.header_bytes + fields.content_bytes;
}

absl::StatusOr<std::vector<FatbinImage>> ListFatbinImages(absl::string_view fatbin) {
  absl::StatusOr<size_t> size = FatbinBytes(fatbin);
  if (!size.ok()) return size.status();
  if (*size > fatbin.size()) return absl::InvalidArgumentError("fat binary is cut short");
  Header header;
  std::memcpy(&header, fatbin.data(), sizeof(header));
  absl::string_view rest = fatbin.substr(header.header_bytes, header.content_bytes);

  std::vector<FatbinImage> images;
  while (!rest.empty()) {
    ImageHeader fields;
    if (rest.size() < sizeof(fields)) return absl::InvalidArgumentError("image header is cut short");
    std::memcpy(&fields, rest.data(), sizeof(fields));
    if (fields.header_bytes < sizeof(fields) || fields.header_bytes > rest.size() ||
        fields.padded_bytes > rest.size() - fields.header_bytes) {
      return absl::InvalidArgumentError("image leads outside its fat binary");
    }
    absl::string_view content = rest.substr(fields.header_bytes, fields.padded_bytes);
    rest.remove_prefix(fields.header_bytes + fields.padded_bytes);
    if (fields.kind != kPtxImage && fields.kind != kElfImage) continue;
    if (fields.compressed_bytes != 0) return absl::UnimplementedError("compressed image");
    FatbinImage& image = images.emplace_back();
    image.kind = fields.kind == kPtxImage ? FatbinImage::Kind::kPtx : FatbinImage::Kind::kCubin;
    image.architecture = static_cast<int>(fields.architecture);
    image.content = image.kind == FatbinImage::Kind::kPtx ? content.substr(0, content.find('\0')) : content;
  }
  return images;
}

}  // namespace cudaperf::sandbox
