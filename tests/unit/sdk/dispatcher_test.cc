#include "sdk/cpp/src/dispatcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/sdk/fake_referee.h"

namespace referee::sdk {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

// What a worker does, in its order.
using Deeds = std::vector<std::string>;

class RecordingMouth : public Dispatcher::ReplySink {
 public:
  explicit RecordingMouth(Deeds* deeds) : deeds_(deeds) {}
  void Say(uint64_t, v1::BotItem* item) override {
    deeds_->push_back("say " + item->ready().match_id());
  }
  void Send(uint64_t) override { deeds_->push_back("send"); }
  void SendSoon(uint64_t) override { deeds_->push_back("send soon"); }

 private:
  Deeds* const deeds_;
};

class RecordingBot : public Bot {
 public:
  using Clock = std::chrono::steady_clock;

  // Each start takes `thinks` on the bot's clock.
  RecordingBot(Deeds* deeds, Clock::duration thinks) : deeds_(deeds), thinks_(thinks) {}
  Clock::time_point now() const { return now_; }
  Move ChooseTurn(const Turn& turn) override { return turn.legal_move(0); }
  void OnMatchStart(const Match& match) override {
    deeds_->push_back("start " + match.id());
    now_ += thinks_;
  }
  void OnMatchEnd(const Match& match, const Verdict&) override {
    deeds_->push_back("end " + match.id());
  }

 private:
  Deeds* const deeds_;
  const Clock::duration thinks_;
  Clock::time_point now_;
};

std::shared_ptr<const Batch> BatchOf(uint64_t stream, const std::vector<v1::RefereeItem>& items) {
  const auto batch = std::make_shared<Batch>(stream);
  for (const v1::RefereeItem& item : items) *batch->message->add_items() = item;
  return batch;
}

constexpr auto kNoTime = std::chrono::nanoseconds(0);

// What is done when a message is delivered, and by one worker after that.
struct Done {
  Deeds at_once;
  Deeds later;
};
Done DoneWhenTold(Dispatcher::Players players, const std::vector<v1::RefereeItem>& items,
                  RecordingBot::Clock::duration thinks) {
  Deeds deeds;
  RecordingMouth mouth(&deeds);
  RecordingBot bot(&deeds, thinks);
  Dispatcher dispatcher(&bot, Logger(LogLevel::kNone, LogToStderr), &mouth, players,
                        [&bot] { return bot.now(); });
  dispatcher.Deliver(BatchOf(1, items));
  Done done;
  done.at_once.swap(deeds);
  dispatcher.Close();
  dispatcher.Work();
  done.later.swap(deeds);
  return done;
}

// What one worker does when it is told all this in one message.
Deeds DeedsWhenTold(const std::vector<v1::RefereeItem>& items,
                    RecordingBot::Clock::duration thinks = kNoTime) {
  return DoneWhenTold(Dispatcher::Players::kWorkers, items, thinks).later;
}

TEST(SdkDispatcher, SendsAReplyItselfWhenNoOtherMatchWaits) {
  EXPECT_THAT(DeedsWhenTold({StartItem("m1")}), ElementsAre("start m1", "say m1", "send"));
}

TEST(SdkDispatcher, SendsTheRepliesOfABotThatAnswersAtOnceTogether) {
  EXPECT_THAT(DeedsWhenTold({StartItem("m1"), StartItem("m2")}),
              ElementsAre("start m1", "say m1", "send soon", "start m2", "say m2", "send"));
}

TEST(SdkDispatcher, SendsEachReplyOfABotThatThinksBeforeItPlaysAnotherMatch) {
  EXPECT_THAT(DeedsWhenTold({StartItem("m1"), StartItem("m2")}, std::chrono::milliseconds(1)),
              ElementsAre("start m1", "say m1", "send", "start m2", "say m2", "send"));
}

TEST(SdkDispatcher, SendsRepliesWhenWhatIsPlayedLastNeedsNone) {
  EXPECT_THAT(DeedsWhenTold({StartItem("m1"), EndItem("m1")}),
              ElementsAre("start m1", "say m1", "send soon", "end m1", "send"));
}

TEST(SdkDispatcher, SendsNothingWhenNothingWasSaid) {
  EXPECT_THAT(DeedsWhenTold({StartItem("m1"), EndItem("m1")}, std::chrono::milliseconds(1)),
              ElementsAre("start m1", "say m1", "send", "end m1"));
}

TEST(SdkDispatcher, PlaysWhereItIsDeliveredAndSendsTheRepliesTogether) {
  const Done deeds = DoneWhenTold(Dispatcher::Players::kDeliverer,
                                  {StartItem("m1"), StartItem("m2"), EndItem("m1")}, kNoTime);
  EXPECT_THAT(deeds.at_once,
              ElementsAre("start m1", "say m1", "start m2", "say m2", "end m1", "send"));
  EXPECT_THAT(deeds.later, IsEmpty());
}

TEST(SdkDispatcher, KeepsNobodyForLongWhoDeliversToASlowBot) {
  const Done deeds = DoneWhenTold(Dispatcher::Players::kDeliverer,
                                  {StartItem("m1"), StartItem("m2")}, std::chrono::milliseconds(1));
  EXPECT_THAT(deeds.at_once, ElementsAre("start m1", "say m1", "send"));
  EXPECT_THAT(deeds.later, ElementsAre("start m2", "say m2", "send"));
}

// Holds whoever starts the match "held" until it is let go.
class HeldBot : public Bot {
 public:
  Move ChooseTurn(const Turn& turn) override { return turn.legal_move(0); }
  void OnMatchStart(const Match& match) override {
    EXPECT_EQ(++inside_, 1);
    if (match.id() == "held") {
      entered.set_value();
      go_on.get_future().wait();
    }
    --inside_;
  }
  std::promise<void> entered;
  std::promise<void> go_on;

