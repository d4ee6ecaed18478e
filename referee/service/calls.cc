#include "referee/service/calls.h"

#include <utility>

#include "referee/base/limits.h"
#include "referee/service/answer.h"
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
  absl::StatusOr<Caller> caller = access_.Check(method, *context);
  if (!caller.ok()) return Answer(context, caller.status());
  grpc::ServerUnaryReactor* const call = context->DefaultReactor();
  const absl::Status taken = Run([call, caller = *std::move(caller), act = std::move(act)] {
    if (const absl::Status done = act(caller, call); !done.ok()) call->Finish(ToGrpc(done));
  });
  if (!taken.ok()) call->Finish(ToGrpc(taken));
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
