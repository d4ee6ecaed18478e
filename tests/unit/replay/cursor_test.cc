// Tests of the cursor: it plays recorded events, and refuses impossible ones.
#include "referee/replay/cursor.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A match of three, in which a seat loses on time in turn 5.
SampleOptions ThreeOfWhomOneTimesOut() {
  SampleOptions options;
  options.seats = 3;
  options.time_out_at = 5;
  return options;
}

// Why the records cannot be played; empty if they can.
std::string ProblemOf(const Replay& replay) {
  absl::optional<Cursor> cursor = CursorOf(replay);
  for (const match::Record& record : replay.records) {
    const absl::Status taken = cursor->Take(record);
    if (!taken.ok()) return std::string(taken.message());
  }
  return "";
}

template <typename Kind>
Kind& FirstOf(Replay* replay) {
  const auto found =
      std::find_if(replay->records.begin(), replay->records.end(),
                   [](const match::Record& r) { return std::holds_alternative<Kind>(r); });
  return std::get<Kind>(*found);
}

TEST(Cursor, ArrivesAtThePositionOfEveryRecord) {
  const Replay replay = PlaySample(ThreeOfWhomOneTimesOut());
  absl::optional<Cursor> cursor = CursorOf(replay);
  ASSERT_TRUE(cursor.has_value());
  std::string position;
  uint32_t turns = 0;
  for (const match::Record& record : replay.records) {
    ASSERT_TRUE(cursor->Take(record).ok());
    const auto* const turn = std::get_if<match::Played>(&record);
    const auto* const forfeit = std::get_if<match::Forfeited>(&record);
    const bool started = std::holds_alternative<match::Started>(record);
    EXPECT_EQ(cursor->moved(), started || turn != nullptr || forfeit != nullptr);
    if (!cursor->moved()) continue;
    if (!started) {
      EXPECT_EQ(cursor->before().Position(), position);
      EXPECT_EQ(dice::Digest(cursor->state().Position()),
                turn != nullptr ? turn->digest : forfeit->digest);
    }
    position = cursor->state().Position();
    turns += turn != nullptr ? 1 : 0;
    EXPECT_EQ(cursor->turns_played(), turns);
    EXPECT_EQ(cursor->legal_moves().empty(), cursor->state().phase() == games::Phase::kOver);
  }
  EXPECT_EQ(turns, replay.turns());
}

TEST(Cursor, MakesTheDrawsThatTheRecordsHave) {
  const Replay replay = PlaySample({});
  absl::optional<Cursor> cursor = CursorOf(replay);
  std::vector<Cursor::Draw> draws;
  size_t next = 0;
  for (const match::Record& record : replay.records) {
    if (const auto* turn = std::get_if<match::Played>(&record)) {
      EXPECT_EQ(draws.back().chance.kind, games::Chance::Kind::kTurnRoll);
      EXPECT_TRUE(draws.back().numbers == turn->roll);
    }
    ASSERT_TRUE(cursor->Take(record).ok());
    if (cursor->moved()) draws = cursor->draws();
    if (const auto* drawn = std::get_if<match::Drawn>(&record)) {
      EXPECT_THAT(cursor->draws(), IsEmpty());
      EXPECT_TRUE(draws.at(next++).numbers == drawn->roll);
    }
  }
  EXPECT_GT(next, 0u);
}

TEST(Cursor, KeepsTheClocksOfTurnsAndForfeits) {
  const Replay replay = PlaySample(ThreeOfWhomOneTimesOut());
  absl::optional<Cursor> cursor = CursorOf(replay);
  std::vector<absl::Duration> used(3);
  for (const match::Record& record : replay.records) {
    ASSERT_TRUE(cursor->Take(record).ok());
    if (const auto* turn = std::get_if<match::Played>(&record)) {
      const auto seat = static_cast<size_t>(turn->seat.index());
      used[seat] += turn->used;
      EXPECT_EQ(cursor->clocks()[seat].bank, turn->bank_left);
    } else if (const auto* forfeit = std::get_if<match::Forfeited>(&record)) {
      used[static_cast<size_t>(forfeit->seat.index())] += forfeit->used;
    }
    for (size_t seat = 0; seat < 3; ++seat) EXPECT_EQ(cursor->clocks()[seat].used, used[seat]);
  }
}

