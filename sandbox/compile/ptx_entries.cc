#include "sandbox/compile/ptx_entries.h"

#include <cctype>

namespace cudaperf::sandbox {
namespace {

constexpr size_t kMaxEntries = 1024;
constexpr size_t kMaxParameters = 4096;

std::string WithoutComments(std::string_view ptx) {
  std::string text;
  text.reserve(ptx.size());
  for (size_t i = 0; i < ptx.size();) {
    const std::string_view rest = ptx.substr(i);
    if (rest.starts_with("//")) {
      i = ptx.find('\n', i);
    } else if (rest.starts_with("/*")) {
      const size_t end = ptx.find("*/", i + 2);
      i = end == std::string_view::npos ? end : end + 2;
      text.push_back(' ');
    } else {
      text.push_back(ptx[i++]);
    }
    if (i == std::string_view::npos) break;
  }
  return text;
}

bool IsNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return words;
    text = text.substr(begin);
    const size_t end = text.find_first_of(" \t\r\n");
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text = text.substr(end);
  }
}

bool IsType(std::string_view word) {
  return word.size() >= 3 && word[0] == '.' && std::string_view("subf").find(word[1]) != std::string_view::npos &&
         std::isdigit(static_cast<unsigned char>(word[2]));
}

// `.param .align 4 .b8 name[16]` to `b8[16]`; empty when there is no type.
std::string ParameterType(std::string_view declaration) {
  for (std::string_view word : Words(declaration)) {
    if (!IsType(word)) continue;
    std::string type(word.substr(1));
    const size_t open = declaration.find('[');
    const size_t close = declaration.find(']');
    if (open != std::string_view::npos && close != std::string_view::npos && close > open) {
      type.append(declaration.substr(open, close - open + 1));
    }
    return type;
  }
  return "";
}

std::vector<std::string> ParameterTypes(std::string_view list) {
  std::vector<std::string> types;
  while (!list.empty() && types.size() < kMaxParameters) {
    const size_t comma = list.find(',');
    std::string type = ParameterType(list.substr(0, comma));
    if (!type.empty()) types.push_back(std::move(type));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
  return types;
}

}  // namespace

std::map<std::string, std::vector<std::string>> ReadPtxEntries(std::string_view ptx) {
  constexpr std::string_view kEntry = ".entry";
  const std::string text = WithoutComments(ptx);
  std::map<std::string, std::vector<std::string>> entries;
  for (size_t at = text.find(kEntry); at != std::string::npos && entries.size() < kMaxEntries;
       at = text.find(kEntry, at)) {
    at += kEntry.size();
    std::string_view rest = std::string_view(text).substr(at);
    const size_t begin = rest.find_first_not_of(" \t\r\n");
    if (begin == 0 || begin == std::string_view::npos) continue;
    rest = rest.substr(begin);
    size_t length = 0;
    while (length < rest.size() && IsNameCharacter(rest[length])) ++length;
    const std::string name(rest.substr(0, length));
    rest = rest.substr(length);
    const size_t open = rest.find_first_not_of(" \t\r\n");
    std::vector<std::string> types;
    if (open != std::string_view::npos && rest[open] == '(') {
      types = ParameterTypes(rest.substr(open + 1, rest.find(')', open) - open - 1));
    }
    if (!name.empty()) entries.emplace(name, std::move(types));
  }
  return entries;
}

}  // namespace cudaperf::sandbox
