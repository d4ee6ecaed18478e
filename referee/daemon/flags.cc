#include "referee/daemon/flags.h"

#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "referee/base/command_line.h"
#include "referee/base/endpoint.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/text.h"
#include "referee/log/flags.h"
#include "referee/replay/log_memory.h"
#include "referee/service/address.h"

namespace referee::daemon {
namespace {

constexpr char kDescription[] =
    "Runs matches between bots that connect over gRPC, judges them, and archives a signed replay "
    "of each.";

// The burst of a rate, in seconds of that rate.
constexpr int64_t kBurstSeconds = 10;

constexpr uint64_t kMostConnections = 1'000'000;

constexpr char kDurability[] =
    "What outlives the machine; whatever outlives the process is not lost with any of them. "
    "none: what the system has written out by itself, some seconds back; costs nothing. "
    "match: every match that was made or told as over; a sync when matches begin and one when they "
    "end, for all that do at the same moment, none of them in a turn. "
    "turn: every turn that was told; it waits for a sync, one for all turns at the same moment";

constexpr char kFooter[] =
    "Bots, organisers and observers have accounts in the data directory: 'refctl bot add NAME' "
    "makes one and prints its token (--role organiser, --role observer). The first organiser is "
    "made "
    "by whoever may write the data directory, with --data-dir.\n\n"
    "SIGHUP: reads the files of --tls-cert, --tls-key and --tls-client-ca again; connections that "
    "are open go on, and so does the old certificate if the new one will not do.\n\n"
    "SIGTERM or SIGINT: takes no more matches, gives its competitions to other referees of the "
    "same "
    "--store, lets the matches that run end within --drain-timeout, keeps the rest for its next "
    "start, and exits 0. After a crash or kill -9 the next start goes "
    "on with all that were running or waited, too. It exits 3 by itself when nobody can connect to "
    "it any more, and wants to be started again.\n\n"
    "Example:\n"
    "  refctl bot add olga --role organiser --data-dir=/var/lib/referee > olga.token\n"
    "  refereed --data-dir=/var/lib/referee\n"
    "  export REFEREE_TOKEN=$(cat olga.token)\n"
    "  refctl bot add alice\n"
    "  refctl match create --game hypnosia --bot alice --bot bob";

absl::Status ReadDuration(absl::string_view text, absl::Duration* out) {
  if (absl::ParseDuration(text, out) && *out >= absl::ZeroDuration() &&
      *out < absl::InfiniteDuration()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("'", text, "' is not a duration, such as 30s or 2m"));
}

absl::Status ReadLease(absl::string_view text, absl::Duration* out) {
  if (absl::ParseDuration(text, out) && *out >= limits::kMinBlockLease &&
      *out <= limits::kMaxBlockLease) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      Quoted(text), " is not a duration from ", absl::FormatDuration(limits::kMinBlockLease),
      " to ", absl::FormatDuration(limits::kMaxBlockLease), "; leave the flag out for ",
      absl::FormatDuration(limits::kBlockLease)));
}

