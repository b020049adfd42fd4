#include "sandbox/task/excerpt.h"

#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {

std::string Excerpt(absl::string_view text, size_t limit_bytes) {
  if (text.size() <= limit_bytes) return std::string(text);
  size_t end = limit_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return absl::StrCat(text.substr(0, end), "...");
}

}  // namespace cudaperf::sandbox
