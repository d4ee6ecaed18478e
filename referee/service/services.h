// Factories of the referee's gRPC services other than BotService and PeerService.
//
// Their handlers validate, look up, call and convert.
#ifndef REFEREE_SERVICE_SERVICES_H_
#define REFEREE_SERVICE_SERVICES_H_

#include <grpcpp/impl/service_type.h>

#include <memory>

#include "referee/service/access/access.h"
#include "referee/service/call_deadlines.h"
#include "referee/service/play/sessions.h"
#include "referee/service/server.h"

namespace referee::service {

// Shared by the services of one server. All must outlive the services.
struct ServiceParts {
  const ServerOptions& options;
  const Access& access;
  Sessions* sessions;
  CallDeadlines* deadlines;
};

// Serves AccountAdmin to organisers, and ends streams whose token has become invalid. Calls need
// options.store.
std::unique_ptr<grpc::Service> MakeAdminService(const ServiceParts& parts);
// Calls need options.competitions.
std::unique_ptr<grpc::Service> MakeCompetitionService(const ServiceParts& parts);
std::unique_ptr<grpc::Service> MakeMatchService(const ServiceParts& parts);
// Serves the archive.
std::unique_ptr<grpc::Service> MakeReplayService(const ServiceParts& parts);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_SERVICES_H_
