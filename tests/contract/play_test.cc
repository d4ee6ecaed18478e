// Claims about whole matches, as bots see them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "referee/dice/dice.h"
#include "referee/games/catalogue.h"
#include "referee/replay/verifier.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// SHA-256 of a seed as MatchEnd reveals it.
std::string CommitmentOf(const std::string& seed_bytes) {
  dice::Seed seed;
  EXPECT_EQ(seed_bytes.size(), seed.bytes.size());
  std::copy(seed_bytes.begin(), seed_bytes.end(), seed.bytes.begin());
  const dice::Bytes32 commitment = dice::Commit(seed);
  return std::string(commitment.begin(), commitment.end());
}

class Playing : public ::testing::Test {
 protected:
  void ExpectReplayOf(const std::string& match_id) {
    std::string bytes;
    ASSERT_TRUE(referee_.Fetch(match_id, &bytes).ok());
    const replay::Verification verification = replay::Verify(bytes);
    EXPECT_TRUE(verification.ok) << verification.problem;
    EXPECT_EQ(verification.match_id.text(), match_id);
  }

  RefereeUnderTest referee_;
};

TEST_F(Playing, GoesFromStartToAVerifiedReplay) {
  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.clear_dice();
  const std::string match_id = referee_.Create(request);
  const v1::Snapshot before = referee_.Get(match_id);
  EXPECT_EQ(before.match().state(), v1::MATCH_STATE_RUNNING);
  EXPECT_EQ(before.match().commitment().size(), 32u);

  const auto ends = PlayAll({&alice, &bob}, 1);
  ASSERT_THAT(ends, ElementsAre(SizeIs(1), SizeIs(1)));
  EXPECT_EQ(ends[0][0].SerializeAsString(), ends[1][0].SerializeAsString());
  const v1::Verdict& verdict = ends[0][0].verdict();
  EXPECT_EQ(ends[0][0].match_id(), match_id);
  EXPECT_EQ(verdict.state(), v1::MATCH_STATE_FINISHED);
  EXPECT_EQ(verdict.scores_size(), 2);
  EXPECT_EQ(verdict.ranks_size(), 2);
  EXPECT_EQ(verdict.forfeits_size(), 0);
  EXPECT_EQ(CommitmentOf(verdict.seed()), before.match().commitment());
  EXPECT_EQ(referee_.Get(match_id).match().verdict().SerializeAsString(),
            verdict.SerializeAsString());
  ExpectReplayOf(match_id);
}

// Every move by one of the bots, written out.
TEST_F(Playing, TakesNotationToo) {
  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  const auto game = games::Find("hypnosia")->type->Create(2, {}).value();
  const auto choose = [&](const v1::TurnRequest& asked) {
    if (asked.seat() == 0) return asked.legal_moves(0);
    std::vector<games::Move> legal;
    game->ParsePosition(asked.position_text()).value()->LegalMoves(&legal);
    v1::Move move;
    move.set_notation(game->MoveText(legal.back()));
    return move;
  };
  const std::string match_id = referee_.Create({"alice", "bob"});
  const auto ends = PlayAll({&alice, &bob}, 1, choose);
  EXPECT_EQ(ends[0][0].verdict().state(), v1::MATCH_STATE_FINISHED);
  EXPECT_EQ(ends[0][0].verdict().forfeits_size(), 0) << ends[0][0].ShortDebugString();
  ExpectReplayOf(match_id);
}

TEST_F(Playing, SeatsSix) {
  const std::vector<std::string> names = {"alice", "bob", "carol", "dave", "erin", "frank"};
  std::vector<std::unique_ptr<RawBot>> bots;
  std::vector<RawBot*> pointers;
  for (const std::string& name : names) {
    bots.push_back(std::make_unique<RawBot>(&referee_, name));
    pointers.push_back(bots.back().get());
  }
  v1::CreateMatchRequest request = referee_.Request(names);
  request.mutable_options()->mutable_hypnosia()->set_turn_limit(60);
  const std::string match_id = referee_.Create(request);
  const auto ends = PlayAll(pointers, 1);
  EXPECT_EQ(ends[5][0].verdict().state(), v1::MATCH_STATE_FINISHED);
  EXPECT_EQ(ends[5][0].verdict().ranks_size(), 6);
  ExpectReplayOf(match_id);
}

