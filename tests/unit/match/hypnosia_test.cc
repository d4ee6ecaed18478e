// Tests of whole matches of Hypnosia: the records replay, and steps allocate nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "absl/strings/str_cat.h"
#include "referee/games/hypnosia/type.h"
#include "tests/support/allocation_count.h"
#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

std::shared_ptr<const games::Game> Hypnosia(int seats, absl::string_view stack_bridges = "true") {
  const games::Option option{"stack_bridges", std::string(stack_bridges)};
  return games::hypnosia::HypnosiaType().Create(seats, {option}).value();
}

// Plays at random; now and then a seat that is not to move resigns.
void PlayOut(std::mt19937* random, Table* table) {
  table->BeginReady();
  Match& match = table->match();
  absl::Duration now;
  while (match.stage() == Match::Stage::kPlaying) {
    const Seat seat = match.seat_to_move();
    const uint32_t turn = match.turn();
    table->Sent(now, seat, turn);
    now += absl::Microseconds((*random)() % 1000);
    const Seat other((seat.index() + 1) % match.seats());
    if ((*random)() % 64 == 0) table->Step(now, Resigned{other});
    if (match.seat_to_move() != seat || match.turn() != turn) continue;
    const games::Move move = match.legal_moves()[(*random)() % match.legal_moves().size()];
    table->Step(now, Replied{seat, turn, move, Instant::InfiniteFuture(), match.request()});
  }
}

// Replays what was recorded and compares all that follows from rules and dice.
void CheckReplays(const Table& table, const games::Game& game, const dice::Key& key) {
  const std::unique_ptr<games::State> state = game.NewState();
  std::vector<games::Move> legal;
  std::vector<Drawn> drawn;
  const auto draw = [&] {
    games::DrawChance(key, state.get(),
                      [&](const games::Chance& chance, absl::Span<const int> outcome) {
                        if (chance.kind == games::Chance::Kind::kTurnRoll) return;
                        const Roll roll({outcome[0] + 1, outcome[1] + 1});
                        drawn.push_back({chance.kind, chance.index, chance.seat, roll});
                      });
  };
  draw();
  ASSERT_EQ(drawn.size(), table.All<Drawn>().size());
  for (size_t i = 0; i < drawn.size(); ++i) {
    EXPECT_EQ(table.All<Drawn>()[i].round, drawn[i].round);
    EXPECT_EQ(table.All<Drawn>()[i].seat, drawn[i].seat);
    EXPECT_EQ(table.All<Drawn>()[i].roll, drawn[i].roll);
  }
  for (const Record& record : table.records()) {
    if (const auto* played = std::get_if<Played>(&record)) {
      EXPECT_EQ(played->seat, state->seat_to_move());
      EXPECT_EQ(played->roll, Roll(state->roll()));
      state->LegalMoves(&legal);
      EXPECT_EQ(played->legal_count, legal.size());
      state->Apply(played->move);
      draw();
      ASSERT_EQ(played->digest, dice::Digest(state->Position())) << "turn " << played->number;
    }
    if (const auto* forfeited = std::get_if<Forfeited>(&record)) {
      state->Forfeit(forfeited->seat);
      draw();
      ASSERT_EQ(forfeited->digest, dice::Digest(state->Position()));
    }
  }
  ASSERT_EQ(state->phase(), games::Phase::kOver);
  const Ended ended = table.All<Ended>()[0];
  EXPECT_EQ(ended.reason, state->outcome().reason);
  EXPECT_EQ(ended.scores, state->outcome().scores);
  EXPECT_EQ(ended.ranks, state->outcome().ranks);
}

TEST(MatchOfHypnosia, ReplaysFromItsRecords) {
  std::mt19937 random(1);
  size_t passes = 0;
  size_t forfeits = 0;
  for (uint64_t i = 0; i < 60; ++i) {
    SCOPED_TRACE(absl::StrCat("match ", i));
    const auto game = Hypnosia(2 + static_cast<int>(i % 5), i % 2 == 0 ? "true" : "false");
    const bool pinned = i % 3 != 0;
    Table table(game, {}, pinned ? DiceSource{i, {}} : DiceSource{});
    PlayOut(&random, &table);
    const std::vector<std::string> nonces(static_cast<size_t>(game->seats()));
    CheckReplays(table, *game,
                 pinned ? dice::PinnedKey(table.seed()) : dice::CommittedKey(table.seed(), nonces));
    for (const Played& played : table.All<Played>()) passes += played.move.is_pass() ? 1 : 0;
    forfeits += table.match().forfeits().size();
  }
  EXPECT_GT(passes, 0u);
  EXPECT_GT(forfeits, 0u);
}

TEST(MatchOfHypnosia, TurnsAllocateNothing) {
  std::mt19937 random(1);
  Table table(Hypnosia(2), {}, {7, {}});
  table.BeginReady();
  Match& match = table.match();
  const auto play_turn = [&] {
    const Seat seat = match.seat_to_move();
    const uint32_t turn = match.turn();
    const games::Move move = match.legal_moves()[random() % match.legal_moves().size()];
    match.Step(RequestSent{seat, turn}, Table::Time({}), Table::ReadingAt({}));
    match.Step(Replied{seat, turn, move}, Table::Time({}), Table::ReadingAt({}));
  };
  const int64_t before = testing::AllocationCount();
  for (int i = 0; i < 50; ++i) play_turn();
  EXPECT_EQ(testing::AllocationCount() - before, 0);
  EXPECT_EQ(match.stage(), Match::Stage::kPlaying);
}

}  // namespace
}  // namespace referee::match
