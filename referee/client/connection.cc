#include "referee/client/connection.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "referee/base/address.h"
#include "referee/base/errors.h"
#include "referee/base/text.h"

namespace referee::client {
namespace {

// `why` is the transport's message.
absl::Status NoReferee(absl::string_view address, absl::string_view why) {
  return absl::UnavailableError(
      absl::StrCat("no referee answers at ", Quoted(address), why.empty() ? "" : ": ", why,
                   "; name another with --address or REFEREE_ADDRESS, or start one with refereed"));
}

// `why` is the referee's message.
absl::Status TokenNeeded(absl::string_view why) {
  // Removes the hint how to send metadata, which a user of this program does not need.
  why = why.substr(0, why.find(": send metadata"));
  return absl::PermissionDeniedError(
      absl::StrCat(why, " (refctl sends the token in --token-file or REFEREE_TOKEN)"));
}

constexpr absl::Duration kAnswerLimit = absl::Seconds(10);
constexpr int kWindowBytes = 1024 * 1024;  // of unread bytes in a call
// How gRPC's message begins if it cannot connect. No message of a referee begins like this.
constexpr absl::string_view kNotConnected = "failed to connect to all addresses";
constexpr absl::string_view kNoSuchHost = "DNS resolution failed";

// Parts of gRPC's message if TLS fails.
constexpr absl::string_view kNoTlsThere = "wrong version number";
constexpr absl::string_view kNotCertified = "certificate verify failed";
constexpr absl::string_view kOtherName = "is not in peer certificate";
// gRPC's messages if the other side closes the connection during setup.
constexpr absl::string_view kHungUp[] = {"Socket closed", "Connection reset by peer",
                                         "Broken pipe"};

// The reason at the end of gRPC's message: "...; last error: UNKNOWN: ipv4:127.0.0.1:7450: Failed
// to connect to remote host: Connection refused".
absl::string_view LastReason(absl::string_view message) {
  const size_t colon = message.rfind(": ");
  return colon == absl::string_view::npos ? message : message.substr(colon + 2);
}

}  // namespace

absl::StatusOr<Connection> Connection::Make(ClientOptions options) {
  const absl::StatusOr<Address> address = ReadAddress(options.address);
  if (!address.ok()) return address.status();
  options.address = address->text;
  if (!options.token.empty()) {
    // gRPC aborts the program on metadata with an invalid byte.
    const absl::StatusOr<std::string> token = ReadToken(options.token, TokenSource::kVariable);
    if (!token.ok()) return At("token", token.status());
    options.token = *token;
  }
  const bool certified = !options.tls_cert.empty();
  if (options.tls_key.empty() == certified) {
    return absl::InvalidArgumentError("TLS needs both a certificate and its key");
  }
  const bool wants_tls = options.tls || !options.tls_ca.empty() || certified;
  if (wants_tls && options.insecure) {
    return absl::InvalidArgumentError(
        "--insecure: asks for plain text, and --tls, --tls-ca and --tls-cert for TLS");
  }
  std::shared_ptr<grpc::ChannelCredentials> credentials;
  const bool uses_tls = wants_tls || (!address->local && !options.insecure);
  if (uses_tls) {
    grpc::SslCredentialsOptions tls;
    tls.pem_root_certs = options.tls_ca;
    tls.pem_cert_chain = options.tls_cert;
    tls.pem_private_key = options.tls_key;
    credentials = grpc::SslCredentials(tls);
  } else {
    credentials = grpc::InsecureChannelCredentials();
  }
  grpc::ChannelArguments arguments;
  // A proxy from the environment would see the token, even for a local referee.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // Pings detect a lost referee, since a watch may be silent for a long time.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  // A fixed window needs no bandwidth probes, each of which would wake the referee.
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kWindowBytes);
  // Short backoffs, so that a client soon notices a restarted referee.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
  if (options.max_message_bytes > 0) {
    arguments.SetMaxReceiveMessageSize(options.max_message_bytes);
  }
  std::shared_ptr<grpc::Channel> channel =
      grpc::CreateCustomChannel(GrpcTarget(*address), credentials, arguments);
  return Connection(std::move(options), uses_tls, std::move(channel));
}

