#include "referee/shelf/address.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/shelf/limits.h"

namespace referee::shelf {
namespace {

// Quotes no part of the address, which may be secret.
absl::Status BadShelfAddress(absl::string_view problem, absl::string_view remedy) {
  return absl::InvalidArgumentError(absl::StrCat("shelf address: ", problem, "; ", remedy));
}

constexpr absl::string_view kForm = "it is s3://BUCKET/PREFIX?endpoint=URL&region=REGION";
constexpr absl::string_view kNoSecrets =
    "credentials belong into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or into a file that "
    "AWS_SHARED_CREDENTIALS_FILE names";

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.';
}

bool IsBucket(absl::string_view text) {
  const auto allowed = [](char c) {
    return IsNameCharacter(c) && !absl::ascii_isupper(static_cast<unsigned char>(c));
  };
  return text.size() >= 3 && text.size() <= 63 && std::all_of(text.begin(), text.end(), allowed) &&
         text.front() != '.' && text.back() != '.' && !absl::StrContains(text, "..");
}

bool IsRegion(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsNameCharacter);
}

// Accepts path segments that need no escaping in a URL, and that no client reads as a parent
// folder.
bool IsPrefix(absl::string_view text) {
  for (const absl::string_view word : absl::StrSplit(text, '/')) {
    const auto allowed = [](char c) { return IsNameCharacter(c) || c == '_'; };
    if (word.empty() || word == "." || word == "..") return false;
    if (!std::all_of(word.begin(), word.end(), allowed)) return false;
  }
  return true;
}

bool IsLoopback(absl::string_view host) {
  if (host == "[::1]" || host == "localhost" || absl::EndsWith(host, ".localhost")) return true;
  const std::vector<absl::string_view> parts = absl::StrSplit(host, '.');
  const auto is_byte = [](absl::string_view part) {
    int value;
    return absl::SimpleAtoi(part, &value) && value >= 0 && value <= 255;
  };
  return parts.size() == 4 && parts[0] == "127" && std::all_of(parts.begin(), parts.end(), is_byte);
}

// Reads "https://host:port".
absl::Status ReadEndpoint(absl::string_view text, S3Address* address) {
  const absl::Status bad = BadShelfAddress(
      "endpoint is no URL of a server", "it is https://HOST or https://HOST:PORT, without a path");
  address->tls = absl::ConsumePrefix(&text, "https://");
  if (!address->tls && !absl::ConsumePrefix(&text, "http://")) return bad;
  absl::ConsumeSuffix(&text, "/");
  address->host = std::string(text);
  absl::string_view host = text;
  const size_t colon = text.rfind(':');
  if (colon != absl::string_view::npos && !absl::EndsWith(text, "]")) {
    uint32_t port;
    if (!absl::SimpleAtoi(text.substr(colon + 1), &port) || port == 0 || port > 65535) return bad;
    host = text.substr(0, colon);
  }
  const bool ipv6 = absl::StartsWith(host, "[") && absl::EndsWith(host, "]");
  const auto of_ipv6 = [](char c) {
    return absl::ascii_isxdigit(static_cast<unsigned char>(c)) || c == ':' || c == '.';
  };
  const bool good = ipv6 ? std::all_of(host.begin() + 1, host.end() - 1, of_ipv6)
                         : std::all_of(host.begin(), host.end(), IsNameCharacter);
  if (!good || host.empty()) return bad;
  address->loopback = IsLoopback(host);
  if (address->tls || address->loopback) return absl::OkStatus();
  return BadShelfAddress("endpoint is http, which others on the way can read",
                         "use https; http is for an endpoint on this machine");
}

absl::StatusOr<std::map<std::string, std::string>> ReadParameters(absl::string_view text) {
  std::map<std::string, std::string> parameters;
  if (text.empty()) return parameters;
  for (const absl::string_view part : absl::StrSplit(text, '&')) {
    const std::pair<absl::string_view, absl::string_view> parameter =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    const absl::string_view name = parameter.first;
    if (name != "endpoint" && name != "region" && name != "style") {
      return BadShelfAddress("a parameter is none of endpoint, region and style",
                             absl::StrCat(kForm, "; ", kNoSecrets));
    }
    if (!parameters.emplace(name, parameter.second).second) {
      return BadShelfAddress(absl::StrCat(name, " is given twice"), "give it once");
    }
  }
  return parameters;
}

