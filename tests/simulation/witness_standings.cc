// The competition witness's check of the standings.
#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "tests/simulation/witness_competition.h"

namespace referee::simulation {

// The table of the season that goes on.
void CompetitionWitness::CheckStandings(int season,
                                        const std::vector<competition::Standing>& standings) const {
  if (static_cast<int64_t>(standings.size()) !=
      std::count(seasons_.begin(), seasons_.end(), season)) {
    chronicle_.Fail("standings lack entrants");
  }
  const std::vector<store::Tally> tallies = TalliesWithoutAnnulled(standings);
  bool behind = false;
  for (const competition::Standing& standing : standings) {
    const auto number = static_cast<size_t>(standing.entrant.number);
    CheckTally(standing.entrant.number, standing.entrant.tally, tallies[number]);
    if (seasons_[number] != season) chronicle_.Fail("standings have entrants of another season");
    if (standing.succeeded == stands_[number] || (behind && !standing.succeeded) ||
        (standing.succeeded && standing.rank != 0)) {
      chronicle_.Fail(absl::StrCat("entrant ", number, " stands in the wrong place"));
    }
    behind = standing.succeeded;
  }
}

// Standings leave annulled results out of blocks, wins, draws and losses.
std::vector<store::Tally> CompetitionWitness::TalliesWithoutAnnulled(
    const std::vector<competition::Standing>& standings) const {
  std::set<int> annulled;
  for (const competition::Standing& standing : standings) {
    if (standing.annulled) annulled.insert(standing.entrant.number);
  }
  std::vector<store::Tally> tallies = tallies_;
  for (const Account& account : blocks_) {
    const std::vector<int>& bots = account.pairing.bots;
    const bool has_annulled =
        std::any_of(bots.begin(), bots.end(), [&](int bot) { return annulled.count(bot) > 0; });
    if (account.state != store::BlockState::kPlayed || !has_annulled) continue;
    AddResults(account, {}, -1, &tallies);
    AddResults(account, annulled, 1, &tallies);
  }
  return tallies;
}

// A match of more than two seats is between those of its bots that are not left out.
void CompetitionWitness::AddResults(const Account& account, const std::set<int>& left_out, int sign,
                                    std::vector<store::Tally>* tallies) {
  const std::vector<int>& bots = account.pairing.bots;
  std::vector<size_t> places;
  for (size_t place = 0; place < bots.size(); ++place) {
    if (left_out.count(bots[place]) == 0) places.push_back(place);
  }
  if (places.size() < 2) return;
  for (const size_t place : places) {
    store::Tally& tally = (*tallies)[static_cast<size_t>(bots[place])];
    tally.blocks += sign;
    for (size_t rotation = 0; rotation < bots.size(); ++rotation) {
      const std::vector<int>& ranks = account.matches[rotation].verdict.ranks;
      const auto rank_of = [&](size_t of) {
        return ranks[(of + bots.size() - rotation) % bots.size()];
      };
      const int own = rank_of(place);
      const bool beaten = std::any_of(places.begin(), places.end(),
                                      [&](size_t other) { return rank_of(other) < own; });
      const bool tied = std::any_of(places.begin(), places.end(), [&](size_t other) {
        return other != place && rank_of(other) == own;
      });
      (beaten ? tally.losses : tied ? tally.draws : tally.wins) += sign;
    }
  }
}

}  // namespace referee::simulation
