// Knockout (single elimination): two bots meet in a tie of one or more blocks; the loser is out.
//
// The bracket follows from the seeding alone, so the order in which blocks end has no influence.
// Thread-compatible.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/schedule/formats.h"
#include "referee/schedule/ranking.h"

namespace referee::schedule {
namespace {

// Returns the order of seeds, from 0: the first two can meet only in the final, the first four only
// in the semifinals, and so on. The size is a power of two, at least `bots`.
std::vector<int> SeedOrder(int bots) {
  std::vector<int> order = {0};
  while (static_cast<int>(order.size()) < bots) {
    const int size = 2 * static_cast<int>(order.size());
    std::vector<int> wider;
    for (const int seed : order) {
      wider.push_back(seed);
      wider.push_back(size - 1 - seed);
    }
    order = std::move(wider);
  }
  return order;
}

class Knockout final : public Schedule {
 public:
  Knockout(const Spec& spec, Lot lot);

  void Withdraw(int bot) override {
    withdrawn_[bot] = true;
    Settle();
  }
  absl::optional<rating::Pairing> Next(const std::vector<bool>& free, Instant) override;
  void Begun(const rating::Pairing& pairing) override;
  void Played(int64_t number, const rating::BlockOutcome& outcome) override;
  void Dropped(int64_t number) override;
  bool done() const override { return ties_.back().winner() != kUnknown && open_.empty(); }
  int64_t blocks_left() const override;
  bool needs(int bot) const override;
  std::vector<ScoreLine> Scores() const override;
  std::vector<RoundPairing> Pairings() const override;

 private:
  static constexpr int kUnknown = -1;  // not decided yet
  static constexpr int kNobody = -2;   // a bye, or both bots have left

  struct Verdict {
    int winner = kUnknown;
    TieDecision by = TieDecision::kNone;
  };
  struct Tie {
    int round = 1;
    int place = 0;  // in the round, from 0
    int bots[2] = {kUnknown, kUnknown};
    int won[2] = {0, 0};               // blocks
    int points[2] = {0, 0};            // half points
    int64_t scores[2] = {0, 0};        // of the game
    int played = 0;                    // blocks
    bool scored = false;               // the game gave scores
    std::vector<int64_t> blocks = {};  // numbers
    bool open = false;                 // a block of it is running
    Verdict verdict;
    int winner() const { return verdict.winner; }
  };

  // The verdict by blocks alone; none while more blocks are needed.
  Verdict VerdictByBlocks(const Tie& tie) const;
  Verdict VerdictOn(const Tie& tie) const;
  // Returns text such as "by scores 31:20" from the side of the bot; empty if blocks decided.
  std::string HowDecided(const Tie& tie, int bot) const;
  // How the bot won or lost its ties, for people.
  std::string Remark(int bot) const;
  PairingState StateOf(const Tie& tie) const;
  RoundPairing PairingOf(const Tie& tie) const;
  // Decides all ties that can be decided, in order.
  void Settle();
  // Whether its next block can begin as soon as both bots are free.
  bool Waits(const Tie& tie) const;
  rating::Pairing NextPairing(const Tie& tie) const;
  void Begin(Tie* tie);
  // The number of blocks still to come, as far as known.
  int64_t BlocksLeft(const Tie& tie) const;

