// The outgoing items of an owner on a stream from an entry: for all its bots, in order.
#ifndef REFEREE_SERVICE_PEER_OWNER_OUTBOX_H_
#define REFEREE_SERVICE_PEER_OWNER_OUTBOX_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "proto/referee/peer/v1/peer_service.pb.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/host/match_runner.h"
#include "referee/service/peer/peer_transport.h"
#include "referee/service/peer/peer_writer.h"

namespace referee::service {

class RelayedLink;

// A request to a bot on its way to the stream. The link is notified when the request is sent.
struct Asking {
  std::shared_ptr<RelayedLink> link;
  MatchId match;
  uint32_t turn = 0;  // as in PendingRequests
  uint32_t request = 0;
  // For a move that was not handed over before; otherwise null.
  std::shared_ptr<host::MatchRunner> runner = nullptr;
  Seat seat = {};
};

// Thread-safe.
class OwnerOutbox {
 public:
  // `clock` must outlive this, and `transport` must live until CloseAndWait returns.
  OwnerOutbox(PeerTransport<peer::v1::AttachResponse>* transport, const Clock* clock);

  // Adds an item about the bot's stream `stream`, filled by `fill(OwnerItem*)`. Returns false if
  // too much is queued, or after Close. It then adds no more items.
  template <typename Fill>
  bool Add(uint64_t stream, Fill fill) {
    return Check(writer_.Add(WithStream(stream, fill)));
  }
  // Adds an item that asks for something. `asking.link` gets NoteSent when the item is handed over.
  template <typename Fill>
  bool Add(uint64_t stream, Fill fill, Asking asking) {
    return Check(writer_.Add(WithStream(stream, fill), std::move(asking)));
  }
  // As in PeerWriter.
  void Flush() { writer_.Flush(); }
  void OnWriteDone(bool ok);
  void Close() { writer_.Close(); }
  void CloseAndWait() { writer_.CloseAndWait(); }

  // Why nothing is sent any more although the outbox was not closed; OK if it is working.
  absl::Status status() const;
  // Whether anything was added since the last call.
  bool TakeAdded() { return added_.exchange(false); }
  // Returns a new number for each call.
  uint64_t NextNumber() { return ++numbers_; }

 private:
  template <typename Fill>
  static auto WithStream(uint64_t stream, Fill fill) {
    return [stream, fill = std::move(fill)](peer::v1::OwnerItem* item) {
      item->set_stream(stream);
      fill(item);
    };
  }
  bool Check(bool added) {
    if (!added) Break(absl::ResourceExhaustedError("too much waits for the entry to read it"));
    if (added) added_ = true;
    return added;
  }
  // Stops all output, because a stream with a missing item would be inconsistent.
  void Break(const absl::Status& why);
  void NoteSent(absl::Span<const Asking> asked) const;

  const Clock& clock_;
  std::atomic<bool> added_{false};
  std::atomic<uint64_t> numbers_{0};
  mutable Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  PeerWriter<peer::v1::AttachResponse, Asking> writer_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_OWNER_OUTBOX_H_
