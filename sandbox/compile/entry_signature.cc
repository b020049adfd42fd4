#include "sandbox/compile/entry_signature.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace cudaperf::sandbox {
namespace {

constexpr size_t kMaxSignatureBytes = 300;
constexpr size_t kMaxFunctions = 5;

bool IsWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Comments, strings and preprocessor lines become blanks of the same length.
std::string CodeOnly(std::string_view source) {
  std::string code(source);
  const auto blank = [&](size_t from, size_t to) {
    for (size_t i = from; i < std::min(to, code.size()); ++i) code[i] = code[i] == '\n' ? '\n' : ' ';
  };
  const auto end_of = [&](std::string_view mark, size_t from) {
    const size_t at = source.find(mark, from);
    return at == std::string_view::npos ? source.size() : at + mark.size();
  };
  for (size_t i = 0; i < source.size();) {
    const std::string_view rest = source.substr(i);
    size_t end = i + 1;
    if (rest.starts_with("//") || rest[0] == '#') {
      end = end_of("\n", i) - (end_of("\n", i) < source.size() ? 1 : 0);
    } else if (rest.starts_with("/*")) {
      end = end_of("*/", i + 2);
    } else if (rest[0] == '"' && !rest.starts_with("\"C\"")) {
      for (end = i + 1; end < source.size() && source[end] != '"' && source[end] != '\n'; ++end) {
        if (source[end] == '\\') ++end;
      }
      ++end;
    } else {
      i = rest.starts_with("\"C\"") ? i + 3 : end;
      continue;
    }
    end = std::min(std::max(end, i + 1), source.size());
    blank(i, end);
    i = end;
  }
  return code;
}

std::string OneLine(std::string_view text) {
  std::string line;
  for (char c : text) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (is_space && (line.empty() || line.back() == ' ')) continue;
    line.push_back(is_space ? ' ' : c);
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line.substr(0, kMaxSignatureBytes);
}

// Position behind the parenthesis that closes the one at `open`; npos when there is none.
size_t CloseOf(std::string_view code, size_t open) {
  int depth = 0;
  for (size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(') ++depth;
    if (code[i] == ')' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

struct Function {
  std::string_view name;
  std::string signature;
};

// Functions defined outside of any braces but those of `extern "C"` and namespaces.
std::vector<Function> DefinedFunctions(std::string_view code) {
  std::vector<Function> functions;
  size_t begin = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i] == ';' || code[i] == '}') begin = i + 1;
    if (code[i] != '{') continue;
    const std::string_view head = code.substr(begin, i - begin);
    const size_t open = head.find('(');
    if (open == std::string_view::npos) {
      begin = i + 1;
      continue;
    }
    size_t name_end = open;
    while (name_end > 0 && std::isspace(static_cast<unsigned char>(head[name_end - 1]))) --name_end;
    size_t name_begin = name_end;
    while (name_begin > 0 && IsWordCharacter(head[name_begin - 1])) --name_begin;
    functions.push_back({head.substr(name_begin, name_end - name_begin), OneLine(head)});
    // The body holds no functions.
    int depth = 0;
    for (; i < code.size(); ++i) {
      if (code[i] == '{') ++depth;
      if (code[i] == '}' && --depth == 0) break;
    }
    begin = i + 1;
  }
  return functions;
}

// `saxpy(*(int*)a[0], *(float**)a[1])` to `saxpy(int, float*)`.
std::string WantedSignature(std::string_view entry_point, std::string_view invoke_source) {
  const std::string call = std::string(entry_point) + "(";
  const size_t at = invoke_source.find(call);
  if (at == std::string_view::npos) return std::string(entry_point) + "(...)";
  const size_t open = at + entry_point.size();
  const size_t close = CloseOf(invoke_source, open);
  std::string types;
  for (size_t cast = invoke_source.find("*(", open); cast < close; cast = invoke_source.find("*(", cast + 2)) {
    const size_t end = invoke_source.find("*)", cast);
    if (end == std::string_view::npos || end > close) break;
    types.append(types.empty() ? "" : ", ").append(invoke_source.substr(cast + 2, end - cast - 2));
  }
  return std::string(entry_point) + "(" + types + ")";
}

}  // namespace

std::string DescribeSignatureMismatch(std::string_view entry_point, std::string_view invoke_source,
                                      std::string_view source) {
  const std::string code = CodeOnly(source);
  std::string sentence = "the entry point must be callable as void " + WantedSignature(entry_point, invoke_source) +
                         ", pointers to inputs may be const; ";
  std::string others;
  size_t other_count = 0;
  for (const Function& function : DefinedFunctions(code)) {
    if (function.name == entry_point) return sentence + "found: " + function.signature;
    if (function.signature.find("__device__") != std::string::npos || ++other_count > kMaxFunctions) continue;
    others += (others.empty() ? "" : "; ") + function.signature;
  }
  sentence += "no function " + std::string(entry_point) + " is defined";
  return others.empty() ? sentence : sentence + "; found: " + others;
}

}  // namespace cudaperf::sandbox