TEST(Cursor, IsNotThereForAMatchThatDidNotStart) {
  Replay replay = PlaySample({});
  replay.records.erase(replay.records.begin(), replay.records.end() - 1);
  EXPECT_FALSE(CursorOf(replay).has_value());
}

TEST(Cursor, RefusesAnIllegalMoveAndNamesItsTurn) {
  Replay replay = PlaySample({});
  for (match::Record& record : replay.records) {
    auto* const turn = std::get_if<match::Played>(&record);
    if (turn != nullptr && turn->number == 2) turn->move = games::Move(1);
  }
  EXPECT_EQ(ProblemOf(replay), "turn 2: the move is illegal");
}

TEST(Cursor, RefusesARecordAfterTheGameIsOver) {
  Replay replay = PlaySample({});
  match::Played more = FirstOf<match::Played>(&replay);
  more.number = 7000;
  replay.records.insert(replay.records.end() - 1, more);
  EXPECT_EQ(ProblemOf(replay), "turn 7000: the game was over before it");
}

TEST(Cursor, RefusesForfeitsThatCannotBe) {
  const Replay good = PlaySample(ThreeOfWhomOneTimesOut());
  ASSERT_EQ(ProblemOf(good), "");
  for (const Seat seat : {Seat(3), Seat::None(), Seat(100)}) {
    Replay replay = good;
    FirstOf<match::Forfeited>(&replay).seat = seat;
    EXPECT_EQ(ProblemOf(replay), "turn 5: a forfeit that cannot be");
  }
  Replay twice = good;
  const auto forfeit = std::find_if(
      twice.records.begin(), twice.records.end(),
      [](const match::Record& r) { return std::holds_alternative<match::Forfeited>(r); });
  twice.records.insert(forfeit, match::Record(*forfeit));
  EXPECT_EQ(ProblemOf(twice), "turn 5: a forfeit that cannot be");
}

TEST(Cursor, RefusesRecordsBeforeTheStartAndASecondStart) {
  Replay replay = PlaySample({});
  Cursor cursor(replay.setup, *MatchKey(replay));
  EXPECT_FALSE(cursor.Take(FirstOf<match::Played>(&replay)).ok());
  match::Forfeited forfeited;
  forfeited.seat = Seat(0);
  EXPECT_FALSE(cursor.Take(forfeited).ok());
  EXPECT_TRUE(cursor.Take(match::Faulted()).ok());
  EXPECT_TRUE(cursor.Take(match::Started()).ok());
  EXPECT_EQ(cursor.Take(match::Started()).message(), "the match starts twice");
}

TEST(Cursor, FailsAsItsDiceDo) {
  const Replay replay = PlaySample({});
  const dice::Key key = *MatchKey(replay);
  int left = 6;
  Cursor cursor(replay.setup, [&](const games::Chance& chance, absl::Span<int> outcome) {
    if (left-- == 0) return absl::InvalidArgumentError("a draw is missing");
    key.Uniform(chance.label(), chance.sides, outcome);
    return absl::OkStatus();
  });
  absl::Status taken;
  for (const match::Record& record : replay.records) {
    taken = cursor.Take(record);
    if (!taken.ok()) break;
  }
  EXPECT_THAT(std::string(taken.message()), HasSubstr(": a draw is missing"));
  EXPECT_THAT(std::string(taken.message()), Not(HasSubstr("illegal")));
}

TEST(PositionAfter, EndsWithTheRecordsThatCanBePlayed) {
  Replay replay = PlaySample({});
  FirstOf<match::Played>(&replay).move = games::Move(1);
  absl::optional<Cursor> cursor = CursorOf(replay);
  int positions = 0;
  for (const match::Record& record : replay.records) {
    positions += PositionAfter(record, &cursor).empty() ? 0 : 1;
  }
  EXPECT_EQ(positions, 1) << "the start";
  EXPECT_FALSE(cursor.has_value());
}

}  // namespace
}  // namespace referee::replay
