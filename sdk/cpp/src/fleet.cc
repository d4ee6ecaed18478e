#include "sdk/cpp/src/fleet.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "referee/base/address.h"
#include "sdk/cpp/src/channel.h"

namespace referee::sdk {
namespace {

constexpr size_t kMaxAddressBytes = 256;
// The number of warnings that are remembered, so that each is logged once.
constexpr size_t kMaxWarnings = 256;

bool IsUnix(absl::string_view address) { return absl::StartsWith(address, "unix:"); }

// Labels of letters, digits, '-' and '_', separated by dots; a dot at the end is allowed.
bool IsName(absl::string_view host) {
  absl::ConsumeSuffix(&host, ".");
  if (host.empty() || host.front() == '.' || host.back() == '.') return false;
  if (absl::StrContains(host, "..")) return false;
  return std::all_of(host.begin(), host.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
  });
}

bool IsIpv6(absl::string_view host) {
  return absl::StrContains(host, ":") && std::all_of(host.begin(), host.end(), [](char c) {
           return absl::ascii_isxdigit(static_cast<unsigned char>(c)) || c == ':' || c == '.';
         });
}

bool IsHost(absl::string_view host) { return IsName(host) || IsIpv6(host); }

std::string CanonicalHost(absl::string_view host) {
  return absl::AsciiStrToLower(absl::StripSuffix(host, "."));
}

bool IsAddress(absl::string_view address) {
  const absl::StatusOr<Address> read = ReadAddress(address);
  return read.ok() && read->text == address;
}

// The host of an address; empty if the address has none.
std::string HostOf(absl::string_view address) {
  const absl::StatusOr<Address> read = ReadAddress(address);
  return read.ok() ? read->host : "";
}

}  // namespace

std::string CanonicalAddress(absl::string_view address) {
  const absl::StatusOr<Address> read = ReadAddress(address);
  if (!read.ok() || !read->path.empty()) return read.ok() ? read->text : std::string(address);
  const std::string host = CanonicalHost(read->text.substr(0, read->text.rfind(':')));
  return absl::StrCat(host, ":", read->port);
}

absl::Status CheckFleetDomain(absl::string_view domain) {
  if (domain.empty() || IsHost(domain)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--fleet-domain \"", domain, "\": it must be a domain such as example.org"));
}

std::string WhyNotTrusted(absl::string_view address, const Options& options) {
  if (!IsAddress(address)) return "it is not host:port, nor unix:path";
  if (IsLocal(address) && IsLocal(options.address) && IsPlain(options)) return "";
  if (options.insecure) {
    return "the token would go there by TLS only, and --insecure asks for none";
  }
  if (IsUnix(address)) {
    return "it is on this machine, and the bot's own address is not, or uses TLS";
  }
  const std::string own = HostOf(options.address);
  const std::string domain =
      CanonicalHost(options.fleet_domain.empty() ? own : options.fleet_domain);
  const std::string host = CanonicalHost(HostOf(address));
  if (!domain.empty() && (host == domain || absl::EndsWith(host, absl::StrCat(".", domain)))) {
    return "";
  }
  return absl::StrCat("it is outside of \"", domain,
                      "\"; --fleet-domain names another domain to trust");
}

const SettledOptions* NextInCircle(const std::vector<SettledOptions>& circle,
                                   const std::string& current) {
  if (circle.size() < 2) return nullptr;
  size_t at = 0;
  for (size_t i = 0; i < circle.size(); ++i) {
    if (circle[i].address == current) at = i;
  }
  return &circle[(at + 1) % circle.size()];
}

absl::optional<SettledOptions> Fleet::OptionsFor(const std::string& address) {
  if (const std::string why = WhyNotTrusted(address, options_); !why.empty()) {
    const std::string warning =
        absl::StrCat("does not trust the referee at \"",
                     absl::CHexEscape(address.substr(0, kMaxAddressBytes)), "\": ", why);
    if (warned_.size() < kMaxWarnings && warned_.insert(warning).second) log_.Warning(warning);
    return absl::nullopt;
  }
  SettledOptions options = options_;
  options.address = CanonicalAddress(address);
  options.tls = !(IsPlain(options_) && IsLocal(options.address));
  return options;
}

std::vector<SettledOptions> Fleet::Circle(
    const google::protobuf::RepeatedPtrField<std::string>& named, const SettledOptions& own) {
  std::vector<SettledOptions> circle = {own};
  std::set<std::string> known = {own.address};
  std::set<std::string> others;
  for (const std::string& address : named) {
    if (circle.size() > kMaxOthers) break;
    absl::optional<SettledOptions> options = OptionsFor(address);
    if (!options.has_value() || !known.insert(options->address).second) continue;
    others.insert(options->address);
    circle.push_back(*std::move(options));
  }
  if (known.insert(options_.address).second) circle.push_back(options_);
  if (others != others_) {
    log_.Info("other referees of the fleet: ",
              others.empty() ? "none" : absl::StrJoin(others, ", "));
  }
  others_ = std::move(others);
  return circle;
}

}  // namespace referee::sdk
