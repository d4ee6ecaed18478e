// A client of a referee's MatchService, with errors for people.
#ifndef REFEREE_CTL_MATCH_CLIENT_H_
#define REFEREE_CTL_MATCH_CLIENT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/connection.h"

namespace referee::ctl {

// Thread-safe. Every call fails as Connection::Call does.
class MatchClient {
 public:
  using Stub = v1::MatchService::Stub;

  explicit MatchClient(Connection connection);
  // Makes a client by the flags, which takes matches of any length; returns what Connect does.
  static absl::StatusOr<MatchClient> Make(const ClientFlags& flags);

  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                             Response*),
                                const Request& request) {
    return connection_.Call(stub_.get(), method, request);
  }
  // Calls `take` for everything that happens in the match, until it is over. Returns when the match
  // is over; Unavailable when the referee is gone before. Any thread may cancel `context`, a new
  // one.
  absl::Status Watch(const v1::WatchMatchRequest& request, grpc::ClientContext* context,
                     const std::function<void(const v1::WatchMatchResponse&)>& take);

 private:
  Connection connection_;
  std::unique_ptr<Stub> stub_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_CLIENT_H_
