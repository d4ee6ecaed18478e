// One WatchCompetition call: a gRPC reactor that streams the state of a competition.
//
// It sends the state after a change, at most once every limits::kWatchInterval. It queues nothing,
// so a slow reader misses intermediate states. A caller that is subject to the watch delay gets the
// published state. The reactor polls until the published state has caught up.
#ifndef REFEREE_SERVICE_COMPETITION_WATCH_H_
#define REFEREE_SERVICE_COMPETITION_WATCH_H_

#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/competition_service.pb.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/competition/competitions.h"
#include "referee/host/timers.h"
#include "referee/service/access/access.h"
#include "referee/service/call_count.h"
#include "referee/service/call_deadlines.h"
#include "referee/service/play/sessions.h"
#include "referee/store/store.h"

namespace referee::service {

class CompetitionWatch final : public grpc::ServerWriteReactor<v1::WatchCompetitionResponse>,
                               public std::enable_shared_from_this<CompetitionWatch> {
 public:
  // All must outlive the call.
  struct Environment {
    competition::Competitions* competitions;
    host::Executor* executor;  // reads competitions
    host::Timers* timers;
    const Clock* clock;
    Sessions* sessions;
    CallDeadlines* deadlines;  // cancel the call when the client does not read a state
    CallCount count;
  };

  // Serves a call that has begun. The stream owns itself until the call is done. The call cannot
  // end before Begin.
  static std::shared_ptr<CompetitionWatch> Serve(const Environment& environment, grpc_call* call,
                                                 std::string name);

  // Starts to watch the competition, or ends the call with the caller's error. Call once, on any
  // thread.
  void Begin(const absl::StatusOr<Caller>& caller);

  // grpc::ServerWriteReactor.
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  enum class Doing {
    kNothing,
    kWaiting,  // until it may send again
    kReading,  // on the executor
    kWriting,  // until the transport has taken the message
  };

  CompetitionWatch(const Environment& environment, grpc_call* call, std::string name)
      : environment_(environment), call_(call), name_(std::move(name)) {}

  // Subscribes to changes, and reads the first state. Runs on the executor.
  void Watch();
  void OnChanged();
  // Reads the current state and starts to write it. Runs on the executor.
  void Read();
  // Fills message_ with the state visible to the caller. Sets `lags` if withheld results remain.
  absl::Status ReadMessage(bool* lags);
  // Marks reading and writing as finished.
  void Rest();
  // Ends the call with `status` when reading or writing has finished. The first status wins.
  void End(const absl::Status& status);
  // Starts the next action if the stream is idle.
  void Go();
  // The timer has fired: the stream may send again.
  void Waited();
  void Finished(const absl::Status& read);

  const Environment environment_;
  grpc_call* const call_;
  const std::string name_;                  // as the request names it
  std::shared_ptr<CompetitionWatch> self_;  // until OnDone
  std::shared_ptr<CallAdmission::Ticket> ticket_;
  absl::optional<uint64_t> session_;
  absl::optional<competition::Competitions::WatchId> watch_;  // written by Watch, like competition_
  store::CompetitionId competition_;
  bool hears_all_ = false;  // set by Begin

  // Used only in kReading and kWriting.
  v1::WatchCompetitionResponse message_;
  std::string sent_;       // the last message; empty for callers without delay
  absl::Duration delay_;   // the competition's watch delay
  size_t kept_ = 0;        // size of message_ in bytes
  uint64_t deadline_ = 0;  // for writing message_

  Mutex mutex_;
  Doing doing_ ABSL_GUARDED_BY(mutex_) = Doing::kReading;  // until Begin: authenticating
  bool changed_ ABSL_GUARDED_BY(mutex_) = true;
  Instant next_ ABSL_GUARDED_BY(mutex_);  // earliest time of the next message
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);

  host::Timer timer_;  // the last member: its callback uses the others
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_COMPETITION_WATCH_H_
