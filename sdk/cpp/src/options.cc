#include "sdk/cpp/src/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/address.h"
#include "referee/base/errors.h"
#include "referee/base/text.h"
#include "sdk/cpp/src/fleet.h"

namespace referee::sdk {
namespace {

constexpr int kMaxMatches = 1024;
constexpr int kMaxThreads = 1024;
constexpr size_t kMaxTokenFileBytes = 4096;  // the most bytes that are read
constexpr size_t kMaxSoftwareBytes = 64;
constexpr size_t kMaxVersionBytes = 32;

absl::Status Missing(absl::string_view what, absl::string_view flag, absl::string_view variable) {
  return absl::InvalidArgumentError(
      absl::StrCat("no ", what, ": give ", flag, ", or set ", variable, " in the environment"));
}

absl::StatusOr<std::string> ReadTokenFile(const std::string& path) {
  const std::string where = absl::StrCat("--token-file \"", path, "\"");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxTokenFileBytes, '\0');
  if (!file.read(&text[0], static_cast<std::streamsize>(text.size())) && !file.eof()) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": cannot be read: ", std::strerror(errno)));
  }
  text.resize(static_cast<size_t>(file.gcount()));
  absl::StatusOr<std::string> token = ReadToken(text, TokenSource::kFile);
  return token.ok() ? token : At(where, token.status());
}

// Settles the address and the token from the options or the environment, as in every client
// program.
absl::Status ReadWhereAndWho(Options* options) {
  const bool address_given = !options->address.empty();
  if (!address_given) options->address = EnvironmentVariable("REFEREE_ADDRESS");
  if (options->address.empty()) return Missing("address", "--address", "REFEREE_ADDRESS");
  const bool token_given = !options->token.empty();
  if (!token_given) options->token = EnvironmentVariable("REFEREE_TOKEN");
  if (options->token.empty()) return Missing("token", "--token-file", "REFEREE_TOKEN");
  const absl::StatusOr<Address> address = ReadAddress(options->address);
  if (!address.ok()) {
    return address_given ? address.status() : At("REFEREE_ADDRESS", address.status());
  }
  options->address = address->text;
  const absl::StatusOr<std::string> token = ReadToken(options->token, TokenSource::kVariable);
  if (!token.ok()) return At(token_given ? "the token" : "REFEREE_TOKEN", token.status());
  options->token = *token;
  return absl::OkStatus();
}

// The text appears in names and logs of other programs.
absl::Status CheckPlain(absl::string_view what, absl::string_view text) {
  if (IsPlainText(text)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(what, " ", Quoted(text), ": it must be UTF-8 without control characters"));
}

bool ParseLevel(absl::string_view name, LogLevel* level) {
  static constexpr std::pair<absl::string_view, LogLevel> kLevels[] = {
      {"debug", LogLevel::kDebug},
      {"info", LogLevel::kInfo},
      {"warning", LogLevel::kWarning},
      {"error", LogLevel::kError},
      {"none", LogLevel::kNone}};
  for (const auto& [known, value] : kLevels) {
    if (!absl::EqualsIgnoreCase(name, known)) continue;
    *level = value;
    return true;
  }
  return false;
}

absl::Status OutOfRange(absl::string_view what, int value, int low, int high) {
  return absl::InvalidArgumentError(
      absl::StrCat(what, " is ", value, ": it must be ", low, " to ", high));
}

}  // namespace

absl::StatusOr<SettledOptions> Settle(Options given) {
  SettledOptions options{std::move(given)};
  if (options.fleet_domain.empty())
    options.fleet_domain = EnvironmentVariable("REFEREE_FLEET_DOMAIN");
  // `insecure` overrides the environment.
  if (!options.insecure) {
    if (options.tls_ca.empty()) options.tls_ca = EnvironmentVariable("REFEREE_TLS_CA");
    if (options.tls_cert.empty()) options.tls_cert = EnvironmentVariable("REFEREE_TLS_CERT");
    if (options.tls_key.empty()) options.tls_key = EnvironmentVariable("REFEREE_TLS_KEY");
  }
  if (absl::Status status = ReadWhereAndWho(&options); !status.ok()) return status;
  if (absl::Status status = CheckFleetDomain(options.fleet_domain); !status.ok()) return status;
  absl::Status plain = CheckPlain("the software's name", options.software);
  for (const std::string& game : options.games) plain.Update(CheckPlain("the game", game));
  plain.Update(CheckPlain("the bot's version", options.version));
  if (!plain.ok()) return plain;
  if (options.software.size() > kMaxSoftwareBytes) {
    options.software.resize(kMaxSoftwareBytes);
    options.software.resize(std::min(FindBadUtf8(options.software), kMaxSoftwareBytes));
  }
  if (options.version.size() > kMaxVersionBytes) {
    return absl::InvalidArgumentError(absl::StrCat("the bot's version has ", options.version.size(),
                                                   " bytes: at most ", kMaxVersionBytes,
                                                   " are possible"));
  }
  if (options.threads < 0 || options.threads > kMaxThreads) {
    return OutOfRange("threads", options.threads, 0, kMaxThreads);
  }
  if (options.parallel_turns < 0 || options.parallel_turns > kMaxMatches) {
    return OutOfRange("parallel-turns", options.parallel_turns, 0, kMaxMatches);
  }
  const bool says_matches = options.max_matches != 0;
  if (!says_matches) {
    options.max_matches = std::max({options.threads, options.parallel_turns, kUsualMaxMatches});
  }
  if (options.max_matches < 1 || options.max_matches > kMaxMatches) {
    return OutOfRange("max-matches", options.max_matches, 1, kMaxMatches);
  }
  if (options.parallel_turns == 0) {
    // A bot without threads that sets max_matches answers at once: 0 means max_matches.
    options.parallel_turns = says_matches ? options.threads : std::max(options.threads, 1);
  }
  if (says_matches && options.parallel_turns >= options.max_matches) options.parallel_turns = 0;
  return options;
}

