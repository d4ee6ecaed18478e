#include "referee/ctl/match/client.h"

#include <utility>

namespace referee::ctl {

MatchClient::MatchClient(Connection connection)
    : connection_(std::move(connection)), stub_(v1::MatchService::NewStub(connection_.channel())) {}

absl::StatusOr<v1::CreateMatchResponse> MatchClient::Create(const v1::CreateMatchRequest& request) {
  return connection_.Call(stub_.get(), &v1::MatchService::Stub::CreateMatch, request);
}

absl::StatusOr<v1::GetMatchResponse> MatchClient::Get(const v1::GetMatchRequest& request) {
  return connection_.Call(stub_.get(), &v1::MatchService::Stub::GetMatch, request);
}

absl::StatusOr<v1::ListMatchesResponse> MatchClient::List(const v1::ListMatchesRequest& request) {
  return connection_.Call(stub_.get(), &v1::MatchService::Stub::ListMatches, request);
}

absl::StatusOr<v1::CancelMatchResponse> MatchClient::Cancel(const v1::CancelMatchRequest& request) {
  return connection_.Call(stub_.get(), &v1::MatchService::Stub::CancelMatch, request);
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
