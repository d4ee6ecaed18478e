// MatchService: thin handlers over the host.
#ifndef REFEREE_SERVICE_MATCH_SERVICE_H_
#define REFEREE_SERVICE_MATCH_SERVICE_H_

#include <atomic>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/service/access.h"
#include "referee/service/server.h"
#include "referee/service/sessions.h"

namespace referee::service {

class MatchService final : public v1::MatchService::CallbackService {
 public:
  // All must outlive the service.
  MatchService(const ServerOptions& options, const Access& access, Sessions* sessions)
      : options_(options), access_(access), sessions_(*sessions) {}

  grpc::ServerUnaryReactor* CreateMatch(grpc::CallbackServerContext* context,
                                        const v1::CreateMatchRequest* request,
                                        v1::CreateMatchResponse* response) override;
  grpc::ServerUnaryReactor* GetMatch(grpc::CallbackServerContext* context,
                                     const v1::GetMatchRequest* request,
                                     v1::GetMatchResponse* response) override;
  grpc::ServerUnaryReactor* ListMatches(grpc::CallbackServerContext* context,
                                        const v1::ListMatchesRequest* request,
                                        v1::ListMatchesResponse* response) override;
  grpc::ServerUnaryReactor* CancelMatch(grpc::CallbackServerContext* context,
                                        const v1::CancelMatchRequest* request,
                                        v1::CancelMatchResponse* response) override;
  grpc::ServerWriteReactor<v1::WatchMatchResponse>* WatchMatch(
      grpc::CallbackServerContext* context, const v1::WatchMatchRequest* request) override;

 private:
  // Says in the audit log what was done to a match.
  absl::Status Audit(const Caller& caller, absl::string_view action, absl::string_view match_id,
                     absl::string_view detail) const;

  const ServerOptions& options_;
  const Access& access_;
  Sessions& sessions_;
  std::atomic<int> watchers_{0};
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_MATCH_SERVICE_H_
