#include "referee/service/play/sessions.h"

#include <set>
#include <utility>

#include "referee/base/limits.h"

namespace referee::service {

uint64_t Sessions::Add(const Holder& holder, End end) { return Add({holder, std::move(end)}); }

uint64_t Sessions::AddBot(const Holder& holder, End rechecked) {
  return Add({holder, std::move(rechecked), /*always=*/true});
}

uint64_t Sessions::Add(Session session) {
  uint64_t ticket;
  {
    MutexLock lock(&mutex_);
    ticket = ++last_ticket_;
    sessions_.emplace(ticket, session);
  }
  // The account may have changed after the caller looked it up and before this session was added.
  Recheck(session);
  return ticket;
}

void Sessions::Remove(uint64_t ticket) {
  MutexLock lock(&mutex_);
  sessions_.erase(ticket);
}

void Sessions::Recheck(absl::string_view name) {
  for (const Session& session : Open(name)) Recheck(session);
}

void Sessions::Recheck() {
  for (const Session& session : Open(absl::nullopt)) Recheck(session);
}

void Sessions::OnRefreshed(std::function<void()> enforce) {
  MutexLock lock(&enforce_mutex_);
  enforce_ = std::move(enforce);
}

void Sessions::RecheckFromTimeToTime(const Clock* clock, host::Timers* timers) {
  recheck_ = timers->At(Instant::InfiniteFuture(), [this, clock] {
    authenticator_.RefreshThen([weak = weak_from_this(), clock](const absl::Status&) {
      const std::shared_ptr<Sessions> alive = weak.lock();
      if (alive == nullptr) return;
      {
        MutexLock lock(&alive->enforce_mutex_);
        if (alive->enforce_) alive->enforce_();
      }
      alive->Recheck();
      alive->recheck_.SetTo(clock->Now() + limits::kTokenRecheck);
    });
  });
  recheck_.SetTo(clock->Now() + limits::kTokenRecheck);
}

std::vector<Sessions::Session> Sessions::Open(absl::optional<absl::string_view> name) const {
  std::vector<Session> open;
  MutexLock lock(&mutex_);
  for (const auto& [ticket, session] : sessions_) {
    if (!name || session.holder.name == *name) open.push_back(session);
  }
  return open;
}

void Sessions::Recheck(const Session& session) const {
  const Holder& holder = session.holder;
  absl::Status good = authenticator_.CheckAddress(holder.address);
  if (good.ok() && holder.hash) good = authenticator_.Recheck(holder.name, *holder.hash);
  if (good.ok() && holder.hash) good = authenticator_.CheckExpiry(holder.name);
  if (!good.ok() || session.always) session.end(good);
}

std::vector<std::string> Sessions::NamesFrom(const IpRange& range) const {
  std::set<std::string> names;
  for (const Session& session : Open(absl::nullopt)) {
    const absl::optional<IpAddress> address = IpAddress::Parse(session.holder.address);
    if (address && range.Contains(*address)) names.insert(session.holder.name);
  }
  return {names.begin(), names.end()};
}

}  // namespace referee::service
