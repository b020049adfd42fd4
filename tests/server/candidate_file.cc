#include "tests/server/candidate_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace cudaperf::server {
namespace {

// The words behind `// label:` in the source's head.
std::vector<std::string> WordsBehind(const std::string& source, const std::string& label) {
  std::istringstream lines(source);
  std::string line;
  const std::string mark = "// " + label + ":";
  while (std::getline(lines, line)) {
    if (line.rfind(mark, 0) != 0) continue;
    std::istringstream words(line.substr(mark.size()));
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {};
}

}  // namespace

CandidateFile ReadCandidateFile(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  CandidateFile file;
  file.name = path.filename();
  file.source = std::string(std::istreambuf_iterator<char>(stream), {});
  const std::vector<std::string> task = WordsBehind(file.source, "task");
  if (!task.empty()) file.task = task[0];
  for (const std::string& outcome : WordsBehind(file.source, "expect")) file.expected.insert(outcome);
  file.forbidden = WordsBehind(file.source, "never");
  return file;
}

std::vector<CandidateFile> ReadCandidateFiles(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<CandidateFile> files;
  for (const auto& path : paths) files.push_back(ReadCandidateFile(path));
  return files;
}

}  // namespace cudaperf::server
