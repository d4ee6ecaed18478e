// Tests of when a session sends items that may wait: turns of several matches, and news.
#include "referee/service/play/bot_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "referee/base/limits.h"
#include "tests/unit/service/bot_session_fixture.h"

namespace referee::service {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_F(BotSessionTest, NewsGoesOutAtOnceUnlessItMayWait) {
  Begin();
  const Guest& other = PlayToTheEnd();
  EXPECT_THAT(other->Log(), ElementsAre(HasSubstr("played"), "read"));
  executor_.Release();
  EXPECT_THAT(other->Log(), ElementsAre("end"));
}

TEST_F(BotSessionTest, NewsThatMayWaitGoesOutWithWhatTheBotIsToldNext) {
  news_may_wait_ = true;
  Begin();
  const Guest& other = PlayToTheEnd();
  EXPECT_THAT(other->Log(), IsEmpty());
  timers_.Advance(absl::Milliseconds(20));
  EXPECT_THAT(other->Log(), IsEmpty());
  executor_.Release();
  EXPECT_THAT(other->Log(), ElementsAre(AllOf(HasSubstr("played"), HasSubstr("end")), "read"));
}

TEST_F(BotSessionTest, NewsWaitsATenthOfASecondAtMost) {
  news_may_wait_ = true;
  Begin();
  const Guest& other = PlayToTheEnd();
  timers_.Advance(absl::Milliseconds(100));
  EXPECT_THAT(other->Log(), ElementsAre(HasSubstr("played"), "read"));
}

TEST_F(BotSessionTest, NewsThatMayWaitDoesSoAlsoWhenAWriteEnds) {
  news_may_wait_ = true;
  Begin();
  const Guest& other = PlayToTheEnd(/*busy=*/true);
  EXPECT_THAT(other->Log(), IsEmpty());
  timers_.Advance(absl::Milliseconds(100));
  EXPECT_THAT(other->Log(), ElementsAre(HasSubstr("played")));
}

class BotSessionOfManyMatches : public BotSessionTest {
 protected:
  // Begins so many matches, in all of which the same bot is asked first.
  void Begin(int matches = 5) {
    news_may_wait_ = true;
    max_matches_ = matches;
    alice_ = Come("alice");
    bob_ = Come("bob");
    for (Guest* guest : {&alice_, &bob_}) {
      (*guest)->ends_at_once = true;
      (*guest)->EndWrite();
    }
    for (int i = 0; i < matches; ++i) {
      CreateMatch();
      SayReady(alice_);
      SayReady(bob_);
    }
    timers_.Advance(absl::Milliseconds(1));
    for (const auto& [id, asked] : First()->asked_of) asked_.push_back(asked);
    ASSERT_EQ(asked_.size(), static_cast<size_t>(matches));
    First()->Log();
  }
  void Answer(const Guest& guest, const v1::TurnRequest& asked) {
    id_ = asked.match_id();
    SayMove(guest, asked.turn(), asked.legal_moves(0));
  }
  // The first bot answers the turn that it was asked for last after `thinking`, and is to be asked
  // for the next of that match, while it owes the others.
  void AnswerOne(absl::Duration thinking) {
    const Guest first = First();
    const Guest second = Second();
    clock_.Advance(thinking);
    Answer(first, asked_.back());
    asked_.pop_back();
    first->Log();
    Answer(second, second->asked);
  }
  // The turn that was answered last, as it was written.
  match::Timing LastTiming() {
    return *std::get<match::Played>(recorder_.matches().at(id_).records.back()).timing;
  }

  std::vector<v1::TurnRequest> asked_;  // what the first bot has not answered yet
};

TEST_F(BotSessionOfManyMatches, ATurnWaitsForAnswersToOthersOfABotThatAnswersAtOnce) {
  Begin();
  const Guest first = First();
  AnswerOne(absl::Microseconds(500));
  EXPECT_THAT(first->Log(), Not(Contains(HasSubstr("ask"))));
  Answer(first, asked_[0]);  // four are not worth a wait
  EXPECT_THAT(first->Log(), Contains(HasSubstr("ask 3")));
}

TEST_F(BotSessionOfManyMatches, TurnsWaitForMoreAnswersThanTheyAreThemselves) {
  Begin(/*matches=*/7);
  const Guest first = First();
  for (int waiting = 1; waiting <= 3; ++waiting) {
    AnswerOne(absl::Microseconds(100));
    EXPECT_THAT(first->Log(), Not(Contains(HasSubstr("ask")))) << waiting;
  }
  Answer(first, asked_.back());  // three wait, and three are owed
  EXPECT_THAT(first->Log(), Contains(HasSubstr("ask 3")));
}

TEST_F(BotSessionOfManyMatches, ATurnWaitsAMillisecondAtMostWhichTheRecordsCountAsTheReferees) {
  Begin();
  const Guest first = First();
  const Guest second = Second();
  AnswerOne(absl::Microseconds(500));
  timers_.Advance(absl::Microseconds(500));
  EXPECT_THAT(first->Log(), Contains(HasSubstr("ask 3")));
  clock_.Advance(absl::Microseconds(200));
  Answer(first, first->asked);
  EXPECT_EQ(second->played.turn(), 3u);
  EXPECT_EQ(second->played.time_used().nanos(), 200'000);
  EXPECT_EQ(LastTiming().started, absl::Microseconds(500));
  EXPECT_EQ(LastTiming().read, absl::Microseconds(700));
}

TEST_F(BotSessionOfManyMatches, ABotIsNeverChargedForAWaitThoughTheTimerComesLate) {
  Begin();
  const Guest first = First();
  const Guest second = Second();
  AnswerOne(absl::Microseconds(500));
  clock_.Advance(absl::Seconds(1));
  timers_.Advance(absl::ZeroDuration());
  EXPECT_THAT(first->Log(), Contains(HasSubstr("ask 3")));
  clock_.Advance(absl::Microseconds(200));
  Answer(first, first->asked);
  EXPECT_EQ(second->played.time_used().nanos(), 200'000);
  EXPECT_EQ(LastTiming().started, limits::kHandoverLimit);
}

TEST_F(BotSessionOfManyMatches, ATurnOfABotThatThinksDoesNotWait) {
  Begin();
  const Guest first = First();
  AnswerOne(absl::Milliseconds(3));
  EXPECT_THAT(first->Log(), Contains(HasSubstr("ask 3")));
}

}  // namespace
}  // namespace referee::service
