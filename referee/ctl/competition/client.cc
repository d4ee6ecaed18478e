#include "referee/ctl/competition/client.h"

#include <utility>

namespace referee::ctl {

CompetitionClient::CompetitionClient(Connection connection)
    : connection_(std::move(connection)),
      stub_(v1::CompetitionService::NewStub(connection_.channel())) {}

absl::StatusOr<CompetitionClient> CompetitionClient::Make(const ClientFlags& flags) {
  absl::StatusOr<Connection> connection = Connect(flags);
  if (!connection.ok()) return connection.status();
  return CompetitionClient(*std::move(connection));
}

absl::StatusOr<v1::Competition> CompetitionClient::Create(v1::CompetitionSpec spec,
                                                          const std::string& request_id,
                                                          bool start) {
  v1::CreateCompetitionRequest request;
  *request.mutable_spec() = std::move(spec);
  request.set_request_id(request_id);
  auto made = Call(&Stub::CreateCompetition, request);
  if (!made.ok()) return made.status();
  if (!start || made->competition().state() != v1::COMPETITION_STATE_NEW) {
    return std::move(*made->mutable_competition());
  }
  v1::StartCompetitionRequest named;
  named.set_name(made->competition().spec().name());
  auto started = Call(&Stub::StartCompetition, named);
  if (!started.ok()) return started.status();
  return std::move(*started->mutable_competition());
}

absl::Status CompetitionClient::ListBlocks(
    const std::string& name, const std::string& bot,
    const std::function<bool(const v1::ListBlocksResponse&)>& take) {
  v1::ListBlocksRequest request;
  request.set_name(name);
  request.set_bot(bot);
  return ForEachPage(&Stub::ListBlocks, std::move(request), take);
}

absl::Status CompetitionClient::ListPairs(
    const std::string& name, const std::string& bot, uint32_t season,
    const std::function<bool(const v1::ListPairsResponse&)>& take) {
  v1::ListPairsRequest request;
  request.set_season(season);
  request.set_name(name);
  request.set_bot(bot);
  return ForEachPage(&Stub::ListPairs, std::move(request), take);
}

}  // namespace referee::ctl
