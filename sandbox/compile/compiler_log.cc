#include "sandbox/compile/compiler_log.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "sandbox/compile/valid_text.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Diagnostic;
using reward::v1::Severity;

constexpr size_t kMaxDiagnostics = 100;
constexpr size_t kMaxTextBytes = 64 << 10;
constexpr size_t kMaxMessageBytes = 2 << 10;

struct SeverityWord {
  std::string_view word;
  Severity severity;
};
constexpr std::array kSeverityWords = {SeverityWord{"catastrophic error", reward::v1::SEVERITY_ERROR},
                                       SeverityWord{"internal error", reward::v1::SEVERITY_ERROR},
                                       SeverityWord{"fatal error", reward::v1::SEVERITY_ERROR},
                                       SeverityWord{"fatal", reward::v1::SEVERITY_ERROR},
                                       SeverityWord{"error", reward::v1::SEVERITY_ERROR},
                                       SeverityWord{"warning", reward::v1::SEVERITY_WARNING},
                                       SeverityWord{"remark", reward::v1::SEVERITY_NOTE},
                                       SeverityWord{"note", reward::v1::SEVERITY_NOTE}};

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string_view BaseName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::optional<int> ParseNumber(std::string_view text) {
  int number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// `error: text`, `warning #177-D: text`, `error   : text`.
bool ParseSeverityAndMessage(std::string_view rest, Diagnostic& diagnostic) {
  for (const SeverityWord& word : kSeverityWords) {
    if (!rest.starts_with(word.word)) continue;
    std::string_view tail = rest.substr(word.word.size());
    const size_t colon = tail.find(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view number = Trim(tail.substr(0, colon));
    if (!number.empty() && number[0] != '#') return false;
    diagnostic.set_severity(word.severity);
    diagnostic.set_message(ToValidUtf8(Trim(tail.substr(colon + 1)).substr(0, kMaxMessageBytes)));
    return true;
  }
  return false;
}

// `file(12): error: text`.
std::optional<Diagnostic> ParseFrontEnd(std::string_view line) {
  const size_t close = line.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  const size_t open = line.rfind('(', close);
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  const std::optional<int> number = ParseNumber(line.substr(open + 1, close - open - 1));
  Diagnostic diagnostic;
  if (!number || !ParseSeverityAndMessage(line.substr(close + 3), diagnostic)) return std::nullopt;
  diagnostic.set_file(ToValidUtf8(BaseName(line.substr(0, open))));
  diagnostic.set_line(*number);
  return diagnostic;
}

// `file:12:3: error: text`, `file:12: error: text`.
std::optional<Diagnostic> ParseGcc(std::string_view line) {
  const size_t first = line.find(':');
  if (first == std::string_view::npos || first == 0) return std::nullopt;
  const size_t second = line.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const std::optional<int> number = ParseNumber(line.substr(first + 1, second - first - 1));
  if (!number) return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.set_file(ToValidUtf8(BaseName(line.substr(0, first))));
  diagnostic.set_line(*number);
  std::string_view rest = line.substr(second + 1);
  const size_t third = rest.find(':');
  if (third != std::string_view::npos) {
    if (const std::optional<int> column = ParseNumber(rest.substr(0, third))) {
      diagnostic.set_column(*column);
      rest = rest.substr(third + 1);
    }
  }
  if (!ParseSeverityAndMessage(Trim(rest), diagnostic)) return std::nullopt;
  return diagnostic;
}

// `ptxas error   : text`, `nvcc error   : text`, `nvrtc: error: text`, `cc1: error: text`, and ld's undefined
// references.
std::optional<Diagnostic> ParseTool(std::string_view line) {
  Diagnostic diagnostic;
  const size_t undefined = line.find("undefined reference to ");
  if (undefined != std::string_view::npos) {
    diagnostic.set_severity(reward::v1::SEVERITY_ERROR);
    diagnostic.set_message(ToValidUtf8(line.substr(undefined, kMaxMessageBytes)));
    return diagnostic;
  }
  for (std::string_view tool : {"ptxas", "nvlink", "nvcc", "nvrtc:", "cc1:", "cc1plus:", "gcc:", "cc:", "as:",
                                "/usr/bin/ld:", "fatbinary", "cicc"}) {
    if (!line.starts_with(tool)) continue;
    std::string_view rest = Trim(line.substr(tool.size()));
    // `ptxas candidate.ptx, line 26; error   : text`: the line is the PTX's, of no use to whoever wrote CUDA.
    const size_t semicolon = rest.find("; ");
    if (tool == "ptxas" && semicolon != std::string_view::npos && rest.find(", line ") < semicolon) {
      rest = Trim(rest.substr(semicolon + 2));
    }
    if (ParseSeverityAndMessage(rest, diagnostic)) return diagnostic;
  }
  return std::nullopt;
}

std::optional<Diagnostic> ParseHeadline(std::string_view line) {
  if (std::optional<Diagnostic> found = ParseFrontEnd(line)) return found;
  if (std::optional<Diagnostic> found = ParseGcc(line)) return found;
  return ParseTool(line);
}

bool IsCaret(std::string_view line) { return Trim(line) == "^"; }

bool IsResourceReport(std::string_view line) {
  return line.starts_with("ptxas info") || line.starts_with("ptxas         .") ||
         (line.starts_with("    ") && line.find(" bytes stack frame, ") != std::string_view::npos);
}

bool IsNoise(std::string_view line) { return line.starts_with("Remark: The warnings can be suppressed"); }

void StripPaths(std::string& text, const std::vector<std::string>& own_paths) {
  for (const std::string& path : own_paths) {
    if (path.empty()) continue;
    const std::string prefix = path.ends_with('/') ? path : path + '/';
    for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
      text.erase(at, prefix.size());
  }
}

// Walks the lines once; a headline opens a diagnostic that the indented lines behind it belong to.
class Reader {
 public:
  void Read(std::string_view line) {
    if (IsResourceReport(line) || IsNoise(line)) return;
    KeepText(line);
    if (std::optional<Diagnostic> headline = ParseHeadline(line)) {
      diagnostics_.push_back(*std::move(headline));
      is_open_ = diagnostics_.back().column() == 0 && diagnostics_.back().line() > 0;
      held_.clear();
    } else if (is_open_) {
      Continue(line);
    }
  }

  bool full() const { return diagnostics_.size() >= kMaxDiagnostics && text_.size() > kMaxTextBytes; }

  CompilerLog Finish() && {
    if (diagnostics_.size() > kMaxDiagnostics) diagnostics_.resize(kMaxDiagnostics);
    std::string text = ToValidUtf8(text_.substr(0, kMaxTextBytes));
    if (text_.size() > kMaxTextBytes) {
      constexpr std::string_view kCut = "\n[cut]\n";
      // Replacing bytes keeps the size, so that the cut still fits.
      text.resize(kMaxTextBytes - kCut.size() - 3);
      text = ToValidUtf8(text).append(kCut);
    }
    return {std::move(diagnostics_), std::move(text)};
  }

 private:
  void KeepText(std::string_view line) {
    if (text_.size() > kMaxTextBytes) return;
    text_.append(line.substr(0, kMaxTextBytes)).push_back('\n');
  }

  // The front end prints: more of the message, the source line, a caret under it, context; then an empty line.
  void Continue(std::string_view line) {
    if (Trim(line).empty()) {
      AppendHeld();
      is_open_ = false;
    } else if (IsCaret(line)) {
      // Source lines are printed behind two spaces.
      const size_t caret = line.find('^');
      diagnostics_.back().set_column(caret >= 2 ? static_cast<int>(caret) - 1 : 0);
      held_.clear();
    } else {
      AppendHeld();
      held_ = line;
    }
  }

  // What was not the source line above a caret belongs to the message.
  void AppendHeld() {
    std::string& message = *diagnostics_.back().mutable_message();
    if (!held_.empty() && message.size() + held_.size() < kMaxMessageBytes) {
      message.append(" ").append(ToValidUtf8(Trim(held_)));
    }
    held_.clear();
  }

  std::vector<Diagnostic> diagnostics_;
  std::string text_;
  std::string held_;
  bool is_open_ = false;
};

}  // namespace

CompilerLog ParseCompilerLog(std::string_view output, const std::vector<std::string>& own_paths) {
  std::string stripped(output);
  StripPaths(stripped, own_paths);
  Reader reader;
  std::string_view rest = stripped;
  while (!rest.empty() && !reader.full()) {
    const size_t end = rest.find('\n');
    reader.Read(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return std::move(reader).Finish();
}

}  // namespace cudaperf::sandbox
