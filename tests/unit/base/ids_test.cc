#include "referee/base/ids.h"

#include <string>
#include <vector>

#include "absl/hash/hash.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee {
namespace {

using ::testing::HasSubstr;

constexpr uint8_t kZeros[10] = {};
constexpr uint8_t kOnes[10] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

MatchId MakeAt(int64_t millis, const uint8_t* random = kZeros) {
  return MatchId::Make(absl::FromUnixMillis(millis), random);
}

TEST(Seat, DefaultIsNone) {
  EXPECT_FALSE(Seat().valid());
  EXPECT_EQ(Seat(), Seat::None());
  EXPECT_NE(Seat(0), Seat::None());
}

TEST(Seat, HasALetter) {
  EXPECT_TRUE(Seat(0).valid());
  EXPECT_EQ(Seat(0).letter(), 'a');
  EXPECT_EQ(Seat(5).letter(), 'f');
}

// The example of the ULID specification: 01ARYZ6S41 is the time 1469918176385.
TEST(MatchId, BeginsWithTheMillisecondsLikeAUlid) {
  EXPECT_EQ(MakeAt(1469918176385).text(), "01aryz6s410000000000000000");
}

TEST(MatchId, EndsWithTheRandomBytesInBaseThirtyTwo) {
  EXPECT_EQ(MakeAt(0, kOnes).text(), "0000000000zzzzzzzzzzzzzzzz");
  const uint8_t counting[10] = {0x00, 0x44, 0x32, 0x14, 0xc7, 0x42, 0x54, 0xb6, 0x35, 0xcf};
  EXPECT_EQ(MakeAt(0, counting).text(), "00000000000123456789abcdef");
}

TEST(MatchId, KnowsItsTimeToTheMillisecond) {
  const absl::Time created = absl::FromUnixMicros(1'700'000'000'123'456);
  EXPECT_EQ(MatchId::Make(created, kOnes).created(), absl::FromUnixMillis(1'700'000'000'123));
  EXPECT_EQ(MakeAt((int64_t{1} << 48) - 1).created(), absl::FromUnixMillis((int64_t{1} << 48) - 1));
}

TEST(MatchId, SortsByTime) {
  EXPECT_LT(MakeAt(31, kOnes), MakeAt(32));
  EXPECT_LT(MakeAt(1469918176385, kOnes), MakeAt(1469918176386));
  EXPECT_LT(MakeAt(5), MakeAt(5, kOnes));
}

TEST(MatchId, ParseReadsWhatMakeWrote) {
  const MatchId id = MakeAt(1469918176385, kOnes);
  const absl::StatusOr<MatchId> parsed = MatchId::Parse(id.text());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, id);
  EXPECT_EQ(parsed->created(), id.created());
}

TEST(MatchId, ParseRefusesEverythingElse) {
  const std::vector<std::string> bad = {
      "",
      "01aryz6s41000000000000000",    // short
      "01aryz6s4100000000000000000",  // long
      "01ARYZ6S410000000000000000",   // capitals
      "01aryz6s41000000000000000i",   // a letter that is no digit
      "81aryz6s410000000000000000",   // a time of 49 bits
      "../../../../../etc/passwd ",
      std::string(26, '\0'),
  };
  for (const std::string& text : bad) {
    const absl::StatusOr<MatchId> parsed = MatchId::Parse(text);
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr("26 characters")) << text;
  }
}

TEST(MatchId, HashesLikeItsText) {
  const auto hash = [](const MatchId& id) { return absl::Hash<MatchId>()(id); };
  EXPECT_EQ(hash(MakeAt(2, kOnes)), hash(MakeAt(2, kOnes)));
  EXPECT_NE(hash(MakeAt(2, kOnes)), hash(MakeAt(2)));
}

}  // namespace
}  // namespace referee
