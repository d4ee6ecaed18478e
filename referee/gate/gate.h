// The content of a gate: one feed for each watched thing, and answers shared by all clients.
//
// It does not know sockets. Used on the loop only.
#ifndef REFEREE_GATE_GATE_H_
#define REFEREE_GATE_GATE_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/gate/bounds.h"
#include "referee/gate/call_budget.h"
#include "referee/gate/content.h"
#include "referee/gate/feed.h"
#include "referee/gate/loop.h"
#include "referee/gate/route.h"
#include "referee/gate/upstream.h"

namespace referee::gate {

class Gate {
 public:
  struct Options {
    Bounds bounds;
    std::string ticket_key;  // empty: no ticket is needed
    // See HttpServer::Trust.
    std::vector<std::string> trusted_proxies;
  };
  using ThenContent = std::function<void(const absl::StatusOr<SharedContent>&)>;
  using ThenFeed = std::function<void(const absl::StatusOr<std::shared_ptr<Feed>>&)>;

  // Both must outlive the gate.
  Gate(Options options, Upstream* upstream, Loop* loop);

  const Bounds& bounds() const { return environment_.bounds; }
  // Whether no ticket is needed.
  bool is_public() const { return ticket_key_.empty(); }
  // Checks the ticket of a request. Returns the end of the ticket, InfiniteFuture if none is
  // needed, or PermissionDenied.
  absl::StatusOr<absl::Time> Admit(const Route& route, absl::string_view cookies,
                                   absl::Time now) const;

  // Calls `then` once, now or later, with the content or an error. The error's text is for the
  // client and mentions only the requested thing. `visitor`: the client's address. REQUIRES: the
  // resource is not a stream of events.
  void Get(const Route& route, const std::string& visitor, ThenContent then);
  // Like Get, for a stream of events. The feed continues as long as the caller holds it.
  void Follow(const Route& route, const std::string& visitor, ThenFeed then);

  // Drops feeds that are no longer held. Call it about once a second.
  void Sweep();
  // Drops all feeds.
  void Stop() { feeds_.clear(); }

 private:
  struct Held {
    std::shared_ptr<Feed> feed;
    Instant left;         // when it was last held
    std::string visitor;  // whose call is not settled yet; empty: settled
  };

  // The requests that wait for one answer of the referee.
  struct Waiting {
    bool is_new = false;   // the key was not answered before
    bool made_up = false;  // the answer is an empty list for a named thing
    std::string visitor;   // who asked first
    std::vector<ThenContent> all;
  };

  void GetMatch(const Route& route, const std::string& visitor, ThenContent then);
  // Makes a feed, to be started by the caller. Returns Unavailable if there are too many feeds or
  // calls, ResourceExhausted if the visitor has made too many calls for new keys.
  absl::StatusOr<std::shared_ptr<Feed>> BeginFeed(const std::string& key, const Route& route,
                                                  const std::string& visitor);
  // Answers from the cache, joins a pending request for the same, or starts a fetch.
  void GetKept(const Route& route, const std::string& visitor, ThenContent then);
  // Checks that an answer may be fetched, and charges the call.
  absl::Status TakeCall(const std::string& key, const std::string& visitor);
  void FetchList(const Route& route);
  void FetchReplay(const Route& route);
  // Runs `make` on the worker thread, then gives the content to the waiting requests.
  void MakeThenGive(const Route& route, std::function<absl::StatusOr<SharedContent>()> make,
                    Instant until);
  void Give(const std::string& key, const absl::StatusOr<SharedContent>& content);

  const FeedEnvironment environment_;
  const std::string ticket_key_;
  Upstream& upstream_;
  Loop& loop_;

  std::map<std::string, Held> feeds_;
  const std::map<Resource, SharedContent> shells_;  // pages that fetch their data by script
  ContentCache cache_;
  std::map<std::string, Waiting> waiting_;
  CallBudget budget_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_GATE_H_
