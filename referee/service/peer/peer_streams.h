// Keeps one stream to each other referee of the fleet, with this one as the entry (PEERS.md).
//
// A lost stream is dialled again, after increasing pauses.
//
//   std::shared_ptr<PeerStreams> streams = PeerStreams::Make({&environment, &executor, dial, log});
//   streams->Update(daemons);      // after each poll of the store
//   streams->BotChanged("alice");  // the host's on_connection
//   streams->Close();              // before the links of bots are closed
#ifndef REFEREE_SERVICE_PEER_PEER_STREAMS_H_
#define REFEREE_SERVICE_PEER_PEER_STREAMS_H_

#include <grpcpp/channel.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/host/timers.h"
#include "referee/log/event.h"
#include "referee/service/peer/entry_session.h"
#include "referee/service/peer/entry_stream.h"
#include "referee/service/peer/owner_session.h"
#include "referee/store/lease.h"

namespace referee::service {

// The addresses of the referees to dial, by name: all `daemons` with an address except `own`. If
// two have the same address, only the one with the later term counts. No referee is dialled at the
// address of `own`.
std::map<std::string, std::string> PeersAmong(absl::Span<const store::Daemon> daemons,
                                              absl::string_view own);

// Thread-safe.
class PeerStreams : public std::enable_shared_from_this<PeerStreams> {
 public:
  struct Options {
    const PeerEnvironment* environment = nullptr;  // must outlive this, and the sessions
    host::Executor* executor = nullptr;            // dials; must outlive Close
    // Makes a channel to the referee at an address, in the form that bots dial.
    std::function<absl::StatusOr<std::shared_ptr<grpc::Channel>>(const std::string& address)> dial;
    log::Log log;
  };
  static std::shared_ptr<PeerStreams> Make(Options options);

  // Dials new referees, and ends the streams to those that are no longer listed. `daemons` are all
  // referees in the store, including this one.
  void Update(absl::Span<const store::Daemon> daemons);
  // Forward to the EntrySessions of all streams.
  void BotChanged(absl::string_view bot);
  void BotRefused(absl::string_view bot);
  // Ends all streams and dials no more. Returns when they have ended. Do not call it on a thread of
  // gRPC or of the executor.
  void Close();

 private:
  struct Peer {
    std::string address;
    bool dialing = false;
    std::shared_ptr<EntryStream> stream = nullptr;  // null: no stream
    std::shared_ptr<EntrySession> session = nullptr;
    // Of streams that have ended since the peer answered last.
    std::vector<std::weak_ptr<EntrySession>> former = {};
    Instant due = {};  // when to dial, if there is no stream
    absl::Duration pause = limits::kFirstPeerPause;
    bool told_silent = false;  // the failure was logged
  };
  using Peers = std::map<std::string, Peer>;  // by name

  explicit PeerStreams(Options options) : options_(std::move(options)) {}

  // Dials all peers that are due.
  void DialDue();
  void Dial(const std::string& owner, const std::string& address);
  void NoteAnswer(const std::string& owner, const EntryStream* stream);
  void NoteEnd(const std::string& owner, const EntryStream* stream, const absl::Status& why);
  // Schedules another attempt after a pause. Returns whether to log the failure.
  bool Retry(Peer* peer) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The peer to which this stream goes, or null.
  Peer* Find(const std::string& owner, const EntryStream* stream)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetTimer() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<std::shared_ptr<EntrySession>> Sessions();
  void Tell(log::Level level, absl::string_view event, const std::string& line) const {
    log::Tell(options_.log, {level, event, line});
  }

  const Options options_;
  Mutex mutex_;
  CondVar ended_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  int open_ ABSL_GUARDED_BY(mutex_) = 0;  // streams that have not ended
  Peers peers_ ABSL_GUARDED_BY(mutex_);
  host::Timer timer_;  // set by Make, moved under mutex_
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_PEER_STREAMS_H_
