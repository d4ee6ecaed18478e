// CompetitionService: thin handlers over the host's competitions.
#ifndef REFEREE_SERVICE_COMPETITION_SERVICE_H_
#define REFEREE_SERVICE_COMPETITION_SERVICE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "referee/service/access/access.h"
#include "referee/service/calls.h"
#include "referee/service/play/sessions.h"
#include "referee/service/server.h"

namespace referee::service {

class CompetitionService final : public v1::CompetitionService::CallbackService {
 public:
  // All must outlive the service. REQUIRES: options.competitions, when a call comes.
  CompetitionService(const ServerOptions& options, const Access& access, Sessions* sessions,
                     CallDeadlines* deadlines)
      : options_(options),
        access_(access),
        sessions_(*sessions),
        calls_(access, deadlines, options.metrics, /*threads=*/2) {}

  grpc::ServerUnaryReactor* CreateCompetition(grpc::CallbackServerContext* context,
                                              const v1::CreateCompetitionRequest* request,
                                              v1::CreateCompetitionResponse* response) override;
  grpc::ServerUnaryReactor* StartCompetition(grpc::CallbackServerContext* context,
                                             const v1::StartCompetitionRequest* request,
                                             v1::StartCompetitionResponse* response) override;
  grpc::ServerUnaryReactor* PauseCompetition(grpc::CallbackServerContext* context,
                                             const v1::PauseCompetitionRequest* request,
                                             v1::PauseCompetitionResponse* response) override;
  grpc::ServerUnaryReactor* ResumeCompetition(grpc::CallbackServerContext* context,
                                              const v1::ResumeCompetitionRequest* request,
                                              v1::ResumeCompetitionResponse* response) override;
  grpc::ServerUnaryReactor* FinishCompetition(grpc::CallbackServerContext* context,
                                              const v1::FinishCompetitionRequest* request,
                                              v1::FinishCompetitionResponse* response) override;
  grpc::ServerUnaryReactor* JoinCompetition(grpc::CallbackServerContext* context,
                                            const v1::JoinCompetitionRequest* request,
                                            v1::JoinCompetitionResponse* response) override;
  grpc::ServerUnaryReactor* LeaveCompetition(grpc::CallbackServerContext* context,
                                             const v1::LeaveCompetitionRequest* request,
                                             v1::LeaveCompetitionResponse* response) override;
  grpc::ServerUnaryReactor* UpdateCompetition(grpc::CallbackServerContext* context,
                                              const v1::UpdateCompetitionRequest* request,
                                              v1::UpdateCompetitionResponse* response) override;
  grpc::ServerUnaryReactor* BeginSeason(grpc::CallbackServerContext* context,
                                        const v1::BeginSeasonRequest* request,
                                        v1::BeginSeasonResponse* response) override;
  grpc::ServerUnaryReactor* RemoveCompetition(grpc::CallbackServerContext* context,
                                              const v1::RemoveCompetitionRequest* request,
                                              v1::RemoveCompetitionResponse* response) override;
  grpc::ServerUnaryReactor* DropBlock(grpc::CallbackServerContext* context,
                                      const v1::DropBlockRequest* request,
                                      v1::DropBlockResponse* response) override;
  grpc::ServerUnaryReactor* ListCompetitions(grpc::CallbackServerContext* context,
                                             const v1::ListCompetitionsRequest* request,
                                             v1::ListCompetitionsResponse* response) override;
  grpc::ServerUnaryReactor* GetCompetition(grpc::CallbackServerContext* context,
                                           const v1::GetCompetitionRequest* request,
                                           v1::GetCompetitionResponse* response) override;
  grpc::ServerUnaryReactor* GetStandings(grpc::CallbackServerContext* context,
                                         const v1::GetStandingsRequest* request,
                                         v1::GetStandingsResponse* response) override;
  grpc::ServerUnaryReactor* ListBlocks(grpc::CallbackServerContext* context,
                                       const v1::ListBlocksRequest* request,
                                       v1::ListBlocksResponse* response) override;
  grpc::ServerUnaryReactor* ListPairs(grpc::CallbackServerContext* context,
                                      const v1::ListPairsRequest* request,
                                      v1::ListPairsResponse* response) override;
  grpc::ServerUnaryReactor* ListRounds(grpc::CallbackServerContext* context,
                                       const v1::ListRoundsRequest* request,
                                       v1::ListRoundsResponse* response) override;
  grpc::ServerUnaryReactor* ListTestPoints(grpc::CallbackServerContext* context,
                                           const v1::ListTestPointsRequest* request,
                                           v1::ListTestPointsResponse* response) override;
  grpc::ServerUnaryReactor* ListRatingHistories(grpc::CallbackServerContext* context,
                                                const v1::ListRatingHistoriesRequest* request,
                                                v1::ListRatingHistoriesResponse* response) override;
  grpc::ServerWriteReactor<v1::WatchCompetitionResponse>* WatchCompetition(
      grpc::CallbackServerContext* context, const v1::WatchCompetitionRequest* request) override;

 private:
  using View = absl::StatusOr<competition::CompetitionView>;
  // An organiser's call that changes a competition's state.
  using Change = View (competition::Competitions::*)(absl::string_view name, absl::string_view who);

  template <typename Request, typename Response>
  grpc::ServerUnaryReactor* ServeChange(absl::string_view method,
                                        grpc::CallbackServerContext* context,
                                        const Request* request, Response* response, Change change);
  absl::Status Fill(const View& view, v1::Competition* out) const;
  // What the caller may be told.
  const competition::Board& BoardFor(const Caller& caller) const;
  // What the caller may be told after a change that returned `changed`.
  View AfterChange(const Caller& caller, absl::string_view name, View changed) const;

  const ServerOptions& options_;
  const Access& access_;
  Sessions& sessions_;
  // Standings take seconds where there are a million results.
  Calls calls_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_COMPETITION_SERVICE_H_
