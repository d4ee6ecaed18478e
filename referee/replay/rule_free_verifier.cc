#include "referee/replay/rule_free_verifier.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/dice/dice.h"
#include "referee/match/record.h"
#include "referee/replay/clock_checker.h"

namespace referee::replay {
namespace {

using match::Drawn;
using match::Ended;
using match::Faulted;
using match::Forfeited;
using match::NoContest;
using match::Played;
using match::Resumed;
using match::Started;

std::string NotChecked(absl::string_view game) {
  return absl::StrCat("verified in part: the rules of game ", Quoted(game),
                      " are not in this program; not checked: whether moves are legal, dice, "
                      "digests, and the result against the rules");
}

// Each check returns what is wrong; empty: nothing.
class RecordChecker {
 public:
  explicit RecordChecker(const Replay& replay)
      : replay_(replay),
        key_(MatchKey(replay)),
        clocks_(replay.setup),
        out_(static_cast<size_t>(replay.setup.game->seats()), false) {}

  // The current turn; 0 before the first.
  uint32_t turn() const { return turn_; }

  std::string Check(const match::Record& record) {
    if (over_) return "records follow the end";
    return std::visit([this](const auto& known) { return CheckKind(known); }, record);
  }

 private:
  std::string CheckKind(const Started& started) {
    if (turn_ != 0) return "the match starts twice";
    const size_t expected = replay_.setup.dice_source.pinned() ? 0 : out_.size();
    if (started.nonces.size() != expected) {
      return absl::StrCat("start: ", started.nonces.size(), " nonces, not ", expected);
    }
    turn_ = 1;
    return "";
  }
  std::string CheckKind(const Drawn&) {
    return turn_ == 1 && !played_ ? "" : "a draw that was not due";
  }
  std::string CheckKind(const Played& turn) {
    std::string problem = CheckDue("turn", turn.seat, turn.number);
    if (problem.empty()) problem = clocks_.Take(turn, {}, *key_);
    if (problem.empty() && turn.legal_count == 0) problem = "it had no legal move";
    faulted_ = Seat::None();
    played_ = true;
    ++turn_;
    return problem;
  }
  std::string CheckKind(const Faulted& fault) {
    const std::string problem = CheckDue("fault", fault.seat, fault.number);
    if (!problem.empty()) return problem;
    faulted_ = fault.seat;
    return clocks_.Take(fault);
  }
  std::string CheckKind(const Forfeited& forfeit) {
    const std::string problem = CheckDue("forfeit", forfeit.seat, forfeit.number);
    if (!problem.empty()) return problem;
    out_[static_cast<size_t>(forfeit.seat.index())] = true;
    played_ = true;
    // Without rules, the seat to move is known only if it was asked or has tried a move.
    const Seat to_move = forfeit.timing ? forfeit.seat : faulted_;
    if (forfeit.seat == faulted_) faulted_ = Seat::None();
    return clocks_.Take(forfeit, to_move);
  }
  std::string CheckKind(const NoContest& no_contest) {
    const std::string problem = CheckDue("no contest", no_contest.seat, no_contest.number);
    return problem.empty() ? clocks_.Take(no_contest) : problem;
  }
  std::string CheckKind(const Resumed& resumed) {
    clocks_.Take(resumed);
    return "";
  }
  std::string CheckKind(const Ended& ended) {
    over_ = true;
    std::string problem = clocks_.Take(ended);
    if (!problem.empty()) return problem;
    if (ended.ending == match::Ending::kFinished) return CheckResult(ended);
    turn_ = 0;
    return ended.scores.empty() && ended.ranks.empty() ? ""
                                                       : "end: a match without a result has scores";
  }

  std::string CheckDue(absl::string_view what, Seat seat, uint32_t number) const {
    if (turn_ == 0) return absl::StrCat(what, ": the match had not started");
    if (number != turn_) return absl::StrCat(what, ": the record says turn ", number);
    if (!out_[static_cast<size_t>(seat.index())]) return "";
    return absl::StrCat(what, ": seat ", seat.text(), " was out already");
  }

  // Checks that ranks have the form 1 2 2 4, and that seats that forfeited rank below all others.
  std::string CheckResult(const Ended& ended) {
    if (turn_ == 0) return "end: a match that did not start has a result";
    turn_ = 0;
    if (ended.scores.size() != out_.size() || ended.ranks.size() != out_.size()) {
      return "end: there is not a score and a rank for each seat";
    }
    for (size_t i = 0; i < out_.size(); ++i) {
      int better = 0;
      for (size_t j = 0; j < out_.size(); ++j) {
        if (ended.ranks[j] < ended.ranks[i]) ++better;
        if (out_[i] && !out_[j] && ended.ranks[i] <= ended.ranks[j]) {
          return absl::StrCat("end: seat ", Seat(static_cast<int>(i)).text(),
                              " has forfeited and ranks no lower than seat ",
                              Seat(static_cast<int>(j)).text());
        }
      }
      if (ended.ranks[i] != better + 1) {
        return absl::StrCat("end: seat ", Seat(static_cast<int>(i)).text(), " has rank ",
                            ended.ranks[i], ", but ", better, " seats rank above it");
      }
    }
    return "";
  }

