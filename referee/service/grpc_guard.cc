#include "referee/service/grpc_guard.h"

#include <google/protobuf/message.h>

#include <memory>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "referee/service/to_grpc.h"

namespace referee::service {
namespace {

using grpc::experimental::InterceptionHookPoints;

constexpr CallAdmission::Kind kWatch = CallAdmission::Kind::kWatch;
constexpr AccessRule kReflection{"grpc.reflection", Need::kReader, 5, kWatch};
constexpr AccessRule kHealth{"grpc.health", Need::kNothing, 1, kWatch};

// Of one call. It cannot keep the handler from running; so a handler whose caller was refused is
// asked nothing, and what it ends with is the refusal. A refused watch of health, which would go on
// for as long as its caller likes, is cancelled.
class Guard final : public grpc::experimental::Interceptor {
 public:
  Guard(const Access& access, grpc::experimental::ServerRpcInfo* info, bool reflection)
      : access_(access),
        info_(*info),
        reflection_(reflection),
        watches_health_(absl::EndsWith(info->method(), "/Watch")) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    using Hook = InterceptionHookPoints;
    if (methods->QueryInterceptionHookPoint(Hook::POST_RECV_INITIAL_METADATA)) {
      access_.Check(reflection_ ? kReflection : kHealth, *info_.server_context(),
                    [this, methods](const absl::StatusOr<Caller>& caller) {
                      refused_ = caller.status();
                      if (caller.ok()) {
                        ticket_ = caller->ticket;
                      } else if (watches_health_) {
                        info_.server_context()->TryCancel();
                      }
                      methods->Proceed();
                    });
      return;
    }
    if (!refused_.ok() && reflection_ &&
        methods->QueryInterceptionHookPoint(Hook::POST_RECV_MESSAGE)) {
      if (void* const asked = methods->GetRecvMessage()) {
        static_cast<google::protobuf::Message*>(asked)->Clear();
      }
    }
    if (!refused_.ok() && methods->QueryInterceptionHookPoint(Hook::PRE_SEND_STATUS)) {
      methods->ModifySendStatus(ToGrpc(refused_));
    }
    methods->Proceed();
  }

 private:
  const Access& access_;
  grpc::experimental::ServerRpcInfo& info_;
  const bool reflection_;
  const bool watches_health_;
  absl::Status refused_;
  std::shared_ptr<CallAdmission::Ticket> ticket_;
};

}  // namespace

grpc::experimental::Interceptor* GrpcGuard::CreateServerInterceptor(
    grpc::experimental::ServerRpcInfo* info) {
  const absl::string_view method = info->method();
  const bool reflection = absl::StartsWith(method, "/grpc.reflection.");
  if (!reflection && !absl::StartsWith(method, "/grpc.health.")) return nullptr;
  return new Guard(access_, info, reflection);
}

}  // namespace referee::service