  const int best_of_;
  const int extra_blocks_;
  const Lot lot_;
  // By round. With n ties in the first round, the winner of tie i advances to tie n + i / 2.
  std::vector<Tie> ties_;
  std::vector<bool> withdrawn_;
  std::vector<int> out_in_;  // by bot: the round, from 1; 0: not out
  ScoreSheet sheet_;
  absl::flat_hash_map<int64_t, Tie*> open_;
  int64_t next_number_ = 0;
};

Knockout::Knockout(const Spec& spec, Lot lot)
    : Schedule(Format::kKnockout),
      best_of_(spec.best_of == 0 ? 1 : spec.best_of),
      extra_blocks_(ExtraBlocks(spec)),
      lot_(std::move(lot)),
      withdrawn_(spec.entrants.size(), false),
      out_in_(spec.entrants.size(), 0),
      sheet_(spec.entrants.size()) {
  const int bots = static_cast<int>(spec.entrants.size());
  const std::vector<int> order = SeedOrder(bots);
  int round = 1;
  for (size_t ties = order.size() / 2; ties > 0; ties /= 2, ++round) {
    for (size_t place = 0; place < ties; ++place) {
      ties_.emplace_back();
      ties_.back().round = round;
      ties_.back().place = static_cast<int>(place);
    }
  }
  for (size_t i = 0; i < order.size(); ++i) {
    ties_[i / 2].bots[i % 2] = order[i] < bots ? order[i] : kNobody;
  }
  Settle();
}

Knockout::Verdict Knockout::VerdictByBlocks(const Tie& tie) const {
  const int lead = tie.won[0] - tie.won[1];
  const int left = std::max(0, best_of_ - tie.played);
  if (std::abs(lead) > left) {
    const bool extra = tie.played > best_of_;
    return {tie.bots[lead > 0 ? 0 : 1], extra ? TieDecision::kExtraBlocks : TieDecision::kBlocks};
  }
  if (tie.played < best_of_ + extra_blocks_) return {};
  if (tie.points[0] != tie.points[1]) {
    return {tie.bots[tie.points[0] > tie.points[1] ? 0 : 1], TieDecision::kPoints};
  }
  if (tie.scores[0] != tie.scores[1]) {
    return {tie.bots[tie.scores[0] > tie.scores[1] ? 0 : 1], TieDecision::kScores};
  }
  const auto [better, other] = std::minmax(tie.bots[0], tie.bots[1]);
  const int drawn = lot_ == nullptr ? 0 : lot_(tie.round, tie.place, tie.blocks.back());
  return {drawn == 0 ? better : other, TieDecision::kLot};
}

Knockout::Verdict Knockout::VerdictOn(const Tie& tie) const {
  if (tie.bots[0] == kUnknown || tie.bots[1] == kUnknown || tie.open) return {};
  if (tie.bots[0] == kNobody) return {tie.bots[1], TieDecision::kWalkover};
  if (tie.bots[1] == kNobody) return {tie.bots[0], TieDecision::kWalkover};
  const Verdict by_blocks = VerdictByBlocks(tie);
  if (by_blocks.winner != kUnknown) return by_blocks;
  if (withdrawn_[tie.bots[0]] && withdrawn_[tie.bots[1]]) return {kNobody, TieDecision::kWalkover};
  if (withdrawn_[tie.bots[0]]) return {tie.bots[1], TieDecision::kWalkover};
  if (withdrawn_[tie.bots[1]]) return {tie.bots[0], TieDecision::kWalkover};
  return {};
}

void Knockout::Settle() {
  const size_t in_first_round = (ties_.size() + 1) / 2;
  for (size_t i = 0; i < ties_.size(); ++i) {
    Tie& tie = ties_[i];
    if (tie.winner() != kUnknown) continue;
    tie.verdict = VerdictOn(tie);
    if (tie.winner() == kUnknown) continue;
    for (const int bot : tie.bots) {
      if (bot >= 0 && bot != tie.winner()) out_in_[bot] = tie.round;
    }
    const size_t next = in_first_round + i / 2;
    if (next < ties_.size()) ties_[next].bots[i % 2] = tie.winner();
  }
}

bool Knockout::Waits(const Tie& tie) const {
  return tie.winner() == kUnknown && !tie.open && tie.bots[0] != kUnknown &&
         tie.bots[1] != kUnknown;
}

rating::Pairing Knockout::NextPairing(const Tie& tie) const {
  const int first = tie.played % 2;
  return rating::Pairing{{tie.bots[first], tie.bots[1 - first]}};
}

void Knockout::Begin(Tie* tie) {
  tie->open = true;
  tie->blocks.push_back(next_number_);
  open_.emplace(next_number_++, tie);
}

absl::optional<rating::Pairing> Knockout::Next(const std::vector<bool>& free, Instant /*now*/) {
  for (Tie& tie : ties_) {
    if (!Waits(tie) || !free[tie.bots[0]] || !free[tie.bots[1]]) continue;
    rating::Pairing pairing = NextPairing(tie);
    Begin(&tie);
    return pairing;
  }
  return absl::nullopt;
}

void Knockout::Begun(const rating::Pairing& pairing) {
  for (Tie& tie : ties_) {
    if (!Waits(tie) || !(NextPairing(tie) == pairing)) continue;
    Begin(&tie);
    return;
  }
  ++next_number_;  // not a block of this bracket: only its number is used up
}

void Knockout::Played(int64_t number, const rating::BlockOutcome& outcome) {
  const auto found = open_.find(number);
  if (found == open_.end()) return;
  Tie& tie = *found->second;
  open_.erase(found);
  sheet_.Add(outcome);
  const size_t first = outcome.pairing.bots[0] == tie.bots[0] ? 0 : 1;
  const int points[2] = {rating::HalfPoints(outcome, first),
                         rating::HalfPoints(outcome, 1 - first)};
  for (int side = 0; side < 2; ++side) {
    tie.points[side] += points[side];
    tie.won[side] += points[side] > points[1 - side] ? 1 : 0;
    if (!outcome.scores.empty()) tie.scores[side] += outcome.scores[side == 0 ? first : 1 - first];
  }
  tie.scored = tie.scored || !outcome.scores.empty();
  ++tie.played;
  tie.open = false;
  Settle();
}

void Knockout::Dropped(int64_t number) {
  const auto found = open_.find(number);
  if (found == open_.end()) return;
  found->second->open = false;
  open_.erase(found);
  Settle();
}

int64_t Knockout::BlocksLeft(const Tie& tie) const {
  if (tie.winner() != kUnknown || tie.bots[0] == kNobody || tie.bots[1] == kNobody) return 0;
  return std::max(0, std::max(best_of_ - tie.played, 1) - (tie.open ? 1 : 0));
}

int64_t Knockout::blocks_left() const {
  int64_t left = 0;
  for (const Tie& tie : ties_) left += BlocksLeft(tie);
  return left;
}

bool Knockout::needs(int bot) const {
  return !withdrawn_[bot] && std::any_of(ties_.begin(), ties_.end(), [&](const Tie& tie) {
    return Waits(tie) && (tie.bots[0] == bot || tie.bots[1] == bot);
  });
}

std::string Knockout::HowDecided(const Tie& tie, int bot) const {
  const int side = tie.bots[0] == bot ? 0 : 1;
  switch (tie.verdict.by) {
    case TieDecision::kNone:
    case TieDecision::kBlocks:
    case TieDecision::kExtraBlocks:
      return "";
    case TieDecision::kPoints:
      return absl::StrCat("by points ", tie.points[side] / 2.0, ":", tie.points[1 - side] / 2.0);
    case TieDecision::kScores:
      return absl::StrCat("by scores ", tie.scores[side], ":", tie.scores[1 - side]);
    case TieDecision::kLot:
      return "by lot";
    case TieDecision::kWalkover:
      return "by walkover";
  }
  return "";
}

std::string Knockout::Remark(int bot) const {
  std::vector<std::string> parts;
  for (const Tie& tie : ties_) {
    if (tie.bots[0] != bot && tie.bots[1] != bot) continue;
    const bool bye = tie.bots[0] == kNobody || tie.bots[1] == kNobody;
    if (tie.winner() == kUnknown || bye) continue;
    const std::string how = HowDecided(tie, bot);
    if (tie.winner() != bot) {
      parts.push_back(absl::StrCat("out in round ", tie.round, how.empty() ? "" : " ", how));
    } else if (!how.empty()) {
      parts.push_back(absl::StrCat("round ", tie.round, " won ", how));
    }
  }
  return absl::StrJoin(parts, "; ");
}

PairingState Knockout::StateOf(const Tie& tie) const {
  if (tie.winner() == kUnknown) {
    if (tie.open) return PairingState::kRunning;
    const bool known = tie.bots[0] >= 0 && tie.bots[1] >= 0;
    return known ? PairingState::kWaiting : PairingState::kUnknown;
  }
  if (tie.winner() == kNobody) return PairingState::kDropped;
  if (tie.bots[0] == kNobody || tie.bots[1] == kNobody) return PairingState::kBye;
  return tie.verdict.by == TieDecision::kWalkover ? PairingState::kWalkover : PairingState::kPlayed;
}

RoundPairing Knockout::PairingOf(const Tie& tie) const {
  RoundPairing shown;
  shown.round = tie.round;
  shown.place = tie.place;
  shown.state = StateOf(tie);
  if (shown.state == PairingState::kBye) {
    shown.bots = {tie.winner()};
    shown.points = {0};
    shown.blocks_won = {0};
  } else {
    for (int side = 0; side < 2; ++side) {
      shown.bots.push_back(tie.bots[side] >= 0 ? tie.bots[side] : kNoBot);
      shown.points.push_back(tie.points[side]);
      shown.blocks_won.push_back(tie.won[side]);
      if (tie.scored) shown.scores.push_back(tie.scores[side]);
    }
  }
  shown.winner = tie.winner() >= 0 ? tie.winner() : kNoBot;
  shown.decision = tie.verdict.by;
  shown.blocks = tie.blocks;
  return shown;
}

std::vector<RoundPairing> Knockout::Pairings() const {
  std::vector<RoundPairing> pairings;
  for (const Tie& tie : ties_) pairings.push_back(PairingOf(tie));
  return pairings;
}

std::vector<ScoreLine> Knockout::Scores() const {
  std::vector<ScoreLine> lines = sheet_.lines();
  // Bots that are still in come first, then bots that came furthest.
  const auto reached = [this](const ScoreLine& line) {
    return out_in_[line.bot] == 0 ? ties_.back().round + 1 : out_in_[line.bot];
  };
  std::stable_sort(lines.begin(), lines.end(), [&reached](const ScoreLine& a, const ScoreLine& b) {
    return reached(a) > reached(b);
  });
  for (size_t i = 0; i < lines.size(); ++i) {
    ScoreLine& line = lines[i];
    const bool level = i > 0 && reached(line) == reached(lines[i - 1]);
    line.rank = level ? lines[i - 1].rank : static_cast<int>(i) + 1;
    line.remark = withdrawn_[line.bot] ? "withdrawn" : Remark(line.bot);
  }
  return lines;
}

}  // namespace

std::unique_ptr<Schedule> MakeKnockout(const Spec& spec, Lot lot) {
  return std::make_unique<Knockout>(spec, std::move(lot));
}

}  // namespace referee::schedule
