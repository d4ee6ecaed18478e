#include "referee/service/play/outgoing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace referee::service {
namespace {

using When = Outgoing::When;

Instant AfterMillis(int64_t millis) { return Instant::FromNanos(millis * 1'000'000); }

class OutgoingTest : public ::testing::Test {
 protected:
  OutgoingTest() { outgoing_.MakeRoomFor(1); }

  Batch* Add(When when, size_t bytes = 10) {
    return outgoing_.Add(when, [&](v1::RefereeItem* item) {
      item->mutable_notice()->set_text(std::string(bytes, 'x'));
    });
  }
  void AddTurn() { Add(When::kTogether)->AddAsked({nullptr, Seat(0), 1, 0}); }
  std::unique_ptr<Batch> TakeDueAt(int64_t millis) {
    return outgoing_.TakeDue(AfterMillis(millis), owed_);
  }
  // Of a batch that is being written.
  void EndWrite(std::unique_ptr<Batch> batch, bool ok = true) {
    batch->Clear();
    outgoing_.EndWrite(std::move(batch), ok);
  }
  // The bot answers at once, and owes so many more turns than it has answered.
  void Owe(int turns) {
    for (int i = 0; i <= turns; ++i) {
      owed_.Add(MatchOf(i), 1, 0);
      owed_.NoteSent(MatchOf(i), 1, 0, AfterMillis(0));
    }
    owed_.Settle(MatchOf(0), 1, 0, AfterMillis(1));
  }
  static MatchId MatchOf(int i) {
    uint8_t random[10] = {};
    random[9] = static_cast<uint8_t>(i);
    return MatchId::Make(absl::UnixEpoch(), random);
  }