 private:
  std::atomic<int> inside_{0};
};

TEST(SdkDispatcher, PlaysOneAtATimeThoughTwoDeliver) {
  Deeds deeds;
  RecordingMouth mouth(&deeds);
  HeldBot bot;
  Dispatcher dispatcher(&bot, Logger(LogLevel::kNone, LogToStderr), &mouth,
                        Dispatcher::Players::kDeliverer);
  std::thread first([&] { dispatcher.Deliver(BatchOf(1, {StartItem("held")})); });
  bot.entered.get_future().wait();
  dispatcher.Deliver(BatchOf(1, {StartItem("m2")}));  // returns though the bot is busy
  std::thread worker([&] { dispatcher.Work(); });
  dispatcher.Close();
  bot.go_on.set_value();
  first.join();
  worker.join();
  deeds.erase(std::remove(deeds.begin(), deeds.end(), "send"), deeds.end());
  EXPECT_THAT(deeds, ElementsAre("say held", "say m2"));
}

TEST(SdkDispatcher, EndsTheMatchesThatAStreamHasNotToldAgain) {
  Deeds deeds;
  RecordingMouth mouth(&deeds);
  RecordingBot bot(&deeds, kNoTime);
  Dispatcher dispatcher(&bot, Logger(LogLevel::kNone, LogToStderr), &mouth);
  dispatcher.Deliver(BatchOf(1, {StartItem("m1"), StartItem("m2")}));
  dispatcher.Deliver(BatchOf(2, {ResumedItem("m2")}));
  dispatcher.ForgetAllBut(2);
  dispatcher.Close();
  dispatcher.Work();
  EXPECT_THAT(deeds, Contains("end m1"));
  EXPECT_THAT(deeds, Not(Contains("end m2")));
}

// Says which match it was asked for a turn of first.
class AskedBot : public Bot {
 public:
  Move ChooseTurn(const Turn& turn) override {
    asked.set_value(turn.match().id());
    return turn.legal_move(0);
  }
  std::promise<std::string> asked;
};

// While the bot thinks about another match both may come: that a match is given up whose link was
// lost for long, and that it goes on.
TEST(SdkDispatcher, PlaysOnAMatchThatWasGivenUpAndGoesOnAfterAll) {
  Deeds deeds;
  RecordingMouth mouth(&deeds);
  AskedBot bot;
  Dispatcher dispatcher(&bot, Logger(LogLevel::kNone, LogToStderr), &mouth);
  dispatcher.Deliver(BatchOf(1, {StartItem("m1")}));
  dispatcher.ForgetAllBut(2);
  dispatcher.Deliver(BatchOf(2, {ResumedItem("m1"), TurnItem("m1", 7)}));
  std::thread worker([&] { dispatcher.Work(); });
  std::future<std::string> asked = bot.asked.get_future();
  EXPECT_EQ(asked.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  dispatcher.Close();
  worker.join();
}

}  // namespace
}  // namespace referee::sdk
