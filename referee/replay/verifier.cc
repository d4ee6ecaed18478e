#include "referee/replay/verifier.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/limits.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/replay/clock_checker.h"
#include "referee/replay/cursor.h"
#include "referee/replay/rule_free_verifier.h"
#include "referee/replay/unknown_game.h"

namespace referee::replay {
namespace {

using games::Phase;
using match::Drawn;
using match::Ended;
using match::Faulted;
using match::Forfeited;
using match::NoContest;
using match::Played;
using match::Resumed;
using match::Started;

std::string RollText(const match::Roll& roll) {
  std::string text;
  for (int i = 0; i < roll.size(); ++i) absl::StrAppend(&text, roll[i]);
  return text.empty() ? "no dice" : text;
}

// Plays a match again, record by record, and compares. Each check returns whether the record is
// right; if not, it has set the problem.
class Checker {
 public:
  explicit Checker(const Replay& replay)
      : setup_(replay.setup), records_(replay.records), replay_(replay), clocks_(setup_) {}

  Verification Run() {
    result_.match_id = setup_.id;
    result_.dice = DiceOriginOf(replay_);
    result_.ok = Holds(SeedProblem(replay_)) && Holds(NonceProblem(replay_)) && CheckRecords();
    return std::move(result_);
  }

 private:
  const games::State& state() const { return cursor_->state(); }
  bool CheckRecords();
  bool CheckStart();
  bool CheckDrawn(const Drawn& expected);
  bool CheckMover(const Played& turn);
  bool CheckDue(absl::string_view what, Seat seat, uint32_t number);
  bool CheckMove(const Played& turn);
  bool CheckForfeit(const Forfeited& forfeit);
  bool CheckDigest(uint64_t recorded, absl::string_view after);
  bool CheckEnd(const Ended& ended);

  bool Check(const Started&) { return Fail("the match starts twice"); }
  bool Check(const Drawn&) { return Fail("a draw that was not due"); }
  bool Check(const Played& turn) {
    return CheckMover(turn) && CheckMove(turn) &&
           Holds(clocks_.Take(turn, cursor_->legal_moves(), *key_)) && Play() &&
           CheckDigest(turn.digest, "the turn");
  }
  bool Check(const Faulted& fault) {
    return CheckDue("fault", fault.seat, fault.number) && Holds(clocks_.Take(fault));
  }
  bool Check(const Forfeited& forfeit) { return CheckForfeit(forfeit); }
  bool Check(const NoContest& no_contest) {
    return CheckDue("no contest", no_contest.seat, no_contest.number) &&
           Holds(clocks_.Take(no_contest));
  }
  bool Check(const Resumed& resumed) {
    clocks_.Take(resumed);
    return true;
  }
  bool Check(const Ended& ended) { return Holds(clocks_.Take(ended)) && CheckEnd(ended); }

  // Plays the record on the cursor. Earlier checks name more specific problems.
  bool Play() { return Holds(std::string(cursor_->Take(records_[next_]).message())); }
  // Reports a problem of the current turn; empty: none.
  bool Holds(const std::string& problem) { return problem.empty() || Fail(problem); }

  // Sets a problem of the current turn.
  template <typename... Text>
  bool Fail(const Text&... text) {
    result_.turn = turn_;
    result_.problem =
        turn_ == 0 ? absl::StrCat(text...) : absl::StrCat("turn ", turn_, ": ", text...);
    return false;
  }
  // Sets a problem that belongs to no turn.
  template <typename... Text>
  bool FailOutsideTurns(const Text&... text) {
    turn_ = 0;
    return Fail(text...);
  }

