// Tests of refdice-v1 against expected values from an independent implementation.
//
// The values were computed with Python's hmac and hashlib from the definition in
// referee/dice/DICE.md.
#include "referee/dice/dice.h"

#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::dice {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;

std::vector<int> Draw(const Key& key, const Label& label, int n, size_t count) {
  std::vector<int> out(count);
  key.Uniform(label, n, absl::MakeSpan(out));
  return out;
}

std::vector<int> Roll(const Key& key, const Label& label) {
  std::vector<int> roll = Draw(key, label, 6, 2);
  for (int& die : roll) ++die;
  return roll;
}

Seed CountingSeed() {
  Seed seed;
  std::iota(seed.bytes.begin(), seed.bytes.end(), uint8_t{0});
  return seed;
}

Key SevenKey() { return PinnedKey(PinnedSeed(7)); }

TEST(DicePinned, SevenGivesThePublishedSeedCommitmentAndKey) {
  const Seed seed = PinnedSeed(7);
  EXPECT_EQ(Hex(seed.bytes), "a3be96074456fce9cb7427657bbb004a042bbb3a3748f9c2d554bdf2273206a1");
  EXPECT_EQ(Hex(Commit(seed)), "08fd623f8815a00ea8a2d6fe52fa70d48ea5078d8df2b0a34e56c0f2b4517206");
  EXPECT_EQ(Hex(PinnedKey(seed).bytes()),
            "d88b94fe272864e957ebb1fb02f79ae5c6616d9b6416afbd4ed0ac30a3cab134");
}

TEST(DicePinned, NumbersAreUnsignedWith64Bits) {
  EXPECT_EQ(Hex(PinnedSeed(0).bytes),
            "4a059c27da25541fb94c5b41b595789994da1f337ccdb6d9067871fc46443104");
  EXPECT_EQ(Hex(PinnedSeed(18446744073709551615u).bytes),
            "9d3133a70d9b0c2cab72e3690ae4a1271859deb36976745fdd0789b2ac616a86");
}

TEST(DicePinned, SeedOfATextIsItsHash) {
  EXPECT_EQ(HashedSeed("refdice-v1/pinned/7"), PinnedSeed(7));
  EXPECT_EQ(Hex(HashedSeed("referee-competition-v1/7/0/0").bytes),
            "4adc5a2543e1137f460dcbfe7be0b6ad473e9b12441568802054ed7f3a9a2c81");
}

TEST(DicePinned, FiveLetsSeatABegin) {
  const Key key = PinnedKey(PinnedSeed(5));
  EXPECT_EQ(Hex(key.bytes()), "943098746bd8d900c1bae00d614967038a34220ab28ff9b4a97b32da5f08bda1");
  EXPECT_THAT(Draw(key, Label::FirstPlayer(), 2, 1), ElementsAre(0));
}

