#include "referee/replay/key_ring.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/dice/dice.h"
#include "referee/replay/verifier.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

const absl::Time kThen = absl::FromUnixMicros(1'700'000'000'123'456);

TEST(KeyRing, ComesBackAsItWasWritten) {
  KeyRing ring(SampleSigner(1).public_key());
  ring.Replace(SampleSigner(2).public_key(), kThen);
  ring.Replace(SampleSigner(3).public_key(), kThen + absl::Hours(1));
  const absl::StatusOr<KeyRing> read = KeyRing::Parse(ring.Text(), "key.ring");
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_THAT(read->keys(), SizeIs(3));
  EXPECT_EQ(read->keys()[0].from, absl::InfinitePast());
  EXPECT_EQ(read->keys()[0].until, kThen);
  EXPECT_EQ(read->keys()[1].from, kThen);
  EXPECT_EQ(read->current()->key, SampleSigner(3).public_key());
  EXPECT_EQ(read->Text(), ring.Text());
}

TEST(KeyRing, IsAlsoTheFileOfASingleKey) {
  const PublicKey key = SampleSigner().public_key();
  const absl::StatusOr<KeyRing> ring = KeyRing::Parse(dice::Hex(key) + "\n", "key.pub");
  ASSERT_TRUE(ring.ok()) << ring.status();
  EXPECT_EQ(ring->current()->key, key);
}

TEST(KeyRing, RefusesWhatIsNoneAndNamesTheLine) {
  const std::string key = dice::Hex(SampleSigner().public_key());
  for (const std::string& text :
       {std::string(), std::string("# nothing\n"), std::string("\nkey\n"), key + " yesterday",
        key + " - - -", key + " - infinite-future", key + "\n" + key}) {
    const absl::Status status = KeyRing::Parse(text, "some.ring").status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr("some.ring: not a key file")) << text;
  }
}

class SignedReplay : public ::testing::Test {
 protected:
  const Replay replay_ = PlaySample({});
  const std::string file_ = Encode(replay_, SampleSigner(1));
  const absl::Time end_ = replay_.ended()->time;
};

TEST_F(SignedReplay, OfAFormerKeyHoldsIfTheMatchEndedBeforeTheKeyWasReplaced) {
  KeyRing ring(SampleSigner(1).public_key());
  ring.Replace(SampleSigner(2).public_key(), end_);
  EXPECT_EQ(Verify(file_, ring).problem, "");
}

TEST_F(SignedReplay, OfAFormerKeyDoesNotHoldAfterTheKeyWasReplaced) {
  KeyRing ring(SampleSigner(1).public_key());
  ring.Replace(SampleSigner(2).public_key(), end_ - absl::Microseconds(1));
  const Verification found = Verify(file_, ring);
  EXPECT_FALSE(found.ok);
  EXPECT_THAT(found.problem, HasSubstr("by the former key"));
}

TEST_F(SignedReplay, OfAnotherRefereeDoesNotHold) {
  const Verification found = Verify(file_, KeyRing(SampleSigner(2).public_key()));
  EXPECT_FALSE(found.ok);
  EXPECT_THAT(found.problem, HasSubstr("signature: not this referee's"));
}

TEST(KeyRing, MayBeginWithAByteOrderMark) {
  const PublicKey key = SampleSigner().public_key();
  const std::string text = dice::Hex(key) + "\r\n";
  EXPECT_EQ(KeyRing::Parse("\xef\xbb\xbf" + text, "key.pub").value().current()->key, key);
  EXPECT_THAT(std::string(KeyRing::Parse("\xff\xfe" + text, "key.pub").status().message()),
              HasSubstr("key.pub: it is UTF-16"));
}

}  // namespace
}  // namespace referee::replay
