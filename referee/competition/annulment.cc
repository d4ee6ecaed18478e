#include "referee/competition/annulment.h"

#include <algorithm>
#include <numeric>

#include "referee/competition/pair_result.h"

namespace referee::competition {
namespace {

using rating::BlockOutcome;

// Adds `sign` times what the matches of a block are to its bots.
void AddBlock(const BlockOutcome& outcome, int sign, std::vector<store::Tally>* tallies) {
  for (size_t place = 0; place < outcome.pairing.bots.size(); ++place) {
    store::Tally& tally = (*tallies)[static_cast<size_t>(outcome.pairing.bots[place])];
    tally.blocks += sign;
    for (const std::vector<int>& ranks : outcome.ranks) {
      const bool shared = std::count(ranks.begin(), ranks.end(), 1) > 1;
      int64_t& count = ranks[place] != 1 ? tally.losses : shared ? tally.draws : tally.wins;
      count += sign;
    }
  }
}

void AddPair(const PairResult& result, store::Tally* tally) {
  tally->blocks += std::accumulate(result.blocks.begin(), result.blocks.end(), int64_t{0});
  tally->wins += result.wins;
  tally->draws += result.draws;
  tally->losses += result.losses;
}

bool IsAnnulled(int bot, const std::vector<bool>& annulled) {
  return static_cast<size_t>(bot) < annulled.size() && annulled[static_cast<size_t>(bot)];
}

}  // namespace

std::vector<bool> AnnulledIn(const std::vector<schedule::ScoreLine>& scores, size_t entrants) {
  std::vector<bool> annulled;
  for (const schedule::ScoreLine& line : scores) {
    if (!line.annulled || static_cast<size_t>(line.bot) >= entrants) continue;
    annulled.resize(entrants);
    annulled[static_cast<size_t>(line.bot)] = true;
  }
  return annulled;
}

absl::optional<BlockOutcome> WithoutAnnulled(const BlockOutcome& outcome,
                                             const std::vector<bool>& annulled) {
  std::vector<size_t> places;
  BlockOutcome rest;
  for (size_t place = 0; place < outcome.pairing.bots.size(); ++place) {
    if (IsAnnulled(outcome.pairing.bots[place], annulled)) continue;
    places.push_back(place);
    rest.pairing.bots.push_back(outcome.pairing.bots[place]);
  }
  if (places.size() < 2) return absl::nullopt;
  for (const std::vector<int>& ranks : outcome.ranks) {
    rest.ranks.emplace_back();
    for (const size_t place : places) {
      const auto ahead = std::count_if(places.begin(), places.end(),
                                       [&](size_t other) { return ranks[other] < ranks[place]; });
      rest.ranks.back().push_back(static_cast<int>(ahead) + 1);
    }
  }
  return rest;
}

absl::StatusOr<std::vector<store::Tally>> ReadAnnulled(store::CompetitionReader* store,
                                                       const store::Competition& competition,
                                                       const std::vector<bool>& annulled) {
  std::vector<store::Tally> tallies(annulled.size());
  if (competition.spec.seats == 2) {
    const absl::StatusOr<std::vector<store::PairTotal>> pairs =
        store->ReadPairTotals(competition.id);
    if (!pairs.ok()) return pairs.status();
    for (const store::PairTotal& pair : *pairs) {
      if (!IsAnnulled(pair.low, annulled) && !IsAnnulled(pair.high, annulled)) continue;
      for (const int bot : {pair.low, pair.high}) {
        const auto number = static_cast<size_t>(bot);
        if (number < tallies.size()) AddPair(ResultOf(pair, bot), &tallies[number]);
      }
    }
    return tallies;
  }
  const absl::Status read = store->ReadOutcomes(
      competition.id, 0, competition.counted, [&](int64_t, const BlockOutcome& outcome) {
        const std::vector<int>& bots = outcome.pairing.bots;
        const auto is_annulled = [&](int bot) { return IsAnnulled(bot, annulled); };
        if (std::none_of(bots.begin(), bots.end(), is_annulled)) return true;
        AddBlock(outcome, 1, &tallies);
        const absl::optional<BlockOutcome> rest = WithoutAnnulled(outcome, annulled);
        if (rest) AddBlock(*rest, -1, &tallies);
        return true;
      });
  if (!read.ok()) return read;
  return tallies;
}

}  // namespace referee::competition