  const match::Setup& setup_;
  const std::vector<match::Record>& records_;
  const Replay& replay_;
  Verification result_;
  size_t next_ = 0;                // next record to check
  uint32_t turn_ = 0;              // current turn; 0 before the first
  absl::optional<Cursor> cursor_;  // set once the match has started, as is the key
  absl::optional<dice::Key> key_;
  ClockChecker clocks_;
  std::string position_;
};

bool Checker::CheckRecords() {
  while (next_ < records_.size() && std::holds_alternative<Resumed>(records_[next_])) ++next_;
  if (next_ < records_.size() && std::holds_alternative<Started>(records_[next_])) {
    if (!CheckStart()) return false;
  } else if (next_ == records_.size() || !std::holds_alternative<Ended>(records_[next_])) {
    return Fail("start: it is missing");
  }
  for (; next_ < records_.size(); ++next_) {
    const bool last = next_ + 1 == records_.size();
    if (!last && std::holds_alternative<Ended>(records_[next_])) {
      return FailOutsideTurns("end: records follow it");
    }
    if (!std::visit([this](const auto& record) { return Check(record); }, records_[next_])) {
      return false;
    }
  }
  return true;
}

// Checks the start and the draws before the first turn.
bool Checker::CheckStart() {
  const size_t nonces = std::get<Started>(records_[next_]).nonces.size();
  const size_t expected =
      setup_.dice_source.pinned() ? 0 : static_cast<size_t>(setup_.game->seats());
  if (nonces != expected) return Fail("start: ", nonces, " nonces, not ", expected);
  key_ = MatchKey(replay_);
  cursor_.emplace(setup_, *key_);
  if (!Play()) return false;
  ++next_;
  for (const Cursor::Draw& draw : cursor_->draws()) {
    if (draw.chance.kind == games::Chance::Kind::kTurnRoll) continue;
    Drawn drawn;
    drawn.kind = draw.chance.kind;
    if (drawn.kind == games::Chance::Kind::kFirstPlayer) {
      drawn.seat = cursor_->state().first_seat();
    } else {
      drawn.round = draw.chance.index;
      drawn.seat = draw.chance.seat;
      drawn.roll = draw.numbers;
    }
    if (!CheckDrawn(drawn)) return false;
  }
  turn_ = 1;
  return true;
}

bool Checker::CheckDrawn(const Drawn& expected) {
  const match::Record& record = records_[next_];
  // A match that was broken off may lack draws.
  const bool broken_off =
      replay_.ended()->ending != match::Ending::kFinished &&
      std::all_of(records_.begin() + static_cast<std::ptrdiff_t>(next_), records_.end() - 1,
                  [](const match::Record& r) { return std::holds_alternative<Resumed>(r); });
  if (broken_off) return true;
  const Drawn* const drawn = std::get_if<Drawn>(&record);
  const std::string what =
      expected.kind == games::Chance::Kind::kFirstPlayer
          ? std::string("draw of the first player")
          : absl::StrCat("setup roll of seat ", expected.seat.text(), " in round ", expected.round);
  if (drawn == nullptr) return Fail(what, ": it is missing");
  if (drawn->kind != expected.kind || drawn->round != expected.round ||
      drawn->seat != expected.seat || !(drawn->roll == expected.roll)) {
    return Fail(what, ": the record says ", RollText(drawn->roll), " by seat ", drawn->seat.text(),
                ", the key gives ", RollText(expected.roll), " by seat ", expected.seat.text());
  }
  ++next_;
  return true;
}

bool Checker::CheckMover(const Played& turn) {
  if (turn.number != turn_) return Fail("the record says turn ", turn.number);
  if (state().phase() != Phase::kTurn) return Fail("the game was over before it");
  if (turn.seat != state().seat_to_move()) {
    return Fail("seat ", turn.seat.text(), " played, but it was the turn of seat ",
                state().seat_to_move().text());
  }
  const match::Roll roll(state().roll());
  if (!(turn.roll == roll)) {
    return Fail("dice ", RollText(turn.roll), ", but the key gives ", RollText(roll));
  }
  return true;
}

bool Checker::CheckDue(absl::string_view what, Seat seat, uint32_t number) {
  if (number != turn_) return Fail(what, ": the record says turn ", number);
  if (state().phase() == Phase::kTurn && seat == state().seat_to_move()) return true;
  return Fail(what, ": of seat ", seat.text(), ", but it was not to move");
}

bool Checker::CheckMove(const Played& turn) {
  const absl::Span<const games::Move> legal = cursor_->legal_moves();
  if (turn.legal_count != legal.size()) {
    return Fail(turn.legal_count, " legal moves, but the rules give ", legal.size());
  }
  if (std::binary_search(legal.begin(), legal.end(), turn.move)) return true;
  const absl::StatusOr<games::Move> resolved = state().Resolve(turn.move, legal);
  return Fail("illegal move ", setup_.game->MoveText(turn.move), ": ",
              resolved.ok()
                  ? absl::StrCat("in this position it is ", setup_.game->MoveText(*resolved))
                  : std::string(resolved.status().message()));
}

bool Checker::CheckDigest(uint64_t recorded, absl::string_view after) {
  position_.clear();
  state().AppendPosition(&position_);
  const uint64_t digest = dice::Digest(position_);
  if (recorded != digest) {
    return Fail("digest ", dice::DigestText(recorded), ", but the position after ", after, " has ",
                dice::DigestText(digest));
  }
  turn_ = cursor_->turns_played() + 1;
  return true;
}

bool Checker::CheckForfeit(const Forfeited& forfeit) {
  const std::string who = absl::StrCat("forfeit of seat ", forfeit.seat.text());
  if (forfeit.number != turn_) return Fail(who, ": the record says turn ", forfeit.number);
  if (state().phase() != Phase::kTurn) return Fail(who, ": the game was over before it");
  if (state().forfeited(forfeit.seat)) return Fail(who, ": it was out already");
  if (!Holds(clocks_.Take(forfeit, state().seat_to_move()))) return false;
  return Play() && CheckDigest(forfeit.digest, "the forfeit");
}

bool Checker::CheckEnd(const Ended& ended) {
  const uint32_t due = turn_;
  if (ended.ending != match::Ending::kFinished) {
    if (ended.scores.empty() && ended.ranks.empty()) return true;
    return FailOutsideTurns("end: a match without a result has scores");
  }
  if (due == 0) return FailOutsideTurns("end: a match that did not start has a result");
  if (state().phase() != Phase::kOver) return Fail("the match ends before the game is over");
  const games::Outcome outcome = state().outcome();
  if (ended.reason != outcome.reason) {
    return FailOutsideTurns("end: the reason is ", ended.reason, ", but the rules give ",
                            outcome.reason);
  }
  if (ended.scores != outcome.scores) {
    return FailOutsideTurns("end: the scores are ", absl::StrJoin(ended.scores, " "),
                            ", but the rules give ", absl::StrJoin(outcome.scores, " "));
  }
  if (ended.ranks != outcome.ranks) {
    return FailOutsideTurns("end: the ranks are ", absl::StrJoin(ended.ranks, " "),
                            ", but the rules give ", absl::StrJoin(outcome.ranks, " "));
  }
  return true;
}

// Returns what is wrong with the signer; empty: nothing.
std::string CheckSignature(const Parts& parts, const absl::optional<KeyRing>& keys,
                           absl::Time end) {
  if (!VerifySignature(parts.signed_bytes, parts.signature, parts.public_key)) {
    return "signature: it is not that of this file, which was changed after it was signed";
  }
  return keys ? keys->Problem(parts.public_key, end) : "";
}

}  // namespace

absl::string_view DiceOriginText(DiceOrigin origin) {
  switch (origin) {
    case DiceOrigin::kTwoSteps:
      return "nonces in two steps";
    case DiceOrigin::kPinned:
      return "dice pinned by the organiser";
    case DiceOrigin::kUnknown:
      break;
  }
  return "";
}

Verification Verify(absl::string_view bytes, const absl::optional<KeyRing>& keys) {
  Verification result;
  const absl::StatusOr<Parts> parts = Split(bytes);
  if (!parts.ok()) {
    result.problem = std::string(parts.status().message());
    return result;
  }
  uint32_t turn;
  const absl::StatusOr<Replay> replay = ParseRecords(*parts, &turn);
  if (replay.ok()) {
    result = VerifyMatch(*replay);
  } else {
    result.problem = std::string(replay.status().message());
    result.turn = turn;
  }
  result.public_key = parts->public_key;

  const Ended* const ended = replay.ok() ? replay->ended() : nullptr;
  const absl::Time end = ended == nullptr ? absl::InfinitePast() : ended->time;
  const std::string unsigned_because = CheckSignature(*parts, keys, end);
  if (unsigned_because.empty()) return result;
  // A problem of the match comes first, because it says more.
  if (result.in_part) result.problem.clear();
  absl::StrAppend(&result.problem, result.problem.empty() ? "" : "; ", unsigned_because);
  result.ok = false;
  result.in_part = false;
  return result;
}

Verification VerifyMatch(const Replay& replay) {
  if (replay.records.empty() || replay.setup.game == nullptr) {
    Verification nothing;
    nothing.problem = "there is no match";
    return nothing;
  }
  if (IsUnknown(*replay.setup.game)) return VerifyWithoutRules(replay);
  return Checker(replay).Run();
}

}  // namespace referee::replay
