// Claims about pings: they come beside turn requests, seldom, and a pong that was not asked for is
// a fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;

class Pings : public ::testing::Test {
 protected:
  // What a bot is told about a pong that is no answer.
  void ExpectFault(RawBot* bot, uint64_t number) {
    const v1::Fault fault = bot->Hear(v1::RefereeItem::kFault).fault();
    EXPECT_EQ(fault.kind(), v1::FAULT_KIND_MALFORMED);
    EXPECT_THAT(fault.message(), HasSubstr("pong.number: " + std::to_string(number)));
  }

  RefereeUnderTest referee_;
};

TEST_F(Pings, ComeWithTurnRequestsOnceASecondAtMost) {
  RawBot alice(&referee_, "alice");
  alice.HearPings();
  RawBot bob(&referee_, "bob");
  const std::string match_id = referee_.Create({"alice", "bob"});
  const absl::Time start = absl::Now();
  for (RawBot* bot : {&alice, &bob}) {
    EXPECT_EQ(bot->HearMessage().items(0).kind_case(), v1::RefereeItem::kMatchStart);
    bot->Say(ReadyFor(match_id));
  }
  std::thread bob_plays([&] { bob.Play(1, FirstLegalMove); });
  int pings = 0;
  for (bool over = false; !over;) {
    const v1::PlayResponse message = alice.HearMessage();
    bool asks = false;
    bool is_pinged = false;
    for (const v1::RefereeItem& item : message.items()) {
      over |= item.has_match_end();
      is_pinged |= item.has_ping();
      if (item.has_turn_request()) {
        asks = true;
        alice.Say(MoveIn(match_id, item.turn_request().turn(), item.turn_request().legal_moves(0)));
      }
      if (item.has_ping()) alice.Say(PongTo(item.ping().number()));
      EXPECT_FALSE(item.has_fault()) << item.fault().message();
    }
    pings += is_pinged ? 1 : 0;
    EXPECT_TRUE(asks || !is_pinged) << message.ShortDebugString();
    if (message.items_size() == 0) break;  // the stream has ended
  }
  bob_plays.join();
  EXPECT_GE(pings, 1);
  EXPECT_LE(pings, 1 + absl::ToInt64Seconds(absl::Now() - start));
}

TEST_F(Pings, AreAnsweredOnceAndByTheirNumber) {
  Table table(&referee_);
  table.WaitForTurn();
  RawBot back(referee_.NewChannel());
  back.HearPings();
  back.Say(HelloAs(table.mover == &table.alice ? "alice" : "bob"));
  RawBot* const bot = &back;
  const uint64_t number = bot->Hear(v1::RefereeItem::kPing).ping().number();
  bot->Say(PongTo(number + 1));
  ExpectFault(bot, number + 1);
  bot->Say(PongTo(number));
  bot->Say(PongTo(number));
  ExpectFault(bot, number);
  table.other->Say(PongTo(1));
  ExpectFault(table.other, 1);
  bot->Say(MoveIn(table.match_id, table.asked.turn(), table.asked.legal_moves(0)));
  EXPECT_EQ(table.other->Hear(v1::RefereeItem::kTurnPlayed).turn_played().turn(),
            table.asked.turn());
}

TEST_F(Pings, ThatWereNotSentEndTheStreamOfWhoAnswersThemAllTheTime) {
  RawBot carol(&referee_, "carol");
  const absl::Time until = absl::Now() + kPatience;
  while (carol.Say(PongTo(1)) && absl::Now() < until) continue;
  EXPECT_EQ(carol.End().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

}  // namespace
}  // namespace referee::testing
