// A client of a referee's MatchService, with errors for people.
#ifndef REFEREE_CTL_MATCH_CLIENT_H_
#define REFEREE_CTL_MATCH_CLIENT_H_

#include <grpcpp/client_context.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/match_service.grpc.pb.h"

namespace referee::ctl {

// Where a referee is when nobody says: where refereed listens when nobody says.
inline constexpr char kDefaultAddress[] = "127.0.0.1:7450";

struct ClientOptions {
  std::string address = kDefaultAddress;  // host:port or unix:path
  std::string token;                      // an organiser's; may be empty
  // Unix sockets and loopback addresses are plain text unless `tls` or `tls_ca` is set; all others
  // are TLS, because the token must not travel in the clear, unless `insecure` allows that.
  bool tls = false;
  std::string tls_ca;  // PEM, of the certificates to trust; empty: the system's
  bool insecure = false;
};

// Whether the referee at `address` is on this machine.
bool IsLocalAddress(absl::string_view address);

// Thread-safe. Every call returns Unavailable when no referee answers, PermissionDenied when it
// wants another token, or what the referee says.
class MatchClient {
 public:
  // Does not connect yet. Returns InvalidArgument for an address that makes no sense, or options
  // that contradict each other.
  static absl::StatusOr<MatchClient> Make(ClientOptions options);

  absl::StatusOr<v1::CreateMatchResponse> Create(const v1::CreateMatchRequest& request);
  absl::StatusOr<v1::GetMatchResponse> Get(const v1::GetMatchRequest& request);
  absl::StatusOr<v1::ListMatchesResponse> List(const v1::ListMatchesRequest& request);
  absl::StatusOr<v1::CancelMatchResponse> Cancel(const v1::CancelMatchRequest& request);
  // Calls `take` for everything that happens in the match, until it is over. Takes as long as the
  // match. Unavailable when the referee is gone before.
  absl::Status Watch(const v1::WatchMatchRequest& request,
                     const std::function<void(const v1::WatchMatchResponse&)>& take);

 private:
  using Stub = v1::MatchService::Stub;

  MatchClient(ClientOptions options, std::shared_ptr<grpc::Channel> channel);

  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                             Response*),
                                const Request& request);
  void Authorise(grpc::ClientContext* context) const;
  absl::Status Explain(const grpc::Status& status) const;

  ClientOptions options_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<Stub> stub_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_CLIENT_H_
