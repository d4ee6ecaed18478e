// What a gate knows and may tell: one feed for each thing that is watched, and answers that are
// made once for all who ask. It knows no sockets. Used on the loop only.
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
    std::string ticket_key;  // empty: everybody may look
    // See HttpServer::Trust.
    std::vector<std::string> trusted_proxies;
  };
  using ThenContent = std::function<void(const absl::StatusOr<SharedContent>&)>;
  using ThenFeed = std::function<void(const absl::StatusOr<std::shared_ptr<Feed>>&)>;

  // Both must outlive the gate.
  Gate(Options options, Upstream* upstream, Loop* loop);

  const Bounds& bounds() const { return environment_.bounds; }
  // Whether everybody may look.
  bool is_public() const { return ticket_key_.empty(); }
  // Whether the request may be answered. Returns how long its ticket is good for, InfiniteFuture if
  // it needs none; or PermissionDenied.
  absl::StatusOr<absl::Time> Admit(const Route& route, absl::string_view cookies,
                                   absl::Time now) const;

  // Calls `then` once, now or later, with what is to be told, or an error for who asks: it speaks
  // of nothing but what was asked for. `visitor`: the address that asks. REQUIRES: the resource is
  // not one of events.
  void Get(const Route& route, const std::string& visitor, ThenContent then);
  // The same for events. The feed goes on as long as it is held.
  void Follow(const Route& route, const std::string& visitor, ThenFeed then);

  // To be called about once a second: lets go of feeds that nobody holds.
  void Sweep();
  // Lets go of all of them.
  void Stop() { feeds_.clear(); }

 private:
  struct Held {
    std::shared_ptr<Feed> feed;
    Instant left;         // when somebody held it last
    std::string visitor;  // whose question it still is; empty: nobody's
  };

  // Those who wait for an answer of the referee.
  struct Waiting {
    bool is_new = false;   // it was not answered before
    bool made_up = false;  // the answer is an empty list of something that was named
    std::string visitor;   // who asked first
    std::vector<ThenContent> all;
  };

  void GetMatch(const Route& route, const std::string& visitor, ThenContent then);
  // A feed that is to be begun. Returns Unavailable when there are too many, ResourceExhausted when
  // the visitor asked too much.
  absl::StatusOr<std::shared_ptr<Feed>> BeginFeed(const std::string& key, const Route& route,
                                                  const std::string& visitor);
  // Answers from the cache, joins who wait for the same, or has it fetched.
  void GetKept(const Route& route, const std::string& visitor, ThenContent then);
  // Whether an answer may be fetched; if so it is counted.
  absl::Status TakeCall(const std::string& key, const std::string& visitor);
  void FetchList(const Route& route);
  void FetchReplay(const Route& route);
  // Has the content made, elsewhere, then given to who waits for it.
  void MakeThenGive(const Route& route, std::function<absl::StatusOr<SharedContent>()> make,
                    Instant until);
  void Give(const std::string& key, const absl::StatusOr<SharedContent>& content);

  const FeedEnvironment environment_;
  const std::string ticket_key_;
  Upstream& upstream_;
  Loop& loop_;

  std::map<std::string, Held> feeds_;
  const std::map<Resource, SharedContent> shells_;  // pages that ask for what they show
  ContentCache cache_;
  std::map<std::string, Waiting> waiting_;
  CallBudget budget_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_GATE_H_
