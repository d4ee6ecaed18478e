// From absl::Status to grpc::Status.
#ifndef REFEREE_SERVICE_TO_GRPC_H_
#define REFEREE_SERVICE_TO_GRPC_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/types/optional.h"
#include "referee/service/errors.h"

namespace referee::service {

inline grpc::Status ToGrpc(const absl::Status& status) {
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()));
}

// Where an error passes by itself, tells the client after how many milliseconds, in the trailing
// metadata that gRPC's own retries obey. REQUIRES: the call is not finished.
inline void SayWhenAgain(const absl::Status& status, grpc::CallbackServerContext* context) {
  const absl::optional<absl::Cord> wait = status.GetPayload(kRetryAfter);
  if (wait) context->AddTrailingMetadata("grpc-retry-pushback-ms", std::string(*wait));
}

}  // namespace referee::service

#endif  // REFEREE_SERVICE_TO_GRPC_H_
