#include "sdk/cpp/src/refer.h"

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
constexpr int kMaxCompetitionsLogged = 8;
// So much is remembered that was not followed, so that the log says it once.
constexpr size_t kMaxRemembered = 256;

bool IsUnix(absl::string_view address) { return absl::StartsWith(address, "unix:"); }

// Labels of letters, digits, '-' and '_', with dots between them and perhaps one at the end.
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

// The host of an address; empty if it has none.
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

absl::Status CheckReferDomain(absl::string_view domain) {
  if (domain.empty() || IsHost(domain)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--refer-domain \"", domain, "\": it must be a domain such as example.org"));
}

std::string WhyNotFollowed(absl::string_view address, const Options& options) {
  if (!IsAddress(address)) return "it is not host:port, nor unix:path";
  if (IsLocal(address) && IsLocal(options.address) && IsPlain(options)) return "";
  if (options.insecure) {
    return "the token would go there by TLS only, and --insecure asks for none";
  }
  if (IsUnix(address)) {
    return "it is on this machine, where only a bot follows whose first address is there, too, and "
           "without TLS";
  }
  const std::string own = HostOf(options.address);
  const std::string domain =
      CanonicalHost(options.refer_domain.empty() ? own : options.refer_domain);
  const std::string host = CanonicalHost(HostOf(address));
  if (!domain.empty() && (host == domain || absl::EndsWith(host, absl::StrCat(".", domain)))) {
    return "";
  }
  return absl::StrCat("it is outside of \"", domain,
                      "\"; --refer-domain names another domain to trust");
}

const SettledOptions* NextInCircle(const std::vector<SettledOptions>& circle,
                                   const std::string& current, const std::set<std::string>& homes) {
  size_t at = 0;
  for (size_t i = 0; i < circle.size(); ++i) {
    if (circle[i].address == current) at = i;
  }
  for (size_t i = 1; i < circle.size(); ++i) {
    const SettledOptions& next = circle[(at + i) % circle.size()];
    if (homes.count(next.address) == 0) return &next;
  }
  return nullptr;
}

absl::optional<SettledOptions> Referral::OptionsFor(const std::string& address) {
  if (const std::string why = WhyNotFollowed(address, options_); !why.empty()) {
    Warn(absl::StrCat("not followed to \"", absl::CHexEscape(address.substr(0, kMaxAddressBytes)),
                      "\": ", why));
    return absl::nullopt;
  }
  SettledOptions options = options_;
  options.address = CanonicalAddress(address);
  options.tls = !(IsPlain(options_) && IsLocal(options.address));
  return options;
}

std::vector<SettledOptions> Referral::Follow(const v1::Refer& refer, const std::string& own) {
  std::vector<SettledOptions> homes;
  std::set<std::string> named = {own};
  for (const v1::Home& home : refer.homes()) {
    absl::optional<SettledOptions> options = OptionsFor(home.address());
    if (!options.has_value()) continue;
    const std::string address = options->address;
    if (named.count(address) > 0) continue;
    if (homes.size() == kMaxHomes) {
      Warn(absl::StrCat("more than ", kMaxHomes, " homes: the others are not followed"));
      break;
    }
    if (named_.count(address) == 0) {
      const int shown = std::min(home.competitions_size(), kMaxCompetitionsLogged);
      const std::string what =
          absl::StrJoin(home.competitions().begin(), home.competitions().begin() + shown, ", ");
      log_.Info("referred to ", address, what.empty() ? "" : absl::StrCat(" for ", what));
    }
    named.insert(address);
    homes.push_back(*std::move(options));
  }
  named_ = std::move(named);
  return homes;
}

std::vector<SettledOptions> Referral::Circle(const v1::Refer& refer, const SettledOptions& own) {
  std::vector<SettledOptions> circle = {own};
  std::set<std::string> known = {own.address};
  for (const std::string& address : refer.others()) {
    if (circle.size() > kMaxHomes) break;
    absl::optional<SettledOptions> options = OptionsFor(address);
    if (!options.has_value() || !known.insert(options->address).second) continue;
    circle.push_back(*std::move(options));
  }
  if (known.insert(options_.address).second) circle.push_back(options_);
  return circle;
}

void Referral::Warn(const std::string& what) {
  if (told_.size() < kMaxRemembered && told_.insert(what).second) log_.Warning(what);
}

}  // namespace referee::sdk
