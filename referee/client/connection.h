// A client's connection to a referee: dialling, the token of each call, and readable errors.
#ifndef REFEREE_CLIENT_CONNECTION_H_
#define REFEREE_CLIENT_CONNECTION_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/replay/messages.h"

namespace referee::client {

// The address where refereed listens by default.
inline constexpr char kDefaultAddress[] = "127.0.0.1:7450";

// Message size limit that fits the longest match from its start in one message
// (WatchMatchRequest.from_start).
inline constexpr int kWholeMatchBytes = 64 * 1024 * 1024;

struct ClientOptions {
  std::string address = kDefaultAddress;  // as ReadAddress accepts it
  std::string token;                      // such as an organiser's; may be empty
  // Unix sockets and loopback addresses use plain text unless `tls` or one of the PEMs is set. All
  // others use TLS unless `insecure` is set, because the token must not travel in the clear.
  bool tls = false;
  std::string tls_ca;    // PEM of the certificates to trust; empty: the system's
  std::string tls_cert;  // PEM of the client's certificate, if one is required; may be empty
  std::string tls_key;   // PEM of the key of tls_cert
  bool insecure = false;
  int max_message_bytes = 0;  // limit for messages from the referee; 0: gRPC's default, 4 MiB
};

// The metadata of a call: names and values.
using Metadata = std::vector<std::pair<std::string, std::string>>;

// Thread-safe.
class Connection {
 public:
  // Does not connect yet, and never uses a proxy. Returns InvalidArgument for a malformed address
  // or token, or for contradictory options.
  static absl::StatusOr<Connection> Make(ClientOptions options);

  // Waits up to `patience` for a referee to answer at the address, as it may be starting. Returns
  // nothing; later calls report the error.
  void Await(absl::Duration patience) const;

  // For a stub.
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }

  // Makes a unary call. Returns InvalidArgument for a request with text that is not UTF-8, and
  // Unavailable if no referee answers. Returns PermissionDenied if another token is needed, or the
  // referee's own error.
  template <typename Stub, typename Request, typename Response>
  absl::StatusOr<Response> Call(Stub* stub,
                                grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                             Response*),
                                const Request& request, const Metadata& metadata = {}) const {
    if (absl::Status sound = replay::CheckText(request); !sound.ok()) return sound;
    grpc::ClientContext context;
    for (const auto& [name, value] : metadata) context.AddMetadata(name, value);
    SetDeadline(&context);
    Authorise(&context);
    Response response;
    const absl::Status status = Explain((stub->*method)(&context, request, &response));
    if (!status.ok()) return status;
    return response;
  }

  // The two parts of Call, for streaming calls: add the token, and convert the final status.
  void Authorise(grpc::ClientContext* context) const;
  absl::Status Explain(const grpc::Status& status) const;

 private:
  Connection(ClientOptions options, bool tls, std::shared_ptr<grpc::Channel> channel)
      : options_(std::move(options)), tls_(tls), channel_(std::move(channel)) {}

  // Explains a failed connection, from the transport's message.
  absl::Status NotConnected(absl::string_view message) const;

  static void SetDeadline(grpc::ClientContext* context);

  ClientOptions options_;
  bool tls_;
  std::shared_ptr<grpc::Channel> channel_;
};

}  // namespace referee::client

#endif  // REFEREE_CLIENT_CONNECTION_H_
