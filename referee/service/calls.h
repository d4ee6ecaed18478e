// A thread pool that answers unary calls. Calls may wait for the disk, and gRPC's few threads are
// for turns.
//
//   return calls_.Serve("referee.v1.AdminService.GetBot", context, [=](const Caller& caller) {
//     ... fill *response ...
//     return absl::OkStatus();
//   });
#ifndef REFEREE_SERVICE_CALLS_H_
#define REFEREE_SERVICE_CALLS_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <functional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/host/timers.h"
#include "referee/service/access/access.h"

namespace referee::service {

// Thread-safe. Destroy it only when no call is left, after the server was shut down.
class Calls {
 public:
  // `access` must outlive this.
  Calls(const Access& access, int threads) : access_(access), executor_(threads) {}

  // Checks who calls `method`, and ends the call with what `act` returns.
  grpc::ServerUnaryReactor* Serve(absl::string_view method, grpc::CallbackServerContext* context,
                                  std::function<absl::Status(const Caller&)> act);
  // The same for an `act` that ends the call itself, then or later, if it returns OK.
  grpc::ServerUnaryReactor* ServeLater(
      absl::string_view method, grpc::CallbackServerContext* context,
      std::function<absl::Status(const Caller&, grpc::ServerUnaryReactor*)> act);

  // The same for an `act` that does not block: it runs on the thread that brought the call, or the
  // one that looked up its token.
  grpc::ServerUnaryReactor* ServeAtOnce(absl::string_view method,
                                        grpc::CallbackServerContext* context,
                                        std::function<absl::Status(grpc::ServerUnaryReactor*)> act);

  // Calls `act` on one of the threads. Returns ResourceExhausted when limits::kMaxWaitingCalls
  // calls wait for a thread.
  absl::Status Run(std::function<void()> act);

  host::Executor* executor() { return &executor_; }

 private:
  const Access& access_;
  std::atomic<int> waiting_{0};
  host::ThreadExecutor executor_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_CALLS_H_
