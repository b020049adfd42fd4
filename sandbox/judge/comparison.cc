#include "sandbox/judge/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "sandbox/judge/element_access.h"
#include "sandbox/judge/mismatch_pattern.h"
#include "sandbox/task/data_type.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::DataType;
using reward::v1::Mismatch;

constexpr int kMaxListed = 8;
// Bytes compared at once before looking at elements: right answers of integers are equal, others often are.
constexpr size_t kChunkBytes = 4096;

// Digits that tell any two values of the type apart.
int DigitsOf(DataType type) {
  switch (type) {
    case reward::v1::DATA_TYPE_FLOAT16:
      return 5;
    case reward::v1::DATA_TYPE_FLOAT32:
      return std::numeric_limits<float>::max_digits10;
    default:
      return std::numeric_limits<double>::max_digits10;
  }
}

template <typename Element>
std::string Text(typename Element::Stored stored, DataType type) {
  if constexpr (Element::kIsReal) {
    const double value = Element::FromStored(stored);
    if (std::isnan(value)) return "nan";
    return absl::StrFormat("%.*g", DigitsOf(type), value);
  } else {
    return absl::StrFormat("%d", stored);
  }
}

template <typename Element>
bool IsRight(typename Element::Stored got, typename Element::Stored expected, const Comparison& comparison) {
  if constexpr (Element::kIsReal) {
    const double have = Element::FromStored(got);
    const double want = Element::FromStored(expected);
    if (!std::isfinite(want)) {
      return comparison.tolerance.allow_non_finite && (std::isnan(want) ? std::isnan(have) : have == want);
    }
    // False for NaN.
    return std::abs(have - want) <=
           comparison.tolerance.relative * std::abs(want) + comparison.tolerance.scaled * comparison.expected_rms;
  } else {
    return got == expected;
  }
}

template <typename Element>
class BufferComparer {
 public:
  using Stored = typename Element::Stored;

  explicit BufferComparer(const Comparison& comparison) : comparison_(comparison) {
    if (comparison.poison.has_value()) std::memset(&poison_, *comparison.poison, sizeof(poison_));
  }

  std::optional<Mismatch> Run() {
    const size_t size = comparison_.expected.size();
    for (size_t begin = 0; begin < size; begin += kChunkBytes) {
      const size_t length = std::min(kChunkBytes, size - begin);
      const char* got = comparison_.got.data() + begin;
      const char* expected = comparison_.expected.data() + begin;
      if (IsKnownRight() && std::memcmp(got, expected, length) == 0) continue;
      CompareChunk(begin / sizeof(Stored), length / sizeof(Stored));
    }
    if (finder_.count() == 0) return std::nullopt;
    const int64_t element_count = size / sizeof(Stored);
    mismatch_.set_mismatch_count(finder_.count());
    mismatch_.set_element_count(element_count);
    mismatch_.set_pattern(finder_.Pattern(element_count));
    mismatch_.set_stride(finder_.Stride(element_count));
    return mismatch_;
  }

 private:
  // Equal bytes are right unless they may hold a value that is never right.
  bool IsKnownRight() const {
    return !Element::kIsReal || comparison_.tolerance.allow_non_finite || expected_is_finite_;
  }

  // A whole chunk of finite answers at once, in a loop that the compiler makes wide.
  bool IsChunkRight(int64_t begin) const {
    constexpr int64_t kCount = kChunkBytes / sizeof(Stored);
    const double relative = comparison_.tolerance.relative;
    const double absolute = comparison_.tolerance.scaled * comparison_.expected_rms;
    Stored got[kCount];
    Stored expected[kCount];
    std::memcpy(got, comparison_.got.data() + begin * sizeof(Stored), kChunkBytes);
    std::memcpy(expected, comparison_.expected.data() + begin * sizeof(Stored), kChunkBytes);
    int wrong = 0;
    if constexpr (std::is_same_v<Stored, float>) {
      // In the elements' own precision first, with a margin for its rounding: right here is right there.
      constexpr double kMargin = 1 - 1e-6;
      const auto near = static_cast<float>(relative * kMargin);
      const auto rest = static_cast<float>(absolute * kMargin);
      for (int64_t i = 0; i < kCount; ++i) {
        wrong |= !(std::fabs(got[i] - expected[i]) <= near * std::fabs(expected[i]) + rest);
      }
      // Below normal numbers the margin would not do.
      if (wrong == 0 && rest >= std::numeric_limits<float>::min()) return true;
      wrong = 0;
    }
    for (int64_t i = 0; i < kCount; ++i) {
      const double have = Element::FromStored(got[i]);
      const double want = Element::FromStored(expected[i]);
      // True for NaN.
      wrong += !(std::abs(have - want) <= relative * std::abs(want) + absolute);
    }
    return wrong == 0;
  }

  void CompareChunk(int64_t begin, int64_t count) {
    if constexpr (Element::kIsReal) {
      const bool is_whole = count * sizeof(Stored) == kChunkBytes;
      if (is_whole && expected_is_finite_ && IsChunkRight(begin)) return;
    }
    for (int64_t i = begin; i < begin + count; ++i) {
      const Stored got = LoadElement<Element>(comparison_.got.data(), i);
      const Stored expected = LoadElement<Element>(comparison_.expected.data(), i);
      if (!IsRight<Element>(got, expected, comparison_)) AddWrong(i, got, expected);
    }
  }