TEST(DiceCommitted, NoncesEnterTheKeyInSeatOrderEachWithItsLength) {
  std::string counting(32, '\0');
  std::iota(counting.begin(), counting.end(), '\0');
  const std::vector<std::string> nonces = {"", "abc", counting};
  EXPECT_EQ(Hex(Commit(CountingSeed())),
            "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
  EXPECT_EQ(Hex(CommittedKey(CountingSeed(), nonces).bytes()),
            "7a0318280ae8038b291e363340075c40f8fa579365575957948155b1605c3afa");
}

TEST(DiceCommitted, AnEmptyNonceIsNotAMissingOne) {
  const std::vector<std::string> empty(2);
  const Key key = CommittedKey(CountingSeed(), empty);
  EXPECT_EQ(Hex(key.bytes()), "2dbb77b1effd019138cf764bb7436b9e0d8e66e0467ab4809f81ac7dd27246cb");
  EXPECT_NE(key.bytes(), PinnedKey(CountingSeed()).bytes());
}

TEST(DiceLabel, TextsAreThoseOfTheDefinition) {
  EXPECT_EQ(Label::Setup(0, Seat(5)).text(), "setup/0/5");
  EXPECT_EQ(Label::Roll(Seat(3), 120).text(), "roll/3/120");
  EXPECT_EQ(Label::FirstPlayer().text(), "first-player");
  EXPECT_EQ(Label::Substitute(17).text(), "substitute/17");
}

TEST(DiceLabel, TheLargestNumbersFit) {
  EXPECT_EQ(Label::Setup(2147483647, Seat(5)).text(), "setup/2147483647/5");
  EXPECT_EQ(Label::Roll(Seat(5), 2147483647).text(), "roll/5/2147483647");
  EXPECT_EQ(Label::Substitute(4294967295u).text(), "substitute/4294967295");
}

TEST(DiceUniform, RollsOfPinnedSevenAreThePublishedOnes) {
  const Key key = SevenKey();
  EXPECT_THAT(Roll(key, Label::Setup(0, Seat(0))), ElementsAre(3, 3));
  EXPECT_THAT(Roll(key, Label::Setup(0, Seat(1))), ElementsAre(5, 1));
  EXPECT_THAT(Roll(key, Label::Setup(1, Seat(0))), ElementsAre(1, 3));
  EXPECT_THAT(Roll(key, Label::Setup(1, Seat(1))), ElementsAre(5, 2));
  EXPECT_THAT(Roll(key, Label::Roll(Seat(0), 0)), ElementsAre(1, 5));
  EXPECT_THAT(Roll(key, Label::Roll(Seat(1), 0)), ElementsAre(1, 1));
  EXPECT_THAT(Roll(key, Label::Roll(Seat(1), 1)), ElementsAre(3, 6));
  EXPECT_THAT(Roll(key, Label::Roll(Seat(5), 12)), ElementsAre(2, 2));
}

TEST(DiceUniform, BytesThatWouldFavourLowNumbersAreSkipped) {
  // The first byte of this label is 0xff, and 252 is the last multiple of 6.
  EXPECT_THAT(Draw(SevenKey(), Label::Roll(Seat(3), 95), 6, 2), ElementsAre(3, 5));
  // Here the second byte is 0xfd and the third 0xfc: 252 itself is skipped too.
  EXPECT_THAT(Draw(SevenKey(), Label::Roll(Seat(3), 191), 6, 2), ElementsAre(5, 4));
}

struct Sample {
  int n;
  std::vector<int> numbers;
};

TEST(DiceUniform, GivesTheValuesOfTheDefinitionForEveryKindOfN) {
  const Sample samples[] = {
      {2, {1, 1, 0, 1, 0, 0}},
      {5, {3, 3, 0, 3, 0, 3}},
      {6, {3, 5, 4, 5, 4, 4}},
      {129, {93, 10, 23, 88, 80, 71}},
      {200, {93, 10, 23, 160, 88, 80}},
      {255, {93, 233, 10, 23, 160, 88}},
      {256, {93, 233, 10, 23, 160, 88}},
      {257, {140, 13, 185, 248, 43, 195}},
      {600, {41, 183, 248, 151, 451, 416}},
      {40000, {24041, 2583, 20551, 37051, 15219, 2271}},
      {65535, {24041, 2583, 41048, 20551, 37051, 65216}},
      {65536, {24041, 2583, 41048, 20551, 37051, 65216}},
  };
  for (const Sample& sample : samples) {
    EXPECT_EQ(Draw(SevenKey(), Label::Substitute(17), sample.n, 6), sample.numbers) << sample.n;
  }
}

// A hundred values take several blocks, and several skipped words.
TEST(DiceUniform, GoesOnWithTheNextBlock) {
  const auto digest = [](int n) {
    return DigestText(
        Digest(absl::StrJoin(Draw(SevenKey(), Label::Roll(Seat(0), 0), n, 100), ",")));
  };
  EXPECT_EQ(digest(6), "53a33e6323991c7f");
  EXPECT_EQ(digest(129), "604b2d66410cf2f4");
  EXPECT_EQ(digest(256), "a04d405b7ae1baf5");
  EXPECT_EQ(digest(40000), "6f607468100301e3");
}

TEST(DiceUniform, IsAddressedNotStreamed) {
  const Key key = SevenKey();
  const Label label = Label::Roll(Seat(0), 3);
  const std::vector<int> before = Draw(key, label, 6, 2);
  Draw(key, Label::Roll(Seat(1), 3), 6, 50);
  EXPECT_EQ(Draw(key, label, 6, 2), before);
  // Fewer or more values of one label begin alike.
  EXPECT_EQ(Draw(key, label, 6, 1)[0], before[0]);
  EXPECT_EQ(Draw(key, label, 6, 90)[1], before[1]);
}

TEST(DiceUniform, CopiesOfAKeyDrawAlike) {
  const Key key = SevenKey();
  Key copy = PinnedKey(PinnedSeed(8));
  copy = key;
  EXPECT_EQ(copy.bytes(), key.bytes());
  EXPECT_EQ(Draw(copy, Label::Substitute(1), 600, 9), Draw(key, Label::Substitute(1), 600, 9));
}

TEST(DiceUniform, AllFacesComeUpAboutEquallyOften) {
  const std::vector<int> drawn = Draw(SevenKey(), Label::Substitute(2), 6, 60000);
  std::vector<int> counts(6);
  for (int face : drawn) ++counts.at(face);
  EXPECT_THAT(counts, Each(Ge(9600)));
  EXPECT_THAT(counts, Each(Le(10400)));
}

TEST(DiceDigest, IsTheFirstEightBytesOfSha256) {
  EXPECT_EQ(DigestText(Digest("36/24/12 1111,1111 - 0,0 - b 54")), "ca8b279772a65257");
  EXPECT_EQ(Digest(""), 0xe3b0c44298fc1c14u);
}

TEST(DiceDigest, TextKeepsLeadingZeros) { EXPECT_EQ(DigestText(0xab), "00000000000000ab"); }

TEST(DiceNonce, HashIsItsSha256) {
  EXPECT_EQ(Hex(HashNonce("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// Computed with Python's hmac.
TEST(DiceSeed, DerivedSeedIsTheHmacOfItsName) {
  EXPECT_EQ(Hex(DerivedSeed(CountingSeed(), "competition/3/1").bytes),
            "a262c4586061f50ebb64fbb39341ca13f40aedcb7e569cca9f935bce0ce35063");
}

TEST(DiceSeed, DerivedSeedsOfOneSeedHaveNothingInCommon) {
  const Seed one = DerivedSeed(CountingSeed(), "competition/0/0");
  EXPECT_FALSE(one == DerivedSeed(CountingSeed(), "competition/0/1"));
  EXPECT_FALSE(DerivedSeed(one, "competition/0/1") ==
               DerivedSeed(CountingSeed(), "competition/0/1"));
}

TEST(DiceHex, RawBytesRoundTripAndAreThirtyTwo) {
  const Bytes32 bytes = CountingSeed().bytes;
  EXPECT_EQ(FromRaw(Raw(bytes)), bytes);
  EXPECT_EQ(FromRaw(Raw(bytes).substr(1)), absl::nullopt);
  EXPECT_EQ(FromRaw(""), absl::nullopt);
}

TEST(DiceHex, RoundTrips) {
  const Bytes32 bytes = CountingSeed().bytes;
  EXPECT_EQ(Hex(bytes), "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
  const absl::StatusOr<Bytes32> parsed = ParseHex32(Hex(bytes));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(*parsed, bytes);
}

TEST(DiceHex, ReadsCapitalsToo) {
  const absl::StatusOr<Bytes32> parsed = ParseHex32(std::string(32, 'A') + std::string(32, 'f'));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ((*parsed)[0], 0xaa);
  EXPECT_EQ((*parsed)[31], 0xff);
}

TEST(DiceHex, RefusesOtherLengthsAndSigns) {
  const std::string good(64, '7');
  for (const std::string& bad : {std::string(), good.substr(1), good + "7", "g" + good.substr(1),
                                 good.substr(2) + "0x", " " + good.substr(1)}) {
    const absl::StatusOr<Bytes32> parsed = ParseHex32(bad);
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr("64 hex digits"));
  }
}

}  // namespace
}  // namespace referee::dice
