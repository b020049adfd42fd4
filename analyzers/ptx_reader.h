#ifndef CUDAPERF_ANALYZERS_PTX_READER_H_
#define CUDAPERF_ANALYZERS_PTX_READER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cudaperf::analyzers {

// One statement of PTX, comments and labels removed, white space collapsed, cut at 1 KiB.
struct PtxStatement {
  enum class Kind {
    // Up to a semicolon, or one line of a line directive such as `.loc`.
    kPlain,
    // Head of a kernel or function whose body follows.
    kHead,
    kOpenBrace,
    kCloseBrace,
  };
  Kind kind = Kind::kPlain;
  std::string text;
};

// Splits PTX into statements. Takes any bytes, in linear time; what is no PTX comes out as statements that nobody
// knows.
class PtxReader {
 public:
  // `ptx` is not owned; outlives this.
  explicit PtxReader(std::string_view ptx) : ptx_(ptx) {}

  // Nothing at the end.
  std::optional<PtxStatement> Next();

 private:
  // Skips white space and comments; true if there were any.
  bool SkipBlank();
  void TakeString(std::string& text);
  PtxStatement ReadLine();
  PtxStatement ReadStatement();

  std::string_view ptx_;
  size_t position_ = 0;
};

}  // namespace cudaperf::analyzers

#endif  // CUDAPERF_ANALYZERS_PTX_READER_H_
