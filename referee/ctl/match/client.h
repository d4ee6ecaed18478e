// A client of a referee's MatchService, with errors for people.
#ifndef REFEREE_CTL_MATCH_CLIENT_H_
#define REFEREE_CTL_MATCH_CLIENT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/ctl/connection.h"

namespace referee::ctl {

// Thread-safe. Every call returns Unavailable when no referee answers, PermissionDenied when it
// wants another token, or what the referee says.
class MatchClient {
 public:
  explicit MatchClient(Connection connection);

  absl::StatusOr<v1::CreateMatchResponse> Create(const v1::CreateMatchRequest& request);
  absl::StatusOr<v1::GetMatchResponse> Get(const v1::GetMatchRequest& request);
  absl::StatusOr<v1::ListMatchesResponse> List(const v1::ListMatchesRequest& request);
  absl::StatusOr<v1::CancelMatchResponse> Cancel(const v1::CancelMatchRequest& request);
  // Calls `take` for everything that happens in the match, until it is over. Returns when the match
  // is over; Unavailable when the referee is gone before. Any thread may cancel `context`, a new
  // one.
  absl::Status Watch(const v1::WatchMatchRequest& request, grpc::ClientContext* context,
                     const std::function<void(const v1::WatchMatchResponse&)>& take);

 private:
  Connection connection_;
  std::unique_ptr<v1::MatchService::Stub> stub_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_CLIENT_H_
