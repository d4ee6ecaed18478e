// A client of a referee's CompetitionService, with errors for people.
#ifndef REFEREE_CTL_COMPETITION_CLIENT_H_
#define REFEREE_CTL_COMPETITION_CLIENT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "referee/base/limits.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/connection.h"

namespace referee::ctl {

// Thread-safe. Every call fails as Connection::Call does.
class CompetitionClient {
 public:
  using Stub = v1::CompetitionService::Stub;

  // Makes a client by the flags; returns what Connect does.
  static absl::StatusOr<CompetitionClient> Make(const ClientFlags& flags);

  const Connection& connection() const { return connection_; }
  Stub& stub() { return *stub_; }

  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                             Response*),
                                const Request& request) {
    return connection_.Call(stub_.get(), method, request);
  }

  // Calls for one page after another, each as large as may be, and `take` with each until it
  // returns false. `request` says what is asked for, without a page.
  template <typename Request, typename Response, typename Take>
  absl::Status ForEachPage(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                        Response*),
                           Request request, const Take& take) {
    request.set_page_size(limits::kMaxPageSize);
    do {
      const absl::StatusOr<Response> page = Call(method, request);
      if (!page.ok()) return page.status();
      if (!take(*page)) break;
      request.set_page_token(page->next_page_token());
    } while (!request.page_token().empty());
    return absl::OkStatus();
  }

  // Makes a competition and, with `start`, starts it, unless the same request has made it before.
  absl::StatusOr<v1::Competition> Create(v1::CompetitionSpec spec, const std::string& request_id,
                                         bool start);

  // Reads all blocks in order, only those of `bot` unless it is empty: calls `take` with each page
  // until it returns false.
  absl::Status ListBlocks(const std::string& name, const std::string& bot,
                          const std::function<bool(const v1::ListBlocksResponse&)>& take);

  // Reads all pairs of a season (0: the one that goes on) that have met in the order in which they
  // were entered, only those of `bot` unless it is empty: calls `take` with each page until it
  // returns false.
  absl::Status ListPairs(const std::string& name, const std::string& bot, uint32_t season,
                         const std::function<bool(const v1::ListPairsResponse&)>& take);

 private:
  explicit CompetitionClient(Connection connection);

  Connection connection_;
  std::unique_ptr<Stub> stub_;
};

// Makes a client by the flags, and one call. A client that cannot be made is InvalidArgument.
template <typename Request, typename Response>
absl::StatusOr<Response> CallOnce(const ClientFlags& flags,
                                  grpc::Status (CompetitionClient::Stub::*method)(
                                      grpc::ClientContext*, const Request&, Response*),
                                  const Request& request) {
  absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags);
  if (!client.ok()) return absl::InvalidArgumentError(client.status().message());
  return client->Call(method, request);
}

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_CLIENT_H_
