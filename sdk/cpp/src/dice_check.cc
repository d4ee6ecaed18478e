#include "sdk/cpp/src/dice_check.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "sdk/cpp/src/refdice.h"

namespace referee::sdk {
namespace {

// The games of which it is known that every turn of a seat has one roll of two dice.
bool RollsOnceATurn(const v1::Match& match) { return match.game() == "hypnosia"; }

std::string Hex(const std::string& bytes) { return absl::BytesToHexString(bytes); }

std::vector<std::string> List(const google::protobuf::RepeatedPtrField<std::string>& field) {
  return {field.begin(), field.end()};
}

// What is wrong with one seat's nonce and its hash.
std::string NonceProblem(int seat, const std::string& nonce, const std::string& hash) {
  if (nonce.size() > 32) return absl::StrCat("the nonce of seat ", seat, " has over 32 bytes");
  // Nothing was revealed, and so its seat has forfeited.
  if (nonce.empty()) return "";
  const std::string fits = refdice::Sha256(nonce);
  if (hash == fits) return "";
  return absl::StrCat("the nonce of seat ", seat, " has the hash ", Hex(fits), ", but ", Hex(hash),
                      " was told");
}

// Whether the bot may have revealed its nonce too late: then it has forfeited the match that asked
// for it, which in a block may be another.
bool MayHaveBeenLate(const v1::Match& told, const v1::Verdict& verdict,
                     const Nonce::Revealed& own) {
  const auto& forfeits = verdict.forfeits();
  return !AsksNonces(told) || std::any_of(forfeits.begin(), forfeits.end(), [&](const auto& f) {
    return static_cast<int>(f.seat()) == own.seat;
  });
}

std::string OwnProblem(const v1::Match& told, const v1::Verdict& verdict,
                       const Nonce::Revealed& own, const std::vector<std::string>& nonces,
                       const std::vector<std::string>& hashes) {
  if (hashes != own.hashes) {
    return "the hashes of the nonces are not those that were told before they were revealed";
  }
  const std::string& counted = nonces[static_cast<size_t>(own.seat)];
  if (counted == own.nonce || (counted.empty() && MayHaveBeenLate(told, verdict, own))) return "";
  return absl::StrCat("this bot's nonce is ", Hex(counted), ", but it had revealed ",
                      Hex(own.nonce));
}

// What is wrong with the nonces of a match that has started.
std::string NoncesProblem(const v1::Match& told, const v1::Verdict& verdict,
                          const absl::optional<Nonce::Revealed>& own) {
  const std::vector<std::string> nonces = List(verdict.nonces());
  const std::vector<std::string> hashes = List(verdict.nonce_hashes());
  const size_t expected = told.pinned() ? 0 : static_cast<size_t>(told.bots_size());
  if (nonces.size() != expected || hashes.size() != expected) {
    return absl::StrCat("there are ", nonces.size(), " nonces and ", hashes.size(),
                        " hashes, and should be ", expected, " of each");
  }
  for (size_t seat = 0; seat < nonces.size(); ++seat) {
    const std::string problem = NonceProblem(static_cast<int>(seat), nonces[seat], hashes[seat]);
    if (!problem.empty()) return problem;
  }
  return own.has_value() && !told.pinned() ? OwnProblem(told, verdict, *own, nonces, hashes) : "";
}

}  // namespace

void DiceCheck::SawTurn(uint32_t turn, uint32_t seat, absl::Span<const uint32_t> dice) {
  // A seat that forfeits does not use its turn up: the next one has the same number.
  const bool again = !seen_.empty() && turn == seen_.back().turn;
  if (missed_ || (again && seat == seen_.back().seat)) return;
  missed_ = !again && turn != (seen_.empty() ? 1 : seen_.back().turn + 1);
  if (missed_) return;
  seen_.push_back({turn, seat, rolls_[seat]++, {dice.begin(), dice.end()}});
}

std::string DiceCheck::Problem(const v1::Match& told, const v1::Verdict& verdict,
                               const absl::optional<Nonce::Revealed>& own) const {
  const bool finished = verdict.state() == v1::MATCH_STATE_FINISHED;
  if (verdict.seed().empty()) return finished ? "the seed was not revealed" : "";
  const std::string commitment = refdice::Sha256(verdict.seed());
  if (commitment != told.commitment()) {
    return absl::StrCat("the seed has the commitment ", Hex(commitment), ", but ",
                        Hex(told.commitment()), " was told before the first move");
  }
  const bool started = finished || verdict.nonces_size() > 0 || !seen_.empty();
  if (!started) return "";
  const std::string problem = NoncesProblem(told, verdict, own);
  if (!problem.empty()) return problem;
  return RollProblem(told, refdice::MatchKey(verdict.seed(), List(verdict.nonces())));
}

std::string DiceCheck::RollProblem(const v1::Match& told, const std::string& key) const {
  if (!RollsOnceATurn(told)) return "";
  for (const Seen& seen : seen_) {
    const std::vector<int> roll = refdice::Roll(key, static_cast<int>(seen.seat), seen.roll);
    if (seen.dice == roll) continue;
    return absl::StrCat("in turn ", seen.turn, " seat ", seen.seat, " had the dice ",
                        absl::StrJoin(seen.dice, " "), ", but the key gives ",
                        absl::StrJoin(roll, " "));
  }
  return "";
}

}  // namespace referee::sdk
