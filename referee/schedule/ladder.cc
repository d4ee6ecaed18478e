#include "referee/schedule/ladder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/rating/elo.h"

namespace referee::schedule {
namespace {

// The variance of a performance in one match, in the units of Rating.
constexpr double kBeta = 25.0 / 6.0;

// The factor of the value of a pair if the last block of both bots was with each other.
constexpr double kAgain = 0.01;
// A group is worth waiting for if the best present group is worth less than this share of it.
constexpr double kWorth = 0.7;
// The ladder never waits if the free bots can form this many groups.
constexpr size_t kFew = 4;
// The number of bots expected to be free soonest that are considered.
constexpr size_t kLookAhead = 16;

}  // namespace

Ladder::Ladder(const Spec& spec, const std::vector<Entrant>& entrants,
               const std::vector<PairCount>& met, int64_t next_number,
               const std::vector<RecentBlock>& recent)
    : Schedule(Format::kLadder),
      seats_(static_cast<size_t>(spec.seats)),
      goal_width_(spec.goal_width),
      seats_evenly_(spec.seats > 2),
      sheet_(entrants.size()),
      open_(entrants.size(), next_number),
      met_(entrants.size()),
      pace_(spec.pace) {
  int64_t most = 0;
  for (const Entrant& entrant : entrants) {
    if (!entrant.withdrawn) most = std::max(most, entrant.blocks_begun);
  }
  // Bots that joined late or were away do not catch up on what they missed.
  for (const Entrant& entrant : entrants) {
    Add(entrant, std::clamp(entrant.blocks_begun, most - kLadderLead, most));
  }
  floor_ = std::max<int64_t>(0, most - kLadderLead);
  for (const PairCount& pair : met) met_.Add(pair);
  for (const RecentBlock& block : recent) {
    const bool is_known = seats_ == 2 || block.number >= next_number - kLadderMemory;
    if (is_known) Meet(block.number, block.pairing);
    if (block.running) open_.Restore(block.number, block.pairing);
  }
}

void Ladder::Add(const Entrant& entrant, int64_t level) {
  Bot bot;
  bot.mu = entrant.rating.mu;
  bot.variance = entrant.rating.sigma * entrant.rating.sigma;
  bot.level = level;
  bot.blocks = entrant.blocks;
  bot.withdrawn = entrant.withdrawn;
  bots_.push_back(std::move(bot));
  times_.push_back(0);
  pace_.AddBot();
}

// A block counts as one match, since the dependence between its matches is unknown here. Opponents
// that are no longer remembered are assumed to be like the remembered ones on average.
void Ladder::Measure(int number) {
  Bot& bot = bots_[number];
  bot.measured = true;
  if (goal_width_ == 0) return;
  double information = 0;
  double known = 0;
  for (const Meetings::Met& met : met_.Of(number)) {
    information += met.times * VarianceOfScore(bot, bots_[met.bot]);
    known += met.times;
  }
  const double all = static_cast<double>(bot.blocks) * static_cast<double>(seats_ - 1);
  if (known > 0 && all > known) information *= all / known;
  bot.at_goal = rating::IntervalWidth(information) < goal_width_;
}

bool Ladder::IsAtGoal(int bot) {
  if (!bots_[bot].measured) Measure(bot);
  return bots_[bot].at_goal;
}

void Ladder::Meet(int64_t number, const rating::Pairing& pairing) {
  for (const PairCount& pair : PairsOf(pairing)) met_.Add(pair);
  for (const int bot : pairing.bots) bots_[bot].measured = false;
  if (seats_ == 2) return;
  remembered_.emplace(number, pairing);
  while (remembered_.begin()->first <= number - kLadderMemory) {
    Forget(remembered_.begin()->second);
    remembered_.erase(remembered_.begin());
  }
}

void Ladder::Forget(const rating::Pairing& pairing) {
  for (const PairCount& pair : PairsOf(pairing)) met_.Take(pair);
  for (const int bot : pairing.bots) bots_[bot].measured = false;
}

absl::Status Ladder::Join() {
  Add(Entrant(), floor_);
  sheet_.AddBot();
  open_.AddBot();
  met_.AddBot();
  return absl::OkStatus();
}

absl::Status Ladder::Rejoin(int bot) {
  if (!bots_[bot].withdrawn) {
    return absl::FailedPreconditionError(
        absl::StrCat("entrant ", bot, " has not left; only one that left can come back"));
  }
  bots_[bot].withdrawn = false;
  return absl::OkStatus();
}

void Ladder::Withdraw(int bot) { bots_[bot].withdrawn = true; }

void Ladder::SeeWho(const std::vector<bool>& free) {
  int64_t lowest = std::numeric_limits<int64_t>::max();
  bool any = false;
  for (size_t i = 0; i < bots_.size(); ++i) {
    Bot& bot = bots_[i];
    const bool here = !bot.withdrawn && (free[i] || open_.playing(static_cast<int>(i)) > 0);
    if (here && !bot.measured) Measure(static_cast<int>(i));
    // A bot at the goal may have fallen behind. It need not catch up if it leaves the goal.
    const bool counts_anew = !bot.there || !bot.at_goal;
    if (here && counts_anew) bot.level = std::max(bot.level, floor_);
    bot.there = here;
    any = any || here;
    if (here && !bot.at_goal) lowest = std::min(lowest, bot.level);
  }
  lowest_.clear();
  open_to_.clear();
  capped_.clear();
  busy_.clear();
  busy_lowest_ = 0;
  paced_ = false;
  all_at_goal_ = any && lowest == std::numeric_limits<int64_t>::max();
  if (!any || all_at_goal_) return;
  floor_ = std::max(floor_, lowest);
  for (size_t i = 0; i < bots_.size(); ++i) {
    if (bots_[i].there) Sort(static_cast<int>(i), free[i]);
  }
}

void Ladder::Sort(int number, bool free) {
  const Bot& bot = bots_[number];
  const bool can_begin = free && pace_.Allows(number);
  paced_ = paced_ || (free && !can_begin);
  if (bot.level == floor_) {
    if (can_begin) lowest_.push_back(number);
    busy_lowest_ += can_begin ? 0 : 1;
  }
  const bool capped = bot.level >= floor_ + kLadderLead;
  if (can_begin) {
    (capped ? capped_ : open_to_).push_back(number);
  } else if (!capped) {
    busy_.push_back(number);
  }
}

bool Ladder::IsToGather(Instant now) {
  if (gathered_) return false;
  size_t in = 0;
  size_t there = 0;
  for (const Bot& bot : bots_) {
    in += bot.withdrawn ? 0 : 1;
    there += bot.there ? 1 : 0;
  }
  if (there < seats_) return false;
  if (!gathers_until_.has_value()) gathers_until_ = now + kLadderGathers;
  gathered_ = !pace_.limited() || there == in || !open_.empty() || now >= *gathers_until_;
  return !gathered_;
}

void Ladder::NoteEnds(Instant now) {
  for (const auto& [number, ended] : ended_) {
    for (const int each : ended.bots) {
      Bot& bot = bots_[each];
      if (bot.last != number) continue;  // it has begun another block since
      const absl::Duration took = now - bot.begun;
      const bool known = bot.duration > absl::ZeroDuration();
      bot.duration = known ? bot.duration + (took - bot.duration) / 4 : took;
    }
  }
  ended_.clear();
}

// p (1 - p), written with a single exponential.
double Ladder::VarianceOfScore(const Bot& a, const Bot& b) {
  const double spread = a.variance + b.variance + 2 * kBeta * kBeta;
  const double odds = std::exp(-std::abs(a.mu - b.mu) / std::sqrt(spread));
  return odds / ((1 + odds) * (1 + odds));
}

// COMPETITION.md has the formula.
double Ladder::Worth(const Bot& a, const Bot& b) {
  const double spread = a.variance + b.variance + 2 * kBeta * kBeta;
  return (a.variance * a.variance + b.variance * b.variance) / spread * VarianceOfScore(a, b);
}

int Ladder::Unknown(const std::vector<int>& from) const {
  return *std::max_element(from.begin(), from.end(), [this](int a, int b) {
    if (bots_[a].at_goal != bots_[b].at_goal) return bots_[a].at_goal;
    if (bots_[a].variance != bots_[b].variance) return bots_[a].variance < bots_[b].variance;
    if (bots_[a].level != bots_[b].level) return bots_[a].level > bots_[b].level;
    return a > b;
  });
}

void Ladder::Fill(const std::vector<int>& from, Group* group) {
  std::vector<double> worth(from.size(), 0);
  size_t counted = 0;
  while (group->bots.size() < seats_) {
    for (; counted < group->bots.size(); ++counted) {
      const int member = group->bots[counted];
      for (const Meetings::Met& met : met_.Of(member)) times_[met.bot] = met.times;
      for (size_t i = 0; i < from.size(); ++i) {
        const Bot& other = bots_[from[i]];
        const bool just_met = other.last >= 0 && other.last == bots_[member].last;
        const double again = just_met ? kAgain : 1;
        worth[i] += again * Worth(bots_[member], other) / (1 + times_[from[i]]);
      }
      for (const Meetings::Met& met : met_.Of(member)) times_[met.bot] = 0;
    }
    size_t best = from.size();
    for (size_t i = 0; i < from.size(); ++i) {
      const std::vector<int>& bots = group->bots;
      if (best != from.size() && worth[i] <= worth[best]) continue;
      if (std::find(bots.begin(), bots.end(), from[i]) == bots.end()) best = i;
    }
    if (best == from.size()) return;
    group->bots.push_back(from[best]);
    group->worth += worth[best];
  }
}

void Ladder::Seat(rating::Pairing* pairing) const {
  SeatCosts costs;
  for (size_t i = 0; i < seats_; ++i) {
    for (const Meetings::Met& met : met_.Of(pairing->bots[i])) {
      const auto place = std::find(pairing->bots.begin(), pairing->bots.end(), met.bot);
      if (place == pairing->bots.end()) continue;
      costs.after[i][place - pairing->bots.begin()] = CostOfAfter(met.times, met.after, seats_);
    }
  }
  SeatAtLeastCost(costs, pairing);
}

Instant Ladder::FreeExpected(int number, Instant now) const {
  const Bot& bot = bots_[number];
  const Instant allowed = pace_.Allows(number) ? now : pace_.next();
  if (open_.playing(number) == 0) return allowed;
  if (bot.duration == absl::ZeroDuration()) return Instant::InfiniteFuture();
  // A bot that is overdue is expected to take as long again as it is late.
  const Instant end = bot.begun + bot.duration;
  return std::max(allowed, end > now ? end : now + (now - end));
}

bool Ladder::IsToWait(const Group& group, Instant now) {
  // With many free bots there is enough choice.
  if (busy_.empty() || open_to_.size() >= kFew * seats_) return false;
  const absl::Duration patience = budget_.left(static_cast<int>(open_to_.size() / seats_));
  if (patience <= absl::ZeroDuration()) return false;
  std::vector<std::pair<Instant, int>> soon;  // bots that are expected to be free in time
  for (const int bot : busy_) {
    const Instant end = FreeExpected(bot, now);
    if (end - now <= patience) soon.emplace_back(end, bot);
  }
  const size_t looked = std::min(soon.size(), kLookAhead);
  std::partial_sort(soon.begin(), soon.begin() + looked, soon.end());
  std::vector<int> from = open_to_;
  for (size_t i = 0; i < looked; ++i) from.push_back(soon[i].second);
  Group better{{group.bots.front()}, 0};
  Fill(from, &better);
  return group.worth < kWorth * better.worth;
}

absl::optional<rating::Pairing> Ladder::Next(const std::vector<bool>& free, Instant now) {
  now_ = std::max(now_, now);
  budget_.Look(now_, open_.size());
  pace_.Look(now_);
  asks_again_ = Instant::InfiniteFuture();
  NoteEnds(now_);
  SeeWho(free);
  if (IsToGather(now_)) {
    asks_again_ = *gathers_until_;
    return absl::nullopt;
  }
  if (paced_) asks_again_ = pace_.next();
  Group group;
  if (open_to_.size() >= seats_) {
    group.bots = {Unknown(open_to_)};
    if (bots_[group.bots.front()].at_goal) return absl::nullopt;  // so are the others
    Fill(open_to_, &group);
    if (IsToWait(group, now_)) {
      const Instant end = budget_.Wait(static_cast<int>(open_to_.size() / seats_));
      asks_again_ = std::min(asks_again_, end);
      return absl::nullopt;
    }
  } else if (busy_lowest_ == 0 && !lowest_.empty() && lowest_.size() <= seats_ &&
             open_to_.size() + capped_.size() >= seats_) {
    // All the lowest bots play, so the floor rises, and capped bots may join them.
    group.bots = lowest_;
    Fill(open_to_, &group);
    Fill(capped_, &group);
  }
  if (group.bots.size() < seats_) return absl::nullopt;
  rating::Pairing pairing{std::move(group.bots)};
  if (seats_evenly_) Seat(&pairing);
  Begin(pairing);
  return pairing;
}

void Ladder::Begin(const rating::Pairing& pairing) {
  const int64_t number = open_.Begin(pairing);
  for (const int each : pairing.bots) {
    Bot& bot = bots_[each];
    ++bot.level;
    ++bot.blocks;
    bot.last = number;
    bot.begun = now_;
    pace_.Begin(each);
  }
  Meet(number, pairing);
}

void Ladder::Begun(const rating::Pairing& pairing) { Begin(pairing); }

void Ladder::Rated(int bot, const rating::Rating& rating) {
  bots_[bot].mu = rating.mu;
  bots_[bot].variance = rating.sigma * rating.sigma;
  if (goal_width_ == 0) return;
  bots_[bot].measured = false;
  for (const Meetings::Met& met : met_.Of(bot)) bots_[met.bot].measured = false;
}

std::string Ladder::rests() const {
  if (all_at_goal_) {
    return absl::StrCat("all strengths are known as well as the goal of ", goal_width_,
                        " Elo asks; it goes on when a bot joins");
  }
  return paced_ ? "its bots have begun as many blocks as the pace allows for now" : "";
}

void Ladder::Played(int64_t number, const rating::BlockOutcome& outcome) {
  End(number);
  sheet_.Add(outcome);
}

void Ladder::Dropped(int64_t number) {
  const absl::optional<rating::Pairing> dropped = End(number);
  if (!dropped.has_value()) return;
  for (const int bot : dropped->bots) --bots_[bot].blocks;
  const bool is_known = seats_ == 2 || remembered_.erase(number) > 0;
  if (is_known) Forget(*dropped);
}

absl::optional<rating::Pairing> Ladder::End(int64_t number) {
  absl::optional<rating::Pairing> ended = open_.End(number);
  if (ended.has_value()) ended_.emplace_back(number, *ended);
  return ended;
}

std::vector<ScoreLine> Ladder::Scores() const {
  std::vector<ScoreLine> lines = sheet_.lines();
  for (ScoreLine& line : lines) {
    if (bots_[line.bot].withdrawn) line.remark = "withdrawn";
  }
  return Ranked(std::move(lines));
}

}  // namespace referee::schedule
