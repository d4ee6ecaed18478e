// The open streams by the token that opened each, so that they end when the token becomes invalid:
// at once when the account was changed through this daemon, soon when it was changed elsewhere.
//
//   const uint64_t ticket = sessions->Add("alice", hash, [weak](const absl::Status& why) {...});
//   ...
//   sessions->Remove(ticket);
#ifndef REFEREE_SERVICE_PLAY_SESSIONS_H_
#define REFEREE_SERVICE_PLAY_SESSIONS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/host/timers.h"
#include "referee/service/access/authenticator.h"

namespace referee::service {

// Thread-safe.
class Sessions : public std::enable_shared_from_this<Sessions> {
 public:
  // Ends a stream. Called on any thread, without a lock; more than once, perhaps, and perhaps after
  // Remove.
  using End = std::function<void(const absl::Status& why)>;

  // `authenticator` must outlive this.
  explicit Sessions(Authenticator* authenticator) : authenticator_(*authenticator) {}

  // Adds a stream opened with the token of `name` whose hash is `hash`. Ends it at once if the
  // token has become invalid since it was looked up. Returns a ticket for Remove.
  uint64_t Add(absl::string_view name, const TokenHash& hash, End end);
  void Remove(uint64_t ticket);

  // Ends those streams of `name` whose token is no longer valid.
  void Recheck(absl::string_view name);

  // Every limits::kTokenRecheck, refreshes the authenticator and rechecks all streams, for as long
  // as this lives. REQUIRES: a shared_ptr holds this; not called before; `timers` and `clock`
  // outlive this and what the authenticator has been asked for.
  void RecheckFromTimeToTime(const Clock* clock, host::Timers* timers);

 private:
  struct Session {
    std::string name;
    TokenHash hash;
    End end;
  };

  // Those of one name, or all.
  std::vector<Session> Open(absl::optional<absl::string_view> name) const;
  void Recheck(const Session& session) const;

  Authenticator& authenticator_;
  mutable Mutex mutex_;
  uint64_t last_ticket_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, Session> sessions_ ABSL_GUARDED_BY(mutex_);

  host::Timer recheck_;  // the last member, as its call uses the others
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_SESSIONS_H_
