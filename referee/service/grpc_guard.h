// Bounds of gRPC's own services, reflection and health, whose handlers are not ours: an interceptor
// of their calls. Reflection is for whoever may read; health is for everybody; both are charged to
// their callers, and an open one counts as a watch.
#ifndef REFEREE_SERVICE_GRPC_GUARD_H_
#define REFEREE_SERVICE_GRPC_GUARD_H_

#include <grpcpp/support/server_interceptor.h>

#include "referee/service/access/access.h"

namespace referee::service {

// Thread-safe.
class GrpcGuard final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  // `access` must outlive the server.
  explicit GrpcGuard(const Access& access) : access_(access) {}

  // Null for calls of all other services, which cost nothing by this.
  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo* info) override;

 private:
  const Access& access_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_GRPC_GUARD_H_
