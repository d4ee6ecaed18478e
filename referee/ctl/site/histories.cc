#include "referee/ctl/site/histories.h"

#include <algorithm>

#include "referee/base/rotation.h"
#include "referee/rating/block.h"

namespace referee::ctl {
namespace {

// What the block says; no ranks if it is not whole.
rating::BlockOutcome OutcomeOf(const v1::Block& block) {
  rating::BlockOutcome outcome;
  const int seats = block.bots_size();
  for (int i = 0; i < seats; ++i) outcome.pairing.bots.push_back(i);
  for (const v1::BlockMatch& match : block.matches()) {
    if (match.ranks_size() != seats) return {};
    std::vector<int> ranks(static_cast<size_t>(seats));
    for (int seat = 0; seat < seats; ++seat) {
      const auto rotation = static_cast<int>(match.rotation() % static_cast<uint32_t>(seats));
      const int place = PlaceOfSeat(seat, rotation, seats);
      ranks[static_cast<size_t>(place)] = static_cast<int>(match.ranks(seat));
    }
    outcome.ranks.push_back(std::move(ranks));
  }
  return outcome;
}

}  // namespace

void Histories::Add(const v1::Block& block) {
  open_ = open_ || block.state() == v1::BLOCK_STATE_RUNNING;
  if (open_ || block.state() != v1::BLOCK_STATE_PLAYED) return;
  ++counted_;
  const rating::BlockOutcome outcome = OutcomeOf(block);
  if (outcome.ranks.empty()) return;
  std::vector<Line*> lines;
  std::vector<rating::Rating> before;
  for (int i = 0; i < block.bots_size(); ++i) {
    const std::string version = i < block.bot_versions_size() ? block.bot_versions(i) : "";
    lines.push_back(LineOf({block.bots(i), version}, std::max(1u, block.season())));
    before.push_back(lines.back()->rating);
  }
  const std::vector<rating::Rating> after = rating::Update(before, outcome);
  for (size_t i = 0; i < lines.size(); ++i) {
    Line& line = *lines[i];
    line.rating = after[i];
    line.last.set_block(counted_);
    line.last.set_mu(after[i].mu);
    line.last.set_sigma(after[i].sigma);
    if (++line.blocks % line.every != 0) continue;
    line.points.push_back(line.last);
    if (line.points.size() < kMaxPoints) continue;
    for (size_t kept = 0; kept < kMaxPoints / 2; ++kept) {
      line.points[kept] = line.points[2 * kept + 1];
    }
    line.points.resize(kMaxPoints / 2);
    line.every *= 2;
  }
}

Histories::Line* Histories::LineOf(const Key& key, uint32_t season) {
  const auto [found, added] = lines_.try_emplace(key);
  Line& line = found->second;
  const auto former = versions_.find(key.first);
  if (added && former != versions_.end()) {
    line.rating = rating::Succeed(lines_[{key.first, former->second}].rating);
    line.season = season;
  }
  if (!added && line.season != season) line.rating = rating::Succeed(line.rating);
  line.season = season;
  versions_[key.first] = key.second;
  return &line;
}

v1::RatingHistory Histories::Of(const std::string& bot, const std::string& version) const {
  v1::RatingHistory history;
  history.set_bot(bot);
  history.set_version(version);
  const auto found = lines_.find({bot, version});
  if (found == lines_.end()) return history;
  const Line& line = found->second;
  for (const v1::RatingPoint& point : line.points) *history.add_points() = point;
  const bool whole = !line.points.empty() && line.points.back().block() == line.last.block();
  if (!whole && line.blocks > 0) *history.add_points() = line.last;
  return history;
}

}  // namespace referee::ctl