TEST_F(Playing, TellsTheStartWithAllThatABotNeeds) {
  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  v1::CreateMatchRequest request = referee_.Request({"bob", "alice"});
  request.mutable_time_control()->mutable_bank()->set_seconds(100);
  request.mutable_time_control()->mutable_increment()->set_nanos(5);
  const std::string match_id = referee_.Create(request);
  const v1::MatchStart start = alice.Hear().match_start();
  EXPECT_EQ(start.seat(), 1u);
  EXPECT_EQ(start.ready_limit().seconds(), 10);
  EXPECT_FALSE(start.has_resumed());
  EXPECT_EQ(start.match().match_id(), match_id);
  EXPECT_EQ(start.match().state(), v1::MATCH_STATE_RUNNING);
  EXPECT_EQ(start.match().game(), "hypnosia");
  EXPECT_THAT(start.match().bots(), ElementsAre("bob", "alice"));
  EXPECT_EQ(start.match().options().hypnosia().turn_limit(), 500u);
  EXPECT_TRUE(start.match().options().hypnosia().stack_bridges());
  EXPECT_NE(start.match().options().hypnosia().board(), "");
  EXPECT_EQ(start.match().time_control().SerializeAsString(),
            request.time_control().SerializeAsString());
  EXPECT_EQ(start.match().turns_played(), 0u);
  EXPECT_GT(start.match().create_time().seconds(), 0);
  EXPECT_EQ(start.match().commitment().size(), 32u);
}

TEST_F(Playing, AsksWithPositionDiceTimeAndLegalMoves) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.mutable_time_control()->mutable_bank()->set_seconds(20);
  Table table(&referee_, request);
  const v1::TurnRequest& asked = table.WaitForTurn();
  EXPECT_GE(asked.turn(), 1u);
  EXPECT_EQ(asked.dice_size(), 2);
  EXPECT_EQ(asked.position().hypnosia().lanes_size(), 2);
  const games::Entry hypnosia = games::Find("hypnosia").value();
  const auto game = hypnosia.type->Create(2, {}).value();
  const auto state = game->ParsePosition(asked.position_text());
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ((*state)->seat_to_move().index(), static_cast<int>(asked.seat()));
  std::vector<games::Move> legal;
  (*state)->LegalMoves(&legal);
  ASSERT_EQ(asked.legal_moves_size(), static_cast<int>(legal.size()));
  for (size_t i = 0; i < legal.size(); ++i) {
    const auto move = hypnosia.wire->MoveFromWire(*game, asked.legal_moves(static_cast<int>(i)));
    EXPECT_EQ(game->MoveText(*move), game->MoveText(legal[i]));
  }
  EXPECT_EQ(asked.limit().seconds(), 20) << "the bank is less than the cap";
  EXPECT_EQ(asked.bank_left().seconds(), 20);
}

TEST_F(Playing, ListsLegalMovesOnlyForThoseWhoAsked) {
  RawBot alice(referee_.NewChannel());
  v1::BotItem hello = HelloAs("alice");
  hello.mutable_hello()->set_wants_legal_moves(false);
  alice.Say(hello);
  // Else the match may not be seated when bob says that he is ready for it.
  alice.Hear(v1::RefereeItem::kWelcome);
  RawBot bob(&referee_, "bob");
  const std::string match_id = referee_.Create({"alice", "bob"});
  alice.Say(ReadyFor(match_id));
  bob.Say(ReadyFor(match_id));
  v1::RefereeItem item;
  if (RawBot::HearFirst({&alice, &bob}, v1::RefereeItem::kTurnRequest, &item) == 1) {
    EXPECT_GT(item.turn_request().legal_moves_size(), 0);
    bob.Say(MoveIn(match_id, item.turn_request().turn(), item.turn_request().legal_moves(0)));
    item = alice.Hear(v1::RefereeItem::kTurnRequest);
  }
  EXPECT_EQ(item.turn_request().legal_moves_size(), 0);
  EXPECT_EQ(item.turn_request().legal_notations(), "");
}

TEST_F(Playing, ListsLegalMovesAsTextForThoseWhoWantThat) {
  RawBot alice(referee_.NewChannel());
  v1::BotItem hello = HelloAs("alice");
  hello.mutable_hello()->set_wants_notations(true);
  alice.Say(hello);
  alice.Hear(v1::RefereeItem::kWelcome);
  RawBot bob(&referee_, "bob");
  const std::string match_id = referee_.Create({"alice", "bob"});
  alice.Say(ReadyFor(match_id));
  bob.Say(ReadyFor(match_id));
  v1::RefereeItem item;
  if (RawBot::HearFirst({&alice, &bob}, v1::RefereeItem::kTurnRequest, &item) == 1) {
    bob.Say(MoveIn(match_id, item.turn_request().turn(), item.turn_request().legal_moves(0)));
    item = alice.Hear(v1::RefereeItem::kTurnRequest);
  }
  const v1::TurnRequest& asked = item.turn_request();
  EXPECT_EQ(asked.legal_moves_size(), 0);
  const auto game = games::Find("hypnosia").value().type->Create(2, {}).value();
  std::vector<games::Move> legal;
  game->ParsePosition(asked.position_text()).value()->LegalMoves(&legal);
  std::string expected;
  for (const games::Move move : legal) expected += game->MoveText(move) + "\n";
  EXPECT_EQ(asked.legal_notations(), expected);
}

