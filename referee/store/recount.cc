#include "referee/store/recount.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/competition/block.h"
#include "referee/competition/rating.h"

namespace referee::store {
namespace {

// Ratings that differ by less are the same, computed elsewhere.
constexpr double kRounding = 1e-6;

// Half points of a bot in a match: 2 for each bot behind it, 1 for each beside it.
int MatchHalfPoints(const std::vector<int>& ranks, size_t place) {
  const int behind = static_cast<int>(
      std::count_if(ranks.begin(), ranks.end(), [&](int rank) { return rank > ranks[place]; }));
  const int beside = static_cast<int>(std::count(ranks.begin(), ranks.end(), ranks[place])) - 1;
  return 2 * behind + beside;
}

void CountMatch(const std::vector<int>& ranks, size_t place, Tally* tally) {
  tally->half_points += MatchHalfPoints(ranks, place);
  if (ranks[place] != 1) {
    ++tally->losses;
  } else if (std::count(ranks.begin(), ranks.end(), 1) == 1) {
    ++tally->wins;
  } else {
    ++tally->draws;
  }
}

void CompareCount(absl::string_view bot, absl::string_view what, int64_t kept, int64_t reckoned,
                  std::vector<std::string>* problems) {
  if (kept == reckoned) return;
  problems->push_back(absl::StrCat("bot ", Quoted(bot), ": ", kept, " ", what, " in the store, ",
                                   reckoned, " by the replays"));
}

void CompareFigure(absl::string_view bot, absl::string_view what, double kept, double reckoned,
                   std::vector<std::string>* problems) {
  if (std::abs(kept - reckoned) <= kRounding) return;
  problems->push_back(absl::StrCat("bot ", Quoted(bot), ": ", what, " is ", kept, " in the store, ",
                                   reckoned, " by the replays"));
}

std::string PairText(const PairTotal& total) {
  return absl::StrCat(absl::StrJoin(total.blocks, " "), " and ", total.draws, " drawn");
}

}  // namespace

void Recount::Add(const Block& block) {
  const competition::BlockOutcome outcome = OutcomeOf(block);
  const std::vector<int>& bots = block.pairing.bots;
  std::vector<competition::Rating> ratings;
  for (const int bot : bots) ratings.push_back(tallies_[static_cast<size_t>(bot)].rating);
  ratings = competition::Update(ratings, outcome);
  for (size_t place = 0; place < bots.size(); ++place) {
    Tally& tally = tallies_[static_cast<size_t>(bots[place])];
    tally.rating = ratings[place];
    ++tally.blocks;
    for (const competition::MatchOutcome& match : outcome.matches) {
      CountMatch(match.ranks, place, &tally);
    }
  }
  for (size_t rotation = 0; rotation < block.matches.size(); ++rotation) {
    for (const SeatForfeit& forfeit : block.matches[rotation].forfeits) {
      const size_t place = (static_cast<size_t>(forfeit.seat) + rotation) % bots.size();
      ++tallies_[static_cast<size_t>(bots[place])].forfeits;
    }
  }
  if (bots.size() == 2) AddPair(block, outcome);
}

void Recount::AddPair(const Block& block, const competition::BlockOutcome& outcome) {
  const std::vector<int>& bots = block.pairing.bots;
  const std::pair<int, int> key = std::minmax(bots[0], bots[1]);
  PairTotal& total = pairs_[key];
  total.low = key.first;
  total.high = key.second;
  const size_t low = bots[0] == key.first ? 0 : 1;
  int half_points = 0;
  for (const competition::MatchOutcome& match : outcome.matches) {
    half_points += MatchHalfPoints(match.ranks, low);
    if (match.ranks[0] == match.ranks[1]) ++total.draws;
  }
  ++total.blocks[static_cast<size_t>(half_points)];
}

std::vector<std::string> Recount::Compare(absl::Span<const Entrant> entrants,
                                          absl::Span<const PairTotal> pairs) const {
  std::vector<std::string> problems;
  for (const Entrant& entrant : entrants) {
    // One that came later has played nothing.
    const auto number = static_cast<size_t>(entrant.number);
    const Tally reckoned = number < tallies_.size() ? tallies_[number] : Tally();
    const Tally& kept = entrant.tally;
    const auto count = [&](absl::string_view what, int64_t Tally::*field) {
      CompareCount(entrant.name, what, kept.*field, reckoned.*field, &problems);
    };
    count("blocks", &Tally::blocks);
    count("wins", &Tally::wins);
    count("draws", &Tally::draws);
    count("losses", &Tally::losses);
    count("forfeits", &Tally::forfeits);
    count("half points", &Tally::half_points);
    CompareFigure(entrant.name, "mu", kept.rating.mu, reckoned.rating.mu, &problems);
    CompareFigure(entrant.name, "sigma", kept.rating.sigma, reckoned.rating.sigma, &problems);
  }
  std::map<std::pair<int, int>, PairTotal> missing = pairs_;
  for (const PairTotal& kept : pairs) {
    const auto found = missing.find({kept.low, kept.high});
    const PairTotal reckoned = found == missing.end() ? PairTotal() : found->second;
    if (kept.blocks != reckoned.blocks || kept.draws != reckoned.draws) {
      problems.push_back(absl::StrCat("entrants ", kept.low, " and ", kept.high, ": ",
                                      PairText(kept), " in the store, ", PairText(reckoned),
                                      " by the replays"));
    }
    if (found != missing.end()) missing.erase(found);
  }
  for (const auto& [bots, reckoned] : missing) {
    problems.push_back(absl::StrCat("entrants ", bots.first, " and ", bots.second,
                                    ": nothing in the store, ", PairText(reckoned),
                                    " by the replays"));
  }
  return problems;
}

}  // namespace referee::store
