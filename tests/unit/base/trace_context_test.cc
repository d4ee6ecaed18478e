#include "referee/base/trace_context.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee {
namespace {

using ::testing::HasSubstr;

constexpr char kTraceParent[] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(TraceParent, IsReadAsItIsWritten) {
  const absl::StatusOr<std::string> read = ReadTraceParent(kTraceParent);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, kTraceParent);
  EXPECT_EQ(TraceIdOf(*read), "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(ParentSpanIdOf(*read), "00f067aa0ba902b7");
}

TEST(TraceParent, OfALaterVersionSaysWhatThisOneKnows) {
  for (const char* end : {"", "-", "-what-the-future-holds"}) {
    const absl::StatusOr<std::string> read = ReadTraceParent(
        std::string("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01") + end);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, kTraceParent);
  }
}

TEST(TraceParent, OfAnotherFormIsRefusedWithAnExample) {
  const std::string good = kTraceParent;
  for (const std::string& bad : {
           std::string(),
           std::string("00"),
           good.substr(0, 54),
           good + "0",
           good + "-",                   // 00 has no more
           "cc" + good.substr(2) + "0",  // not after a dash
           "ff" + good.substr(2),        // no version
           std::string("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"),
           std::string("00-00000000000000000000000000000000-00f067aa0ba902b7-01"),
           std::string("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"),
           std::string("00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01"),
           std::string("00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
           std::string(55, '\0'),
           std::string(1 << 20, '0'),
       }) {
    const absl::StatusOr<std::string> read = ReadTraceParent(bad);
    ASSERT_FALSE(read.ok()) << bad;
    EXPECT_THAT(std::string(read.status().message()), HasSubstr(kTraceParent));
    EXPECT_LT(read.status().message().size(), 500u);
  }
}

TEST(TraceParent, NoByteOfItMayBeAnother) {
  for (size_t i = 0; i < std::string(kTraceParent).size(); ++i) {
    std::string text = kTraceParent;
    text[i] = 'x';
    EXPECT_FALSE(ReadTraceParent(text).ok()) << text;
  }
}

TEST(TraceOfMatch, IsTheOneThatItWasMadeIn) {
  EXPECT_EQ(TraceOfMatch(MatchId::Parse("01m7xzk53v0w00000000000000").value(), kTraceParent),
            "4bf92f3577b34da6a3ce929d0e0e4736");
}

TEST(TraceOfMatch, IsOtherwiseTheBitsOfItsId) {
  const auto own = [](const std::string& id) {
    return TraceOfMatch(MatchId::Parse(id).value(), "");
  };
  EXPECT_EQ(own("7zzzzzzzzzzzzzzzzzzzzzzzzz"), "ffffffffffffffffffffffffffffffff");
  EXPECT_EQ(own("00000000000000000000000010"), "00000000000000000000000000000020");
  EXPECT_EQ(own("40000000000000000000000001"), "80000000000000000000000000000001");
  EXPECT_EQ(own("01m7xzk53v0w00000000000000"), "01a1fbf9947b07000000000000000000");
}

TEST(TraceOfMatch, IsNeverAllZeros) {
  EXPECT_EQ(TraceOfMatch(MatchId::Parse("00000000000000000000000000").value(), ""),
            "00000000000000000000000000000001");
}

}  // namespace
}  // namespace referee
