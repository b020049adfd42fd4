#include "sandbox/compile/valid_text.h"

#include <string_view>

#include "gtest/gtest.h"

namespace cudaperf::sandbox {
namespace {

TEST(ValidTextTest, ValidTextStays) {
  for (std::string_view text : {"", "plain", "h\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    EXPECT_EQ(ToValidUtf8(text), text);
}

TEST(ValidTextTest, EachWrongByteIsReplaced) {
  EXPECT_EQ(ToValidUtf8("a\xff"), "a?");
  EXPECT_EQ(ToValidUtf8("\xc0\x80"), "??");
  EXPECT_EQ(ToValidUtf8("\xed\xa0\x80"), "???");
  EXPECT_EQ(ToValidUtf8("\xf4\x90\x80\x80"), "????");
  EXPECT_EQ(ToValidUtf8("\xe2\x82"), "??");
  EXPECT_EQ(ToValidUtf8(std::string_view("a\0b", 3)), "a?b");
}

}  // namespace
}  // namespace cudaperf::sandbox
