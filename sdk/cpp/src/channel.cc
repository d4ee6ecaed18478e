#include "sdk/cpp/src/channel.h"

#include <arpa/inet.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace referee::sdk {
namespace {

constexpr char kUnix[] = "unix:";

// A link that has been silent this long is asked whether it is there.
constexpr int kKeepaliveMs = 30'000;
constexpr int kKeepaliveTimeoutMs = 10'000;

// The part before the last colon, without the brackets of an IPv6 address.
absl::string_view HostOf(absl::string_view address) {
  absl::string_view host = address.substr(0, address.rfind(':'));
  if (absl::StartsWith(host, "[") && absl::EndsWith(host, "]")) {
    host = host.substr(1, host.size() - 2);
  }
  return host;
}

}  // namespace

bool IsLocal(absl::string_view address) {
  if (absl::StartsWith(address, kUnix)) return true;
  const absl::string_view host = HostOf(address);
  in_addr ip;
  const bool is_ip = inet_pton(AF_INET, std::string(host).c_str(), &ip) == 1;
  return host == "localhost" || host == "::1" || (is_ip && ntohl(ip.s_addr) >> 24 == 127);
}

absl::Status CheckAddress(absl::string_view address) {
  bool good = false;
  const size_t colon = address.rfind(':');
  if (absl::StartsWith(address, kUnix)) {
    good = address.size() > sizeof(kUnix) - 1;
  } else if (colon != absl::string_view::npos && colon > 0) {
    uint32_t port = 0;
    good = absl::SimpleAtoi(address.substr(colon + 1), &port) && port > 0 && port < 65536;
  }
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("address \"", address, "\": it must be host:port or unix:path"));
}

absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> CredentialsFor(const Options& options) {
  const bool wants_tls = options.tls || !options.tls_ca.empty();
  if (options.insecure && wants_tls) {
    return absl::InvalidArgumentError("both TLS and plain text were asked for: choose one");
  }
  if (options.insecure || (IsLocal(options.address) && !wants_tls)) {
    return grpc::InsecureChannelCredentials();
  }
  grpc::SslCredentialsOptions ssl;
  if (!options.tls_ca.empty()) {
    std::ifstream file(options.tls_ca, std::ios::binary);
    ssl.pem_root_certs.assign(std::istreambuf_iterator<char>(file), {});
    if (!file.good() && !file.eof()) ssl.pem_root_certs.clear();
    if (ssl.pem_root_certs.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("certificates \"", options.tls_ca,
                                                     "\": there is no such file, or it is empty"));
    }
  }
  return grpc::SslCredentials(ssl);
}

std::shared_ptr<grpc::Channel> NewChannel(
    const Options& options, const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // A referee may have much to say at once to a bot that comes back to a thousand matches.
  arguments.SetMaxReceiveMessageSize(-1);
  return grpc::CreateCustomChannel(options.address, credentials, arguments);
}

}  // namespace referee::sdk