  StreamLimits limits_;
  OwedAnswers owed_;
  Outgoing outgoing_{&limits_};
};

TEST_F(OutgoingTest, SendsWhatIsDueAtOnceWithAllThatWaits) {
  Add(When::kLater);
  EXPECT_EQ(TakeDueAt(1), nullptr);
  Add(When::kNow);
  const std::unique_ptr<Batch> batch = TakeDueAt(1);
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(batch->items(), 2u);
  EXPECT_TRUE(outgoing_.writing());
  EXPECT_TRUE(outgoing_.empty());
}

TEST_F(OutgoingTest, SendsNewsAtTheNextStep) {
  Add(When::kLater);
  EXPECT_EQ(TakeDueAt(30), nullptr);
  EXPECT_EQ(outgoing_.NewWake(owed_), AfterMillis(100));
  EXPECT_EQ(outgoing_.NewWake(owed_), absl::nullopt) << "it is set";
  EXPECT_EQ(TakeDueAt(99), nullptr);
  EXPECT_NE(TakeDueAt(100), nullptr);
}

TEST_F(OutgoingTest, SendsManyNewsAtOnce) {
  for (int i = 0; i < 127; ++i) Add(When::kLater);
  EXPECT_EQ(TakeDueAt(1), nullptr);
  Add(When::kLater);
  EXPECT_NE(TakeDueAt(1), nullptr);
}

TEST_F(OutgoingTest, SendsATurnAtOnceUnlessTheBotHasEnoughToAnswer) {
  AddTurn();
  std::unique_ptr<Batch> batch = TakeDueAt(1);
  ASSERT_NE(batch, nullptr);
  EndWrite(std::move(batch));
  Owe(5);
  AddTurn();
  EXPECT_EQ(TakeDueAt(1), nullptr);
  EXPECT_EQ(outgoing_.NewWake(owed_), AfterMillis(2));
  EXPECT_NE(TakeDueAt(2), nullptr);
}

TEST_F(OutgoingTest, ReportsTurnsThatWaitForTheBotToReadOnce) {
  Add(When::kNow);
  std::unique_ptr<Batch> batch = TakeDueAt(1);
  AddTurn();
  EXPECT_EQ(outgoing_.NewWake(owed_), absl::nullopt) << "the end of the write sends it";
  EXPECT_EQ(outgoing_.NoteWaiting(AfterMillis(2)).size(), 1u);
  EXPECT_TRUE(outgoing_.NoteWaiting(AfterMillis(3)).empty());
  EndWrite(std::move(batch));
  const std::unique_ptr<Batch> next = TakeDueAt(4);
  ASSERT_NE(next, nullptr);
  EXPECT_EQ(next->asked()[0].offered, AfterMillis(2));
}

TEST_F(OutgoingTest, NotesSinceWhenATurnWaitsByChoice) {
  Owe(5);
  AddTurn();
  ASSERT_EQ(TakeDueAt(1), nullptr);
  EXPECT_TRUE(outgoing_.NoteWaiting(AfterMillis(1)).empty());
  const std::unique_ptr<Batch> batch = TakeDueAt(2);
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(batch->asked()[0].held, AfterMillis(1));
  EXPECT_EQ(batch->asked()[0].offered, Instant::InfiniteFuture());
}

TEST_F(OutgoingTest, DropsWhatWaitsWhenAWriteFails) {
  Add(When::kNow);
  std::unique_ptr<Batch> batch = TakeDueAt(1);
  Add(When::kNow);
  EndWrite(std::move(batch), false);
  EXPECT_FALSE(outgoing_.writing());
  EXPECT_EQ(outgoing_.TakeAny(), nullptr);
}

TEST_F(OutgoingTest, LeavesNoEmptyBatchAfterADueItemThatFillsOne) {
  while (!Add(When::kNow, 30'000)->full()) continue;
  EXPECT_NE(outgoing_.TakeAny(), nullptr);
  EXPECT_TRUE(outgoing_.empty());
}

TEST_F(OutgoingTest, RefusesItemsOfABotThatDoesNotRead) {
  limits_.queued_items = 2;
  Add(When::kNow);
  EXPECT_TRUE(outgoing_.CheckRoom().ok());
  Add(When::kNow);
  EXPECT_TRUE(absl::IsResourceExhausted(outgoing_.CheckRoom()));
  outgoing_.TakeAny();
  EXPECT_TRUE(outgoing_.CheckRoom().ok());
}

TEST_F(OutgoingTest, KeepsTheRoomOfTheMostMatches) {
  limits_.queued_bytes = 10'000;
  limits_.queued_bytes_per_match = 100'000;
  Outgoing outgoing(&limits_);
  outgoing.MakeRoomFor(2);
  outgoing.MakeRoomFor(0);
  const auto fill = [](v1::RefereeItem* item) {
    item->mutable_notice()->set_text(std::string(4'000, 'x'));
  };
  for (int i = 0; i < 40; ++i) outgoing.Add(When::kNow, fill);
  EXPECT_TRUE(outgoing.CheckRoom().ok());
  for (int i = 0; i < 20; ++i) outgoing.Add(When::kNow, fill);
  EXPECT_TRUE(absl::IsResourceExhausted(outgoing.CheckRoom()));
}

TEST_F(OutgoingTest, ReportsBytesOnlyWhenTheyChange) {
  EXPECT_EQ(outgoing_.ChangedBytes(), absl::nullopt);
  for (int i = 0; i < 40; ++i) Add(When::kNow, 1'000);
  EXPECT_GT(outgoing_.ChangedBytes().value_or(0), 40'000u);
  std::unique_ptr<Batch> batch = TakeDueAt(1);
  EXPECT_EQ(outgoing_.ChangedBytes(), absl::nullopt) << "being written";
  EndWrite(std::move(batch));
  EXPECT_EQ(outgoing_.ChangedBytes(), size_t{0});
}

TEST_F(OutgoingTest, WakesAnewOnlyForAnEarlierTime) {
  EXPECT_TRUE(outgoing_.WakesAt(AfterMillis(100)));
  EXPECT_FALSE(outgoing_.WakesAt(AfterMillis(100)));
  EXPECT_TRUE(outgoing_.WakesAt(AfterMillis(50)));
  outgoing_.NoteWoken();
  EXPECT_TRUE(outgoing_.WakesAt(AfterMillis(200)));
}

}  // namespace
}  // namespace referee::service
