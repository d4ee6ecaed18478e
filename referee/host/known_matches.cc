#include "referee/host/known_matches.h"

#include <algorithm>
#include <utility>

namespace referee::host {

void KnownMatches::Add(std::shared_ptr<MatchRunner> runner, absl::string_view request_id) {
  MatchId made = runner->id();
  const absl::optional<match::BlockPlace> place = runner->block_place();
  const size_t seats = runner->request().bots.size();
  matches_.emplace(made, std::move(runner));
  if (place) {
    std::vector<MatchId>& matches = blocks_[place->block];
    matches.resize(seats);
    matches[static_cast<size_t>(place->rotation)] = made;
    // An incomplete block was never reported to its caller, whose repeated call made another one.
    if (std::find(matches.begin(), matches.end(), MatchId()) != matches.end()) return;
    // The request id of a block leads to its rotation 0.
    made = matches.front();
  }
  if (request_id.empty()) return;
  made_by_.insert_or_assign(request_id, made);
  request_ids_.insert_or_assign(made, std::string(request_id));
}

void KnownMatches::Remember(const MatchId& id) {
  remembered_.push_back(id);
  while (remembered_.size() > max_remembered_) {
    Forget(remembered_.front());
    remembered_.pop_front();
  }
}

void KnownMatches::Forget(const MatchId& id) {
  const auto known_match = matches_.find(id);
  if (known_match == matches_.end()) return;  // was remembered twice
  ForgetBlockOf(*known_match->second);
  matches_.erase(known_match);
  ForgetRequestOf(id);
}

void KnownMatches::ForgetRequestOf(const MatchId& id) {
  const auto it = request_ids_.find(id);
  if (it == request_ids_.end()) return;
  // A later match may have reused the request id after this one was forgotten.
  const auto known = made_by_.find(it->second);
  if (known != made_by_.end() && known->second == id) made_by_.erase(known);
  request_ids_.erase(it);
}

// A block stays known while one of its matches is known.
void KnownMatches::ForgetBlockOf(const MatchRunner& runner) {
  const absl::optional<match::BlockPlace>& place = runner.block_place();
  if (!place) return;
  const auto block = blocks_.find(place->block);
  if (block == blocks_.end()) return;
  for (const MatchId& id : block->second) {
    if (id != runner.id() && matches_.find(id) != matches_.end()) return;
  }
  blocks_.erase(block);
}

std::shared_ptr<MatchRunner> KnownMatches::Find(const MatchId& id) const {
  const auto it = matches_.find(id);
  return it == matches_.end() ? nullptr : it->second;
}

std::shared_ptr<MatchRunner> KnownMatches::MadeBy(absl::string_view request_id) const {
  const auto made = made_by_.find(request_id);
  return made == made_by_.end() ? nullptr : Find(made->second);
}

std::vector<MatchId> KnownMatches::BlockOf(const MatchRunner& runner) const {
  if (!runner.block_place()) return {runner.id()};
  return blocks_.at(runner.block_place()->block);
}

std::vector<std::shared_ptr<MatchRunner>> KnownMatches::List(const MatchId& before,
                                                             size_t limit) const {
  std::vector<std::shared_ptr<MatchRunner>> found;
  auto it = before == MatchId() ? matches_.end() : matches_.lower_bound(before);
  while (it != matches_.begin() && found.size() < limit) found.push_back((--it)->second);
  return found;
}

}  // namespace referee::host
