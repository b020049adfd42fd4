// Runs a fuzz target over its seeds without a fuzzer, so that every build and every test run keeps the targets alive:
// each file as it is, and cut short at every length up to a bound.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

namespace {

constexpr size_t kMaxCuts = 256;

void RunFileAndItsCuts(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const size_t step = content.size() / kMaxCuts + 1;
  for (size_t size = 0; size < content.size(); size += step) {
    const std::string cut = content.substr(0, size);  // its own allocation, so that an overrun shows
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(cut.data()), cut.size());
  }
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(content.data()), content.size());
}

}  // namespace

int main(int argc, char** argv) {
  int file_count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      RunFileAndItsCuts(entry.path());
      ++file_count;
    }
  }
  std::printf("%d seeds replayed\n", file_count);
  return file_count > 0 ? 0 : 1;  // no seeds: nothing was tried
}
