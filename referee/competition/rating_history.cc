#include "referee/competition/rating_history.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "referee/base/limits.h"
#include "referee/rating/block.h"
#include "referee/rating/fit.h"
#include "referee/rating/sprt.h"

namespace referee::competition {
namespace {

constexpr size_t kMostKeptHistories = 8;
// The next moment is this share of the blocks ahead, for up to kCheapBots bots. For more bots it is
// farther, since a fit takes time with the cube of their number.
constexpr double kStep = 0.1;
constexpr double kCheapBots = 100;

}  // namespace

int64_t RatingHistory::NextMoment() const {
  const double bots = static_cast<double>(evidence_.blocks_of().size()) / kCheapBots;
  const double step = kStep * std::max(1.0, bots * bots);
  return played_ + std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(played_) * step));
}

void RatingHistory::Add(const rating::BlockOutcome& outcome) {
  evidence_.Add(outcome);
  if (++played_ < next_) return;
  next_ = NextMoment();
  for (const rating::Strength& strength : rating::Fit(evidence_)) {
    const auto bot = static_cast<size_t>(strength.bot);
    if (bot >= points_.size()) points_.resize(bot + 1);
    points_[bot].push_back({played_, strength.elo, strength.error});
  }
}

std::vector<RatingPoint> RatingHistory::Of(int entrant,
                                           const std::vector<rating::Strength>& now) const {
  std::vector<RatingPoint> points;
  if (static_cast<size_t>(entrant) < points_.size()) points = points_[static_cast<size_t>(entrant)];
  const auto last = std::find_if(
      now.begin(), now.end(), [entrant](const auto& strength) { return strength.bot == entrant; });
  if (last == now.end()) return points;
  if (!points.empty() && points.back().blocks == played_) points.pop_back();
  points.push_back({played_, last->elo, last->error});
  return points;
}

RatingHistories::RatingHistories(store::CompetitionReader* store)
    : store_(store), kept_(kMostKeptHistories) {}

absl::Status RatingHistories::ReadOn(const store::Competition& competition,
                                     const SeasonStrengths& now, Reckoned* reckoned) {
  const int64_t first = now.season == competition.season ? competition.season_block : 0;
  const bool is_same = reckoned->annulled == now.annulled;  // false: a bot has left
  if (is_same && reckoned->read > competition.counted) {
    // Either another caller has read further since this row was read, or blocks were withdrawn.
    const absl::StatusOr<store::Competition> row = store_->FindCompetition(competition.spec.name);
    if (!row.ok()) return row.status();
    if (row->counted >= reckoned->read) return absl::OkStatus();
  }
  if (!is_same || reckoned->read > competition.counted) {
    reckoned->read = 0;
    reckoned->annulled = now.annulled;
    reckoned->history = RatingHistory();
  }
  reckoned->read = std::max(reckoned->read, std::min(first, competition.counted));
  while (reckoned->read < competition.counted) {
    const int64_t to = std::min(competition.counted, reckoned->read + limits::kMaxTestBlocksRead);
    std::vector<rating::BlockOutcome> outcomes;  // fits run outside of the store's lock
    const absl::Status read = store_->ReadOutcomes(
        competition.id, reckoned->read, to, [&](int64_t, const rating::BlockOutcome& outcome) {
          if (!now.Has(outcome.pairing)) return true;
          if (now.annulled.empty()) {
            outcomes.push_back(outcome);
          } else if (auto rest = WithoutAnnulled(outcome, now.annulled)) {
            outcomes.push_back(*std::move(rest));
          }
          return true;
        });
    if (!read.ok()) return read;
    for (const rating::BlockOutcome& outcome : outcomes) reckoned->history.Add(outcome);
    reckoned->read = to;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::vector<RatingPoint>>> RatingHistories::Of(
    const store::Competition& competition, absl::Span<const int> entrants,
    const SeasonStrengths& now) {
  std::vector<std::vector<RatingPoint>> histories(entrants.size());
  if (now.strengths.empty()) return histories;  // nothing counts, or the season is too large
  const auto kept = kept_.Get(
      {competition.id, now.season}, [](const auto&) { return true; },
      []() -> absl::StatusOr<std::shared_ptr<Reckoned>> { return std::make_shared<Reckoned>(); });
  if (!kept.ok()) return kept.status();
  Reckoned& reckoned = ***kept;
  MutexLock lock(&reckoned.mutex);
  if (absl::Status read = ReadOn(competition, now, &reckoned); !read.ok()) return read;
  for (size_t i = 0; i < entrants.size(); ++i) {
    histories[i] = reckoned.history.Of(entrants[i], now.strengths);
  }
  return histories;
}

absl::StatusOr<TestPointPage> ReadTestPoints(store::CompetitionReader* store,
                                             const store::Competition& competition, TestCursor from,
                                             int64_t every, int limit) {
  const rating::SprtTerms& terms = *competition.spec.sprt;
  TestPointPage page;
  TestCursor at = std::move(from);
  const auto add_point = [&] {
    page.points.push_back(
        {at.last_block, at.counts,
         rating::LogLikelihoodRatio(at.counts, terms.elo0, terms.elo1, terms.scale)});
  };
  const int64_t to = std::min(competition.counted, at.next_block + limits::kMaxTestBlocksRead);
  bool full = false;
  const absl::Status read = store->ReadOutcomes(
      competition.id, at.next_block, to, [&](int64_t number, const rating::BlockOutcome& outcome) {
        const size_t place = outcome.pairing.bots[0] == 0 ? 0 : 1;
        at.counts.Add(rating::HalfPoints(outcome, place));
        at.last_block = number;
        if (at.counts.blocks() % every != 0) return true;
        add_point();
        full = static_cast<int>(page.points.size()) == limit;
        return !full;
      });
  if (!read.ok()) return read;
  at.next_block = full ? at.last_block + 1 : to;
  if (at.next_block < competition.counted) {
    page.next = std::move(at);
  } else if (at.counts.blocks() % every != 0) {
    add_point();
  }
  return page;
}

}  // namespace referee::competition
