// MatchService: thin handlers over the host.
#ifndef REFEREE_SERVICE_MATCH_SERVICE_H_
#define REFEREE_SERVICE_MATCH_SERVICE_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/host/match_runner.h"
#include "referee/host/timers.h"
#include "referee/service/access/access.h"
#include "referee/service/calls.h"
#include "referee/service/play/sessions.h"
#include "referee/service/server.h"
#include "referee/service/told_matches.h"

namespace referee::service {

class MatchService final : public v1::MatchService::CallbackService {
 public:
  // All must outlive the service.
  MatchService(const ServerOptions& options, const Access& access, Sessions* sessions,
               CallDeadlines* deadlines)
      : options_(options),
        access_(access),
        sessions_(*sessions),
        told_(options),
        calls_(access, deadlines, options.metrics, host::kSyncingThreads) {}

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
  grpc::ServerUnaryReactor* PauseGame(grpc::CallbackServerContext* context,
                                      const v1::PauseGameRequest* request,
                                      v1::PauseGameResponse* response) override;
  grpc::ServerUnaryReactor* ResumeGame(grpc::CallbackServerContext* context,
                                       const v1::ResumeGameRequest* request,
                                       v1::ResumeGameResponse* response) override;
  grpc::ServerUnaryReactor* ListPausedGames(grpc::CallbackServerContext* context,
                                            const v1::ListPausedGamesRequest* request,
                                            v1::ListPausedGamesResponse* response) override;
  grpc::ServerWriteReactor<v1::WatchMatchResponse>* WatchMatch(
      grpc::CallbackServerContext* context, const v1::WatchMatchRequest* request) override;

 private:
  using Found = absl::StatusOr<std::shared_ptr<host::MatchRunner>>;

  // Checks who calls, and answers with the match that `act` returns.
  template <typename Response>
  grpc::ServerUnaryReactor* Serve(absl::string_view method, grpc::CallbackServerContext* context,
                                  Response* response, std::function<Found(const Caller&)> act);
  // Make, and cancel, a match, and say so in the audit log.
  Found Create(const Caller& caller, const v1::CreateMatchRequest& request) const;
  Found Cancel(const Caller& caller, const v1::CancelMatchRequest& request) const;
  // Begins to gather a page, and ends `call` when it is there; or says why it does not.
  absl::Status List(const Caller& caller, const v1::ListMatchesRequest& request,
                    v1::ListMatchesResponse* response, Call* call) const;
  // Says in the audit log what was done to a "match" or "game" (`kind`).
  absl::Status Audit(const Caller& caller, absl::string_view action, absl::string_view kind,
                     absl::string_view name, absl::string_view detail) const;

  const ServerOptions& options_;
  const Access& access_;
  Sessions& sessions_;
  const ToldMatches told_;
  Calls calls_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_MATCH_SERVICE_H_
