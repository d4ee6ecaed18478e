#include "referee/host/bot.h"

#include <algorithm>
#include <utility>

#include "absl/hash/hash.h"
#include "referee/base/limits.h"
#include "referee/host/match_runner.h"

namespace referee::host {

std::shared_ptr<Link> Bot::link() const {
  MutexLock lock(&mutex_);
  return connection_.link;
}

bool Bot::plays(absl::string_view game) const {
  MutexLock lock(&mutex_);
  return hello_.games.empty() ||
         std::find(hello_.games.begin(), hello_.games.end(), game) != hello_.games.end();
}

int Bot::free_slots(int at_once) const {
  MutexLock lock(&mutex_);
  if (connection_.link == nullptr) return 0;
  const int taken = static_cast<int>(slots_.size()) + kept_ + taken_elsewhere_;
  const int most = hello_.max_matches;
  const int usual = hello_.parallel_turns > 0 ? std::min(hello_.parallel_turns, most) : most;
  if (taken == 0 && usual < at_once && at_once <= most) return at_once;
  return std::max(0, usual - taken);
}

int Bot::max_matches() const {
  MutexLock lock(&mutex_);
  return connection_.link == nullptr ? 0 : hello_.max_matches;
}

bool Bot::SetTakenElsewhere(const Link* link, int slots) {
  MutexLock lock(&mutex_);
  if (connection_.link.get() != link) return false;
  taken_elsewhere_ = std::max(0, slots);
  return true;
}

void Bot::KeepSlots(int more) {
  MutexLock lock(&mutex_);
  kept_ = std::max(0, kept_ + more);
}

Bot::Presence Bot::presence() const {
  MutexLock lock(&mutex_);
  return {connection_.link, hello_};
}

int64_t Bot::connects() const {
  MutexLock lock(&mutex_);
  return connects_;
}

Connection Bot::connection() const {
  MutexLock lock(&mutex_);
  return connection_;
}

int64_t Bot::connection_number() const {
  MutexLock lock(&mutex_);
  return connection_.link == nullptr ? 0 : hello_.connection;
}

std::pair<Connection, Connection> Bot::SetLink(std::shared_ptr<Link> link, Hello hello,
                                               absl::Time now) {
  MutexLock lock(&mutex_);
  hello_ = std::move(hello);
  if (hello_.connection == 0) hello_.connection = std::max(absl::ToUnixNanos(now), latest_ + 1);
  latest_ = std::max(latest_, hello_.connection);
  taken_elsewhere_ = 0;
  noticed_.clear();
  is_noticed_.clear();
  Connection before = connection_;
  connection_.version = before.version + 1;
  connection_.link = std::move(link);
  if (before.link != nullptr) connection_.entry_gone = Instant::InfiniteFuture();
  ++connects_;
  return {connection_, std::move(before)};
}

bool Bot::SetCapacity(const Link* link, int max_matches, int parallel_turns) {
  MutexLock lock(&mutex_);
  if (connection_.link.get() != link) return false;
  hello_.max_matches = max_matches;
  hello_.parallel_turns = parallel_turns;
  return true;
}

void Bot::NoteRefused(Instant when) {
  MutexLock lock(&mutex_);
  refused_ = when;
}

bool Bot::WasRefused(Instant now) const {
  MutexLock lock(&mutex_);
  return refused_ && now - *refused_ <= limits::kRefusalMemory;
}

absl::optional<Connection> Bot::ClearLink(const Link* link, Instant entry_gone) {
  MutexLock lock(&mutex_);
  if (connection_.link.get() != link) return absl::nullopt;
  connection_ = {connection_.version + 1, nullptr, entry_gone};
  return connection_;
}

void Bot::TellNotice(absl::string_view text) {
  std::shared_ptr<Link> link;
  {
    MutexLock lock(&mutex_);
    const size_t notice = absl::Hash<absl::string_view>()(text);
    if (connection_.link == nullptr || !is_noticed_.insert(notice).second) return;
    noticed_.push_back(notice);
    if (noticed_.size() > kRememberedNotices) {
      is_noticed_.erase(noticed_.front());
      noticed_.pop_front();
    }
    link = connection_.link;
  }
  link->TellNotice(text);
  link->Flush();
}

void Bot::AddSlot(absl::string_view match_id, Slot slot) {
  MutexLock lock(&mutex_);
  slots_.insert_or_assign(match_id, std::move(slot));
}

bool Bot::RemoveSlot(absl::string_view match_id) {
  MutexLock lock(&mutex_);
  return slots_.erase(match_id) > 0;
}

std::vector<std::string> Bot::RemoveSlotsOf(const Relay* relay) {
  std::vector<std::string> removed;
  MutexLock lock(&mutex_);
  for (auto it = slots_.begin(); it != slots_.end();) {
    const auto slot = it++;
    if (slot->second.runner != nullptr) continue;
    if (relay != nullptr && slot->second.relay.get() != relay) continue;
    removed.push_back(slot->first);
    slots_.erase(slot);
  }
  return removed;
}

Bot::Slot Bot::FindSlot(absl::string_view match_id) const {
  MutexLock lock(&mutex_);
  const auto it = slots_.find(match_id);
  if (it == slots_.end()) return Slot();
  const std::shared_ptr<MatchRunner>& runner = it->second.runner;
  return runner != nullptr && runner->end_told() ? Slot() : it->second;
}

int Bot::taken_slots() const {
  MutexLock lock(&mutex_);
  return static_cast<int>(slots_.size());
}

bool Bot::plays_elsewhere() const {
  MutexLock lock(&mutex_);
  return kept_ + taken_elsewhere_ > 0 ||
         std::any_of(slots_.begin(), slots_.end(),
                     [](const auto& slot) { return slot.second.runner == nullptr; });
}

bool Bot::plays_any() const {
  MutexLock lock(&mutex_);
  return std::any_of(slots_.begin(), slots_.end(), [](const auto& slot) {
    return slot.second.runner == nullptr || !slot.second.runner->end_told();
  });
}

std::vector<Bot::Slot> Bot::slots() const {
  std::vector<Slot> slots;
  {
    MutexLock lock(&mutex_);
    slots.reserve(slots_.size());
    for (const auto& [match_id, slot] : slots_) {
      if (slot.runner != nullptr && !slot.runner->end_told()) slots.push_back(slot);
    }
  }
  std::sort(slots.begin(), slots.end(),
            [](const Slot& a, const Slot& b) { return a.runner->id() < b.runner->id(); });
  return slots;
}

}  // namespace referee::host
