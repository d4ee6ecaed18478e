// Makes gRPC channels and credentials from an address and options.
#ifndef REFEREE_SDK_SRC_CHANNEL_H_
#define REFEREE_SDK_SRC_CHANNEL_H_

#include <grpcpp/channel.h>
#include <grpcpp/security/credentials.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/sdk/bot.h"

namespace referee::sdk {

// Whether only this machine can reach `address`.
bool IsLocal(absl::string_view address);

// Whether the connection to options.address uses plain text.
bool IsPlain(const Options& options);

// The credentials for options.address, tls, tls_ca, tls_cert, tls_key and insecure. Returns
// InvalidArgument if the options contradict each other, or a file cannot be read or is not PEM.
// Does not check that a key belongs to its certificate.
absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> CredentialsFor(const Options& options);

// When a connection counts as lost: it has been silent, and a ping then gets no answer. A referee
// allows one ping every 5 s.
struct Keepalive {
  absl::Duration silence = absl::Seconds(6);
  absl::Duration answer = absl::Seconds(4);
};

// Makes a channel that shares no connection with other channels, and uses no proxy. So the client
// decides when to reconnect. REQUIRES: ReadAddress accepts options.address.
std::shared_ptr<grpc::Channel> NewChannel(
    const Options& options, const std::shared_ptr<grpc::ChannelCredentials>& credentials,
    const Keepalive& keepalive);

// A hint for a connection that fails because of TLS, from gRPC's error message: "; ..." with the
// option to change. Empty for other errors.
std::string TlsAdvice(const Options& options, absl::string_view message);

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_CHANNEL_H_
