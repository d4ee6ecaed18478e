// A client of a referee's CompetitionService, with errors for people.
#ifndef REFEREE_CTL_COMPETITION_CLIENT_H_
#define REFEREE_CTL_COMPETITION_CLIENT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "referee/ctl/connection.h"

namespace referee::ctl {

// Thread-safe. Every call fails as Connection::Call does.
class CompetitionClient {
 public:
  using Stub = v1::CompetitionService::Stub;

  explicit CompetitionClient(Connection connection);

  const Connection& connection() const { return connection_; }
  Stub& stub() { return *stub_; }

  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                             Response*),
                                const Request& request) {
    return connection_.Call(stub_.get(), method, request);
  }

  // Reads all blocks in order, only those of `bot` unless it is empty: calls `take` with each page
  // until it returns false.
  absl::Status ListBlocks(const std::string& name, const std::string& bot,
                          const std::function<bool(const v1::ListBlocksResponse&)>& take);

  // Reads all pairs that have met in the order in which they were entered, only those of `bot`
  // unless it is empty: calls `take` with each page until it returns false.
  absl::Status ListPairs(const std::string& name, const std::string& bot,
                         const std::function<bool(const v1::ListPairsResponse&)>& take);

 private:
  Connection connection_;
  std::unique_ptr<Stub> stub_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_CLIENT_H_
