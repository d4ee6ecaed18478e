#include "referee/service/calls.h"

#include <utility>

#include "referee/base/limits.h"
#include "referee/service/errors.h"
#include "referee/service/to_grpc.h"

namespace referee::service {

grpc::ServerUnaryReactor* Calls::Serve(absl::string_view method,
                                       grpc::CallbackServerContext* context,
                                       std::function<absl::Status(const Caller&)> act) {
  return ServeLater(method, context,
                    [act = std::move(act)](const Caller& caller, grpc::ServerUnaryReactor* call) {
                      const absl::Status done = act(caller);
                      if (done.ok()) call->Finish(grpc::Status::OK);
                      return done;
                    });
}

grpc::ServerUnaryReactor* Calls::ServeLater(
    absl::string_view method, grpc::CallbackServerContext* context,
    std::function<absl::Status(const Caller&, grpc::ServerUnaryReactor*)> act) {
  grpc::ServerUnaryReactor* const call = context->DefaultReactor();
  access_.Check(method, *context,
                [this, call, act = std::move(act)](const absl::StatusOr<Caller>& caller) {
                  absl::Status taken = caller.status();
                  if (taken.ok()) {
                    taken = Run([call, caller = *caller, act] {
                      if (const absl::Status done = act(caller, call); !done.ok()) {
                        call->Finish(ToGrpc(done));
                      }
                    });
                  }
                  if (!taken.ok()) call->Finish(ToGrpc(taken));
                });
  return call;
}

grpc::ServerUnaryReactor* Calls::ServeAtOnce(
    absl::string_view method, grpc::CallbackServerContext* context,
    std::function<absl::Status(grpc::ServerUnaryReactor*)> act) {
  grpc::ServerUnaryReactor* const call = context->DefaultReactor();
  access_.Check(method, *context,
                [call, act = std::move(act)](const absl::StatusOr<Caller>& caller) {
                  const absl::Status done = caller.ok() ? act(call) : caller.status();
                  if (!done.ok()) call->Finish(ToGrpc(done));
                });
  return call;
}

absl::Status Calls::Run(std::function<void()> act) {
  if (waiting_.fetch_add(1) >= limits::kMaxWaitingCalls) {
    waiting_.fetch_sub(1);
    return TooManyCalls(limits::kMaxWaitingCalls);
  }
  executor_.Run([this, act = std::move(act)] {
    waiting_.fetch_sub(1);
    act();
  });
  return absl::OkStatus();
}

}  // namespace referee::service
