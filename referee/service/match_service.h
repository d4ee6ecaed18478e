// MatchService: thin handlers over the host.
#ifndef REFEREE_SERVICE_MATCH_SERVICE_H_
#define REFEREE_SERVICE_MATCH_SERVICE_H_

#include <atomic>

#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/service/server.h"

namespace referee::service {

class MatchService final : public v1::MatchService::CallbackService {
 public:
  // `options` must outlive the service.
  explicit MatchService(const ServerOptions& options) : options_(options) {}

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
  // OK if the caller may create and cancel; see match_service.proto.
  absl::Status CheckOrganiser(const grpc::CallbackServerContext& context) const;

  const ServerOptions& options_;
  std::atomic<int> watchers_{0};
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_MATCH_SERVICE_H_
