#include "referee/competition/next_blocks.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "referee/base/limits.h"

namespace referee::competition {
namespace {

// A referee on which blocks may begin.
struct Place {
  std::string owner;       // a helper; empty: this referee
  int blocks = 0;          // the number that may begin there
  std::vector<int> slots;  // free slots, by entrant
  std::vector<bool> free;  // by entrant: whether it may begin one more block there
};

// Whether an open block takes room from others. A block that waits for its bots does not.
bool TakesRoom(const OpenBlock& open) {
  return !open.waits_for_slots() && !open.waits_in_host() && !open.over();
}

// How many blocks may begin, of which bots, and on which referees.
class Room {
 public:
  Room(const CompetitionNow& now, const OpenBlocks& open,
       const std::vector<store::BeginBlock>& unwritten);

  // The most blocks that may run at once.
  int limit() const { return limit_; }
  // The number of blocks that may begin on all referees together.
  int left() const { return limit_ - playing_; }
  // Whether a block could begin here if the host had free slots.
  bool LacksPlaces() const;
  // Returns the next block of the schedule, and takes its room on the referee that has most; none
  // if no block can begin anywhere.
  absl::optional<store::BeginBlock> Next(schedule::Schedule* schedule);

 private:
  void Hold(const rating::Pairing& pairing) {
    for (const int bot : pairing.bots) ++held_[now_.standing[bot]];
  }
  void Take(const rating::Pairing& pairing, absl::string_view owner);
  // Reserves the slots of a block to be repeated, so that no younger block takes them here.
  void KeepSlots(const rating::Pairing& pairing) {
    for (const int bot : pairing.bots) places_.front().slots[now_.standing[bot]] -= seats_;
  }
  void FindFree(int bot);

