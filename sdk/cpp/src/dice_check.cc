#include "sdk/cpp/src/dice_check.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"

namespace referee::sdk {
namespace {

// Whether every turn of the game has exactly one roll of two dice, as far as this SDK knows.
bool RollsOnceATurn(const v1::Match& match) { return match.game() == "hypnosia"; }

std::string Hex(const std::string& bytes) { return absl::BytesToHexString(bytes); }

std::vector<std::string> List(const google::protobuf::RepeatedPtrField<std::string>& field) {
  return {field.begin(), field.end()};
}

// What is wrong with a seat's nonce and its hash; empty if nothing.
std::string NonceProblem(size_t seat, const std::string& nonce, const std::string& hash) {
  if (nonce.size() > 32) return absl::StrCat("the nonce of seat ", seat, " has over 32 bytes");
  const std::string fits = Sha256(nonce);
  // An empty nonce was not revealed: see ForfeitProblem.
  if (hash == fits || nonce.empty()) return "";
  return absl::StrCat("the nonce of seat ", seat, " has the hash ", Hex(fits), ", but ", Hex(hash),
                      " was told");
}

bool ForfeitedAtTheStart(const v1::Verdict& verdict, size_t seat) {
  const auto& forfeits = verdict.forfeits();
  return std::any_of(forfeits.begin(), forfeits.end(),
                     [&](const auto& f) { return f.seat() == seat && f.turn() <= 1; });
}

// Whether all seats but one resigned before the first turn. The match is then over without the
// nonce of the last seat.
bool DecidedAtTheStart(const v1::Verdict& verdict) {
  const auto resigned = [](const auto& forfeit) {
    return forfeit.cause() == v1::FORFEIT_CAUSE_RESIGNED && forfeit.turn() <= 1;
  };
  const auto& forfeits = verdict.forfeits();
  return std::count_if(forfeits.begin(), forfeits.end(), resigned) + 1 >= verdict.nonces_size();
}

// A seat that does not reveal its nonce must forfeit. Otherwise it could choose between two sets of
// dice.
std::string ForfeitProblem(const v1::Verdict& verdict) {
  if (DecidedAtTheStart(verdict)) return "";
  const std::string hash_of_none = Sha256("");
  for (int seat = 0; seat < verdict.nonces_size(); ++seat) {
    if (!verdict.nonces(seat).empty() || verdict.nonce_hashes(seat) == hash_of_none) continue;
    if (ForfeitedAtTheStart(verdict, static_cast<size_t>(seat))) continue;
    return absl::StrCat("the nonce of seat ", seat,
                        " was not revealed, and yet the seat did not forfeit before turn 1");
  }
  return "";
}

std::string OwnProblem(const Nonce::Part& own, const std::vector<std::string>& nonces,
                       const std::vector<std::string>& hashes) {
  if (!own.revealed.has_value() && own.came_back) return "";
  if (!own.seat.has_value() || *own.seat >= nonces.size()) {
    return "this bot was not asked for its nonce, neither in this match nor in another of its "
           "block";
  }
  if (own.revealed.has_value() && hashes != own.revealed->hashes) {
    return "the hashes of the nonces are not those that were told before they were revealed";
  }
  const std::string& counted = nonces[*own.seat];
  if (counted.empty() || (own.revealed.has_value() && counted == own.revealed->nonce)) return "";
  return absl::StrCat("this bot's nonce is ", Hex(counted), ", but it had revealed ",
                      own.revealed.has_value() ? Hex(own.revealed->nonce) : "none");
}

// What is wrong with the nonces of a match that has started; empty if nothing.
std::string NoncesProblem(const v1::Match& told, const v1::Verdict& verdict,
                          const Nonce::Part& own) {
  const std::vector<std::string> nonces = List(verdict.nonces());
  const std::vector<std::string> hashes = List(verdict.nonce_hashes());
  const size_t expected = told.pinned() ? 0 : static_cast<size_t>(told.bots_size());
  if (nonces.size() != expected || hashes.size() != expected) {
    return absl::StrCat("there are ", nonces.size(), " nonces and ", hashes.size(),
                        " hashes, and should be ", expected, " of each");
  }
  if (told.pinned()) return "";
  for (size_t seat = 0; seat < nonces.size(); ++seat) {
    const std::string problem = NonceProblem(seat, nonces[seat], hashes[seat]);
    if (!problem.empty()) return problem;
  }
  const std::string problem = OwnProblem(own, nonces, hashes);
  // The verdict shows the forfeits only in the match that asks for the nonces. In a block that is
  // broken off, this match may end before a due forfeit.
  const bool shows_forfeits = AsksNonces(told) && verdict.state() == v1::MATCH_STATE_FINISHED;
  if (!problem.empty() || !shows_forfeits || own.came_back) return problem;
  return ForfeitProblem(verdict);
}

}  // namespace

void DiceCheck::SawTurn(uint32_t turn, uint32_t seat, absl::Span<const uint32_t> dice) {
  // A seat that forfeits does not use up its turn: the next turn has the same number.
  const bool again = !seen_.empty() && turn == seen_.back().turn;
  if (missed_ || (again && seat == seen_.back().seat)) return;
  missed_ = !again && turn != (seen_.empty() ? 1 : seen_.back().turn + 1);
  if (missed_) return;
  seen_.push_back({turn, seat, rolls_[seat]++, {dice.begin(), dice.end()}});
}

std::string DiceCheck::Problem(const v1::Match& told, const v1::Verdict& verdict,
                               const Nonce::Part& own) const {
  const bool finished = verdict.state() == v1::MATCH_STATE_FINISHED;
  if (verdict.seed().empty()) return finished ? "the seed was not revealed" : "";
  const std::string commitment = Sha256(verdict.seed());
  if (commitment != told.commitment()) {
    return absl::StrCat("the seed has the commitment ", Hex(commitment), ", but ",
                        Hex(told.commitment()), " was told before the first move");
  }
  const absl::optional<dice::Bytes32> seed = dice::FromRaw(verdict.seed());
  if (!seed.has_value()) {
    return absl::StrCat("the seed has ", verdict.seed().size(), " bytes, and should have 32");
  }
  const bool started = finished || verdict.nonces_size() > 0 || !seen_.empty();
  if (!started) return "";
  const std::string problem = NoncesProblem(told, verdict, own);
  if (!problem.empty()) return problem;
  return RollProblem(told, dice::CommittedKey(dice::Seed{*seed}, List(verdict.nonces())));
}

std::string DiceCheck::RollProblem(const v1::Match& told, const dice::Key& key) const {
  if (!RollsOnceATurn(told)) return "";
  for (const Seen& seen : seen_) {
    if (seen.seat >= limits::kMaxSeats) {
      return absl::StrCat("in turn ", seen.turn, " seat ", seen.seat, " does not exist");
    }
    const Seat seat(static_cast<int>(seen.seat));
    std::vector<int> roll(2);
    key.Uniform(dice::Label::Roll(seat, seen.roll), 6, absl::MakeSpan(roll));
    for (int& die : roll) ++die;
    if (seen.dice == roll) continue;
    return absl::StrCat("in turn ", seen.turn, " seat ", seen.seat, " had the dice ",
                        absl::StrJoin(seen.dice, " "), ", but the key gives ",
                        absl::StrJoin(roll, " "));
  }
  return "";
}

}  // namespace referee::sdk
