// The services of a referee beside BotService, each made for one server. Their handlers validate,
// look up, call and convert.
#ifndef REFEREE_SERVICE_SERVICES_H_
#define REFEREE_SERVICE_SERVICES_H_

#include <grpcpp/impl/service_type.h>

#include <memory>

#include "referee/service/access/access.h"
#include "referee/service/call_deadlines.h"
#include "referee/service/play/sessions.h"
#include "referee/service/server.h"

namespace referee::service {

// What the services of a server share. All must outlive them.
struct ServiceParts {
  const ServerOptions& options;
  const Access& access;
  Sessions* sessions;
  CallDeadlines* deadlines;
};

// Serves AccountAdmin to organisers, and ends the streams whose token has become invalid.
// REQUIRES: options.store, when a call comes.
std::unique_ptr<grpc::Service> MakeAdminService(const ServiceParts& parts);
// REQUIRES: options.competitions, when a call comes.
std::unique_ptr<grpc::Service> MakeCompetitionService(const ServiceParts& parts);
std::unique_ptr<grpc::Service> MakeMatchService(const ServiceParts& parts);
// Serves the archive.
std::unique_ptr<grpc::Service> MakeReplayService(const ServiceParts& parts);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_SERVICES_H_
