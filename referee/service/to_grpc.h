// Converts absl::Status to grpc::Status.
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

// For a transient error, adds the wait in milliseconds to the trailing metadata, which gRPC's
// retries obey. REQUIRES: the call is not finished.
inline void SayWhenAgain(const absl::Status& status, grpc::CallbackServerContext* context) {
  const absl::optional<absl::Cord> wait = status.GetPayload(kRetryAfter);
  if (wait) context->AddTrailingMetadata("grpc-retry-pushback-ms", std::string(*wait));
}

}  // namespace referee::service

#endif  // REFEREE_SERVICE_TO_GRPC_H_
