#include "referee/ctl/match/client.h"

#include <utility>

namespace referee::ctl {

MatchClient::MatchClient(Connection connection)
    : connection_(std::move(connection)), stub_(v1::MatchService::NewStub(connection_.channel())) {}

absl::StatusOr<MatchClient> MatchClient::Make(const ClientFlags& flags) {
  absl::StatusOr<Connection> connection = Connect(flags, client::kWholeMatchBytes);
  if (!connection.ok()) return connection.status();
  return MatchClient(*std::move(connection));
}

absl::Status MatchClient::Watch(const v1::WatchMatchRequest& request, grpc::ClientContext* context,
                                const std::function<void(const v1::WatchMatchResponse&)>& take) {
  connection_.Authorise(context);
  const std::unique_ptr<grpc::ClientReader<v1::WatchMatchResponse>> reader =
      stub_->WatchMatch(context, request);
  v1::WatchMatchResponse response;
  while (reader->Read(&response)) take(response);
  return connection_.Explain(reader->Finish());
}

}  // namespace referee::ctl
