// A connection to a referee: how it is dialled, the token that goes with each call, and errors for
// people.
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

// The default address of a referee: where refereed listens by default.
inline constexpr char kDefaultAddress[] = "127.0.0.1:7450";

// Takes the longest match from its start, which is one message (WatchMatchRequest.from_start).
inline constexpr int kWholeMatchBytes = 64 * 1024 * 1024;

struct ClientOptions {
  std::string address = kDefaultAddress;  // as ReadAddress takes it
  std::string token;                      // an organiser's, say; may be empty
  // Unix sockets and loopback addresses are plain text unless `tls` or one of the PEMs is set; all
  // others are TLS, because the token must not travel in the clear, unless `insecure` allows that.
  bool tls = false;
  std::string tls_ca;    // PEM, of the certificates to trust; empty: the system's
  std::string tls_cert;  // PEM, the client's own, for a referee that asks for one; may be empty
  std::string tls_key;   // PEM, of tls_cert
  bool insecure = false;
  int max_message_bytes = 0;  // that are taken from the referee; 0: gRPC's own 4 MiB
};

// What a call says beside its request: names and values.
using Metadata = std::vector<std::pair<std::string, std::string>>;

// Thread-safe.
class Connection {
 public:
  // Does not connect yet, and never through a proxy. Returns InvalidArgument for a malformed
  // address or token, or options that contradict each other.
  static absl::StatusOr<Connection> Make(ClientOptions options);

  // Waits up to `patience` for a referee to answer at the address: it may be starting. Calls say
  // what is wrong if none does.
  void Await(absl::Duration patience) const;

  // For a stub.
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }

  // Makes a call that is answered at once. Returns InvalidArgument for a request with text that is
  // not UTF-8, Unavailable when no referee answers, PermissionDenied when it wants another token,
  // or what the referee says.
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

  // The two parts of a call that takes longer.
  void Authorise(grpc::ClientContext* context) const;
  absl::Status Explain(const grpc::Status& status) const;

 private:
  Connection(ClientOptions options, bool tls, std::shared_ptr<grpc::Channel> channel)
      : options_(std::move(options)), tls_(tls), channel_(std::move(channel)) {}

  // Why no connection came about, given what the transport says.
  absl::Status NotConnected(absl::string_view message) const;

  static void SetDeadline(grpc::ClientContext* context);

  ClientOptions options_;
  bool tls_;
  std::shared_ptr<grpc::Channel> channel_;
};

}  // namespace referee::client

#endif  // REFEREE_CLIENT_CONNECTION_H_
