#include "referee/competition/standings.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/schedule_reading.h"
#include "referee/rating/evidence.h"

namespace referee::competition {
namespace {

constexpr size_t kMostKeptFits = 64;
constexpr size_t kMostKeptScores = 16;
// A fit is reused for this many times its own cost, even if more blocks are counted. So watching
// the standings of a large ladder does not keep the referee busy.
constexpr int kRest = 9;

std::string Remark(const store::Entrant& entrant) {
  // The entrant was in until another replaced it: a version, which the reason names, or the entrant
  // of the next season.
  const bool gave_place = entrant.successor && entrant.presence == store::Presence::kWithdrawn;
  if (gave_place) return entrant.reason;
  switch (entrant.presence) {
    case store::Presence::kIn:
      return "";
    case store::Presence::kWithdrawn:
      return entrant.reason.empty() ? "withdrawn" : "withdrawn: " + entrant.reason;
    case store::Presence::kSetAside:
      return "set aside: " + entrant.reason;
  }
  return "";
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

absl::optional<rating::BlockOutcome> WithoutAnnulled(const rating::BlockOutcome& outcome,
                                                     const std::vector<bool>& annulled) {
  std::vector<size_t> places;
  rating::BlockOutcome rest;
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

std::string OutText(const store::Entrant& entrant) {
  return absl::StrCat(Quoted(entrant.name), " was ", Remark(entrant));
}

namespace {

// Adds the matches of a block `sign` times to the tallies of its bots.
void AddBlock(const rating::BlockOutcome& outcome, int sign, std::vector<store::Tally>* tallies) {
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

// Returns, by entrant, what annulled results have added to the blocks, wins, draws and losses of
// its tally. In a match of more than two seats the other bots are counted by their ranks among
// themselves. Returns the error of the store. REQUIRES: `annulled` is not empty.
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
      competition.id, 0, competition.counted, [&](int64_t, const rating::BlockOutcome& outcome) {
        const std::vector<int>& bots = outcome.pairing.bots;
        const auto is_annulled = [&](int bot) { return IsAnnulled(bot, annulled); };
        if (std::none_of(bots.begin(), bots.end(), is_annulled)) return true;
        AddBlock(outcome, 1, &tallies);
        const absl::optional<rating::BlockOutcome> rest = WithoutAnnulled(outcome, annulled);
        if (rest) AddBlock(*rest, -1, &tallies);
        return true;
      });
  if (!read.ok()) return read;
  return tallies;
}

Standing StandingOf(store::Entrant entrant) {
  Standing standing;
  standing.points = static_cast<double>(entrant.tally.half_points) / 2;
  standing.elo_error = std::numeric_limits<double>::infinity();
  standing.remark = Remark(entrant);
  standing.entrant = std::move(entrant);
  return standing;
}

// Describes the effects of bots that left; empty if there are none.
std::string WhatCounts(const schedule::ScoreLine& line) {
  if (line.annulled) {
    return absl::StrCat("results annulled: ", line.blocks, " blocks are under half of its own");
  }
  if (line.forfeited_blocks > 0) {
    return absl::StrCat("results kept, and ", line.forfeited_blocks, " blocks count as lost");
  }
  if (line.walkovers == 1) return "1 walkover, which counts as won";
  if (line.walkovers > 1) return absl::StrCat(line.walkovers, " walkovers, which count as won");
  return "";
}

// In the order of the schedule's scores.
std::vector<Standing> ByScore(std::vector<store::Entrant> entrants,
                              const std::vector<schedule::ScoreLine>& scores) {
  std::vector<Standing> standings;
  for (const schedule::ScoreLine& line : scores) {
    if (line.bot >= static_cast<int>(entrants.size())) continue;
    Standing standing = StandingOf(std::move(entrants[line.bot]));
    standing.rank = line.rank;
    standing.points = line.annulled ? 0.0 : static_cast<double>(line.points) / 2;
    standing.tie_breaks = line.tie_breaks;
    standing.share = line.share;
    standing.annulled = line.annulled;
    standing.forfeited_blocks = line.forfeited_blocks;
    standing.walkovers = line.walkovers;
    standing.byes = line.byes;
    if (standing.remark.empty()) standing.remark = line.remark;
    const std::string counted = WhatCounts(line);
    absl::StrAppend(&standing.remark, standing.remark.empty() || counted.empty() ? "" : "; ",
                    counted);
    standings.push_back(std::move(standing));
  }
  return standings;
}

// Strongest first; then bots without a fit, by mu, which is equal for all that have not played.
std::vector<Standing> ByStrength(std::vector<store::Entrant> entrants,
                                 const std::vector<rating::Strength>& strengths, int season) {
  std::vector<Standing> standings;
  std::vector<bool> fitted(entrants.size());
  for (const store::Entrant& entrant : entrants) {
    if (entrant.season != season) fitted[static_cast<size_t>(entrant.number)] = true;
  }
  for (const rating::Strength& strength : strengths) {
    if (strength.bot >= static_cast<int>(entrants.size())) continue;
    fitted[strength.bot] = true;
    standings.push_back(StandingOf(std::move(entrants[strength.bot])));
    standings.back().rank = static_cast<int>(standings.size());
  }
  const size_t first = standings.size();
  for (size_t bot = 0; bot < entrants.size(); ++bot) {
    if (!fitted[bot]) standings.push_back(StandingOf(std::move(entrants[bot])));
  }
  const auto mu = [](const Standing& standing) { return standing.entrant.tally.rating.mu; };
  std::stable_sort(standings.begin() + static_cast<std::ptrdiff_t>(first), standings.end(),
                   [&](const Standing& a, const Standing& b) { return mu(a) > mu(b); });
  for (size_t i = first; i < standings.size(); ++i) {
    const bool level = i > first && mu(standings[i]) == mu(standings[i - 1]);
    standings[i].rank = level ? standings[i - 1].rank : static_cast<int>(i) + 1;
  }
  return standings;
}

// Without a fit, no bot that has played is provisional.
void MarkProvisional(const std::vector<rating::Strength>& strengths, int width,
                     std::vector<Standing>* standings) {
  absl::flat_hash_map<int, double> errors;
  for (const rating::Strength& strength : strengths) errors.emplace(strength.bot, strength.error);
  for (Standing& standing : *standings) {
    const auto error = errors.find(standing.entrant.number);
    standing.provisional = error != errors.end()
                               ? 2 * error->second >= width
                               : !strengths.empty() || standing.entrant.tally.blocks == 0;
  }
}

// Whether nothing gives the bot a rank.
bool NothingCounts(const Standing& standing) {
  return standing.entrant.tally.blocks == 0 && standing.byes == 0 && standing.walkovers == 0 &&
         standing.forfeited_blocks == 0;
}

// Removes the rank of bots for which nothing counts yet. A knockout keeps the ranks of bots that
// have not played once anything is decided, by who is still in. At the end, other formats rank bots
// that stayed; a ladder does not, since it ranks by strength.
void Unrank(const store::Competition& competition, std::vector<Standing>* standings) {
  const bool over = competition.state == store::CompetitionState::kFinished;
  const bool decided = competition.counted > 0 || over;
  if (competition.spec.format == schedule::Format::kKnockout && decided) return;
  const bool places_who_stayed = over && competition.spec.format != schedule::Format::kLadder;
  for (Standing& standing : *standings) {
    const bool stayed = standing.entrant.presence == store::Presence::kIn;
    if (NothingCounts(standing) && !(places_who_stayed && stayed)) standing.rank = 0;
  }
}

// The section of a line: 0 for ranked lines, then those behind them.
int ApartOf(const Standing& standing, bool ladder) {
  if (ladder && standing.succeeded) return 2;
  return standing.rank == 0 || (ladder && standing.provisional) ? 1 : 0;
}

// Ranks the lines of section 0 in their order, and moves the others behind them; in a ladder,
// replaced versions come last.
void SetApart(bool ladder, std::vector<Standing>* standings) {
  std::stable_sort(standings->begin(), standings->end(),
                   [ladder](const Standing& a, const Standing& b) {
                     return ApartOf(a, ladder) < ApartOf(b, ladder);
                   });
  const auto first_apart =
      std::find_if(standings->begin(), standings->end(),
                   [ladder](const Standing& standing) { return ApartOf(standing, ladder) > 0; });
  int rank_before = 0;  // the rank in the order of all lines
  for (auto standing = standings->begin(); standing != first_apart; ++standing) {
    const bool level = standing != standings->begin() && standing->rank == rank_before;
    rank_before = standing->rank;
    standing->rank =
        level ? std::prev(standing)->rank : static_cast<int>(standing - standings->begin()) + 1;
  }
  for (auto standing = first_apart; standing != standings->end(); ++standing) standing->rank = 0;
}

// Marks entrants that another version of their bot replaced in the same season.
void MarkSucceeded(const store::Competition& competition, std::vector<Standing>* standings) {
  for (Standing& standing : *standings) {
    const auto successor = static_cast<size_t>(standing.entrant.successor.value_or(-1));
    standing.succeeded = successor < competition.labels.size() &&
                         competition.labels[successor].season == standing.entrant.season;
  }
}

void AddStrengths(const std::vector<rating::Strength>& strengths,
                  std::vector<Standing>* standings) {
  absl::flat_hash_map<int, size_t> place;  // index in strengths, by bot
  for (size_t i = 0; i < strengths.size(); ++i) place.emplace(strengths[i].bot, i);
  for (size_t i = 0; i < standings->size(); ++i) {
    Standing& standing = (*standings)[i];
    const auto found = place.find(standing.entrant.number);
    if (found == place.end()) continue;
    const rating::Strength& strength = strengths[found->second];
    standing.elo = strength.elo;
    standing.elo_error = strength.error;
    const bool next_is_next =
        i + 1 < standings->size() && found->second + 1 < strengths.size() &&
        strengths[found->second + 1].bot == (*standings)[i + 1].entrant.number;
    if (next_is_next) standing.superiority = strength.superiority;
  }
}

}  // namespace

CompetitionStandings::CompetitionStandings(store::CompetitionReader* store, const Clock* clock)
    : store_(store),
      clock_(clock),
      fits_(kMostKeptFits),
      scores_(kMostKeptScores),
      annulled_(kMostKeptScores) {}

absl::StatusOr<SeasonStrengths> CompetitionStandings::Strengths(
    const store::Competition& competition, const std::vector<store::Entrant>& entrants,
    const std::vector<schedule::ScoreLine>& scores, int season) {
  SeasonStrengths found;
  found.season = season;
  for (const store::Entrant& entrant : entrants) {
    found.of_season.push_back(entrant.season == season);
  }
  found.annulled = AnnulledIn(scores, entrants.size());
  const auto bots = std::count(found.of_season.begin(), found.of_season.end(), true);
  if (competition.counted == 0 || bots > limits::kMaxFittedBots) return found;
  const absl::StatusOr<std::shared_ptr<const Fitted>> fit = FitOf(competition, found);
  if (!fit.ok()) return fit.status();
  found.strengths = (*fit)->strengths;
  return found;
}

absl::StatusOr<std::vector<Standing>> CompetitionStandings::Make(
    const store::Competition& competition, std::vector<store::Entrant> entrants,
    const std::vector<schedule::ScoreLine>& scores, int season) {
  const absl::StatusOr<SeasonStrengths> found = Strengths(competition, entrants, scores, season);
  if (!found.ok()) return found.status();
  const std::vector<rating::Strength>& strengths = found->strengths;
  if (absl::Status s = TakeOff(competition, found->annulled, &entrants); !s.ok()) return s;
  const bool ladder = competition.spec.format == schedule::Format::kLadder;
  std::vector<Standing> standings = ladder || scores.empty()
                                        ? ByStrength(std::move(entrants), strengths, season)
                                        : ByScore(std::move(entrants), scores);
  if (const int width = competition.spec.provisional_width; width > 0) {
    MarkProvisional(strengths, width, &standings);
  }
  if (ladder) MarkSucceeded(competition, &standings);
  Unrank(competition, &standings);
  SetApart(ladder, &standings);
  AddStrengths(strengths, &standings);
  return standings;
}

absl::Status CompetitionStandings::TakeOff(const store::Competition& competition,
                                           const std::vector<bool>& annulled,
                                           std::vector<store::Entrant>* entrants) {
  if (annulled.empty()) return absl::OkStatus();
  const auto off = annulled_.Get(
      competition.id,
      [&](const Annulled& kept) {
        return kept.counted == competition.counted && kept.annulled == annulled;
      },
      [&]() -> absl::StatusOr<Annulled> {
        absl::StatusOr<std::vector<store::Tally>> tallies =
            ReadAnnulled(store_, competition, annulled);
        if (!tallies.ok()) return tallies.status();
        return Annulled{competition.counted, annulled, *std::move(tallies)};
      });
  if (!off.ok()) return off.status();
  for (size_t i = 0; i < entrants->size() && i < (*off)->tallies.size(); ++i) {
    store::Tally& tally = (*entrants)[i].tally;
    const store::Tally& less = (*off)->tallies[i];
    tally.blocks -= less.blocks;
    tally.wins -= less.wins;
    tally.draws -= less.draws;
    tally.losses -= less.losses;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<schedule::ScoreLine>> CompetitionStandings::ReadScores(
    const store::Competition& competition, const std::vector<store::Entrant>& entrants) {
  if (competition.spec.format == schedule::Format::kLadder ||
      competition.spec.format == schedule::Format::kTest) {
    return std::vector<schedule::ScoreLine>();
  }
  const auto known = scores_.Get(
      competition.id,
      [&](const Scored& kept) {
        return kept.version == competition.version && kept.next_block == competition.next_block &&
               kept.counted == competition.counted;
      },
      [&]() -> absl::StatusOr<Scored> {
        const auto schedule =
            ReadSchedule(store_, competition, entrants, [](const store::Block&) {});
        if (!schedule.ok()) return schedule.status();
        return Scored{competition.version, competition.next_block, competition.counted,
                      (*schedule)->Scores()};
      });
  if (!known.ok()) return known.status();
  return (*known)->scores;
}

absl::StatusOr<std::shared_ptr<const CompetitionStandings::Fitted>> CompetitionStandings::FitOf(
    const store::Competition& competition, const SeasonStrengths& asked) {
  const bool over = competition.state == store::CompetitionState::kFinished;
  return fits_.Get(
      {competition.id, asked.season},
      [&](const Fitted& fit) {
        const bool fresh = fit.counted == competition.counted ||
                           (!over && clock_->Now() - fit.made < kRest * fit.cost);
        return fresh && fit.annulled == asked.annulled;
      },
      [&] { return MakeFit(competition, asked); });
}

absl::StatusOr<CompetitionStandings::Fitted> CompetitionStandings::MakeFit(
    const store::Competition& competition, const SeasonStrengths& asked) {
  const Instant begun = clock_->Now();
  rating::Evidence evidence;
  const std::vector<bool>& annulled = asked.annulled;
  const auto counts = [&](int bot) {
    const auto number = static_cast<size_t>(bot);
    return number >= annulled.size() || !annulled[number];
  };
  if (competition.spec.seats == 2) {
    absl::StatusOr<std::vector<store::PairTotal>> pairs = store_->ReadPairTotals(competition.id);
    if (!pairs.ok()) return pairs.status();
    for (const store::PairTotal& pair : *pairs) {
      if (!asked.Has(pair.low) || !counts(pair.low) || !counts(pair.high)) continue;
      evidence.Add(rating::PairRow{pair.low, pair.high, pair.blocks});
    }
  } else {
    const int64_t from = asked.season == competition.season ? competition.season_block : 0;
    const absl::Status read =
        store_->ReadOutcomes(competition.id, from, competition.counted,
                             [&](int64_t, const rating::BlockOutcome& outcome) {
                               if (!asked.Has(outcome.pairing)) return true;
                               if (annulled.empty()) {
                                 evidence.Add(outcome);
                               } else if (const auto rest = WithoutAnnulled(outcome, annulled)) {
                                 evidence.Add(*rest);
                               }
                               return true;
                             });
    if (!read.ok()) return read;
  }
  Fitted fit;
  fit.counted = competition.counted;
  fit.annulled = asked.annulled;
  fit.strengths = rating::Fit(evidence);
  fit.made = clock_->Now();
  fit.cost = fit.made - begun;
  return fit;
}

}  // namespace referee::competition
