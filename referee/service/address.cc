#include "referee/service/address.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/address.h"
#include "referee/base/endpoint.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

// Any host name except "localhost" may resolve to a remote address, so it does not count.
bool IsLoopback(absl::string_view host) {
  const absl::optional<IpAddress> address = IpAddress::Parse(host);
  return host == "localhost" || (address && address->is_loopback());
}

// Whether `host` is the wildcard address, 0.0.0.0 or [::].
bool IsWildcard(absl::string_view host) {
  const absl::optional<IpAddress> address = IpAddress::Parse(host);
  return address && address->is_unspecified();
}

absl::Status CheckUnix(absl::string_view address, absl::string_view path) {
  if (path.empty()) return BadAddress(address);
  sockaddr_un name{};
  if (path.size() >= sizeof(name.sun_path)) {
    return absl::InvalidArgumentError(absl::StrCat("unix socket ", Quoted(path), ": the path has ",
                                                   path.size(), " bytes; the system allows ",
                                                   sizeof(name.sun_path) - 1, " bytes"));
  }
  name.sun_family = AF_UNIX;
  std::copy(path.begin(), path.end(), name.sun_path);
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return absl::OkStatus();  // the later bind reports the error
  const bool answered = connect(probe, reinterpret_cast<const sockaddr*>(&name), sizeof(name)) == 0;
  close(probe);
  return answered ? AddressTaken(address) : absl::OkStatus();
}

}  // namespace

absl::optional<HostAndPort> SplitHostPort(absl::string_view address) {
  const size_t colon = address.rfind(':');
  if (colon == absl::string_view::npos) return absl::nullopt;
  absl::string_view host = address.substr(0, colon);
  const absl::string_view port = address.substr(colon + 1);
  int number;
  const bool digits = std::all_of(port.begin(), port.end(), absl::ascii_isdigit);
  if (!digits || !absl::SimpleAtoi(port, &number) || number > 65535) return absl::nullopt;
  const bool ipv6 = absl::ConsumePrefix(&host, "[");
  if (ipv6 != absl::ConsumeSuffix(&host, "]")) return absl::nullopt;
  if (host.empty() || ipv6 != absl::StrContains(host, ":")) return absl::nullopt;
  return HostAndPort{std::string(host), std::string(port)};
}

bool IsUnixAddress(absl::string_view address) { return absl::StartsWith(address, kUnixPrefix); }

std::string DialledAddress(absl::string_view address, absl::string_view host_name) {
  absl::string_view path = address;
  if (absl::ConsumePrefix(&path, kUnixPrefix)) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::absolute(std::string(path), failed);
    return failed ? std::string(address) : absl::StrCat(kUnixPrefix, whole.string());
  }
  const absl::optional<HostAndPort> parts = SplitHostPort(address);
  return parts && IsWildcard(parts->host) ? absl::StrCat(host_name, ":", parts->port)
                                          : std::string(address);
}

absl::Status CheckAdvertised(absl::string_view address) {
  // Rejects an address that other programs would read differently, or not at all.
  const absl::StatusOr<Address> read = ReadAddress(address);
  const bool good =
      read.ok() && read->text == address &&
      (read->host.empty() ? absl::StartsWith(read->path, "/") : !IsWildcard(read->host));
  if (good && address.size() <= limits::kMaxAddressBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(Quoted(address),
                   " is no address that bots can dial; write host:port, with a name or address of "
                   "this machine and its port, or unix:/path, in 256 bytes at most"));
}

absl::Status CheckAddress(absl::string_view address, bool reachable) {
  absl::string_view path = address;
  if (absl::ConsumePrefix(&path, kUnixPrefix)) return CheckUnix(address, path);
  const absl::optional<HostAndPort> parts = SplitHostPort(address);
  if (!parts) {
    const absl::Status problem = ReadAddress(address).status();
    return problem.ok() ? BadAddress(address) : problem;
  }
  if (!reachable && !IsLoopback(parts->host)) {
    return absl::InvalidArgumentError(
        absl::StrCat("address ", Quoted(address),
                     ": is reached from elsewhere, and tokens would travel as plain text; give "
                     "--tls-cert and --tls-key, or say --insecure"));
  }
  return absl::OkStatus();
}

}  // namespace referee::service
