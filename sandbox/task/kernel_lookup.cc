#include "sandbox/task/kernel_lookup.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "sandbox/task/excerpt.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::KernelResources;

// Start of the bracket group that ends at `close`; npos when there is none.
size_t OpeningOf(absl::string_view text, size_t close, char open_mark, char close_mark) {
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    if (text[i] == close_mark) ++depth;
    if (text[i] == open_mark && --depth == 0) return i;
  }
  return absl::string_view::npos;
}

std::string WithoutSpaces(absl::string_view text) {
  std::string packed;
  std::copy_if(text.begin(), text.end(), std::back_inserter(packed), [](char c) { return !absl::ascii_isspace(c); });
  return packed;
}

// `ns::scale` of `ns::scale<float>`.
absl::string_view WithoutTemplateArguments(absl::string_view title) {
  if (title.empty() || title.back() != '>') return title;
  const size_t open = OpeningOf(title, title.size() - 1, '<', '>');
  return open == absl::string_view::npos ? title : title.substr(0, open);
}

// `scale<float>` of `ns::scale<float>`.
absl::string_view WithoutNamespaces(absl::string_view title) {
  const size_t separator = WithoutTemplateArguments(title).rfind("::");
  return separator == absl::string_view::npos ? title : title.substr(separator + 2);
}

bool IsMeant(absl::string_view name, const KernelResources& kernel) {
  const std::string wanted = WithoutSpaces(name);
  const absl::string_view title = KernelTitle(kernel);
  const absl::string_view local = WithoutNamespaces(title);
  const absl::string_view forms[] = {title, local, WithoutTemplateArguments(title), WithoutTemplateArguments(local)};
  return std::any_of(std::begin(forms), std::end(forms),
                     [&](absl::string_view f) { return WithoutSpaces(f) == wanted; });
}

std::string Listing(absl::Span<const KernelResources> kernels) {
  constexpr size_t kMost = 8;
  std::vector<std::string> titles;
  for (const KernelResources& kernel : kernels.subspan(0, std::min(kernels.size(), kMost))) {
    titles.push_back(Excerpt(KernelTitle(kernel)));
  }
  if (kernels.size() > kMost) titles.emplace_back("...");
  return titles.empty() ? "no kernel" : absl::StrJoin(titles, ", ");
}

}  // namespace

absl::string_view KernelTitle(const KernelResources& kernel) {
  absl::string_view title = kernel.demangled_name();
  if (title.empty()) return kernel.name();
  if (title.back() == ')') {
    const size_t open = OpeningOf(title, title.size() - 1, '(', ')');
    if (open != absl::string_view::npos && open > 0) title = title.substr(0, open);
  }
  // A return type stands in front of templates: cut at the last space outside brackets.
  int depth = 0;
  for (size_t i = title.size(); i-- > 0;) {
    if (title[i] == '>' || title[i] == ')') ++depth;
    if (title[i] == '<' || title[i] == '(') --depth;
    if (title[i] == ' ' && depth == 0) return title.substr(i + 1);
  }
  return title;
}

absl::StatusOr<const KernelResources*> FindKernel(absl::string_view name, absl::Span<const KernelResources> kernels) {
  const auto exact =
      std::find_if(kernels.begin(), kernels.end(), [&](const KernelResources& k) { return k.name() == name; });
  if (exact != kernels.end()) return &*exact;
  const KernelResources* found = nullptr;
  for (const KernelResources& kernel : kernels) {
    if (!IsMeant(name, kernel)) continue;
    if (found != nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("several kernels are named ", Excerpt(name), "; the source defines ", Listing(kernels)));
    }
    found = &kernel;
  }
  if (found != nullptr) return found;
  return absl::InvalidArgumentError(
      absl::StrCat("there is no kernel ", Excerpt(name), "; the source defines ", Listing(kernels)));
}

}  // namespace cudaperf::sandbox
