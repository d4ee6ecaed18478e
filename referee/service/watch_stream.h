// One call of WatchMatch: a gRPC reactor on one side, a host::Observer on the other. Its queue is
// bounded: an observer that reads too slowly is disconnected. Where the match's competition has a
// watch delay, what happens waits in the queue until it may be told.
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
    CallDeadlines* deadlines;  // cancel the call when an event is not read
    host::Timers* timers;
    const Clock* clock;
    CallCount count;
  };

  // Serves a call that has begun. The stream owns itself until the call is done, which is not
  // before Begin.
  static std::shared_ptr<WatchStream> Serve(grpc_call* call, const Environment& environment,
                                            const v1::WatchMatchRequest& request);

  // Holds the ticket until the call is done; what is queued is charged to it. REQUIRES: called once
  // at most, before Begin, and before it with OK.
  void HoldTicket(std::shared_ptr<CallAdmission::Ticket> ticket);

  // Ends the stream when its holder is shut out. REQUIRES: called once at most, before Begin.
  // `sessions` must outlive the call.
  void EndWith(Sessions* sessions, const Sessions::Holder& holder);
  // Tells everything so much later than it happens. REQUIRES: called once at most, before Begin.
  void HoldBack(absl::Duration delay) { delay_ = delay; }
  // Follows the match, or ends with the status. To be called once, on any thread.
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
    Instant due;  // is it told
  };

  WatchStream(grpc_call* call, const Environment& environment, const v1::WatchMatchRequest& request)
      : call_(call),
        environment_(environment),
        from_start_(request.from_start()),
        in_batches_(request.in_batches()) {}

  bool holds_back() const { return delay_ > absl::ZeroDuration(); }
  // When that is told which happened so long ago.
  Instant DueOf(absl::Duration age) const;
  // The same of the end of a match that is over.
  Instant DueOfEnd(const host::MatchRunner& runner) const;
  // The match's terms, as if it waited for its bots: the first thing that is told where all else is
  // told late.
  void TellTerms(const host::MatchRunner& runner);
  // The state when the observer was added, where what happened before is not all told yet.
  void TellLate(const host::MatchRunner& runner);
  // Of a match that runs, from its start.
  void TellLateFromStart(const match::Match& match, absl::Span<const match::Record> records);

  // Events come in the order in which they are due.
  void Queue(v1::WatchMatchResponse event, Instant due);
  // What happens now: in step with what other streams are told.
  void QueueNews(v1::WatchMatchResponse event);
  // The event that one due then is told with; null: it is told by itself.
  Event* SameBatch(Instant due) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether the queue may take so much more. Returns ResourceExhausted.
  absl::Status TakeRoom(size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Ends the stream once the queue is sent. No event is queued after that.
  void End(const absl::Status& status);
  // Writes the next event if it is due, or finishes, if the transport is free.
  void Go();

  grpc_call* const call_;
  const Environment environment_;
  const bool from_start_;
  const bool in_batches_;
  absl::Duration delay_;  // by which all is told later
  bool told_terms_ = false;
  uint64_t deadline_ = 0;              // of the event that is being written
  std::shared_ptr<WatchStream> self_;  // until OnDone
  std::shared_ptr<host::MatchRunner> runner_;
  Sessions* sessions_ = nullptr;  // null: its caller was refused
  uint64_t session_ = 0;
  // Touched in the match's calls only; null without from_start, and before the start.
  std::unique_ptr<PlayedAlong> along_;

  Mutex mutex_;
  std::shared_ptr<CallAdmission::Ticket> ticket_ ABSL_GUARDED_BY(mutex_);
  std::deque<Event> queue_ ABSL_GUARDED_BY(mutex_);  // the first is being written
  size_t queued_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  bool begun_ ABSL_GUARDED_BY(mutex_) = false;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);

  host::Timer timer_;  // for what is due next; the last member, as its call uses the others
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_WATCH_STREAM_H_