absl::Status ReadStyle(const std::string& text, S3Address* address) {
  if (text == "path") {
    address->style = S3Address::Style::kPath;
  } else if (text == "virtual") {
    address->style = S3Address::Style::kVirtualHost;
  } else {
    return BadShelfAddress("style is neither path nor virtual",
                           "path is https://HOST/BUCKET, virtual https://BUCKET.HOST");
  }
  return absl::OkStatus();
}

// Returns the parameter, or else the first environment variable that is set.
std::string FirstOf(const std::map<std::string, std::string>& parameters, const char* name,
                    const Environment& environment, std::initializer_list<const char*> variables) {
  if (const auto given = parameters.find(name); given != parameters.end()) return given->second;
  for (const char* const variable : variables) {
    if (absl::optional<std::string> value = environment(variable)) return *std::move(value);
  }
  return "";
}

absl::StatusOr<ShelfAddress> ParseS3(absl::string_view text, const Environment& environment) {
  if (absl::StrContains(text.substr(0, text.find('?')), "@")) {
    return BadShelfAddress("there is an @ in it", kNoSecrets);
  }
  const std::pair<absl::string_view, absl::string_view> halves =
      absl::StrSplit(text, absl::MaxSplits('?', 1));
  const std::pair<absl::string_view, absl::string_view> place =
      absl::StrSplit(halves.first, absl::MaxSplits('/', 1));
  S3Address address;
  address.bucket = std::string(place.first);
  if (!IsBucket(address.bucket)) {
    return BadShelfAddress(absl::StrCat("bucket ", Quoted(address.bucket), " is no name of one"),
                           "it has 3 to 63 lower-case letters, digits, dots and hyphens");
  }
  address.prefix = std::string(absl::StripSuffix(place.second, "/"));
  if (!address.prefix.empty() && !IsPrefix(address.prefix)) {
    return BadShelfAddress(absl::StrCat("prefix ", Quoted(address.prefix), " is none"),
                           "it is words of letters, digits, '-', '_' and '.' with slashes between");
  }
  const auto parameters = ReadParameters(halves.second);
  if (!parameters.ok()) return parameters.status();

  address.region =
      FirstOf(*parameters, "region", environment, {"AWS_REGION", "AWS_DEFAULT_REGION"});
  const std::string endpoint =
      FirstOf(*parameters, "endpoint", environment, {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
  if (address.region.empty() && !endpoint.empty()) address.region = "us-east-1";
  if (!IsRegion(address.region)) {
    return BadShelfAddress("there is no region, or it is no name of one",
                           "add ?region=REGION, or set AWS_REGION");
  }
  const bool amazon = endpoint.empty();
  const absl::Status read = ReadEndpoint(
      amazon ? absl::StrCat("https://s3.", address.region, ".amazonaws.com") : endpoint, &address);
  if (!read.ok()) return read;
  // A certificate for *.HOST does not cover a name with more dots.
  const bool virtual_host = amazon && !absl::StrContains(address.bucket, ".");
  const std::string style = FirstOf(*parameters, "style", environment, {});
  const absl::Status styled = ReadStyle(!style.empty() ? style
                                        : virtual_host ? "virtual"
                                                       : "path",
                                        &address);
  if (!styled.ok()) return styled;
  return ShelfAddress(std::move(address));
}

}  // namespace

Environment ProcessEnvironment() {
  return [](const char* name) -> absl::optional<std::string> {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') return absl::nullopt;
    return std::string(value);
  };
}

std::string S3Address::BucketUrl() const {
  const absl::string_view scheme = tls ? "https://" : "http://";
  return style == Style::kPath ? absl::StrCat(scheme, host, "/", bucket)
                               : absl::StrCat(scheme, bucket, ".", host);
}

absl::StatusOr<ShelfAddress> ParseShelfAddress(absl::string_view text,
                                               const Environment& environment) {
  if (text.size() > limits::kMaxShelfAddressBytes) {
    return BadShelfAddress(absl::StrCat("it has ", text.size(), " bytes"),
                           absl::StrCat("at most ", limits::kMaxShelfAddressBytes, " are read"));
  }
  if (absl::ConsumePrefix(&text, "s3://")) return ParseS3(text, environment);
  if (!absl::ConsumePrefix(&text, "dir:") && absl::StrContains(text, "://")) {
    return BadShelfAddress("its scheme is none that is known",
                           "give dir:PATH, a path, or s3://BUCKET/PREFIX");
  }
  while (text.size() > 1 && absl::ConsumeSuffix(&text, "/")) continue;
  if (text.empty()) return BadShelfAddress("it names no directory", "give dir:PATH, or a path");
  return ShelfAddress(DirectoryAddress{std::string(text)});
}

}  // namespace referee::shelf
