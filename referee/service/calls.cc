#include "referee/service/calls.h"

#include <utility>

#include "absl/strings/cord.h"
#include "absl/types/optional.h"
#include "referee/base/limits.h"
#include "referee/service/errors.h"
#include "referee/service/to_grpc.h"

namespace referee::service {
namespace {

// Memory of a response, as message and as serialised bytes, per byte of its wire size.
constexpr size_t kBytesPerByte = 3;

}  // namespace

Call::Call(const Access* access, absl::string_view method, grpc::CallbackServerContext* context,
           google::protobuf::Message* response, CallDeadlines* deadlines, CallCount count)
    : access_(*access),
      method_(method),
      context_(*context),
      response_(*response),
      deadlines_(*deadlines),
      count_(count) {}

void Call::End(const absl::Status& status) {
  absl::Status end = status;
  if (end.ok()) end = ticket_->Keep(kBytesPerByte * response_.ByteSizeLong());
  if (!end.ok()) {
    const std::unique_ptr<google::protobuf::Message> empty(response_.New());
    response_.GetReflection()->Swap(&response_, empty.get());
    SayWhenAgain(end, &context_);
  }
  count_.EndUnary(end);
  if (ticket_ != nullptr) access_.NoteEnd(method_, caller_, end);
  // The deadline starts here, so it limits the client's reading and not the referee's disk.
  deadline_ = deadlines_.Add(context_.c_call());
  Finish(ToGrpc(end));
}

void Call::OnDone() {
  deadlines_.Remove(deadline_);
  delete this;
}

grpc::ServerUnaryReactor* Calls::ServeLater(absl::string_view method,
                                            grpc::CallbackServerContext* context,
                                            google::protobuf::Message* response, Act act) {
  return ServeAtOnce(method, context, response,
                     [this, act = std::move(act)](const Caller& caller, Call* call) {
                       return Run([call, caller, act] {
                         if (const absl::Status done = act(caller, call); !done.ok()) {
                           call->End(done);
                         }
                       });
                     });
}

grpc::ServerUnaryReactor* Calls::ServeAtOnce(absl::string_view method,
                                             grpc::CallbackServerContext* context,
                                             google::protobuf::Message* response, Act act) {
  auto* const call =
      new Call(&access_, method, context, response, &deadlines_, CallCount(metrics_, method));
  access_.Check(method, *context,
                [call, act = std::move(act)](const absl::StatusOr<Caller>& caller) {
                  absl::Status done = caller.status();
                  if (caller.ok()) {
                    call->ticket_ = caller->ticket;
                    call->caller_ = caller->name;
                    done = act(*caller, call);
                  }
                  if (!done.ok()) call->End(done);
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
