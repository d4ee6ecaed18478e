// A thread pool that handles unary calls.
//
// Calls may wait for the disk, so they stay off gRPC's few threads, which serve turns. UnaryService
// routes the calls of each method to this pool.
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

// A unary call in progress. It owns itself until its answer is sent.
class Call final : public grpc::ServerUnaryReactor {
 public:
  // Sends the response, or the error if `status` is not OK. Call once, on any thread; the call may
  // be deleted when this returns. Sends an error if the response exceeds the caller's memory limit.
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
  uint64_t deadline_ = 0;  // for the client to read the answer; 0: not set yet
  const CallCount count_;
  std::shared_ptr<CallAdmission::Ticket> ticket_;  // null: the call was refused
  std::string caller_;                             // the account; empty without one
};

// Thread-safe. Destroy it only after the server was shut down, when no call is open.
class Calls {
 public:
  // `access`, `deadlines` and `metrics` must outlive this; `metrics` may be null.
  Calls(const Access& access, CallDeadlines* deadlines, const metrics::Metrics* metrics,
        int threads)
      : access_(access), deadlines_(*deadlines), metrics_(metrics), executor_(threads) {}

  // Authenticates the caller of `method` and runs `act` on a thread of the pool. If `act` returns
  // an error, the call ends with it. If it returns OK, `act` ends the call, then or later.
  using Act = std::function<absl::Status(const Caller&, Call*)>;
  grpc::ServerUnaryReactor* ServeLater(absl::string_view method,
                                       grpc::CallbackServerContext* context,
                                       google::protobuf::Message* response, Act act);

  // Like ServeLater, for an `act` that does not block. Runs `act` on the thread that delivered the
  // call or that looked up its token.
  grpc::ServerUnaryReactor* ServeAtOnce(absl::string_view method,
                                        grpc::CallbackServerContext* context,
                                        google::protobuf::Message* response, Act act);

  // Runs `act` on a thread of the pool. Returns ResourceExhausted if limits::kMaxWaitingCalls calls
  // are already waiting for a thread.
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
