// What the transaction of a step is to do.

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/limits.h"
#include "referee/competition/count.h"
#include "referee/competition/planner.h"

namespace referee::competition {

Transaction Planner::Plan() {
  Transaction plan;
  plan.changes = Names();
  PlanEnds(&plan);
  if (!home_.here) return plan;
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
  // What is given up has nothing to share.
  const bool stopped = !open->given_up.empty() && !open->played();
  if (open->over() && !open->settled() && !stopped) return;
  if (open->played()) return PlanPlayed(open, plan);
  if (!home_.here && !stopped) return PlanHandOver(open, plan);
  if (!open->over() && !open->waits_for_slots()) return;
  if (home_.here && decided())
    return PlanStopped(open, store::BlockState::kDropped, kAfterDecision, plan);
  if (stopped) return PlanStopped(open, store::BlockState::kVoid, open->given_up, plan);
  const std::vector<int> gone = GonePlaces(open->block.pairing);
  std::vector<store::Attempt> attempts = open->block.attempts;
  absl::optional<store::Attempt> failed;
  // Who goes while it waits makes nothing void.
  if (open->over() && (gone.empty() || open->was_begun())) {
    failed = open->Failure(situation_.wall_now);
    attempts.push_back(*failed);
  }
  if (const auto forfeit = FindForfeit(attempts, gone)) {
    PlanForfeit(open, *forfeit, std::move(failed), plan);
  } else if (!gone.empty()) {
    PlanDrop(open, store::BlockState::kDropped,
             WhyGone(open->block.pairing.bots[static_cast<size_t>(gone.front())]),
             std::move(failed), plan);
  } else if (failed && open->block.attempt + 1 >= limits::kMaxBlockAttempts) {
    const std::string reason = absl::StrCat(
        open->block.attempt + 1, " attempts came to nothing, the last: ", failed->reason);
    PlanDrop(open, store::BlockState::kVoid, reason, std::move(failed), plan);
  } else if (failed) {
    const store::Block& block = open->block;
    plan->changes.push_back(
        store::RetryBlock{id_, block.number, block.attempt, *std::move(failed)});
    plan->retried.push_back(block.number);
  }
}

void Planner::PlanHandOver(OpenBlock* open, Transaction* plan) {
  const bool unmade = home_.helps ? open->waits_for_slots() : !open->made && !open->from_before;
  if (home_.owner.empty() || !(open->over() || unmade)) return;
  store::Attempt failed;
  if (open->over()) {
    failed = open->Failure(situation_.wall_now);
  } else {
    failed.ending = match::Ending::kCancelled;
    failed.reason = "its matches were not made at the referee that was to play it";
    failed.end_time = situation_.wall_now;
  }
  const store::Block& block = open->block;
  plan->changes.push_back(
      store::RetryBlock{id_, block.number, block.attempt, std::move(failed), home_.owner});
  plan->handed_over.push_back(block.number);
}

void Planner::PlanStopped(OpenBlock* open, store::BlockState state, const std::string& reason,
                          Transaction* plan) {
  absl::optional<store::Attempt> stopped;
  if (open->was_begun()) stopped = open->Failure(situation_.wall_now);
  PlanDrop(open, state, reason, std::move(stopped), plan);
}

void Planner::PlanPlayed(OpenBlock* open, Transaction* plan) {
  const store::Block& block = open->block;
  PlanFinish(
      open,
      {id_, block.number, block.attempt, block.block_id, open->results(), situation_.wall_now},
      plan);
}

void Planner::PlanForfeit(OpenBlock* open, const Forfeit& forfeit,
                          absl::optional<store::Attempt> failed, Transaction* plan) {
  const store::Block& block = open->block;
  store::FinishBlock finish;
  finish.competition = id_;
  finish.number = block.number;
  finish.attempt = block.attempt;
  finish.block_id = forfeit.attempt->block_id;
  finish.matches = store::Forfeited(*forfeit.attempt, forfeit.places);
  finish.time = situation_.wall_now;
  finish.failed = std::move(failed);
  std::vector<std::string> why;
  for (const int place : forfeit.places) {
    const int bot = block.pairing.bots[static_cast<size_t>(place)];
    finish.forfeited_by.push_back(bot);
    why.push_back(WhyGone(bot));
  }
  finish.reason = absl::StrCat(absl::StrJoin(why, ", "), " after losing a match of it");
  PlanFinish(open, std::move(finish), plan);
}

void Planner::PlanFinish(OpenBlock* open, store::FinishBlock finish, Transaction* plan) {
  store::Block closed = open->block;
  closed.state = store::BlockState::kPlayed;
  closed.end_time = finish.time;
  closed.block_id = finish.block_id;
  closed.matches = finish.matches;
  closed.forfeited_by = finish.forfeited_by;
  closed.reason = finish.reason;
  if (finish.failed) closed.attempts.push_back(*finish.failed);
  // Of what others have begun the home's schedule knows.
  if (home_.here && !open->told) {
    schedule_->Played(closed.number, store::OutcomeOf(closed));
    open->told = true;
  }
  plan->finished.push_back(closed.number);
  plan->changes.push_back(std::move(finish));
  uncounted_.insert_or_assign(closed.number, std::move(closed));
}

void Planner::PlanDrop(OpenBlock* open, store::BlockState state, std::string reason,
                       absl::optional<store::Attempt> failed, Transaction* plan) {
  store::Block closed = open->block;
  closed.state = state;
  closed.matches.clear();
  closed.reason = reason;
  if (failed) closed.attempts.push_back(*failed);
  plan->dropped.push_back({closed.number, state, reason});
  plan->changes.push_back(store::DropBlock{id_, closed.number, closed.attempt, situation_.wall_now,
                                           state, std::move(reason), std::move(failed)});
  uncounted_.insert_or_assign(closed.number, std::move(closed));
}

// --- Counting ---

void Planner::PlanCount(Transaction* plan) {
  CompetitionCount count(row_, entrants_, sprt_);
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
  plan->sprt = count.sprt();
  // Who is set aside may not be in the next block: it is for the next step to begin.
  plan->sets_aside = count.sets_aside();
  if (plan->sets_aside || plan->count->decides()) goes_on_ = true;
}

// --- The next blocks ---

void Planner::PlanBegins(Transaction* plan) {
  if (row_.state != store::CompetitionState::kRunning || !situation_.may_begin || held_back() ||
      situation_.yields || plan->sets_aside || IsDecided(plan->sprt ? plan->sprt : sprt_)) {
    return;
  }
  // What has begun, and could not be made, comes first.
  for (const auto& [number, open] : open_) {
    if (!open.made && !open.takes_slots) return;
  }
  for (const Transaction::Begun& begun : unwritten_) PlanBegin(begun, plan);
  Room room = FindRoom();
  int64_t next = row_.next_block + static_cast<int64_t>(plan->begun.size());
  const int64_t counted = plan->count ? plan->count->to : row_.counted;
  lacks_places_ = next - counted < UncountedLimit() && LacksPlaces(room);
  for (; room.blocks > 0 && next - counted < UncountedLimit(); --room.blocks) {
    if (plan->begun.size() >= static_cast<size_t>(limits::kMaxBlocksPerStep)) {
      goes_on_ = true;
      begins_go_on_ = true;
      return;
    }
    absl::optional<Transaction::Begun> begun = NextBegin(&room);
    if (!begun.has_value()) return;
    unwritten_.push_back(*begun);
    PlanBegin(*std::move(begun), plan);
    ++next;
  }
}

absl::optional<Transaction::Begun> Planner::NextBegin(Room* room) {
  const int seats = row_.spec.seats;
  for (;;) {
    const auto most =
        std::max_element(room->places.begin(), room->places.end(),
                         [](const Place& a, const Place& b) { return a.blocks < b.blocks; });
    if (most->blocks <= 0) return absl::nullopt;
    absl::optional<rating::Pairing> pairing = schedule_->Next(most->free, situation_.now);
    if (!pairing.has_value()) {
      most->blocks = 0;
      continue;
    }
    --most->blocks;
    for (const int bot : pairing->bots) {
      most->slots[bot] -= seats;
      ++room->held[bot];
    }
    for (const int bot : pairing->bots) {
      for (Place& place : room->places) {
        place.free[bot] =
            place.free[bot] && place.slots[bot] >= seats && room->held[bot] < room->share;
      }
    }
    return Transaction::Begun{*std::move(pairing), most->owner};
  }
}

bool Planner::LacksPlaces(const Room& room) const {
  const int seats = row_.spec.seats;
  if (situation_.host.RoomForBlocks(seats) > 0 || Playing() >= Limit()) return false;
  if (schedule_->blocks_left() == 0) return false;
  const std::vector<bool>& free = room.places.front().free;
  return std::count(free.begin(), free.end(), true) >= seats;
}

void Planner::PlanBegin(Transaction::Begun begun, Transaction* plan) const {
  plan->changes.push_back(store::BeginBlock{
      id_, row_.version, row_.next_block + static_cast<int64_t>(plan->begun.size()), begun.pairing,
      situation_.wall_now, begun.to});
  plan->begun.push_back(std::move(begun));
}

int Planner::Limit() const {
  int most = std::max(1, situation_.host.max_running / row_.spec.seats);
  for (const store::Help& help : situation_.help) most += help.blocks;
  return row_.spec.max_running == 0 ? most : std::min(most, row_.spec.max_running);
}

int Planner::UncountedLimit() const {
  return std::max(limits::kMinUncountedBlocks, limits::kUncountedPerPlayed * Limit());
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
  Room room;
  room.held.assign(entrants_.size(), 0);
  for (const Transaction::Begun& begun : unwritten_) {
    for (const int bot : begun.pairing.bots) ++room.held[standing_[bot]];
  }
  for (const auto& [number, open] : open_) {
    if (open.waits_for_slots() || open.waits_in_host() || open.over()) continue;
    for (const int bot : open.block.pairing.bots) ++room.held[standing_[bot]];
  }
  room.places.push_back(RoomHere());
  for (const store::Help& help : situation_.help) {
    room.places.push_back(RoomAt(help));
    for (const auto& [number, foreign] : foreign_) {
      if (foreign.owner != help.owner) continue;
      for (const int bot : foreign.pairing.bots) ++room.held[standing_[bot]];
    }
  }
  const int limit = Limit();
  room.blocks = limit - Playing();
  int connected = 0;
  for (size_t bot = 0; bot < entrants_.size(); ++bot) {
    const bool is_in = entrants_[bot].presence == store::Presence::kIn;
    if (is_in && ViewOf(static_cast<int>(bot)).connected) ++connected;
  }
  if (connected == 0) return room;
  room.share = std::max(1, (limit * row_.spec.seats + connected - 1) / connected);
  FindFree(&room);
  return room;
}

Planner::Place Planner::RoomHere() const {
  const int seats = row_.spec.seats;
  Place place;
  place.blocks = situation_.host.RoomForBlocks(seats);
  place.slots.assign(entrants_.size(), 0);
  place.free.assign(entrants_.size(), false);
  for (size_t bot = 0; bot < entrants_.size(); ++bot) {
    const host::BotView& view = ViewOf(static_cast<int>(bot));
    if (view.connected) place.slots[bot] = view.free_slots;
  }
  for (const Transaction::Begun& begun : unwritten_) {
    if (!begun.to.empty()) continue;
    --place.blocks;
    for (const int bot : begun.pairing.bots) place.slots[standing_[bot]] -= seats;
  }
  return place;
}

void Planner::FindFree(Room* room) const {
  for (Place& place : room->places) {
    for (size_t bot = 0; bot < entrants_.size(); ++bot) {
      place.free[bot] = entrants_[bot].presence == store::Presence::kIn &&
                        place.slots[bot] >= row_.spec.seats && room->held[bot] < room->share;
    }
  }
}

}  // namespace referee::competition