  const CompetitionNow& now_;
  const int seats_;
  int limit_;
  int playing_;
  int share_ = 0;             // the most blocks that one bot may hold at once
  std::vector<int> held_;     // blocks held, by entrant
  std::vector<bool> queued_;  // by entrant: whether a block waits in its queue
  std::vector<Place> places_;
};

Room::Room(const CompetitionNow& now, const OpenBlocks& open,
           const std::vector<store::BeginBlock>& unwritten)
    : now_(now),
      seats_(now.row.spec.seats),
      limit_(std::max(1, now.situation.host.max_running / seats_)),
      playing_(static_cast<int>(now.foreign.size() + unwritten.size())),
      held_(now.entrants.size(), 0),
      queued_(now.entrants.size(), false) {
  const size_t bots = now.entrants.size();
  places_.push_back({"", now.situation.host.RoomForBlocks(seats_), std::vector<int>(bots, 0), {}});
  int connected = 0;
  for (size_t bot = 0; bot < bots; ++bot) {
    const host::BotView& view = now.ViewOf(static_cast<int>(bot));
    if (!view.connected) continue;
    places_[0].slots[bot] = view.free_slots;
    if (now.entrants[bot].presence == store::Presence::kIn) ++connected;
  }
  for (const store::Help& help : now.situation.help) {
    limit_ += help.blocks;
    places_.push_back({help.owner, help.blocks, help.places, {}});
    places_.back().slots.resize(bots, 0);
  }
  if (now.row.spec.max_running != 0) limit_ = std::min(limit_, now.row.spec.max_running);
  if (connected > 0) share_ = std::max(1, (limit_ * seats_ + connected - 1) / connected);
  for (const auto& [number, block] : open) {
    if (TakesRoom(block)) ++playing_;
    if (block.waits_in_host()) {
      for (const int bot : block.block.pairing.bots) queued_[now_.standing[bot]] = true;
    }
    if (TakesRoom(block) || KeepsSlots(block, now)) Hold(block.block.pairing);
    if (KeepsSlots(block, now)) KeepSlots(block.block.pairing);
  }
  for (const store::BeginBlock& begin : unwritten) {
    Hold(begin.pairing);
    Take(begin.pairing, begin.to);
  }
  for (const auto& [number, foreign] : now.foreign) Take(foreign.pairing, foreign.owner);
  for (const store::Help& help : now.situation.help) {
    for (const auto& [number, foreign] : now.foreign) {
      if (foreign.owner == help.owner) Hold(foreign.pairing);
    }
  }
  for (Place& place : places_) place.free.resize(bots);
  for (size_t bot = 0; bot < bots; ++bot) FindFree(static_cast<int>(bot));
}

void Room::Take(const rating::Pairing& pairing, absl::string_view owner) {
  for (Place& place : places_) {
    if (place.owner != owner) continue;
    --place.blocks;
    for (const int bot : pairing.bots) place.slots[now_.standing[bot]] -= seats_;
  }
}

void Room::FindFree(int bot) {
  const bool may = now_.entrants[bot].presence == store::Presence::kIn && held_[bot] < share_;
  for (Place& place : places_) place.free[bot] = may && place.slots[bot] >= seats_;
  // A bot that plays elsewhere has one block in its queue, so that it comes to this referee in
  // turn.
  const bool queues = now_.ViewOf(bot).plays_elsewhere && held_[now_.standing[bot]] == 0 &&
                      !queued_[now_.standing[bot]];
  if (may && queues) places_.front().free[bot] = true;
}

bool Room::LacksPlaces() const {
  if (now_.situation.host.RoomForBlocks(seats_) > 0 || left() <= 0) return false;
  const std::vector<bool>& free = places_.front().free;
  return std::count(free.begin(), free.end(), true) >= seats_;
}

absl::optional<store::BeginBlock> Room::Next(schedule::Schedule* schedule) {
  for (;;) {
    const auto most =
        std::max_element(places_.begin(), places_.end(),
                         [](const Place& a, const Place& b) { return a.blocks < b.blocks; });
    if (most->blocks <= 0) return absl::nullopt;
    absl::optional<rating::Pairing> pairing = schedule->Next(most->free, now_.situation.now);
    if (!pairing.has_value()) {
      most->blocks = 0;
      continue;
    }
    ++playing_;
    Hold(*pairing);
    Take(*pairing, most->owner);
    for (const int bot : pairing->bots) FindFree(bot);
    store::BeginBlock begin;
    begin.competition = now_.row.id;
    begin.pairing = *std::move(pairing);
    begin.to = most->owner;
    return begin;
  }
}

}  // namespace

store::Help OfferOf(const CompetitionNow& now, const OpenBlocks& open) {
  store::Help offer;
  const bool may = now.running() && now.situation.may_begin && now.situation.host.held_back.empty();
  if (!now.home.helps || !may) return offer;
  const int seats = now.row.spec.seats;
  offer.blocks = now.situation.host.RoomForBlocks(seats);
  offer.places.assign(now.entrants.size(), 0);
  for (size_t bot = 0; bot < now.entrants.size(); ++bot) {
    if (now.entrants[bot].successor) continue;
    offer.places[bot] = now.ViewOf(static_cast<int>(bot)).free_slots;
  }
  // The owner subtracts the blocks that it has given, so they are added back here. Then their
  // beginning does not change the offer.
  for (const auto& [number, block] : open) {
    if (!block.made || block.waits_in_host() || block.over()) continue;
    ++offer.blocks;
    for (const int bot : block.block.pairing.bots) offer.places[now.standing[bot]] += seats;
  }
  while (!offer.places.empty() && offer.places.back() == 0) offer.places.pop_back();
  return offer;
}

void NextBlocks::Plan(const CompetitionNow& now, const OpenBlocks& open, int64_t counted,
                      schedule::Schedule* schedule, Transaction* plan) {
  const Situation& situation = now.situation;
  if (!now.running() || !situation.may_begin || !situation.host.held_back.empty() ||
      situation.yields) {
    return;
  }
  // Blocks that have begun and could not be made come first.
  for (const auto& [number, block] : open) {
    if (!block.made && !block.takes_slots) return;
  }
  int64_t next = now.row.next_block;
  const auto add = [&](store::BeginBlock begin) {
    begin.version = now.row.version;
    begin.number = next++;
    begin.time = situation.wall_now;
    plan->changes.push_back(std::move(begin));
  };
  Room room(now, open, unwritten_);
  for (const store::BeginBlock& begin : unwritten_) add(begin);
  // The range of block numbers that may begin.
  const int64_t uncounted =
      std::max(limits::kMinUncountedBlocks, limits::kUncountedPerPlayed * room.limit());
  const int64_t end = std::min(counted + uncounted, situation.max_blocks);
  lacks_places_ = next < end && schedule->blocks_left() != 0 && room.LacksPlaces();
  while (room.left() > 0 && next < end) {
    more_ = next - now.row.next_block >= limits::kMaxBlocksPerStep;
    if (more_) return;
    absl::optional<store::BeginBlock> begin = room.Next(schedule);
    if (!begin.has_value()) return;
    add(*begin);
    unwritten_.push_back(*std::move(begin));
  }
}

bool NextBlocks::Written(int64_t begun) {
  if (begun != static_cast<int64_t>(unwritten_.size())) return false;
  unwritten_.clear();
  return true;
}

}  // namespace referee::competition
