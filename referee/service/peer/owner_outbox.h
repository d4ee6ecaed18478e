// What an owner says on a stream from an entry: of all its bots, in order.
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

// Something that a bot is asked for, on its way to the stream: its link is told when it goes.
struct Asking {
  std::shared_ptr<RelayedLink> link;
  MatchId match;
  uint32_t turn = 0;  // as in PendingRequests
  uint32_t request = 0;
  // Of a move, where the request was not handed over before.
  std::shared_ptr<host::MatchRunner> runner = nullptr;
  Seat seat = {};
};

// Thread-safe.
class OwnerOutbox {
 public:
  // `clock` must outlive this, and `transport` must live until CloseAndWait returns.
  OwnerOutbox(PeerTransport<peer::v1::AttachResponse>* transport, const Clock* clock);

  // Adds an item about the bot's stream of this number, made by `fill(OwnerItem*)`. Returns false,
  // and then and from then on adds none, if too much waits, or after Close.
  template <typename Fill>
  bool Add(uint64_t stream, Fill fill) {
    return Check(writer_.Add(WithStream(stream, fill)));
  }
  // The same of one that asks for something: `asking.link` gets NoteSent as it is handed over.
  template <typename Fill>
  bool Add(uint64_t stream, Fill fill, Asking asking) {
    return Check(writer_.Add(WithStream(stream, fill), std::move(asking)));
  }
  // As in PeerWriter.
  void Flush() { writer_.Flush(); }
  void OnWriteDone(bool ok);
  void Close() { writer_.Close(); }
  void CloseAndWait() { writer_.CloseAndWait(); }

  // Why nothing goes out any more, though nobody has closed it; OK: it does.
  absl::Status status() const;
  // Whether anything was added since the last call.
  bool TakeAdded() { return added_.exchange(false); }
  // Counts the calls.
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
  // A stream of which an item is missing makes no sense.
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
