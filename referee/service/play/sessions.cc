#include "referee/service/play/sessions.h"

#include <utility>

#include "referee/base/limits.h"

namespace referee::service {

uint64_t Sessions::Add(absl::string_view name, const TokenHash& hash, End end) {
  const Session session{std::string(name), hash, std::move(end)};
  uint64_t ticket;
  {
    MutexLock lock(&mutex_);
    ticket = ++last_ticket_;
    sessions_.emplace(ticket, session);
  }
  // Whoever changed the account after it was found, and rechecked before it stood here.
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

void Sessions::RecheckFromTimeToTime(const Clock* clock, host::Timers* timers) {
  recheck_ = timers->At(Instant::InfiniteFuture(), [this, clock] {
    for (const Session& session : Open(absl::nullopt)) Recheck(session);
    recheck_.SetTo(clock->Now() + limits::kTokenRecheck);
  });
  recheck_.SetTo(clock->Now() + limits::kTokenRecheck);
}

std::vector<Sessions::Session> Sessions::Open(absl::optional<absl::string_view> name) const {
  std::vector<Session> open;
  MutexLock lock(&mutex_);
  for (const auto& [ticket, session] : sessions_) {
    if (!name || session.name == *name) open.push_back(session);
  }
  return open;
}

void Sessions::Recheck(const Session& session) const {
  const absl::Status good = authenticator_.Recheck(session.name, session.hash);
  // Where it cannot be found out, nobody loses their stream for it.
  if (absl::IsUnauthenticated(good)) session.end(good);
}

}  // namespace referee::service
