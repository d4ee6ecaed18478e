// One WatchMatch call: a gRPC reactor on one side, a host::Observer on the other.
//
// Its queue is bounded: an observer that reads too slowly is disconnected. If the match's
// competition has a watch delay, events wait in the queue until they are published.
#ifndef REFEREE_SERVICE_WATCH_STREAM_H_
#define REFEREE_SERVICE_WATCH_STREAM_H_

#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "proto/referee/v1/match_service.pb.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/host/link.h"
#include "referee/host/match_runner.h"
#include "referee/host/timers.h"
#include "referee/match/record.h"
#include "referee/service/access/call_admission.h"
#include "referee/service/call_count.h"
#include "referee/service/call_deadlines.h"
#include "referee/service/play/sessions.h"
#include "referee/service/played_along.h"

namespace referee::service {

class WatchStream final : public grpc::ServerWriteReactor<v1::WatchMatchResponse>,
                          public host::Observer,
                          public std::enable_shared_from_this<WatchStream> {
 public:
  // All must outlive the call, and the match.
  struct Environment {
    CallDeadlines* deadlines;  // cancel the call when the client does not read an event
    host::Timers* timers;
    const Clock* clock;
    CallCount count;
  };

  // Serves a call that has begun. The stream owns itself until the call is done. The call cannot
  // end before Begin.
  static std::shared_ptr<WatchStream> Serve(grpc_call* call, const Environment& environment,
                                            const v1::WatchMatchRequest& request);

  // Holds the ticket until the call is done, and charges queued events to it. REQUIRES: called at
  // most once, before Begin; called before any Begin with OK.
  void HoldTicket(std::shared_ptr<CallAdmission::Ticket> ticket);

  // Ends the stream when `holder` loses access. REQUIRES: called at most once, before Begin.
  // `sessions` must outlive the call.
  void EndWith(Sessions* sessions, const Sessions::Holder& holder);
  // Delays every event by `delay`. REQUIRES: called at most once, before Begin.
  void HoldBack(absl::Duration delay) { delay_ = delay; }
  // Follows the match, or ends with the status. Call once, on any thread.
  void Begin(const absl::StatusOr<std::shared_ptr<host::MatchRunner>>& runner);

  // host::Observer.
  void OnSnapshot(const host::MatchRunner& runner) override;
  void OnStarted(const host::MatchRunner& runner) override;
  void OnFaulted(const match::Match& match, const match::Faulted& faulted) override;
  void OnPlayed(const match::Match& match, const match::Played& played) override;
  void OnForfeited(const match::Match& match, const match::Forfeited& forfeited) override;
  void OnEnded(const host::MatchRunner& runner) override;

  // grpc::ServerWriteReactor.
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  struct Event {
    v1::WatchMatchResponse message;
    size_t bytes;
    Instant due;  // publication time
  };

  WatchStream(grpc_call* call, const Environment& environment, const v1::WatchMatchRequest& request)
      : call_(call),
        environment_(environment),
        from_start_(request.from_start()),
        in_batches_(request.in_batches()) {}

  bool holds_back() const { return delay_ > absl::ZeroDuration(); }
  // When to publish an event that happened `age` ago.
  Instant DueOf(absl::Duration age) const;
  // When to publish the end of a finished match.
  Instant DueOfEnd(const host::MatchRunner& runner) const;
  // Sends the terms of the match with state "waiting". This is the first event of a delayed stream.
  void TellTerms(const host::MatchRunner& runner);
  // Queues the state of a delayed match at the time when the observer was added.
  void TellLate(const host::MatchRunner& runner);
  // Queues a running match from its start.
  void TellLateFromStart(const match::Match& match, absl::Span<const match::Record> records);

  // REQUIRES: events come in the order of their `due` times.
  void Queue(v1::WatchMatchResponse event, Instant due);
  // Queues an event that happens now. Rounds its time up to a step, so that all streams wake
  // together.
  void QueueNews(v1::WatchMatchResponse event);
  // Returns the queued event to which an event due at `due` is added; null: the event goes alone.
  Event* SameBatch(Instant due) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Reserves queue space for one event of `bytes`. Returns ResourceExhausted if the queue is full.
  absl::Status TakeRoom(size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Ends the stream once the queue is sent; an error discards unsent events. Events queued later
  // are ignored.
  void End(const absl::Status& status);
  // If the transport is free, writes the next event that is due, or finishes the call.
  void Go();

  grpc_call* const call_;
  const Environment environment_;
  const bool from_start_;
  const bool in_batches_;
  absl::Duration delay_;  // of every event
  bool told_terms_ = false;
  uint64_t deadline_ = 0;              // of the event that is being written
  std::shared_ptr<WatchStream> self_;  // until OnDone
  std::shared_ptr<host::MatchRunner> runner_;
  Sessions* sessions_ = nullptr;  // null: the caller was refused
  uint64_t session_ = 0;
  // Used in the match's calls only; null without from_start, and before the start.
  std::unique_ptr<PlayedAlong> along_;

  Mutex mutex_;
  std::shared_ptr<CallAdmission::Ticket> ticket_ ABSL_GUARDED_BY(mutex_);
  std::deque<Event> queue_ ABSL_GUARDED_BY(mutex_);  // while writing_, the first is being written
  size_t queued_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  bool begun_ ABSL_GUARDED_BY(mutex_) = false;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);

  host::Timer timer_;  // for the next due event; the last member: its callback uses the others
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_WATCH_STREAM_H_
