// From absl::Status to grpc::Status.
#ifndef REFEREE_SERVICE_TO_GRPC_H_
#define REFEREE_SERVICE_TO_GRPC_H_

#include <grpcpp/support/status.h>

#include <string>

#include "absl/status/status.h"

namespace referee::service {

inline grpc::Status ToGrpc(const absl::Status& status) {
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()));
}

}  // namespace referee::service

#endif  // REFEREE_SERVICE_TO_GRPC_H_
