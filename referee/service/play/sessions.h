// The open streams by holder, ended when their token becomes invalid or the holder is banned.
//
// A change made through this daemon applies at once, a change made elsewhere at the next recheck. A
// bot's stream first plays the matches that have begun to their end.
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
  // Ends a stream. Called on any thread, without a lock, possibly more than once and even after
  // Remove.
  using End = std::function<void(const absl::Status& why)>;

  // `authenticator` must outlive this.
  explicit Sessions(Authenticator* authenticator) : authenticator_(*authenticator) {}

  // The opener of a stream: its address, account and token. Name and hash are unset without a
  // token.
  struct Holder {
    std::string address;  // see ClientAddress
    std::string name;
    absl::optional<TokenHash> hash;
  };
  // Adds a stream and rechecks it. Calls `end` when the holder is shut out. Returns a ticket for
  // Remove.
  uint64_t Add(const Holder& holder, End end);
  // Adds a stream that decides itself when to end. Each recheck calls `rechecked`, with OK or the
  // reason why the holder is shut out.
  uint64_t AddBot(const Holder& holder, End rechecked);
  void Remove(uint64_t ticket);

  // The names of the holders with streams from `range`, each once.
  std::vector<std::string> NamesFrom(const IpRange& range) const;

  // Rechecks the streams of `name`, and ends those whose holder is shut out.
  void Recheck(absl::string_view name);
  // Rechecks all streams, and ends those whose holder is shut out.
  void Recheck();

  // Calls `enforce` before each periodic recheck from now on; null: no call. No call of an earlier
  // function is in progress when this returns.
  void OnRefreshed(std::function<void()> enforce);
  // Refreshes the authenticator and rechecks all streams every limits::kTokenRecheck, while this
  // lives. REQUIRES: a shared_ptr holds this; called once; `timers` and `clock` outlive this and
  // the pending requests to the authenticator.
  void RecheckFromTimeToTime(const Clock* clock, host::Timers* timers);

 private:
  struct Session {
    Holder holder;
    End end;
    bool always = false;  // calls `end` also with OK
  };

  uint64_t Add(Session session);

  // Copies of the sessions of one name, or of all.
  std::vector<Session> Open(absl::optional<absl::string_view> name) const;
  void Recheck(const Session& session) const;

  Authenticator& authenticator_;
  mutable Mutex mutex_;
  uint64_t last_ticket_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, Session> sessions_ ABSL_GUARDED_BY(mutex_);

  Mutex enforce_mutex_;
  std::function<void()> enforce_ ABSL_GUARDED_BY(enforce_mutex_);

  host::Timer recheck_;  // the last member: its callback uses the others
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_SESSIONS_H_