// The limits that an organiser may need to change; base/limits.h has the others.
void AddLimits(CLI::App* app, Flags* flags, std::string* call_patience) {
  constexpr char kGroup[] = "Limits";
  service::CallLimits& calls = flags->node.server.call_limits;
  app->add_option("--memory-limit", flags->memory_limit,
                  "Bytes for connections, calls and what waits to be read, such as 512MB")
      ->transform(Size(0))
      ->check(Whole(limits::kMinMemoryLimit, uint64_t{1} << 40))
      ->type_name("SIZE")
      ->default_str(absl::StrCat(limits::kMemoryLimit >> 20, "MB"))
      ->group(kGroup);
  const auto add = [app, &kGroup](const char* flag, auto* value, int most, const char* what) {
    app->add_option(flag, *value, what)
        ->check(Whole(1, static_cast<uint64_t>(most)))
        ->capture_default_str()
        ->type_name("N")
        ->group(kGroup);
  };
  add("--address-rate", &calls.address.rate.per_second, 1'000'000,
      "What calls from one address without a token may cost a second; ten times as much at once "
      "after a pause. GetMatch costs 1, a page of a list 5, standings 20, VerifyReplay 50");
  add("--account-rate", &calls.account.rate.per_second, 1'000'000,
      "The same for calls of one bot or observer");
  add("--address-calls", &calls.address.calls, 100'000,
      "Calls from one address without a token at once, answered and not read included");
  add("--account-calls", &calls.account.calls, 100'000, "The same for one bot or observer");
  add("--max-watchers", &calls.watches, 100'000, "Watchers of matches and competitions");
  add("--address-watchers", &calls.address.watches, 100'000,
      "Of these, without a token from one address");
  add("--account-watchers", &calls.account.watches, 100'000, "Of these, of one bot or observer");
  add("--anonymous-page", &calls.page_size_without_token, limits::kMaxPageSize,
      "Entries of a page for whoever has no token");
  add("--max-streams", &flags->node.server.stream_limits.streams, 100'000, "Streams of bots");
  app->add_option("--call-patience", *call_patience,
                  "How long an answer may wait to be read before the call is cancelled")
      ->type_name("DURATION")
      ->capture_default_str()
      ->group(kGroup);
}

absl::Status ReadRanges(const std::vector<std::string>& texts, std::vector<IpRange>* out) {
  for (const std::string& text : texts) {
    const absl::StatusOr<IpRange> range = IpRange::Parse(text);
    if (!range.ok()) return range.status();
    out->push_back(*range);
  }
  return absl::OkStatus();
}

// Parses retentions such as "365d" and "100GiB".
absl::Status ReadRetention(const std::vector<std::string>& texts, replay::Retention* out) {
  constexpr int kMaxDays = 100'000;
  const std::vector<std::string> parts = absl::StrSplit(absl::StrJoin(texts, ","), ',');
  for (const std::string& text : parts) {
    absl::string_view days = text;
    int count;
    if (absl::ConsumeSuffix(&days, "d") && absl::SimpleAtoi(days, &count) && count > 0 &&
        count <= kMaxDays) {
      out->age = absl::Hours(24) * count;
    } else if (uint64_t bytes; !text.empty() &&
                               !absl::ascii_isdigit(static_cast<unsigned char>(text.back())) &&
                               ReadSize(text, SizeUnits::kPowersOf1000, &bytes)) {
      out->bytes = bytes;
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat(Quoted(text), " is neither days, such as 365d, nor a size, such as 100GiB"));
    }
  }
  return absl::OkStatus();
}

[[noreturn]] void Die() {
  for (;;) {
    kill(getpid(), SIGKILL);
    pause();
  }
}

absl::Status NoFaultPoint(absl::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", text,
                   "' is neither log-write:N, nor log-write:N:BYTES, nor "
                   "log-slow:N:DURATION, from 1"));
}

// Parses "N:DURATION".
absl::Status ReadSlowness(absl::string_view parts, absl::string_view text,
                          node::NodeOptions* options) {
  const std::pair<absl::string_view, absl::string_view> both =
      absl::StrSplit(parts, absl::MaxSplits(':', 1));
  uint64_t every = 0;
  absl::Duration lasts;
  if (!absl::SimpleAtoi(both.first, &every) || every == 0 ||
      !absl::ParseDuration(both.second, &lasts) || lasts < absl::ZeroDuration()) {
    return NoFaultPoint(text);
  }
  options->at_sync = [every, lasts](uint64_t sync) {
    if (sync % every == 0) absl::SleepFor(lasts);
  };
  return absl::OkStatus();
}

// Parses a fault to inject in tests. The daemon kills itself before or during a write to the log,
// or its syncs are slow, like those of a disk that hangs.
//
//   log-write:N          killed before the Nth write since the start, from 1
//   log-write:N:BYTES    killed once BYTES bytes of that write, or all, are in the log
//   log-slow:N:DURATION  every Nth sync takes this long
//
// Returns InvalidArgument that lists the possible faults.
absl::Status ReadFaultPoint(absl::string_view text, node::NodeOptions* options) {
  const absl::Status refused = NoFaultPoint(text);
  absl::string_view numbers = text;
  if (absl::ConsumePrefix(&numbers, "log-slow:")) return ReadSlowness(numbers, text, options);
  if (!absl::ConsumePrefix(&numbers, "log-write:")) return refused;
  const std::vector<absl::string_view> parts = absl::StrSplit(numbers, ':');
  uint64_t write = 0;
  size_t bytes = 0;
  if (parts.size() > 2 || !absl::SimpleAtoi(parts[0], &write) || write == 0) return refused;
  const bool torn = parts.size() == 2;
  if (torn && (!absl::SimpleAtoi(parts[1], &bytes) || bytes == 0)) return refused;
  options->at_write = [write, bytes](const replay::WritePoint& point) -> size_t {
    if (point.write != write) return 0;
    if (point.written == bytes || point.written == point.bytes) Die();
    return bytes;
  };
  return absl::OkStatus();
}

// A TOML config file of flags that may begin with a byte order mark.
class SettingsFile : public CLI::ConfigTOML {
 public:
  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    const std::string bytes(std::istreambuf_iterator<char>(input), {});
    const absl::StatusOr<absl::string_view> text = TextOfFile(bytes);
    if (!text.ok()) {
      throw CLI::FileError("--config: " + std::string(text.status().message()),
                           CLI::ExitCodes::FileError);
    }
    std::istringstream lines{std::string(*text)};
    return CLI::ConfigTOML::from_config(lines);
  }
};

}  // namespace