void Connection::Await(absl::Duration patience) const {
  if (patience <= absl::ZeroDuration()) return;
  channel_->WaitForConnected(absl::ToChronoTime(absl::Now() + patience));
}

void Connection::SetDeadline(grpc::ClientContext* context) {
  context->set_deadline(absl::ToChronoTime(absl::Now() + kAnswerLimit));
}

void Connection::Authorise(grpc::ClientContext* context) const {
  if (options_.token.empty()) return;
  context->AddMetadata("authorization", absl::StrCat("Bearer ", options_.token));
}

absl::Status Connection::NotConnected(absl::string_view message) const {
  const std::string& address = options_.address;
  const bool hung_up =
      std::any_of(std::begin(kHungUp), std::end(kHungUp),
                  [message](absl::string_view said) { return absl::StrContains(message, said); });
  if (!tls_) {
    if (!hung_up) return NoReferee(address, LastReason(message));
    return absl::UnavailableError(
        absl::StrCat("what listens at ", Quoted(address),
                     " hangs up on plain text; if that is a referee with TLS, add --tls, and "
                     "--tls-ca FILE (REFEREE_TLS_CA) with the authority of its certificate if "
                     "the system does not know it"));
  }
  if (absl::StrContains(message, kNoTlsThere)) {
    return absl::UnavailableError(
        absl::StrCat("what listens at ", Quoted(address),
                     " does not speak TLS; for a referee with plain text leave out --tls, --tls-ca "
                     "and --tls-cert (REFEREE_TLS_CA, REFEREE_TLS_CERT) on its own machine, and "
                     "give --insecure from another"));
  }
  if (absl::StrContains(message, kNotCertified)) {
    return absl::UnavailableError(absl::StrCat(
        "the certificate of the referee at ", Quoted(address), " is of an authority that ",
        !options_.tls_ca.empty()
            ? "is not in --tls-ca (REFEREE_TLS_CA), or is not valid now; name the right file there"
            : "this machine does not know, or is not valid now; name the file with the authority "
              "in --tls-ca (REFEREE_TLS_CA)"));
  }
  if (absl::StrContains(message, kOtherName)) {
    return absl::UnavailableError(
        absl::StrCat("the certificate of the referee at ", Quoted(address),
                     " is for another name; give the name that it is for in --address"));
  }
  if (hung_up) {
    return absl::UnavailableError(
        absl::StrCat("the referee at ", Quoted(address), " hangs up during the TLS handshake; ",
                     !options_.tls_cert.empty()
                         ? "it seems not to take the certificate in --tls-cert (REFEREE_TLS_CERT): "
                           "is that of an authority that it trusts?"
                         : "if it asks for a certificate, show yours with --tls-cert FILE and "
                           "--tls-key FILE (REFEREE_TLS_CERT, REFEREE_TLS_KEY)"));
  }
  return NoReferee(address, LastReason(message));
}

absl::Status Connection::Explain(const grpc::Status& status) const {
  if (status.ok()) return absl::OkStatus();
  const std::string& message = status.error_message();
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
      if (absl::StartsWith(message, kNotConnected) || absl::StartsWith(message, kNoSuchHost)) {
        return NotConnected(message);
      }
      break;
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return absl::DeadlineExceededError(
          absl::StrCat("the referee at ", Quoted(options_.address), " did not answer within ",
                       absl::FormatDuration(kAnswerLimit), "; try again"));
    case grpc::StatusCode::UNIMPLEMENTED:
      return NoReferee(options_.address, "what listens there is something else");
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::UNAUTHENTICATED:
      return TokenNeeded(message);
    default:
      break;
  }
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), message);
}

}  // namespace referee::client
