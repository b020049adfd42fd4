#include "analyzers/source_policy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "analyzers/inline_assembly.h"
#include "analyzers/source_lexer.h"

namespace cudaperf::analyzers {
namespace {

using reward::v1::SourceFinding;
using Tokens = std::vector<SourceToken>;

constexpr size_t kMostFindings = 32;
constexpr std::string_view kReservedPrefix = "cudaperf_";

enum class Effect { kReject, kWarn };

// Gathers findings, one per rule and line.
class FindingList {
 public:
  void Add(Effect effect, const char* rule, int32_t line, std::string message) {
    std::vector<SourceFinding>& list = effect == Effect::kReject ? rejecting_ : warning_;
    if (list.size() == kMostFindings) return;
    for (const SourceFinding& finding : list) {
      if (finding.rule() == rule && finding.line() == line) return;
    }
    SourceFinding& finding = list.emplace_back();
    finding.set_rule(rule);
    finding.set_line(line);
    finding.set_message(std::move(message));
    finding.set_rejects(effect == Effect::kReject);
  }

  reward::v1::AnalysisReport Report() const {
    reward::v1::AnalysisReport report;
    for (const SourceFinding& finding : rejecting_) *report.add_source_findings() = finding;
    for (const SourceFinding& finding : warning_) *report.add_source_findings() = finding;
    return report;
  }

 private:
  std::vector<SourceFinding> rejecting_;
  std::vector<SourceFinding> warning_;
};

// What a message may quote of a hostile name.
std::string Quoted(std::string_view text) {
  std::string quoted(text.substr(0, 64));
  std::replace_if(
      quoted.begin(), quoted.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return quoted;
}

void CheckIncludes(const Tokens& tokens, FindingList& findings) {
  for (const SourceToken& token : tokens) {
    if (token.kind != SourceToken::Kind::kHeaderName) continue;
    const std::string& path = token.text;
    const size_t start = std::min(path.find_first_not_of(" \t"), path.size());
    const bool absolute = path[start] == '/';
    const bool parent = path.compare(start, 3, "../") == 0 || path.find("/../") != std::string::npos;
    if (!absolute && !parent) continue;
    findings.Add(Effect::kReject, "include-path", token.line,
                 absl::StrCat("#include of ", absolute ? "an absolute" : "a parent", " path (", Quoted(path),
                              "); include toolkit and standard headers by name"));
  }
}

void CheckNames(const Tokens& tokens, const std::string& entry_point, FindingList& findings) {
  for (const SourceToken& token : tokens) {
    if (token.kind != SourceToken::Kind::kWord || token.text == entry_point) continue;
    if (token.text.compare(0, kReservedPrefix.size(), kReservedPrefix) != 0) continue;
    findings.Add(Effect::kReject, "reserved-name", token.line,
                 absl::StrCat("the name ", Quoted(token.text),
                              " begins with `cudaperf_`, which belongs to the service; rename it"));
  }
}

void CheckAssembly(const Tokens& tokens, FindingList& findings) {
  // Over the whole source: a block may be opened by one statement and closed by a later one.
  int64_t depth = 0;
  for (const InlineAssembly& assembly : FindInlineAssembly(tokens)) {
    const std::string directive = OutreachingDirective(assembly.text);
    if (!directive.empty()) {
      findings.Add(
          Effect::kReject, "inline-assembly", assembly.line,
          absl::StrCat("inline assembly with `", directive, "` reaches beyond its statement; use instructions only"));
    }
    for (const char c : assembly.text) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth >= 0) continue;
      findings.Add(Effect::kReject, "inline-assembly", assembly.line,
                   "inline assembly closes a block that it did not open");
      return;
    }
  }
}

// Marks tokens inside the bodies of `__global__` and `__device__` functions.
std::vector<bool> DeviceCode(const Tokens& tokens) {
  std::vector<bool> device(tokens.size(), false);
  bool announced = false;
  int64_t depth = 0;
  int64_t parentheses = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const SourceToken& token = tokens[i];
    if (token.in_directive) continue;
    if (depth > 0) {
      device[i] = true;
      depth += token.Is("{") ? 1 : token.Is("}") ? -1 : 0;
      continue;
    }
    if (token.Is("__global__") || token.Is("__device__")) announced = true;
    if (token.Is("(")) ++parentheses;
    if (token.Is(")")) --parentheses;
    // A declaration, a variable or its initialiser.
    if (token.Is(";") || token.Is("=")) announced = announced && parentheses > 0;
    if (token.Is("{") && announced && parentheses <= 0) {
      depth = 1;
      announced = false;
      parentheses = 0;
    }
  }
  return device;
}

