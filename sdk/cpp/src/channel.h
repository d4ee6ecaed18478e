// Makes a gRPC channel from an address and options.
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

// Whether `address` can be reached from this machine alone.
bool IsLocal(absl::string_view address);

// Whether the way to options.address is plain text.
bool IsPlain(const Options& options);

// The credentials that options.address, tls, tls_ca, tls_cert, tls_key and insecure ask for.
// Returns InvalidArgument when they contradict each other, or that names the file that cannot be
// read or is no PEM. Whether a key belongs to its certificate is not looked at.
absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> CredentialsFor(const Options& options);

// When a connection is taken for lost: it has been silent, and then a ping gets no answer. A
// referee allows a ping every 5 s.
struct Keepalive {
  absl::Duration silence = absl::Seconds(6);
  absl::Duration answer = absl::Seconds(4);
};

// A new channel that shares nothing with others, and uses no proxy: the moment to connect again is
// the client's choice. REQUIRES: ReadAddress takes options.address.
std::shared_ptr<grpc::Channel> NewChannel(
    const Options& options, const std::shared_ptr<grpc::ChannelCredentials>& credentials,
    const Keepalive& keepalive);

// What may mend a connection that TLS is the trouble of, given what gRPC says: "; ..." that names
// an option. Empty if something else is the trouble.
std::string TlsAdvice(const Options& options, absl::string_view message);

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_CHANNEL_H_