// The cost of a turn is a message, not an item.
TEST_F(Playing, TellsATurnAndAsksForTheNextInOneMessage) {
  Table table(&referee_);
  int together = 0;
  for (int i = 0; i < 20; ++i) {
    const uint32_t turn = table.WaitForTurn().turn();
    RawBot* const next = table.other;
    table.PlayTurn();
    const v1::PlayResponse message = next->HearMessage();
    ASSERT_GE(message.items_size(), 1);
    EXPECT_EQ(message.items(0).turn_played().turn(), turn);
    EXPECT_NE(message.items(0).turn_played().notation(), "");
    EXPECT_NE(message.items(0).turn_played().digest(), 0u);
    const v1::RefereeItem& last = message.items(message.items_size() - 1);
    if (!last.has_turn_request()) continue;  // it passed, and is told so
    ++together;
    next->Say(
        MoveIn(table.match_id, last.turn_request().turn(), last.turn_request().legal_moves(0)));
  }
  EXPECT_GT(together, 10);
}

TEST_F(Playing, AnswersABatchWithABatchOfAllMatches) {
  constexpr int kMatches = 32;
  RawBot alice(&referee_, "alice", kMatches);
  RawBot bob(&referee_, "bob", kMatches);
  std::vector<v1::BotItem> ready;
  for (int i = 0; i < kMatches; ++i) {
    v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
    request.mutable_dice()->set_pinned_number(7);  // all alike: one seat begins in all of them
    ready.push_back(ReadyFor(referee_.Create(request)));
  }
  for (int i = 0; i < kMatches; ++i) {
    alice.Hear(v1::RefereeItem::kMatchStart);
    bob.Hear(v1::RefereeItem::kMatchStart);
  }
  alice.Say(ready);
  // Nothing is heard of the first Ready; so what is heard next is what the second led to.
  bob.Say(ready);
  v1::RefereeItem first;
  const size_t which = RawBot::HearFirst({&alice, &bob}, v1::RefereeItem::kTurnRequest, &first);
  RawBot* const mover = which == 0 ? &alice : &bob;
  RawBot* const other = which == 0 ? &bob : &alice;
  std::vector<v1::BotItem> moves = {MoveIn(first.turn_request().match_id(),
                                           first.turn_request().turn(),
                                           first.turn_request().legal_moves(0))};
  for (int i = 1; i < kMatches; ++i) {
    const v1::TurnRequest asked = mover->Hear(v1::RefereeItem::kTurnRequest).turn_request();
    moves.push_back(MoveIn(asked.match_id(), asked.turn(), asked.legal_moves(0)));
  }
  mover->Say(moves);
  int played = 0;
  int messages = 0;
  for (; played < kMatches; ++messages) {
    const v1::PlayResponse message = other->HearMessage();
    for (const v1::RefereeItem& item : message.items()) played += item.has_turn_played() ? 1 : 0;
  }
  EXPECT_EQ(played, kMatches);
  // The end of the write before may come while the batch is taken up: then what is there by then
  // goes ahead, and the rest as one.
  EXPECT_LE(messages, 2);
}

TEST_F(Playing, OfManyMatchesOnTwoStreamsEndsThemAll) {
  constexpr int kMatches = 40;
  RawBot alice(&referee_, "alice", 16);
  RawBot bob(&referee_, "bob", 16);
  std::set<std::string> created;
  for (int i = 0; i < kMatches; ++i) {
    v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
    request.mutable_options()->mutable_hypnosia()->set_turn_limit(20);
    request.clear_dice();
    created.insert(referee_.Create(request));
  }
  const auto ends = PlayAll({&alice, &bob}, kMatches);
  std::set<std::string> ended;
  for (const v1::MatchEnd& end : ends[0]) {
    EXPECT_EQ(end.verdict().state(), v1::MATCH_STATE_FINISHED);
    EXPECT_EQ(end.verdict().forfeits_size(), 0);
    ended.insert(end.match_id());
  }
  EXPECT_EQ(ended, created);
}

TEST_F(Playing, WaitsForAFreePlace) {
  RawBot alice(&referee_, "alice", 1);
  RawBot bob(&referee_, "bob", 2);
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  const std::string first = referee_.Create(request);
  const std::string second = referee_.Create(request);
  EXPECT_EQ(referee_.Get(second).match().state(), v1::MATCH_STATE_WAITING);
  EXPECT_EQ(referee_.Get(second).match().commitment(), "");
  alice.Hear(v1::RefereeItem::kMatchStart);
  alice.Say(ReadyFor(first));
  bob.Hear(v1::RefereeItem::kMatchStart);
  bob.Say(ReadyFor(first));
  bob.Say(ResignFrom(first));
  EXPECT_EQ(alice.Hear(v1::RefereeItem::kMatchStart).match_start().match().match_id(), second);
}

}  // namespace
}  // namespace referee::testing
