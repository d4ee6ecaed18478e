#include "referee/store/recount.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/base/rotation.h"
#include "referee/rating/block.h"
#include "referee/rating/rating.h"

namespace referee::store {
namespace {

// Ratings that differ by less are equal, up to rounding.
constexpr double kRounding = 1e-6;

// Returns the half points of a bot in a match: 2 for each bot behind it, 1 for each equal.
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

// Entrants are numbered in order of arrival, so an entrant comes after the one that it replaces.
void Recount::SucceedUntil(int64_t counted) {
  for (; next_successor_ < entrants_.size(); ++next_successor_) {
    const Entrant& entrant = entrants_[next_successor_];
    if (entrant.rated_from > counted) return;
    const auto before = static_cast<size_t>(entrant.predecessor.value_or(-1));
    if (before >= next_successor_) continue;
    bots_[next_successor_].tally.rating = rating::Succeed(bots_[before].tally.rating);
  }
}

void Recount::Add(const Block& block) {
  SucceedUntil(block.number);
  counted_ = block.number + 1;
  const std::vector<int>& bots = block.pairing.bots;
  for (size_t place = 0; place < bots.size(); ++place) {
    bots_[static_cast<size_t>(bots[place])].tally.conduct +=
        ConductIn(block, static_cast<int>(place));
  }
  if (block.state != BlockState::kPlayed) return;
  const rating::BlockOutcome outcome = OutcomeOf(block);
  std::vector<rating::Rating> ratings;
  for (const int bot : bots) ratings.push_back(bots_[static_cast<size_t>(bot)].tally.rating);
  ratings = rating::Update(ratings, outcome);
  for (size_t place = 0; place < bots.size(); ++place) {
    Reckoned& bot = bots_[static_cast<size_t>(bots[place])];
    bot.tally.rating = ratings[place];
    ++bot.tally.blocks;
  }
  const int seats = static_cast<int>(bots.size());
  for (size_t rotation = 0; rotation < block.matches.size(); ++rotation) {
    const match::Verdict& verdict = block.matches[rotation].verdict;
    for (int seat = 0; seat < seats; ++seat) {
      const int place = PlaceOfSeat(seat, static_cast<int>(rotation), seats);
      AddMatch(verdict, Seat(seat), bots[place]);
    }
  }
  for (int place = 0; place < seats; ++place) AddSilences(block, place, bots[place]);
  if (bots.size() == 2) AddPair(block, outcome);
}

void Recount::AddMatch(const match::Verdict& verdict, Seat seat, int entrant) {
  Reckoned& bot = bots_[static_cast<size_t>(entrant)];
  CountMatch(verdict.ranks, static_cast<size_t>(seat.index()), &bot.tally);
  bot.tally.forfeits += std::count_if(verdict.forfeits.begin(), verdict.forfeits.end(),
                                      [seat](const auto& forfeit) { return forfeit.seat == seat; });
}

void Recount::AddSilences(const Block& block, int place, int entrant) {
  Reckoned& bot = bots_[static_cast<size_t>(entrant)];
  const bool since_out = block.number >= entrants_[static_cast<size_t>(entrant)].out_from;
  const int seats = static_cast<int>(block.pairing.bots.size());
  bool counts = BeginOfCounted(block) >= bot.tally.silent_until;
  for (int rotation = 0; rotation < seats; ++rotation) {
    const match::Verdict& verdict = block.matches[static_cast<size_t>(rotation)].verdict;
    if (!match::WasSilent(verdict, Seat(SeatOfPlace(place, rotation, seats)))) {
      bot.tally.silences = 0;
      bot.silences_since_out = 0;
    } else if (counts) {
      ++bot.tally.silences;
      if (since_out) ++bot.silences_since_out;
      bot.tally.silent_until = block.end_time.value_or(block.begin_time);
      counts = false;
    }
  }
}

void Recount::AddPair(const Block& block, const rating::BlockOutcome& outcome) {
  const std::vector<int>& bots = block.pairing.bots;
  const std::pair<int, int> key = std::minmax(bots[0], bots[1]);
  PairTotal& total = pairs_[key];
  total.low = key.first;
  total.high = key.second;
  const size_t low = bots[0] == key.first ? 0 : 1;
  int half_points = 0;
  for (const std::vector<int>& ranks : outcome.ranks) {
    half_points += MatchHalfPoints(ranks, low);
    if (ranks[0] == ranks[1]) ++total.draws;
  }
  ++total.blocks[static_cast<size_t>(half_points)];
}

std::vector<std::string> Recount::Compare(absl::Span<const PairTotal> pairs) {
  SucceedUntil(counted_);
  std::vector<std::string> problems;
  for (const Entrant& entrant : entrants_) CompareTally(entrant, &problems);
  ComparePairs(pairs, &problems);
  return problems;
}

void Recount::CompareTally(const Entrant& entrant, std::vector<std::string>* problems) const {
  const Reckoned& bot = bots_[static_cast<size_t>(entrant.number)];
  const Tally& reckoned = bot.tally;
  const Tally& kept = entrant.tally;
  const auto count = [&](absl::string_view what, int64_t Tally::*field) {
    CompareCount(entrant.name, what, kept.*field, reckoned.*field, problems);
  };
  count("blocks", &Tally::blocks);
  count("wins", &Tally::wins);
  count("draws", &Tally::draws);
  count("losses", &Tally::losses);
  count("forfeits", &Tally::forfeits);
  count("half points", &Tally::half_points);
  const auto count_conduct = [&](absl::string_view what, int64_t Conduct::*field) {
    CompareCount(entrant.name, what, kept.conduct.*field, reckoned.conduct.*field, problems);
  };
  count_conduct("void matches", &Conduct::voids);
  count_conduct("void matches for its lateness", &Conduct::late_voids);
  count_conduct("time losses", &Conduct::time_losses);
  count_conduct("lost links", &Conduct::lost_links);
  CompareCount(entrant.name, "nanoseconds given back",
               absl::ToInt64Nanoseconds(kept.conduct.given_back),
               absl::ToInt64Nanoseconds(reckoned.conduct.given_back), problems);
  CompareFigure(entrant.name, "the pairing's estimate", kept.rating.mu, reckoned.rating.mu,
                problems);
  CompareFigure(entrant.name, "the error of the pairing's estimate", kept.rating.sigma,
                reckoned.rating.sigma, problems);
  // A bot that was out may have returned, with no silences, between any two blocks that it played
  // before it was last taken out; or after all of these, if it is in. A bot that was never out has
  // begun no such blocks.
  const int least = entrant.presence == Presence::kIn ? bot.silences_since_out : 0;
  const bool since_back = kept.silences >= least && kept.silences < reckoned.silences;
  if (!since_back) {
    CompareCount(entrant.name, "silences in a row", kept.silences, reckoned.silences, problems);
  }
}

void Recount::ComparePairs(absl::Span<const PairTotal> pairs,
                           std::vector<std::string>* problems) const {
  std::map<std::pair<int, int>, PairTotal> missing = pairs_;
  for (const PairTotal& kept : pairs) {
    const auto found = missing.find({kept.low, kept.high});
    const PairTotal reckoned = found == missing.end() ? PairTotal() : found->second;
    if (kept.blocks != reckoned.blocks || kept.draws != reckoned.draws) {
      problems->push_back(absl::StrCat("entrants ", kept.low, " and ", kept.high, ": ",
                                       PairText(kept), " in the store, ", PairText(reckoned),
                                       " by the replays"));
    }
    if (found != missing.end()) missing.erase(found);
  }
  for (const auto& [bots, reckoned] : missing) {
    problems->push_back(absl::StrCat("entrants ", bots.first, " and ", bots.second,
                                     ": nothing in the store, ", PairText(reckoned),
                                     " by the replays"));
  }
}

// --- Tests ---

std::string TestRecount::Add(const Block& block) {
  const bool decided = sprt_.accepted() != rating::Hypothesis::kNone;
  if (block.state != BlockState::kPlayed) {
    if (decided || !HasAllResults(block)) return "";
    return "it was played and does not count, though no block before it decided the test";
  }
  if (decided) return absl::StrCat("it counts, though block ", decided_by_, " decided the test");
  const size_t first = block.pairing.bots[0] < block.pairing.bots[1] ? 0 : 1;
  int half_points = 0;
  for (const std::vector<int>& ranks : OutcomeOf(block).ranks) {
    half_points += MatchHalfPoints(ranks, first);
  }
  sprt_.Add(half_points);
  decided_by_ = block.number;
  return "";
}

// --- Blocks that have begun ---

void BegunCount::Add(const Block& block) {
  for (const int bot : block.pairing.bots) {
    // A bot that joined after the entrants were read had begun no blocks by then.
    if (bot < 0 || static_cast<size_t>(bot) >= counts_.size()) continue;
    Range& count = counts_[static_cast<size_t>(bot)];
    if (block.number < sure_) ++count.low;
    if (block.number < may_be_) ++count.high;
  }
}

std::vector<std::string> BegunCount::Compare() const {
  std::vector<std::string> problems;
  for (const Entrant& entrant : entrants_) {
    const Range& count = counts_[static_cast<size_t>(entrant.number)];
    const int64_t kept = entrant.blocks_begun;
    if (count.low <= kept && kept <= count.high) continue;
    problems.push_back(absl::StrCat("bot ", Quoted(entrant.name), ": ", kept,
                                    " blocks begun in its line, ",
                                    kept < count.low ? count.low : count.high, " in the store"));
  }
  return problems;
}

}  // namespace referee::store
