#include "sandbox/task/launch_directive.h"

#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "sandbox/task/data_type.h"
#include "sandbox/task/excerpt.h"
#include "sandbox/task/expression.h"
#include "sandbox/task/identifier.h"
#include "sandbox/task/source_text.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Launch;
using reward::v1::Scratch;

// Bounds what one source can ask for.
constexpr size_t kMaxDirectives = 1024;
// Bytes of a sentence about a comment, which quotes it.
constexpr size_t kMostReason = 400;

constexpr absl::string_view kLaunchForm = "write `launch kernel<<<grid, block, shared_bytes>>>(arguments)`";

// The text behind `// cudaperf:`, if the line is such a comment.
std::optional<absl::string_view> DirectiveText(absl::string_view line) {
  const size_t comment = line.find("//");
  if (comment == absl::string_view::npos) return std::nullopt;
  absl::string_view text = absl::StripLeadingAsciiWhitespace(line.substr(comment + 2));
  if (!absl::ConsumePrefix(&text, "cudaperf:")) return std::nullopt;
  return absl::StripAsciiWhitespace(text);
}

// Takes the word at the start of `text`, which must be followed by a space.
bool TakeWord(absl::string_view* text, absl::string_view word) {
  if (!absl::StartsWith(*text, word) || text->size() == word.size() || !absl::ascii_isspace((*text)[word.size()]))
    return false;
  *text = absl::StripLeadingAsciiWhitespace(text->substr(word.size()));
  return true;
}

absl::Status CheckExpression(absl::string_view text) { return Expression::Parse(text).status(); }

// `256`, `(x, y)` or `dim3(x, y, z)`.
absl::StatusOr<std::vector<std::string>> ParseDimensions(absl::string_view text) {
  std::vector<absl::string_view> pieces = {text};
  absl::string_view inner = text;
  const bool is_dim3 = absl::ConsumePrefix(&inner, "dim3");
  inner = absl::StripAsciiWhitespace(inner);
  if (absl::StartsWith(inner, "(") && MatchingBracket(inner, 0) == inner.size() - 1) {
    std::vector<absl::string_view> parts = SplitArguments(inner.substr(1, inner.size() - 2));
    if (is_dim3 || parts.size() > 1) pieces = std::move(parts);
  }
  if (pieces.empty() || pieces.size() > 3)
    return absl::InvalidArgumentError("a grid or block has one to three dimensions");
  std::vector<std::string> dimensions;
  for (absl::string_view piece : pieces) {
    if (absl::Status status = CheckExpression(piece); !status.ok()) return status;
    dimensions.emplace_back(piece);
  }
  return dimensions;
}

absl::StatusOr<Launch> ParseLaunch(absl::string_view text) {
  const size_t open = text.find("<<<");
  const size_t close = text.find(">>>");
  if (open == absl::string_view::npos || close == absl::string_view::npos || close < open) {
    return absl::InvalidArgumentError(kLaunchForm);
  }
  Launch launch;
  launch.set_kernel(std::string(absl::StripAsciiWhitespace(text.substr(0, open))));
  if (launch.kernel().empty())
    return absl::InvalidArgumentError(absl::StrCat("the kernel's name is missing: ", kLaunchForm));

  const std::vector<absl::string_view> configuration = SplitArguments(text.substr(open + 3, close - open - 3));
  if (configuration.size() < 2 || configuration.size() > 3) {
    return absl::InvalidArgumentError(
        absl::StrCat("between <<< and >>> stand grid, block and perhaps shared bytes: ", kLaunchForm));
  }
  const absl::StatusOr<std::vector<std::string>> grid = ParseDimensions(configuration[0]);
  if (!grid.ok()) return grid.status();
  const absl::StatusOr<std::vector<std::string>> block = ParseDimensions(configuration[1]);
  if (!block.ok()) return block.status();
  launch.mutable_grid()->Add(grid->begin(), grid->end());
  launch.mutable_block()->Add(block->begin(), block->end());
  if (configuration.size() == 3) {
    if (absl::Status status = CheckExpression(configuration[2]); !status.ok()) return status;
    launch.set_dynamic_shared_bytes(std::string(configuration[2]));
  }

  absl::string_view rest = absl::StripAsciiWhitespace(text.substr(close + 3));
  absl::ConsumeSuffix(&rest, ";");
  rest = absl::StripAsciiWhitespace(rest);
  if (rest.empty()) return launch;
  if (rest.front() != '(' || MatchingBracket(rest, 0) != rest.size() - 1) {
    return absl::InvalidArgumentError(absl::StrCat("arguments stand in parentheses behind >>>: ", kLaunchForm));
  }
  for (absl::string_view argument : SplitArguments(rest.substr(1, rest.size() - 2))) {
    if (absl::Status status = CheckExpression(argument); !status.ok()) return status;
    launch.add_arguments(std::string(argument));
  }
  return launch;
}