bool ReadFlags(int argc, char** argv, Flags* flags, int* exit_status) {
  flags->node.listen = "127.0.0.1:7450";
  flags->node.log_memory = replay::kSharedMemory;
  flags->node.min_free = uint64_t{1} << 30;
  CLI::App app{kDescription, "refereed"};
  app.footer(kFooter);
  app.set_version_flag("--version", "refereed " REFEREE_VERSION);
  app.set_config("--config", "", "Read flags from a file, a 'name=value' line each");
  app.config_formatter(std::make_shared<SettingsFile>());
  app.allow_config_extras(CLI::config_extras_mode::error);  // refuses unknown names
  app.add_option("--listen", flags->node.listen, "Where to listen: host:port or unix:path")
      ->capture_default_str();
  app.add_option("--data-dir", flags->node.data_dir,
                 "Where the log of matches, replays and the referee's key are; made if need be");
  std::string checked;
  CLI::Option* const check =
      app.add_option("--check", checked,
                     "Tell what a start on this data directory would do, change nothing, and end: "
                     "with status 0, or 1 if it would be refused. Takes --store and "
                     "--set-aside-unknown, too")
          ->type_name("DIR");
  app.add_flag("--json", flags->json, "With --check: print a JSON object")->needs(check);
  app.add_option(
         "--store", flags->node.store,
         "The PostgreSQL database for accounts and competitions, which daemons may share, instead "
         "of a file in the data directory: postgresql://USER@HOST:PORT/DATABASE, made ready by "
         "'refctl store migrate' or 'refctl store copy'. A password in it is seen by whoever lists "
         "processes, but not in the config file, in ~/.pgpass or in PGPASSWORD")
      ->type_name("postgresql://...");
  app.add_option(
         "--advertise", flags->node.advertise,
         "Where bots and the other referees of the same --store dial this one: host:port or "
         "unix:/path. By default where it listens; or this machine's name and the port, if it "
         "listens at all addresses")
      ->type_name("ADDRESS");
  std::string lease = absl::FormatDuration(limits::kBlockLease);
  app.add_option("--lease", lease,
                 "How long the competitions that live here stay here when this referee is silent; "
                 "then another of the same --store takes them. 3s to 5m, and each may have its "
                 "own: a shorter one is taken over from faster, asks the database more often, and "
                 "bears shorter outages of it")
      ->type_name("DURATION")
      ->capture_default_str();
  std::string readers = "everybody";
  app.add_option("--readers", readers,
                 "Who may look at matches, replays and competitions: everybody, or observers "
                 "(whoever has any token)")
      ->check(OneOf({"everybody", "observers"}))
      ->type_name("everybody|observers")
      ->capture_default_str();
  app.add_option("--tls-cert", flags->tls_cert, "Certificate chain for TLS, PEM");
  app.add_option("--tls-key", flags->tls_key, "Its private key, PEM");
  app.add_option("--tls-client-ca", flags->tls_client_ca,
                 "Take only clients with a certificate that one of these authorities signed, PEM");
  app.add_option("--peer-tls-ca", flags->peer_tls_ca,
                 "The authorities that certify the other referees of the same --store, PEM; by "
                 "default those of the system");
  app.add_flag("--insecure", flags->node.server.insecure,
               "Allow plain text on addresses that are reached from elsewhere");
  app.add_option("--max-connections", flags->node.server.max_connections,
                 "Connections that may be open, at two file descriptors each; 0: as many as the "
                 "limit on descriptors allows, 10000 at most")
      ->check(Whole(0, kMostConnections))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--max-connections-per-address", flags->node.server.max_connections_per_address,
                 "How many of them from one address (IPv6: from one /64); 0: a quarter")
      ->check(Whole(0, kMostConnections))
      ->type_name("N")
      ->capture_default_str();
  std::vector<std::string> trusted_proxies;
  app.add_option("--trusted-proxy", trusted_proxies,
                 "Addresses, or ranges such as 10.0.0.0/8, of proxies that say whom they speak "
                 "for, with the PROXY protocol (1 or 2); nobody else is let in from there, and "
                 "nobody else is believed")
      ->delimiter(',')
      ->type_name("RANGE[,RANGE...]");
  app.add_option("--max-running", flags->node.max_running, "Matches that run at once; others wait")
      ->check(Whole(1, 100'000))
      ->type_name("N")
      ->capture_default_str();
  std::string drain_timeout = "30s";
  app.add_option(
         "--drain-timeout", drain_timeout,
         "How long running matches have to end when the referee is stopped; those that have "
         "not go on at its next start")
      ->capture_default_str();
  std::string resume_timeout = "1m";
  app.add_option("--resume-timeout", resume_timeout,
                 "How long matches that were running when the referee stopped wait for their bots, "
                 "their clocks standing still")
      ->capture_default_str();
  std::string max_stall = "50ms";
  app.add_option(
         "--max-stall", max_stall,
         "Run fewer matches at once, but one block at least, while the referee's own threads wake "
         "up later than this (99th percentile); none: never fewer")
      ->capture_default_str();
  std::string durability = "none";
  app.add_option("--durability", durability, kDurability)
      ->check(OneOf({"none", "match", "turn"}))
      ->type_name("none|match|turn")
      ->capture_default_str();
  app.add_option(
         "--log-memory", flags->node.log_memory,
         "A folder in memory (a tmpfs) that outlives this process, for what the log has not "
         "written to the disk yet: up to 40 MiB. On a disk, turns wait while that hangs")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--min-free", flags->node.min_free,
                 "Begin no match while the data directory's disk has less room than this, such as "
                 "500MiB or 2GiB; those that run go on to their ends. 0: whatever it has")
      ->transform(Size(0, SizeUnits::kPowersOf1000))
      ->default_str("1GiB")
      ->type_name("SIZE");
  std::vector<std::string> keep_replays;
  app.add_option("--keep-replays", keep_replays,
                 "How long replays are kept, in days, and how much of them, such as 365d,100GiB; "
                 "whole packs go, oldest first. Default: all of them, for ever")
      ->type_name("DAYSd[,SIZE]");
  app.add_option(
         "--shelf", flags->node.shelf,
         "The shelf that daemons share, on which the replay of a competition's match is "
         "before its block counts: a directory, or "
         "s3://BUCKET/PREFIX?endpoint=URL&region=REGION with credentials in AWS_* variables "
         "or in a file of Amazon's tools")
      ->type_name("ADDRESS");
  app.add_flag("--set-aside-unknown", flags->node.set_aside_unknown,
               "Start although there are a log or replays of versions, or matches of games, that "
               "this program does not know: gives up the matches that are open in such a log, and "
               "moves them to quarantine/; such replays stay where they are");
  app.add_option("--metrics", flags->metrics,
                 "Serve metrics for Prometheus, /livez and /readyz over HTTP at this port of "
                 "127.0.0.1, or at an address of a network that only monitoring reaches")
      ->type_name("[ADDRESS:]PORT");
  log::AddLogFlags(&app, &flags->log);
  std::string call_patience = absl::FormatDuration(limits::kCallPatience);
  AddLimits(&app, flags, &call_patience);
  std::string fault_point;
  app.add_option("--fault-point", fault_point)->group("");  // for tests: see ReadFaultPoint
  bool parse_only = false;  // for tests: parses the command line only
  app.add_flag("--parse-only", parse_only)->group("");
  if (!ParseCommandLine(argc, argv, &app, exit_status)) return false;
  flags->check = check->count() > 0;
  if (flags->check) flags->node.data_dir = checked;
  if (flags->node.data_dir.empty()) {
    std::cerr << "refereed: --data-dir is missing: name the directory for the log, replays and "
                 "key, made if need be\n";
    *exit_status = 2;
    return false;
  }
  flags->node.server.readers =
      readers == "observers" ? service::Readers::kObservers : service::Readers::kEverybody;
  flags->node.durability = durability == "turn"    ? replay::Durability::kTurn
                           : durability == "match" ? replay::Durability::kMatch
                                                   : replay::Durability::kNone;
  flags->node.max_stall = absl::InfiniteDuration();
  flags->node.server.transport_bytes = flags->memory_limit / 2;
  flags->node.server.call_limits.answer_bytes = flags->memory_limit / 4;
  flags->node.server.stream_limits.queued_bytes_of_all = flags->memory_limit / 8;
  for (service::CallLimits::Share* const share :
       {&flags->node.server.call_limits.address, &flags->node.server.call_limits.account}) {
    share->rate.burst = kBurstSeconds * share->rate.per_second;
  }
  flags->node.server.call_limits.organiser.watches = flags->node.server.call_limits.watches;
  // If several values are malformed, reports only the first.
  const auto takes = [exit_status](absl::string_view flag, const absl::Status& read) {
    if (read.ok()) return true;
    std::cerr << "refereed: " << flag << ": " << std::string(read.message()) << "\n";
    *exit_status = 2;
    return false;
  };
  node::NodeOptions& node = flags->node;
  const bool good =
      takes("--drain-timeout", ReadDuration(drain_timeout, &flags->drain_timeout)) &&
      takes("--resume-timeout", ReadDuration(resume_timeout, &node.resume_timeout)) &&
      takes("--lease", ReadLease(lease, &node.lease)) &&
      takes("--call-patience", ReadDuration(call_patience, &node.server.call_limits.patience)) &&
      (max_stall == "none" || takes("--max-stall", ReadDuration(max_stall, &node.max_stall))) &&
      (keep_replays.empty() ||
       takes("--keep-replays", ReadRetention(keep_replays, &node.retention))) &&
      takes("--trusted-proxy", ReadRanges(trusted_proxies, &node.server.trusted_proxies)) &&
      (node.advertise.empty() || takes("--advertise", service::CheckAdvertised(node.advertise))) &&
      (fault_point.empty() || takes("--fault-point", ReadFaultPoint(fault_point, &node)));
  return good && !parse_only;
}

}  // namespace referee::daemon
