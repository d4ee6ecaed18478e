// One call of WatchCompetition: a gRPC reactor that sends the competition's state after a change,
// at most once every limits::kWatchInterval. Nothing is queued: a slow reader misses the states in
// between. Who may not be told at once is told what may be told by then, again and again until that
// is all.
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
    CallDeadlines* deadlines;  // cancel the call when a state is not read
    CallCount count;
  };

  // Serves a call that has begun. The stream owns itself until the call is done, which is not
  // before Begin.
  static std::shared_ptr<CompetitionWatch> Serve(const Environment& environment, grpc_call* call,
                                                 std::string name);

  // Follows the competition, or ends with the caller's status. To be called once, on any thread.
  void Begin(const absl::StatusOr<Caller>& caller);

  // grpc::ServerWriteReactor.
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  // What the stream is doing.
  enum class Doing {
    kNothing,
    kWaiting,  // until it may send again
    kReading,  // on the executor
    kWriting,  // until the transport has taken the message
  };

  CompetitionWatch(const Environment& environment, grpc_call* call, std::string name)
      : environment_(environment), call_(call), name_(std::move(name)) {}

  // On the executor: begins to be told of changes, and reads.
  void Watch();
  void OnChanged();
  // On the executor: reads what there is, and begins to write it.
  void Read();
  // What the caller may be told now, in message_; `lags`: there is more, which is told later.
  absl::Status ReadMessage(bool* lags);
  // Nothing is being read or written any more.
  void Rest();
  // The last thing that happens, once nothing is being read or written.
  void End(const absl::Status& status);
  // Does the next thing, if nothing is being done.
  void Go();
  // It may send again.
  void Waited();
  void Finished(const absl::Status& read);

  const Environment environment_;
  grpc_call* const call_;
  const std::string name_;                  // as it was called when the call was made
  std::shared_ptr<CompetitionWatch> self_;  // until OnDone
  std::shared_ptr<CallAdmission::Ticket> ticket_;
  absl::optional<uint64_t> session_;
  absl::optional<competition::Competitions::WatchId> watch_;  // written by Watch, as is the next
  store::CompetitionId competition_;
  bool hears_all_ = false;  // written by Begin

  // Touched while kReading and kWriting only.
  v1::WatchCompetitionResponse message_;
  std::string sent_;       // the last, where the next may be the same
  absl::Duration delay_;   // of the competition
  size_t kept_ = 0;        // bytes of it
  uint64_t deadline_ = 0;  // of writing it

  Mutex mutex_;
  Doing doing_ ABSL_GUARDED_BY(mutex_) = Doing::kReading;  // before Begin: who calls
  bool changed_ ABSL_GUARDED_BY(mutex_) = true;
  Instant next_ ABSL_GUARDED_BY(mutex_);  // before which nothing is sent
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);

  host::Timer timer_;  // the last member, as its call uses the others
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_COMPETITION_WATCH_H_