  const Replay& replay_;
  const absl::optional<dice::Key> key_;  // set once the match has started
  ClockChecker clocks_;
  std::vector<bool> out_;  // by seat
  uint32_t turn_ = 0;
  bool played_ = false;  // a record follows the start and its draws
  Seat faulted_;         // the seat whose fault was forgiven in the current turn
  bool over_ = false;
};

}  // namespace

std::string SeedProblem(const Replay& replay) {
  const Ended* const ended = replay.ended();
  const match::Setup& setup = replay.setup;
  if (ended == nullptr) return "the match does not end";
  if (dice::Commit(ended->seed) != setup.commitment) {
    return absl::StrCat("seed: its SHA-256 is ", dice::Hex(dice::Commit(ended->seed)),
                        ", but the commitment is ", dice::Hex(setup.commitment));
  }
  const match::DiceSource& source = setup.dice_source;
  if (source.pinned_number.has_value() &&
      !(dice::PinnedSeed(*source.pinned_number) == ended->seed)) {
    return absl::StrCat("seed: it is not the one that the number ", *source.pinned_number,
                        " gives");
  }
  if (source.pinned_seed.has_value() && !(*source.pinned_seed == ended->seed)) {
    return "seed: it is not the one that the match was pinned to";
  }
  return "";
}

namespace {

// Returns whether the seat must have revealed its nonce: it was still in the match at the first
// turn. A referee killed before that turn may have lost which seats were out. If all other seats
// resign first, the match is over before the seat reveals its nonce.
bool StayedIn(const Replay& replay, Seat seat) {
  if (replay.ended()->ending != match::Ending::kFinished) return false;
  bool started = false;
  size_t resigned = 0;
  for (const match::Record& record : replay.records) {
    if (std::holds_alternative<Started>(record)) started = true;
    if (started && std::holds_alternative<Resumed>(record)) return false;
    if (std::holds_alternative<Played>(record)) return true;
    const auto* forfeited = std::get_if<Forfeited>(&record);
    if (forfeited == nullptr) continue;
    if (forfeited->seat == seat) return false;
    if (match::SeatForfeitOf(*forfeited).unasked) ++resigned;
  }
  return resigned + 1 < replay.setup.bots.size();
}

}  // namespace

std::string NonceProblem(const Replay& replay) {
  const Started* const started = replay.started();
  if (started == nullptr) return "";
  if (started->nonce_hashes.size() != started->nonces.size()) {
    return absl::StrCat("start: ", started->nonce_hashes.size(), " hashes of nonces, not ",
                        started->nonces.size());
  }
  const absl::optional<match::BlockPlace>& block = replay.setup.block;
  const bool own = !block || block->rotation == 0;  // else they are of rotation 0
  for (size_t i = 0; i < started->nonce_hashes.size(); ++i) {
    const Seat seat(static_cast<int>(i));
    const std::string& nonce = started->nonces[i];
    const absl::optional<dice::NonceHash>& told = started->nonce_hashes[i];
    const dice::NonceHash hash = dice::HashNonce(nonce);
    if (told && hash == *told) continue;
    if (!nonce.empty()) {
      return absl::StrCat("nonce of seat ", seat.text(), ": its SHA-256 is ", dice::Hex(hash),
                          ", but ", told ? dice::Hex(*told) : "no hash", " was told before");
    }
    if (own && StayedIn(replay, seat)) {
      return absl::StrCat("nonce of seat ", seat.text(),
                          ": it was not revealed, and yet the seat was not taken out");
    }
  }
  return "";
}

DiceOrigin DiceOriginOf(const Replay& replay) {
  if (replay.setup.dice_source.pinned()) return DiceOrigin::kPinned;
  return replay.started() == nullptr ? DiceOrigin::kUnknown : DiceOrigin::kTwoSteps;
}

Verification VerifyWithoutRules(const Replay& replay) {
  Verification result;
  result.match_id = replay.setup.id;
  result.dice = DiceOriginOf(replay);
  result.problem = SeedProblem(replay);
  if (result.problem.empty()) result.problem = NonceProblem(replay);
  if (!result.problem.empty()) return result;
  RecordChecker checker(replay);
  for (const match::Record& record : replay.records) {
    const uint32_t due = checker.turn();
    const std::string problem = checker.Check(record);
    if (problem.empty()) continue;
    // A problem of the end belongs to no turn.
    result.turn = checker.turn() == 0 ? 0 : due;
    result.problem = result.turn == 0 ? problem : absl::StrCat("turn ", due, ": ", problem);
    return result;
  }
  result.in_part = true;
  result.problem = NotChecked(replay.setup.game->name());
  return result;
}

}  // namespace referee::replay
