// Tests of the link of one bot over a stream from another referee.
#include "referee/service/peer/relayed_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "referee/base/limits.h"
#include "tests/support/match_id.h"
#include "tests/unit/service/peer/owner_session_fixture.h"

namespace referee::service {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RelayedLinkTest : public ::testing::Test {
 protected:
  void Reserve() {
    link_->Reserve(
        {{testing::NumberedId(1), testing::NumberedId(2)}, "hypnosia", testing::NumberedId(1)},
        [this](bool granted) { answers_.push_back(granted); });
  }
  void Answer(uint64_t number, bool granted) {
    peer::v1::Reserved reserved;
    reserved.set_number(number);
    reserved.set_granted(granted);
    link_->TakeReserved(reserved);
  }
  RelayedLinkTest() { entry_.ends_at_once = false; }

  testing::SimulatedClock clock_;
  RecordedEntry entry_;
  std::shared_ptr<OwnerOutbox> outbox_ = std::make_shared<OwnerOutbox>(&entry_, &clock_);
  std::shared_ptr<RelayedLink> link_ =
      std::make_shared<RelayedLink>(&clock_, outbox_, 7, "alice", MoveList::kNone);
  std::vector<bool> answers_;
};

TEST_F(RelayedLinkTest, ASlotIsTheEntrysToGrant) {
  EXPECT_TRUE(link_->relayed());
  Reserve();
  EXPECT_THAT(entry_.Words(), ElementsAre("7 reserve 2 of hypnosia"));
  EXPECT_THAT(answers_, IsEmpty());
  const uint64_t number = entry_.reserves[7].number();
  Answer(number + 1, true);
  EXPECT_THAT(answers_, IsEmpty());
  Answer(number, true);
  Answer(number, false);
  EXPECT_THAT(answers_, ElementsAre(true));
}

TEST_F(RelayedLinkTest, EveryQuestionForSlotsIsAnsweredByItsNumber) {
  Reserve();
  const uint64_t number = entry_.reserves[7].number();
  Reserve();
  Answer(number + 1, false);
  EXPECT_THAT(answers_, ElementsAre(false));
  Answer(number, true);
  EXPECT_THAT(answers_, ElementsAre(false, true));
}

TEST_F(RelayedLinkTest, NoSlotIsGrantedOnALinkThatEnds) {
  Reserve();
  link_->Close(absl::AbortedError("another has taken over"));
  EXPECT_THAT(answers_, ElementsAre(false));
  Answer(entry_.reserves[7].number(), true);
  Reserve();
  EXPECT_THAT(answers_, ElementsAre(false, false));
}

TEST_F(RelayedLinkTest, NoSlotIsGrantedOverAStreamThatTakesNothing) {
  outbox_->Close();
  Reserve();
  EXPECT_THAT(answers_, ElementsAre(false));
}

TEST_F(RelayedLinkTest, SlotsOfMatchesThatDoNotBeginAreGivenUp) {
  link_->Release({testing::NumberedId(1), testing::NumberedId(2)});
  EXPECT_THAT(entry_.Words(), ElementsAre("7 release 2"));
}

TEST_F(RelayedLinkTest, KnowsWhenTheBotLastGaveASign) {
  EXPECT_FALSE(link_->answered().has_value());
  link_->NoteAnswered(clock_.Now());
  EXPECT_EQ(link_->answered(), clock_.Now());
}

TEST_F(RelayedLinkTest, SaysNothingOnceItIsClosed) {
  link_->TellNotice("before");
  link_->Close(absl::OkStatus());
  EXPECT_THAT(entry_.Words(), ElementsAre("7 notice before"));
  link_->TellNotice("after");
  link_->Ping();
  link_->Release({testing::NumberedId(1)});
  link_->Flush();
  EXPECT_THAT(entry_.Words(), IsEmpty());
}

}  // namespace
}  // namespace referee::service
