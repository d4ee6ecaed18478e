#include "referee/schedule/ladder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "referee/schedule/errors.h"

namespace referee::schedule {
namespace {

// The variance of a performance in one match, in the units of Rating.
constexpr double kBeta = 25.0 / 6.0;

}  // namespace

Ladder::Ladder(const Spec& spec, const std::vector<Entrant>& entrants, int64_t next_number)
    : seats_(static_cast<size_t>(spec.seats)),
      sheet_(entrants.size()),
      open_(entrants.size(), next_number) {
  int64_t most = 0;
  for (const Entrant& entrant : entrants) {
    if (!entrant.withdrawn) most = std::max(most, entrant.blocks_begun);
  }
  // Who joined late, or was away, is not given what it missed.
  for (const Entrant& entrant : entrants) {
    Add(entrant, std::clamp(entrant.blocks_begun, most - kLadderLead, most));
  }
  floor_ = std::max<int64_t>(0, most - kLadderLead);
}

void Ladder::Add(const Entrant& entrant, int64_t level) {
  Bot bot;
  bot.mu = entrant.rating.mu;
  bot.variance = entrant.rating.sigma * entrant.rating.sigma;
  bot.level = level;
  bot.withdrawn = entrant.withdrawn;
  bot.met.fill(-1);
  bots_.push_back(std::move(bot));
}

absl::Status Ladder::Join() {
  Add(Entrant(), floor_);
  sheet_.AddBot();
  open_.AddBot();
  return absl::OkStatus();
}

absl::Status Ladder::Rejoin(int bot) {
  if (!bots_[bot].withdrawn) return NotWithdrawn(bot);
  bots_[bot].withdrawn = false;
  return absl::OkStatus();
}

void Ladder::Withdraw(int bot) { bots_[bot].withdrawn = true; }

void Ladder::SeeWho(const std::vector<bool>& free) {
  int64_t lowest = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < bots_.size(); ++i) {
    Bot& bot = bots_[i];
    const bool here = !bot.withdrawn && (free[i] || open_.playing(static_cast<int>(i)) > 0);
    if (here && !bot.there) bot.level = std::max(bot.level, floor_);
    bot.there = here;
    if (here) lowest = std::min(lowest, bot.level);
  }
  lowest_.clear();
  open_to_.clear();
  capped_.clear();
  busy_lowest_ = 0;
  if (lowest == std::numeric_limits<int64_t>::max()) return;
  floor_ = std::max(floor_, lowest);
  for (size_t i = 0; i < bots_.size(); ++i) {
    const Bot& bot = bots_[i];
    if (!bot.there) continue;
    if (bot.level == floor_) {
      if (free[i]) lowest_.push_back(static_cast<int>(i));
      busy_lowest_ += free[i] ? 0 : 1;
    }
    if (!free[i]) continue;
    (bot.level < floor_ + kLadderLead ? open_to_ : capped_).push_back(static_cast<int>(i));
  }
}

double Ladder::Information(const Bot& a, const Bot& b) {
  const double spread = a.variance + b.variance + 2 * kBeta * kBeta;
  const double surprise = 1 / (2 + 2 * std::cosh((a.mu - b.mu) / std::sqrt(spread)));
  return (a.variance * a.variance + b.variance * b.variance) / spread * surprise;
}

int Ladder::TimesMet(const Bot& bot, int other) {
  return static_cast<int>(std::count(bot.met.begin(), bot.met.end(), other));
}

int Ladder::Unknown(const std::vector<int>& from) const {
  return *std::max_element(from.begin(), from.end(), [this](int a, int b) {
    if (bots_[a].variance != bots_[b].variance) return bots_[a].variance < bots_[b].variance;
    if (bots_[a].level != bots_[b].level) return bots_[a].level > bots_[b].level;
    return a > b;
  });
}

void Ladder::Fill(std::vector<int> from, std::vector<int>* group) const {
  std::vector<double> information(from.size(), 0);
  const auto just_met = [this](int a, int b) {
    const auto in = [](const rating::Pairing& block, int bot) {
      return std::find(block.bots.begin(), block.bots.end(), bot) != block.bots.end();
    };
    return in(bots_[a].last, b) || in(bots_[b].last, a);
  };
  std::vector<bool> again(from.size(), false);
  size_t counted = 0;
  while (group->size() < seats_) {
    for (; counted < group->size(); ++counted) {
      const int member = (*group)[counted];
      for (size_t i = 0; i < from.size(); ++i) {
        information[i] +=
            Information(bots_[member], bots_[from[i]]) / (1 + TimesMet(bots_[member], from[i]));
        again[i] = again[i] || just_met(member, from[i]);
      }
    }
    size_t best = from.size();
    for (size_t i = 0; i < from.size(); ++i) {
      if (std::find(group->begin(), group->end(), from[i]) != group->end()) continue;
      const bool better =
          best == from.size() ||
          (again[i] != again[best] ? again[best] : information[i] > information[best]);
      if (better) best = i;
    }
    if (best == from.size()) return;
    group->push_back(from[best]);
  }
}

absl::optional<rating::Pairing> Ladder::Next(const std::vector<bool>& free) {
  SeeWho(free);
  std::vector<int> group;
  if (open_to_.size() >= seats_) {
    group = {Unknown(open_to_)};
    Fill(open_to_, &group);
  } else if (busy_lowest_ == 0 && !lowest_.empty() && lowest_.size() <= seats_ &&
             open_to_.size() + capped_.size() >= seats_) {
    // All that are lowest play, so that the floor rises, and one that is capped may with it.
    group = lowest_;
    Fill(open_to_, &group);
    Fill(capped_, &group);
  }
  if (group.size() < seats_) return absl::nullopt;
  rating::Pairing pairing{std::move(group)};
  Begin(pairing);
  return pairing;
}

void Ladder::Remember(const rating::Pairing& pairing) {
  for (const int bot : pairing.bots) {
    Bot& known = bots_[bot];
    for (const int other : pairing.bots) {
      if (other == bot) continue;
      known.met[known.met_at] = other;
      known.met_at = (known.met_at + 1) % kLadderMemory;
    }
    known.last = pairing;
  }
}

void Ladder::Begin(const rating::Pairing& pairing) {
  for (const int bot : pairing.bots) ++bots_[bot].level;
  Remember(pairing);
  open_.Begin(pairing);
}

void Ladder::Begun(const rating::Pairing& pairing) { Begin(pairing); }

void Ladder::Rated(int bot, const rating::Rating& rating) {
  bots_[bot].mu = rating.mu;
  bots_[bot].variance = rating.sigma * rating.sigma;
}

void Ladder::Played(int64_t number, const rating::BlockOutcome& outcome) {
  open_.End(number);
  sheet_.Add(outcome);
}

void Ladder::Dropped(int64_t number) { open_.End(number); }

std::vector<ScoreLine> Ladder::Scores() const {
  std::vector<ScoreLine> lines = sheet_.lines();
  for (ScoreLine& line : lines) {
    if (bots_[line.bot].withdrawn) line.remark = "withdrawn";
  }
  return Ranked(std::move(lines));
}

}  // namespace referee::schedule
