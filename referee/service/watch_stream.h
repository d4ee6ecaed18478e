// One call of WatchMatch: a gRPC reactor on one side, a host::Observer on the other. Its queue is
// bounded: an observer that reads too slowly is disconnected.
#ifndef REFEREE_SERVICE_WATCH_STREAM_H_
#define REFEREE_SERVICE_WATCH_STREAM_H_

#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/match_service.pb.h"
#include "referee/base/mutex.h"
#include "referee/host/link.h"
#include "referee/host/match_runner.h"
#include "referee/service/access/call_admission.h"
#include "referee/service/call_deadlines.h"
#include "referee/service/play/sessions.h"
#include "referee/service/played_along.h"

namespace referee::service {

class WatchStream final : public grpc::ServerWriteReactor<v1::WatchMatchResponse>,
                          public host::Observer,
                          public std::enable_shared_from_this<WatchStream> {
 public:
  // Serves a call that has begun. The stream owns itself until the call is done, which is not
  // before Begin. `deadlines` must outlive the call, and cancel it when an event is not read.
  // `from_start`: as in WatchMatchRequest.
  static std::shared_ptr<WatchStream> Serve(grpc_call* call, CallDeadlines* deadlines,
                                            bool from_start);

  // Holds the ticket until the call is done; what is queued is charged to it. REQUIRES: called once
  // at most, before Begin, and before it with OK.
  void HoldTicket(std::shared_ptr<CallAdmission::Ticket> ticket);

  // Ends the stream when its holder is shut out. REQUIRES: called once at most, before Begin.
  // `sessions` must outlive the call.
  void EndWith(Sessions* sessions, const Sessions::Holder& holder);
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
  };

  WatchStream(grpc_call* call, CallDeadlines* deadlines, bool from_start)
      : call_(call), deadlines_(*deadlines), from_start_(from_start) {}

  void Queue(v1::WatchMatchResponse event);
  // Ends the stream once the queue is sent. No event is queued after that.
  void End(const absl::Status& status);
  // Writes the next event or finishes, if the transport is free.
  void Go();

  grpc_call* const call_;
  CallDeadlines& deadlines_;
  const bool from_start_;
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
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_WATCH_STREAM_H_