absl::StatusOr<Scratch> ParseScratch(absl::string_view text) {
  constexpr absl::string_view kForm = "write `scratch float name[extent]`";
  const size_t open = text.find('[');
  if (open == absl::string_view::npos || MatchingBracket(text, open) != text.size() - 1)
    return absl::InvalidArgumentError(kForm);
  const absl::string_view declaration = absl::StripAsciiWhitespace(text.substr(0, open));
  const size_t space = declaration.find_last_of(" \t");
  if (space == absl::string_view::npos) return absl::InvalidArgumentError(kForm);
  const absl::string_view type = absl::StripAsciiWhitespace(declaration.substr(0, space));
  const absl::string_view name = declaration.substr(space + 1);
  const auto dtype = DataTypeFromName(type);
  if (!dtype.has_value()) return absl::InvalidArgumentError(absl::StrCat("unknown element type ", type, "; ", kForm));
  if (!IsIdentifier(name)) return absl::InvalidArgumentError(absl::StrCat("`", name, "` is no name; ", kForm));
  const absl::string_view extent = text.substr(open + 1, text.size() - open - 2);
  if (absl::Status status = CheckExpression(extent); !status.ok()) return status;
  Scratch scratch;
  scratch.set_name(std::string(name));
  scratch.set_dtype(*dtype);
  scratch.set_extent(std::string(absl::StripAsciiWhitespace(extent)));
  return scratch;
}

absl::Status AddDirective(absl::string_view text, LaunchDescription& description) {
  absl::ConsumeSuffix(&text, ";");
  text = absl::StripAsciiWhitespace(text);
  if (TakeWord(&text, "launch")) {
    absl::StatusOr<Launch> launch = ParseLaunch(text);
    if (!launch.ok()) return launch.status();
    description.launches.push_back(*std::move(launch));
    return absl::OkStatus();
  }
  if (TakeWord(&text, "scratch")) {
    absl::StatusOr<Scratch> scratch = ParseScratch(text);
    if (!scratch.ok()) return scratch.status();
    description.scratch.push_back(*std::move(scratch));
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("a cudaperf comment is `launch ...` or `scratch ...`");
}

bool IsNamePart(char c) { return absl::ascii_isalnum(c) || c == '_'; }

enum class Definition { kNone, kHost, kKernel };

// Looks for `name(...) {` and, in front of it back to the last statement, for `__global__`.
Definition FindDefinition(absl::string_view code, absl::string_view name) {
  // A source of nothing but the name would cost the square of its length.
  constexpr int kMaxOccurrences = 256;
  Definition found = Definition::kNone;
  int occurrence_count = 0;
  for (size_t at = code.find(name); at != absl::string_view::npos; at = code.find(name, at + 1)) {
    if (++occurrence_count > kMaxOccurrences) break;
    if (at > 0 && IsNamePart(code[at - 1])) continue;
    const absl::string_view behind = absl::StripLeadingAsciiWhitespace(code.substr(at + name.size()));
    if (behind.empty() || behind.front() != '(') continue;
    const size_t close = MatchingBracket(behind, 0);
    if (close == absl::string_view::npos) continue;
    absl::string_view body = absl::StripLeadingAsciiWhitespace(behind.substr(close + 1));
    absl::ConsumePrefix(&body, "noexcept");
    if (!absl::StartsWith(absl::StripLeadingAsciiWhitespace(body), "{")) continue;
    const size_t statement = code.substr(0, at).find_last_of(";{}");
    const absl::string_view front = code.substr(statement == absl::string_view::npos ? 0 : statement + 1);
    const absl::string_view specifiers = front.substr(0, front.size() - (code.size() - at));
    if (!absl::StrContains(specifiers, "__global__") && !absl::StrContains(specifiers, "__device__"))
      return Definition::kHost;
    found = Definition::kKernel;
  }
  return found;
}

}  // namespace

absl::StatusOr<LaunchDescription> ParseLaunchDirectives(absl::string_view source) {
  LaunchDescription description;
  int line_number = 0;
  for (absl::string_view line : absl::StrSplit(source, '\n')) {
    ++line_number;
    const std::optional<absl::string_view> text = DirectiveText(line);
    if (!text.has_value()) continue;
    if (description.launches.size() + description.scratch.size() >= kMaxDirectives) {
      return absl::InvalidArgumentError(absl::StrCat("more than ", kMaxDirectives, " cudaperf comments"));
    }
    if (absl::Status status = AddDirective(*text, description); !status.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("line ", line_number, ": ", Excerpt(status.message(), kMostReason)));
    }
  }
  return description;
}

absl::StatusOr<LaunchDescription> DescribeLaunches(const reward::v1::Candidate& candidate) {
  if (candidate.launches().empty()) {
    absl::StatusOr<LaunchDescription> description = ParseLaunchDirectives(candidate.source());
    if (description.ok()) {
      description->scratch.insert(description->scratch.end(), candidate.scratch().begin(), candidate.scratch().end());
    }
    return description;
  }
  LaunchDescription description;
  description.launches.assign(candidate.launches().begin(), candidate.launches().end());
  description.scratch.assign(candidate.scratch().begin(), candidate.scratch().end());
  return description;
}

reward::v1::CandidateKind DetectKind(absl::string_view source, absl::string_view entry_point) {
  const std::string code = WithoutComments(source);
  if (!entry_point.empty() && FindDefinition(code, entry_point) == Definition::kHost) {
    return reward::v1::CANDIDATE_KIND_LAUNCHER;
  }
  const absl::StatusOr<LaunchDescription> description = ParseLaunchDirectives(source);
  if (!description.ok() || !description->launches.empty()) return reward::v1::CANDIDATE_KIND_DEVICE_ONLY;
  const bool has_host_launch = absl::StrContains(code, "<<<") || absl::StrContains(code, "cudaLaunch");
  return has_host_launch ? reward::v1::CANDIDATE_KIND_LAUNCHER : reward::v1::CANDIDATE_KIND_DEVICE_ONLY;
}

}  // namespace cudaperf::sandbox