absl::StatusOr<CommandLine> ParseCommandLine(int argc, const char* const* argv, Options defaults) {
  CommandLine line;
  Options& options = line.options;
  options = std::move(defaults);
  std::string token_file;
  std::string give_up_after;
  std::string log_level;

  CLI::App app("A bot: plays the matches that a referee gives it, until the referee ends.");
  app.set_version_flag("--version", absl::StrCat(options.software, " ", REFEREE_SDK_VERSION));
  app.add_option("--address", options.address,
                 "Where the referee is, host:port or unix:path [$REFEREE_ADDRESS]");
  app.add_option("--token-file", token_file, "File whose first line is the bot's token");
  app.add_option("--token", options.token,
                 "The bot's token; others on this machine can see it here [$REFEREE_TOKEN]");
  app.add_option("--bot-version", options.version,
                 "The bot's version: in ladders a new one has a rating of its own");
  app.add_option(
      "--max-matches", options.max_matches,
      absl::StrCat("Matches at once, 1 to 1024; 0, the default: one for each thread, or a "
                   "block of up to ",
                   kUsualMaxMatches));
  app.add_option("--threads", options.threads, "Threads that choose moves");
  app.add_option("--parallel-turns", options.parallel_turns,
                 "Turns that the bot thinks about at once, or answers so quickly that none waits; "
                 "0, the default: one for each thread");
  app.add_flag("--keep-existing", options.keeps_existing,
               "Leave another process that plays with this token alone, instead of taking over");
  app.add_flag("--tls", options.tls, "Use TLS on this machine, too");
  app.add_option("--tls-ca", options.tls_ca,
                 "PEM file with the certificates to trust [$REFEREE_TLS_CA]");
  app.add_option("--tls-cert", options.tls_cert,
                 "A certificate of your own, PEM, for a referee that asks for one "
                 "[$REFEREE_TLS_CERT]");
  app.add_option("--tls-key", options.tls_key, "Its private key, PEM [$REFEREE_TLS_KEY]");
  app.add_flag("--insecure", options.insecure, "Send the token in the clear to other machines");
  app.add_option("--fleet-domain", options.fleet_domain,
                 "Domain of the other referees that get the token, too; default: the host of "
                 "--address and those below it [$REFEREE_FLEET_DOMAIN]");
  app.add_option("--give-up-after", give_up_after,
                 "How long to try to reach the referee, such as 30s; default: for ever");
  app.add_option("--log-level", log_level, "debug, info, warning, error or none");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.text = app.help();
    return line;
  } catch (const CLI::CallForVersion& e) {
    line.text = absl::StrCat(e.what(), "\n");
    return line;
  } catch (const CLI::ParseError& e) {
    return absl::InvalidArgumentError(absl::StrCat(e.what(), " (see --help)"));
  }
  if (!token_file.empty()) {
    absl::StatusOr<std::string> token = ReadTokenFile(token_file);
    if (!token.ok()) return token.status();
    options.token = *std::move(token);
  }
  if (!give_up_after.empty() && !absl::ParseDuration(give_up_after, &options.give_up_after)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--give-up-after \"", give_up_after, "\": it must be a duration such as 500ms, 30s or 5m"));
  }
  if (!log_level.empty() && !ParseLevel(log_level, &options.log_level)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--log-level \"", log_level, "\": it must be debug, info, warning, error or none"));
  }
  return line;
}

}  // namespace referee::sdk
