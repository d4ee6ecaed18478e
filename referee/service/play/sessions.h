// The open streams by who opened each, so that they end when their token becomes invalid or their
// account or address is banned: at once when that was done through this daemon, soon when it was
// done elsewhere. A bot's stream plays the matches that have begun to their end before.
//
//   const uint64_t ticket =
//       sessions->Add({"10.0.0.7", "alice", hash}, [weak](const absl::Status& why) {...});
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
#include "referee/base/endpoint.h"
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

  // Who has opened a stream: from where, and with which token of whom, if any.
  struct Holder {
    std::string address;  // see ClientAddress
    std::string name;
    absl::optional<TokenHash> hash;
  };
  // Adds a stream, and rechecks it. `end` is called when its holder is shut out. Returns a ticket
  // for Remove.
  uint64_t Add(const Holder& holder, End end);
  // The same for a stream that ends by itself, when it is time: each recheck calls `rechecked`,
  // with OK or with why its holder is shut out.
  uint64_t AddBot(const Holder& holder, End rechecked);
  void Remove(uint64_t ticket);

  // Whose streams come from the range, each name once.
  std::vector<std::string> NamesFrom(const IpRange& range) const;

  // Ends those streams of `name` whose token is no longer valid.
  void Recheck(absl::string_view name);
  // Ends all streams whose holder is shut out.
  void Recheck();

  // From now on `enforce` is called before each recheck of all streams from time to time; null:
  // nothing is. When this returns no earlier one is being called.
  void OnRefreshed(std::function<void()> enforce);
  // Every limits::kTokenRecheck, refreshes the authenticator and rechecks all streams, for as long
  // as this lives. REQUIRES: a shared_ptr holds this; not called before; `timers` and `clock`
  // outlive this and what the authenticator has been asked for.
  void RecheckFromTimeToTime(const Clock* clock, host::Timers* timers);

 private:
  struct Session {
    Holder holder;
    End end;
    bool always = false;  // `end` is called with OK, too
  };

  uint64_t Add(Session session);

  // Those of one name, or all.
  std::vector<Session> Open(absl::optional<absl::string_view> name) const;
  void Recheck(const Session& session) const;

  Authenticator& authenticator_;
  mutable Mutex mutex_;
  uint64_t last_ticket_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, Session> sessions_ ABSL_GUARDED_BY(mutex_);

  Mutex enforce_mutex_;
  std::function<void()> enforce_ ABSL_GUARDED_BY(enforce_mutex_);

  host::Timer recheck_;  // the last member, as its call uses the others
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_SESSIONS_H_