bool IsOneOf(const SourceToken& token, std::initializer_list<std::string_view> words) {
  return token.kind == SourceToken::Kind::kWord && std::find(words.begin(), words.end(), token.text) != words.end();
}

// A call of a free function: `name(`, not declared here, not a member and not qualified by anything but std.
bool IsCall(const Tokens& tokens, size_t i) {
  if (i + 1 >= tokens.size() || !tokens[i + 1].Is("(")) return false;
  if (i == 0) return true;
  const bool arrow = tokens[i - 1].Is(">") && i >= 2 && tokens[i - 2].Is("-");
  if (tokens[i - 1].Is(".") || arrow) return false;
  if (tokens[i - 1].kind == SourceToken::Kind::kWord) return IsOneOf(tokens[i - 1], {"return", "else", "do"});
  return !tokens[i - 1].Is(":") || i < 3 || tokens[i - 3].Is("std") || tokens[i - 3].kind != SourceToken::Kind::kWord;
}

void WarnAboutDeviceCode(const Tokens& tokens, size_t i, FindingList& findings) {
  const SourceToken& token = tokens[i];
  if (token.Is("printf") && IsCall(tokens, i)) {
    findings.Add(Effect::kWarn, "device-printf", token.line,
                 "printf in device code is slow and its output is dropped; remove it");
  } else if ((IsOneOf(token, {"malloc", "free"}) && IsCall(tokens, i)) || token.Is("new")) {
    findings.Add(Effect::kWarn, "device-allocation", token.line,
                 "allocation in device code serialises threads; use registers, shared memory or a scratch buffer");
  } else if (token.Is("volatile") && i > 0 && !IsOneOf(tokens[i - 1], {"asm", "__asm__", "__asm"})) {
    findings.Add(
        Effect::kWarn, "device-volatile", token.line,
        "volatile forces every access to memory; synchronise with __syncthreads, __syncwarp or __shfl_*_sync instead");
  } else if (IsOneOf(token, {"__nanosleep", "clock", "clock64"}) && IsCall(tokens, i)) {
    findings.Add(Effect::kWarn, "device-clock", token.line, "kernels that wait or read clocks gain nothing from it");
  }
}

void WarnAboutHostCode(const Tokens& tokens, size_t i, FindingList& findings) {
  const SourceToken& token = tokens[i];
  if (IsOneOf(token, {"system", "popen", "fork", "vfork", "execve", "execv", "execl", "dlopen", "dlsym", "ptrace",
                      "syscall", "socket", "kill"}) &&
      IsCall(tokens, i)) {
    findings.Add(Effect::kWarn, "host-process", token.line,
                 absl::StrCat("a candidate has no use for ", token.text, "(); the sandbox denies it"));
  } else if (IsOneOf(token, {"constructor", "__constructor__"}) && i > 1 && tokens[i - 1].Is("(") &&
             tokens[i - 2].Is("(")) {
    findings.Add(Effect::kWarn, "host-constructor", token.line,
                 "code that runs before the entry point is called gains nothing");
  }
}

void CheckCode(const Tokens& tokens, FindingList& findings) {
  const std::vector<bool> device = DeviceCode(tokens);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].in_directive) continue;
    device[i] ? WarnAboutDeviceCode(tokens, i, findings) : WarnAboutHostCode(tokens, i, findings);
  }
}

}  // namespace

absl::StatusOr<reward::v1::AnalysisReport> SourcePolicy::Analyze(const Subject& subject) const {
  const Tokens tokens = LexSource(subject.candidate.source());
  FindingList findings;
  CheckIncludes(tokens, findings);
  CheckNames(tokens, subject.task.entry_point(), findings);
  CheckAssembly(tokens, findings);
  CheckCode(tokens, findings);
  return findings.Report();
}

}  // namespace cudaperf::analyzers
