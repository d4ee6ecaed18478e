#include "referee/competition/rating_history.h"

#include <algorithm>
#include <utility>

#include "referee/base/limits.h"

namespace referee::competition {
namespace {

constexpr size_t kMostKeptHistories = 16;

}  // namespace

// Entrants are numbered in the order in which they came, and so never before whom they succeed.
void RatingHistory::SucceedUntil(int64_t number, absl::Span<const store::Entrant> entrants) {
  while (lines_.size() < entrants.size()) {
    const store::Entrant& entrant = entrants[lines_.size()];
    if (entrant.rated_from > number) return;
    const auto before = static_cast<size_t>(entrant.predecessor.value_or(-1));
    Line line;
    if (before < lines_.size()) line.rating = rating::Succeed(lines_[before].rating);
    lines_.push_back(std::move(line));
  }
}

void RatingHistory::Add(int64_t number, const rating::BlockOutcome& outcome,
                        absl::Span<const store::Entrant> entrants) {
  SucceedUntil(number, entrants);
  ++played_;
  std::vector<rating::Rating> ratings;
  for (const int bot : outcome.pairing.bots) {
    // What a damaged store says must not do harm.
    if (static_cast<size_t>(bot) >= lines_.size()) return;
    ratings.push_back(lines_[static_cast<size_t>(bot)].rating);
  }
  ratings = rating::Update(ratings, outcome);
  for (size_t place = 0; place < ratings.size(); ++place) {
    Line& line = lines_[static_cast<size_t>(outcome.pairing.bots[place])];
    line.rating = ratings[place];
    AddPoint({played_, ratings[place]}, &line);
  }
}

void RatingHistory::AddPoint(const RatingPoint& point, Line* line) {
  line->last = point;
  if (++line->blocks % line->every != 0) return;
  std::vector<RatingPoint>& points = line->points;
  points.push_back(point);
  if (points.size() < kMostPoints) return;
  for (size_t kept = 0; kept < kMostPoints / 2; ++kept) points[kept] = points[2 * kept + 1];
  points.resize(kMostPoints / 2);
  line->every *= 2;
}

std::vector<RatingPoint> RatingHistory::Of(int entrant) const {
  if (static_cast<size_t>(entrant) >= lines_.size()) return {};
  const Line& line = lines_[static_cast<size_t>(entrant)];
  std::vector<RatingPoint> points = line.points;
  const bool whole = !points.empty() && points.back().blocks == line.last.blocks;
  if (!whole && line.blocks > 0) points.push_back(line.last);
  return points;
}

RatingHistories::RatingHistories(store::CompetitionReader* store)
    : store_(store), kept_(kMostKeptHistories) {}

absl::Status RatingHistories::ReadOn(const store::Competition& competition, Reckoned* reckoned) {
  if (reckoned->read == competition.counted) return absl::OkStatus();
  if (reckoned->read > competition.counted) {
    // Less may be told than before.
    reckoned->read = 0;
    reckoned->history = RatingHistory();
  }
  const absl::StatusOr<std::vector<store::Entrant>> entrants = store_->ReadEntrants(competition.id);
  if (!entrants.ok()) return entrants.status();
  while (reckoned->read < competition.counted) {
    const int64_t to = std::min(competition.counted, reckoned->read + limits::kMaxTestBlocksRead);
    const absl::Status read = store_->ReadOutcomes(
        competition.id, reckoned->read, to,
        [&](int64_t number, const rating::BlockOutcome& outcome) ABSL_NO_THREAD_SAFETY_ANALYSIS {
          reckoned->history.Add(number, outcome, *entrants);
          reckoned->read = number + 1;
          return true;
        });
    if (!read.ok()) return read;
    reckoned->read = to;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::vector<RatingPoint>>> RatingHistories::Of(
    const store::Competition& competition, absl::Span<const int> entrants) {
  const auto kept = kept_.Get(
      competition.id, [](const auto&) { return true; },
      []() -> absl::StatusOr<std::shared_ptr<Reckoned>> { return std::make_shared<Reckoned>(); });
  if (!kept.ok()) return kept.status();
  Reckoned& reckoned = ***kept;
  MutexLock lock(&reckoned.mutex);
  if (absl::Status read = ReadOn(competition, &reckoned); !read.ok()) return read;
  std::vector<std::vector<RatingPoint>> histories;
  for (const int entrant : entrants) histories.push_back(reckoned.history.Of(entrant));
  return histories;
}

}  // namespace referee::competition
