// A thread pool that answers unary calls. Calls may wait for the disk, and gRPC's few threads are
// for turns. UnaryService gives each method's calls to it.
#ifndef REFEREE_SERVICE_CALLS_H_
#define REFEREE_SERVICE_CALLS_H_

#include <google/protobuf/message.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/base/clock.h"
#include "referee/host/timers.h"
#include "referee/metrics/metrics.h"
#include "referee/service/access/access.h"
#include "referee/service/call_count.h"
#include "referee/service/call_deadlines.h"

namespace referee::service {

// A unary call under way. It owns itself, and is open until its answer was sent.
class Call final : public grpc::ServerUnaryReactor {
 public:
  // Sends the response, or the error. To be called once, on any thread; the call may be gone then.
  // A response that would keep more memory than the caller may is an error instead.
  void End(const absl::Status& status);

  void OnDone() override;

 private:
  friend class Calls;
  // `method` as in Calls::ServeLater; `access` must outlive this.
  Call(const Access* access, absl::string_view method, grpc::CallbackServerContext* context,
       google::protobuf::Message* response, CallDeadlines* deadlines, CallCount count);

  const Access& access_;
  const absl::string_view method_;
  grpc::CallbackServerContext& context_;
  google::protobuf::Message& response_;
  CallDeadlines& deadlines_;
  uint64_t deadline_ = 0;  // of reading the answer; 0: there is none yet
  const CallCount count_;
  std::shared_ptr<CallAdmission::Ticket> ticket_;  // null: it was refused
  std::string caller_;                             // the account; empty without one
};

// Thread-safe. Destroy it only when no call is left, after the server was shut down.
class Calls {
 public:
  // `access`, `deadlines` and `metrics`, which may be null, must outlive this.
  Calls(const Access& access, CallDeadlines* deadlines, const metrics::Metrics* metrics,
        int threads)
      : access_(access), deadlines_(*deadlines), metrics_(metrics), executor_(threads) {}

  // Checks who calls `method`, and calls `act` on one of the threads. The call ends with the error
  // that `act` returns; if that is OK, `act` ends it, then or later.
  using Act = std::function<absl::Status(const Caller&, Call*)>;
  grpc::ServerUnaryReactor* ServeLater(absl::string_view method,
                                       grpc::CallbackServerContext* context,
                                       google::protobuf::Message* response, Act act);

  // The same for an `act` that does not block: it runs on the thread that brought the call, or the
  // one that looked up its token.
  grpc::ServerUnaryReactor* ServeAtOnce(absl::string_view method,
                                        grpc::CallbackServerContext* context,
                                        google::protobuf::Message* response, Act act);

  // Calls `act` on one of the threads. Returns ResourceExhausted when limits::kMaxWaitingCalls
  // calls wait for a thread.
  absl::Status Run(std::function<void()> act);

  host::Executor* executor() { return &executor_; }

 private:
  const Access& access_;
  CallDeadlines& deadlines_;
  const metrics::Metrics* const metrics_;
  std::atomic<int> waiting_{0};
  host::ThreadExecutor executor_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_CALLS_H_
