#include "sandbox/compile/ptxas_report.h"

#include <charconv>
#include <cstdint>

namespace cudaperf::sandbox {
namespace {

using reward::v1::KernelResources;

constexpr size_t kMaxKernels = 1024;

// Number that ends in front of `at`; 0 when there is none.
int64_t NumberEndingAt(std::string_view line, size_t at) {
  size_t begin = at;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  int64_t number = 0;
  std::from_chars(line.data() + begin, line.data() + at, number);
  return number;
}

// Number in front of `unit`, as in `40 bytes stack frame`; 0 when there is none.
int64_t NumberBefore(std::string_view line, std::string_view unit) {
  const size_t at = line.find(unit);
  return at == std::string_view::npos ? 0 : NumberEndingAt(line, at);
}

// Text between the first pair of quotes.
std::string_view Quoted(std::string_view line) {
  const size_t open = line.find('\'');
  const size_t close = open == std::string_view::npos ? open : line.find('\'', open + 1);
  return close == std::string_view::npos ? std::string_view() : line.substr(open + 1, close - open - 1);
}

// Sum over all banks: `528 bytes cmem[0], 16 bytes cmem[2]`.
int64_t ConstantBytes(std::string_view line) {
  constexpr std::string_view kUnit = " bytes cmem[";
  int64_t total = 0;
  for (size_t at = line.find(kUnit); at != std::string_view::npos; at = line.find(kUnit, at + 1)) {
    total += NumberEndingAt(line, at);
  }
  return total;
}

void ReadStack(std::string_view line, KernelResources& kernel) {
  kernel.set_stack_bytes(NumberBefore(line, " bytes stack frame"));
  kernel.set_spill_store_bytes(NumberBefore(line, " bytes spill stores"));
  kernel.set_spill_load_bytes(NumberBefore(line, " bytes spill loads"));
}

void ReadUsage(std::string_view line, KernelResources& kernel) {
  kernel.set_register_count(static_cast<int32_t>(NumberBefore(line, " registers")));
  kernel.set_barrier_count(static_cast<int32_t>(NumberBefore(line, " barriers")));
  kernel.set_static_shared_bytes(NumberBefore(line, " bytes smem"));
  kernel.set_constant_bytes(ConstantBytes(line));
}

}  // namespace

std::map<std::string, KernelResources> ParsePtxasReport(std::string_view output) {
  std::map<std::string, KernelResources> kernels;
  std::string entry;
  std::string function;
  while (!output.empty()) {
    const size_t end = output.find('\n');
    const std::string_view line = output.substr(0, end);
    output = end == std::string_view::npos ? std::string_view() : output.substr(end + 1);
    if (line.starts_with("ptxas info    : Compiling entry function '")) {
      entry = Quoted(line);
      if (kernels.size() >= kMaxKernels) return kernels;
      kernels[entry].set_name(entry);
    } else if (line.starts_with("ptxas info    : Function properties for ")) {
      function = line.substr(sizeof("ptxas info    : Function properties for ") - 1);
    } else if (entry.empty()) {
      continue;
    } else if (line.starts_with("ptxas info    : Used ")) {
      ReadUsage(line, kernels[entry]);
    } else if (function == entry && line.find(" bytes stack frame") != std::string_view::npos) {
      // Functions that the entry calls have such a line too.
      ReadStack(line, kernels[entry]);
    }
  }
  return kernels;
}

}  // namespace cudaperf::sandbox