  void AddWrong(int64_t index, Stored got, Stored expected) {
    const auto have = Element::FromStored(got);
    bool is_finite = true;
    if constexpr (Element::kIsReal) is_finite = std::isfinite(have);
    const bool is_poison = comparison_.poison.has_value() && std::memcmp(&got, &poison_, sizeof(got)) == 0;
    finder_.Add({.index = index, .is_zero = have == 0, .is_poison = is_poison, .is_non_finite = !is_finite});
    if (mismatch_.elements_size() < kMaxListed) {
      Mismatch::Element* element = mismatch_.add_elements();
      element->set_index(index);
      element->set_got(Text<Element>(got, comparison_.type));
      element->set_expected(Text<Element>(expected, comparison_.type));
    }
    if (!is_finite) return;
    const double want = static_cast<double>(Element::FromStored(expected));
    const double error = std::abs(static_cast<double>(have) - want);
    if (!std::isfinite(error)) return;
    mismatch_.set_max_absolute_error(std::max(mismatch_.max_absolute_error(), error));
    if (want != 0) mismatch_.set_max_relative_error(std::max(mismatch_.max_relative_error(), error / std::abs(want)));
  }

  const Comparison& comparison_;
  const bool expected_is_finite_ = comparison_.expected_is_finite.has_value()
                                       ? *comparison_.expected_is_finite
                                       : IsFinite(comparison_.expected, comparison_.type);
  Stored poison_{};
  MismatchPatternFinder finder_;
  Mismatch mismatch_;
};

// What the pattern says, for a sentence; empty when it says nothing.
std::string PatternPhrase(const Mismatch& mismatch) {
  const int64_t count = mismatch.mismatch_count();
  switch (mismatch.pattern()) {
    case reward::v1::MISMATCH_PATTERN_ALL_ZERO:
      return " (they are zero)";
    case reward::v1::MISMATCH_PATTERN_UNTOUCHED:
      return " (they were never written)";
    case reward::v1::MISMATCH_PATTERN_TAIL:
      return absl::StrCat(" (the last ", count, ")");
    case reward::v1::MISMATCH_PATTERN_HEAD:
      return absl::StrCat(" (the first ", count, ")");
    case reward::v1::MISMATCH_PATTERN_STRIDED:
      return absl::StrCat(" (every ", mismatch.stride(), ". element)");
    case reward::v1::MISMATCH_PATTERN_NON_FINITE:
      return " (they are not finite)";
    case reward::v1::MISMATCH_PATTERN_RUN:
      return " (one contiguous run)";
    default:
      return "";
  }
}

}  // namespace

ElementTolerance ToleranceOf(const reward::v1::CudaTask& task, const reward::v1::Parameter& parameter) {
  ElementTolerance tolerance;
  switch (parameter.dtype()) {
    case reward::v1::DATA_TYPE_FLOAT16:
      tolerance = {.relative = 4e-3, .scaled = 1e-3};
      break;
    case reward::v1::DATA_TYPE_FLOAT32:
      tolerance = {.relative = 1e-5, .scaled = 1e-6};
      break;
    case reward::v1::DATA_TYPE_FLOAT64:
      tolerance = {.relative = 1e-11, .scaled = 1e-12};
      break;
    default:
      return tolerance;
  }
  const reward::v1::Tolerance& given = parameter.has_tolerance() ? parameter.tolerance() : task.tolerance();
  if (given.has_relative()) tolerance.relative = given.relative();
  if (given.has_scaled()) tolerance.scaled = given.scaled();
  tolerance.allow_non_finite = given.allow_non_finite();
  return tolerance;
}

double RootMeanSquare(absl::string_view bytes, DataType type) {
  if (!IsFloatingPoint(type) || bytes.empty()) return 0;
  return VisitElement(type, [bytes](auto element) {
    using Element = decltype(element);
    const int64_t count = bytes.size() / sizeof(typename Element::Stored);
    double sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      const auto value = static_cast<double>(Element::FromStored(LoadElement<Element>(bytes.data(), i)));
      if (std::isfinite(value)) sum += value * value;
    }
    return std::sqrt(sum / static_cast<double>(count));
  });
}

bool IsFinite(absl::string_view bytes, DataType type) {
  if (!IsFloatingPoint(type)) return true;
  return VisitElement(type, [bytes](auto element) {
    using Element = decltype(element);
    const int64_t count = bytes.size() / sizeof(typename Element::Stored);
    for (int64_t i = 0; i < count; ++i) {
      if (!std::isfinite(static_cast<double>(Element::FromStored(LoadElement<Element>(bytes.data(), i))))) return false;
    }
    return true;
  });
}

std::optional<Mismatch> Compare(const Comparison& comparison) {
  return VisitElement(comparison.type,
                      [&](auto element) { return BufferComparer<decltype(element)>(comparison).Run(); });
}

std::string DescribeMismatch(const Mismatch& mismatch) {
  std::string text = absl::StrCat(mismatch.parameter(), ": ", mismatch.mismatch_count(), " of ",
                                  mismatch.element_count(), " elements are wrong", PatternPhrase(mismatch));
  if (mismatch.elements_size() > 0) {
    const Mismatch::Element& first = mismatch.elements(0);
    absl::StrAppend(&text, "; element ", first.index(), ": got ", first.got(), ", expected ", first.expected());
  }
  return text;
}

}  // namespace cudaperf::sandbox
