#include "sandbox/task/excerpt.h"

#include <gtest/gtest.h>

#include <string>

namespace cudaperf::sandbox {
namespace {

TEST(ExcerptTest, ShortTextIsKeptWhole) {
  EXPECT_EQ(Excerpt("saxpy"), "saxpy");
  EXPECT_EQ(Excerpt(std::string(120, 'k')), std::string(120, 'k'));
}

TEST(ExcerptTest, LongTextIsCutAndSaysSo) { EXPECT_EQ(Excerpt(std::string(121, 'k')), std::string(120, 'k') + "..."); }

TEST(ExcerptTest, NoCharacterIsCutInHalf) {
  EXPECT_EQ(Excerpt("ab\xC3\xA9" "cd", 3), "ab...");
  EXPECT_EQ(Excerpt("ab\xC3\xA9" "cd", 4), "ab\xC3\xA9...");
}

}  // namespace
}  // namespace cudaperf::sandbox
