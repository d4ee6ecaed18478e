// The owner's side of a stream between two referees (PEERS.md).
//
// Lets bots that are connected to the entry play in this referee's matches. To the host each of
// them is a RelayedLink.
#ifndef REFEREE_SERVICE_PEER_OWNER_SESSION_H_
#define REFEREE_SERVICE_PEER_OWNER_SESSION_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "proto/referee/peer/v1/peer_service.pb.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/host/host.h"
#include "referee/host/timers.h"
#include "referee/service/peer/peer_transport.h"

namespace referee::service {

class RelayedLink;
class OwnerOutbox;

// Shared by the sessions of a referee with its peers. All must outlive the sessions.
struct PeerEnvironment {
  host::Host* host = nullptr;
  const Clock* clock = nullptr;
  host::Timers* timers = nullptr;
  std::string owner;   // this referee's name in the store
  std::string secret;  // of the fleet
};

// Thread-safe, but the transport must make its calls one at a time.
class OwnerSession : public std::enable_shared_from_this<OwnerSession> {
 public:
  // `transport` must live until OnDone returns.
  OwnerSession(const PeerEnvironment* environment,
               PeerTransport<peer::v1::AttachResponse>* transport);
  ~OwnerSession();

  // Starts the session. Call first, once. REQUIRES: a shared_ptr holds this.
  void Begin();
  // Handles a message that came at `when`. An invalid one ends the stream with INVALID_ARGUMENT, a
  // wrong secret with UNAUTHENTICATED.
  void OnRead(const peer::v1::AttachRequest& request, Instant when);
  void OnWriteDone(bool ok);
  // The stream is lost or has ended. The last call.
  void OnDone();

  // The entry's name in the store; empty before its hello.
  std::string entry() const;

 private:
  // A bot of the entry.
  struct Guest {
    std::shared_ptr<RelayedLink> link;
    std::shared_ptr<host::Bot> bot;  // null: the host refused it
    int max_matches = 0;
    int parallel_turns = 0;
  };

  // Handle an item, by kind.
  absl::Status Take(const peer::v1::EntryItem& item, Instant when);
  absl::Status Take(const peer::v1::EntryHello& hello);
  absl::Status Take(uint64_t stream, const peer::v1::BotCame& came);
  absl::Status Take(const Guest& guest, const peer::v1::BotSaid& said, Instant when);
  void Take(uint64_t stream, const Guest& guest, const peer::v1::BotCapacity& capacity);
  void Take(const Guest& guest, const peer::v1::SlotsFree& free);
  absl::Status TakeOfBot(const peer::v1::EntryItem& item, Instant when);
  // `asked`: when the entry asked the bot to leave; InfiniteFuture: it left by itself.
  void TakeWent(uint64_t stream, const Guest& guest, Instant asked);
  // Sends Alive if nothing else was sent, and ends a silent stream.
  void Beat();
  // Ends the stream. The entry's bots wait for another one (Host::DetachEntry).
  void End(const absl::Status& status);
  // Like End, without the transport. Returns false if the stream had ended before.
  bool EndBots();

  const PeerEnvironment& environment_;
  PeerTransport<peer::v1::AttachResponse>& transport_;
  // Shared with the links, which matches may hold longer.
  const std::shared_ptr<OwnerOutbox> outbox_;

  mutable Mutex mutex_;
  std::string entry_ ABSL_GUARDED_BY(mutex_);
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool done_ ABSL_GUARDED_BY(mutex_) = false;
  // The latest time up to which the entry has confirmed that it received this referee's messages.
  Instant reached_ ABSL_GUARDED_BY(mutex_);
  // Beats since the last message of the entry. Counting beats instead of time ignores periods when
  // this referee stood still.
  int beats_ ABSL_GUARDED_BY(mutex_) = 0;
  // By the number of the bot's stream.
  absl::btree_map<uint64_t, Guest> guests_ ABSL_GUARDED_BY(mutex_);

  // The last member: its callback uses the others.
  host::Timer beat_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_OWNER_SESSION_H_
