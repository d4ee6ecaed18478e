// What the transaction of a step is to do.

#include <algorithm>
#include <utility>

#include "referee/base/limits.h"
#include "referee/competition/count.h"
#include "referee/competition/planner.h"

namespace referee::competition {

Transaction Planner::Plan() {
  Transaction plan;
  plan.changes = Names();
  PlanEnds(&plan);
  PlanCount(&plan);
  PlanBegins(&plan);
  return plan;
}

// --- Ends ---

void Planner::PlanEnds(Transaction* plan) {
  for (auto& [number, open] : open_) {
    uncounted_.erase(number);  // of a plan that was not carried out
    PlanEnd(&open, plan);
  }
}

void Planner::PlanEnd(OpenBlock* open, Transaction* plan) {
  const bool waits = open->waits_for_slots();
  if (!waits && !open->over()) return;
  const store::Block& block = open->block;
  const int64_t number = block.number;
  const absl::Time now = situation_.wall_now;
  store::Block closed = block;
  if (open->played()) {
    closed.state = store::BlockState::kPlayed;
    closed.matches = open->results();
    plan->changes.push_back(store::FinishBlock{id_, number, block.attempt, owner_, block.block_id,
                                               closed.matches, now});
    plan->finished.push_back(number);
    if (!open->told) schedule_->Played(number, store::OutcomeOf(closed));
    open->told = true;
  } else if (FindGone(block.pairing).has_value()) {
    closed.state = store::BlockState::kDropped;
    closed.matches.clear();
    plan->changes.push_back(store::DropBlock{id_, number, block.attempt, owner_, now});
    plan->dropped.push_back(number);
  } else if (!waits) {
    plan->changes.push_back(store::RetryBlock{id_, number, block.attempt, owner_});
    plan->retried.push_back(number);
    return;
  } else {
    return;
  }
  uncounted_.insert_or_assign(number, std::move(closed));
}

// --- Counting ---

void Planner::PlanCount(Transaction* plan) {
  CompetitionCount count(row_, entrants_);
  int64_t next = row_.counted;
  for (auto it = uncounted_.find(next); it != uncounted_.end() && it->first == next; ++it, ++next) {
    if (next - row_.counted == limits::kMaxCountedPerStep) {
      goes_on_ = true;
      break;
    }
    count.Add(it->second);
  }
  if (count.empty()) return;
  plan->count = count.change();
  plan->changes.push_back(*plan->count);
  // Who is set aside may not be in the next block: it is for the next step to begin.
  plan->sets_aside = count.sets_aside();
  if (plan->sets_aside) goes_on_ = true;
}

// --- The next blocks ---

void Planner::PlanBegins(Transaction* plan) {
  if (row_.state != store::CompetitionState::kRunning || !situation_.may_begin || plan->sets_aside)
    return;
  // What has begun, and could not be made, comes first.
  for (const auto& [number, open] : open_) {
    if (!open.made && !open.takes_slots) return;
  }
  for (const rating::Pairing& pairing : unwritten_) PlanBegin(pairing, plan);
  const int seats = row_.spec.seats;
  Room room = FindRoom();
  int64_t next = row_.next_block + static_cast<int64_t>(plan->begun.size());
  for (; room.blocks > 0 && next - row_.counted < limits::kMaxUncountedBlocks; --room.blocks) {
    if (plan->begun.size() >= static_cast<size_t>(limits::kMaxBlocksPerStep)) {
      goes_on_ = true;
      return;
    }
    absl::optional<rating::Pairing> pairing = schedule_->Next(room.free, situation_.now);
    if (!pairing.has_value()) return;
    for (const int bot : pairing->bots) {
      room.slots[bot] -= seats;
      ++room.held[bot];
      room.free[bot] = room.slots[bot] >= seats && room.held[bot] < room.share;
    }
    unwritten_.push_back(*pairing);
    PlanBegin(*std::move(pairing), plan);
    ++next;
  }
}

void Planner::PlanBegin(rating::Pairing pairing, Transaction* plan) const {
  plan->changes.push_back(store::BeginBlock{
      id_, row_.version, row_.next_block + static_cast<int64_t>(plan->begun.size()), pairing,
      owner_, situation_.wall_now});
  plan->begun.push_back(std::move(pairing));
}

int Planner::Limit() const {
  const int most = std::max(1, situation_.host.max_running / row_.spec.seats);
  return row_.spec.max_running == 0 ? most : std::min(most, row_.spec.max_running);
}

int Planner::Playing() const {
  int playing = static_cast<int>(foreign_.size() + unwritten_.size());
  for (const auto& [number, open] : open_) {
    // What waits for bots that are not there takes no room from others.
    if (!open.waits_for_slots() && !open.waits_in_host() && !open.over()) ++playing;
  }
  return playing;
}

Planner::Room Planner::FindRoom() const {
  const host::HostView& host = situation_.host;
  const int seats = row_.spec.seats;
  const size_t bots = entrants_.size();
  Room room;
  room.slots.assign(bots, 0);
  room.held.assign(bots, 0);
  room.free.assign(bots, false);
  for (const rating::Pairing& pairing : unwritten_) {
    for (const int bot : pairing.bots) {
      ++room.held[bot];
      room.slots[bot] -= seats;
    }
  }
  for (const auto& [number, open] : open_) {
    if (open.waits_for_slots() || open.waits_in_host() || open.over()) continue;
    for (const int bot : open.block.pairing.bots) ++room.held[bot];
  }
  int connected = 0;
  for (size_t bot = 0; bot < bots; ++bot) {
    if (entrants_[bot].presence != store::Presence::kIn) continue;
    const host::BotView& view = ViewOf(static_cast<int>(bot));
    if (!view.connected) continue;
    ++connected;
    room.slots[bot] += view.free_slots;
  }
  const int limit = Limit();
  room.blocks = std::min(limit - Playing(), (host.max_running - host.running) / seats -
                                                static_cast<int>(unwritten_.size()));
  if (connected == 0) return room;
  room.share = std::max(1, (limit * seats + connected - 1) / connected);
  for (size_t bot = 0; bot < bots; ++bot) {
    room.free[bot] = entrants_[bot].presence == store::Presence::kIn && room.slots[bot] >= seats &&
                     room.held[bot] < room.share;
  }
  return room;
}

}  // namespace referee::competition
