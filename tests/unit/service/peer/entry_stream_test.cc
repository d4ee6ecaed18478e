// Tests of how a stream between two referees ends at the entry, and of the matches affected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/limits.h"
#include "tests/unit/service/peer/entry_session_fixture.h"

namespace referee::service {
namespace {

using peer::v1::OwnerItem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(EntrySessionTest, SaysThatItIsThereOnceASecondIfItSaysNothingElse) {
  Dial(&first_);
  first_->Words();
  timers_.Advance(limits::kPeerBeat);
  first_->Words();  // the hello was said
  timers_.Advance(limits::kPeerBeat);
  EXPECT_THAT(first_->Words(), ElementsAre("beat"));
}

TEST_F(EntrySessionTest, AnOwnerThatIsSilentForLongIsLost) {
  Dial(&first_);
  timers_.Advance(absl::Seconds(4));
  Hear(OwnerItem());
  timers_.Advance(absl::Seconds(4));
  EXPECT_EQ(first_->finished, "");
  timers_.Advance(absl::Seconds(3));
  EXPECT_EQ(first_->finished, "UNAVAILABLE");
}

TEST_F(EntrySessionTest, AWriteThatFailsEndsTheStreamOnce) {
  Dial(&first_);
  first_.session->OnWriteDone(false);
  EXPECT_EQ(first_->finished, "UNAVAILABLE");
  Hear(Turn(99, 7));
  timers_.Advance(absl::Seconds(10));
}

// --- An owner that is gone ---

TEST_F(EntrySessionTest, MatchesOfAnOwnerThatDoesNotComeBackAreVoid) {
  Dial(&first_);
  ComeBoth();
  Hear(Start(1));
  Hear(Turn(1, 7));
  Hear(Reserve(2, 1, {Id(5)}));
  alice_->Log();
  first_.session->OnDone();
  EXPECT_FALSE(HasSlot("bob", Id(5))) << "it has not begun";
  timers_.Advance(limits::kEntryPatience - absl::Milliseconds(1));
  EXPECT_TRUE(HasSlot("alice", id_));
  EXPECT_THAT(alice_->Log(), Not(Contains("end")));
  timers_.Advance(absl::Milliseconds(1));
  EXPECT_FALSE(HasSlot("alice", id_));
  EXPECT_THAT(alice_->Log(), Contains("end"));
  EXPECT_THAT(bob_->Log(), Not(Contains("end")));
  first_.session = nullptr;
}

TEST_F(EntrySessionTest, AMatchThatItsOwnerDoesNotTakeUpAgainOnceItIsBackHasEnded) {
  Dial(&first_);
  ComeBoth();
  Hear(Start(1));
  alice_->Log();
  first_.session->OnDone();
  Dial(&second_);
  first_.session->OwnerIsBack();
  timers_.Advance(limits::kPeerSilence - absl::Milliseconds(1));
  EXPECT_TRUE(HasSlot("alice", id_));
  timers_.Advance(absl::Milliseconds(1));
  EXPECT_FALSE(HasSlot("alice", id_));
  EXPECT_THAT(alice_->Log(), Contains("end"));
  first_.session = nullptr;
}

TEST_F(EntrySessionTest, AMatchThatItsOwnerTakesUpAgainGoesOn) {
  Dial(&first_);
  ComeBoth();
  Hear(Start(1));
  Hear(Turn(1, 7));
  first_.session->OnDone();
  first_.session = nullptr;
  timers_.Advance(absl::Seconds(5));
  Dial(&second_);
  ASSERT_THAT(absl::StrJoin(second_->Words(), ", "), HasSubstr("came alice"));
  const uint64_t stream = second_->came.bot() == "alice" ? 2 : 1;
  Hear(second_, Start(stream));
  Hear(second_, Turn(stream, 7));
  second_->Words();
  alice_->Log();
  SayNonsense(alice_, 7);
  EXPECT_THAT(second_->Words(), ElementsAre(absl::StrCat(stream, " said")));
  for (int i = 0; i < 30; ++i) {
    timers_.Advance(absl::Seconds(1));
    Hear(second_, OwnerItem());
  }
  EXPECT_TRUE(HasSlot("alice", id_));
  EXPECT_THAT(absl::StrJoin(alice_->Log(), ", "), Not(HasSubstr("end")));
}

}  // namespace
}  // namespace referee::service
