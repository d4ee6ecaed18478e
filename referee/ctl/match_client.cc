#include "referee/ctl/match_client.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"

namespace referee::ctl {
namespace {

constexpr absl::Duration kAnswerLimit = absl::Seconds(10);
constexpr char kUnix[] = "unix:";
// How gRPC begins what it says when it cannot connect; what a referee says never begins so.
constexpr absl::string_view kNotConnected = "failed to connect to all addresses";
constexpr absl::string_view kNoSuchHost = "DNS resolution failed";

absl::Status CheckAddress(absl::string_view address) {
  if (absl::StartsWith(address, kUnix)) {
    return address.size() > sizeof(kUnix) - 1 ? absl::OkStatus() : BadAddress(address);
  }
  const size_t colon = address.rfind(':');
  int port = 0;
  const bool good = colon != absl::string_view::npos && colon > 0 &&
                    absl::SimpleAtoi(address.substr(colon + 1), &port) && port > 0 && port < 65536;
  return good ? absl::OkStatus() : BadAddress(address);
}

// The reason at the end of what gRPC says: "...; last error: UNKNOWN: ipv4:127.0.0.1:7450: Failed
// to connect to remote host: Connection refused".
absl::string_view LastReason(absl::string_view message) {
  const size_t colon = message.rfind(": ");
  return colon == absl::string_view::npos ? message : message.substr(colon + 2);
}

}  // namespace

bool IsLocalAddress(absl::string_view address) {
  if (absl::StartsWith(address, kUnix)) return true;
  const absl::string_view host = address.substr(0, address.rfind(':'));
  return host == "localhost" || host == "[::1]" || absl::StartsWith(host, "127.");
}

absl::StatusOr<MatchClient> MatchClient::Make(ClientOptions options) {
  if (absl::Status checked = CheckAddress(options.address); !checked.ok()) return checked;
  const bool wants_tls = options.tls || !options.tls_ca.empty();
  if (wants_tls && options.insecure) return TlsAndInsecure();
  std::shared_ptr<grpc::ChannelCredentials> credentials;
  if (wants_tls || (!IsLocalAddress(options.address) && !options.insecure)) {
    grpc::SslCredentialsOptions tls;
    tls.pem_root_certs = options.tls_ca;
    credentials = grpc::SslCredentials(tls);
  } else {
    credentials = grpc::InsecureChannelCredentials();
  }
  grpc::ChannelArguments arguments;
  // A watcher may hear nothing for a long time; a referee that is gone is found by pings.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  std::shared_ptr<grpc::Channel> channel =
      grpc::CreateCustomChannel(options.address, credentials, arguments);
  return MatchClient(std::move(options), std::move(channel));
}

MatchClient::MatchClient(ClientOptions options, std::shared_ptr<grpc::Channel> channel)
    : options_(std::move(options)),
      channel_(std::move(channel)),
      stub_(v1::MatchService::NewStub(channel_)) {}

void MatchClient::Authorise(grpc::ClientContext* context) const {
  if (options_.token.empty()) return;
  context->AddMetadata("authorization", absl::StrCat("Bearer ", options_.token));
}

absl::Status MatchClient::Explain(const grpc::Status& status) const {
  if (status.ok()) return absl::OkStatus();
  const std::string& message = status.error_message();
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
      if (absl::StartsWith(message, kNotConnected) || absl::StartsWith(message, kNoSuchHost)) {
        return NoReferee(options_.address, LastReason(message));
      }
      break;
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return RefereeTooSlow(options_.address, kAnswerLimit);
    case grpc::StatusCode::UNIMPLEMENTED:
      return NoReferee(options_.address, "what listens there is something else");
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::UNAUTHENTICATED:
      return TokenNeeded();
    default:
      break;
  }
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), message);
}

template <typename Request, typename Response>
absl::StatusOr<Response> MatchClient::Call(grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                                        const Request&, Response*),
                                           const Request& request) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + kAnswerLimit));
  Authorise(&context);
  Response response;
  const absl::Status status = Explain((stub_.get()->*method)(&context, request, &response));
  if (!status.ok()) return status;
  return response;
}

absl::StatusOr<v1::CreateMatchResponse> MatchClient::Create(const v1::CreateMatchRequest& request) {
  return Call(&Stub::CreateMatch, request);
}

absl::StatusOr<v1::GetMatchResponse> MatchClient::Get(const v1::GetMatchRequest& request) {
  return Call(&Stub::GetMatch, request);
}

absl::StatusOr<v1::ListMatchesResponse> MatchClient::List(const v1::ListMatchesRequest& request) {
  return Call(&Stub::ListMatches, request);
}

absl::StatusOr<v1::CancelMatchResponse> MatchClient::Cancel(const v1::CancelMatchRequest& request) {
  return Call(&Stub::CancelMatch, request);
}

absl::Status MatchClient::Watch(const v1::WatchMatchRequest& request,
                                const std::function<void(const v1::WatchMatchResponse&)>& take) {
  grpc::ClientContext context;
  Authorise(&context);
  const std::unique_ptr<grpc::ClientReader<v1::WatchMatchResponse>> reader =
      stub_->WatchMatch(&context, request);
  v1::WatchMatchResponse response;
  while (reader->Read(&response)) take(response);
  return Explain(reader->Finish());
}

}  // namespace referee::ctl
