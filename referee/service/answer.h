// How a handler ends a call that has nothing (more) to wait for.
#ifndef REFEREE_SERVICE_ANSWER_H_
#define REFEREE_SERVICE_ANSWER_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include "absl/status/status.h"
#include "referee/service/to_grpc.h"

namespace referee::service {

inline grpc::ServerUnaryReactor* Answer(grpc::CallbackServerContext* context,
                                        const absl::Status& status) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpc(status));
  return reactor;
}

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ANSWER_H_
