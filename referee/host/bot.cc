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
  const int taken = static_cast<int>(slots_.size());
  const int most = hello_.max_matches;
  const int usual = hello_.parallel_turns > 0 ? std::min(hello_.parallel_turns, most) : most;
  if (taken == 0 && usual < at_once && at_once <= most) return at_once;
  return std::max(0, usual - taken);
}

int Bot::max_matches() const {
  MutexLock lock(&mutex_);
  return connection_.link == nullptr ? 0 : hello_.max_matches;
}

int64_t Bot::connects() const {
  MutexLock lock(&mutex_);
  return connects_;
}

Connection Bot::connection() const {
  MutexLock lock(&mutex_);
  return connection_;
}

std::pair<Connection, Connection> Bot::SetLink(std::shared_ptr<Link> link, Hello hello) {
  MutexLock lock(&mutex_);
  hello_ = std::move(hello);
  divides_ = hello_.max_matches == 0;
  noticed_.clear();
  is_noticed_.clear();
  Connection before = connection_;
  connection_ = {before.version + 1, std::move(link)};
  ++connects_;
  return {connection_, std::move(before)};
}

bool Bot::SetCapacity(const Link* link, int max_matches, int parallel_turns) {
  MutexLock lock(&mutex_);
  if (connection_.link.get() != link) return false;
  hello_.max_matches = max_matches;
  hello_.parallel_turns = parallel_turns;
  divides_ = true;
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

void Bot::Refer(const Referral& referral, Instant now) {
  std::shared_ptr<Link> link;
  {
    MutexLock lock(&mutex_);
    if (connection_.link == nullptr || hello_.referral == referral) return;
    hello_.referral = referral;
    hello_.referred_at = now;
    link = connection_.link;
  }
  link->TellReferral(referral);
  link->Flush();
}

absl::optional<Instant> Bot::ReferredInVainSince() const {
  MutexLock lock(&mutex_);
  const bool in_vain = connection_.link != nullptr && !divides_ && !hello_.referral.here &&
                       !hello_.referral.homes.empty();
  return in_vain ? absl::make_optional(hello_.referred_at) : absl::nullopt;
}

absl::optional<Connection> Bot::ClearLink(const Link* link) {
  MutexLock lock(&mutex_);
  if (connection_.link.get() != link) return absl::nullopt;
  connection_ = {connection_.version + 1, nullptr};
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

Bot::Slot Bot::FindSlot(absl::string_view match_id) const {
  MutexLock lock(&mutex_);
  const auto it = slots_.find(match_id);
  return it == slots_.end() || it->second.runner->end_told() ? Slot() : it->second;
}

std::vector<Bot::Slot> Bot::slots() const {
  std::vector<Slot> slots;
  {
    MutexLock lock(&mutex_);
    slots.reserve(slots_.size());
    for (const auto& [match_id, slot] : slots_) {
      if (!slot.runner->end_told()) slots.push_back(slot);
    }
  }
  std::sort(slots.begin(), slots.end(),
            [](const Slot& a, const Slot& b) { return a.runner->id() < b.runner->id(); });
  return slots;
}

}  // namespace referee::host
