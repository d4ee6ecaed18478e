#include "referee/daemon/refereed.h"

#include <signal.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "nlohmann/json.hpp"
#include "referee/base/duration_text.h"
#include "referee/base/mutex.h"
#include "referee/base/process.h"
#include "referee/base/service_manager.h"
#include "referee/daemon/flags.h"
#include "referee/games/catalogue.h"
#include "referee/host/host.h"
#include "referee/log/event.h"
#include "referee/log/log_writer.h"
#include "referee/metrics/http_server.h"
#include "referee/metrics/metrics.h"
#include "referee/node/node.h"
#include "referee/node/start_check.h"
#include "referee/postgres/postgres.h"
#include "referee/replay/durability.h"
#include "referee/replay/messages.h"
#include "referee/replay/replay.h"
#include "referee/service/tls.h"

namespace referee::daemon {
namespace {

// --- --check ---

using Json = nlohmann::ordered_json;
using node::StartCheck;

std::string JsonText(const StartCheck& check) {
  Json parts = Json::array();
  for (const StartCheck::Part& part : check.parts) {
    Json json = {{"part", part.name},
                 {"where", part.where},
                 {"would", node::WouldText(part.would)},
                 {"files", part.files}};
    if (part.found > 0) json["found_version"] = part.found;
    if (part.known > 0) json["known_version"] = part.known;
    if (!part.detail.empty()) json["detail"] = part.detail;
    parts.push_back(std::move(json));
  }
  const Json json = {{"ready", check.ready()},
                     {"in_use", check.in_use},
                     {"software", REFEREE_VERSION},
                     {"parts", std::move(parts)},
                     {"open_matches", check.open_matches},
                     {"open_blocks", check.open_blocks},
                     {"over_matches", check.over_matches},
                     {"damaged_matches", check.damaged_matches},
                     {"blocks_of_others", check.blocks_of_others},
                     {"archive_problems", check.archive_problems}};
  return absl::StrCat(json.dump(-1, ' ', false, Json::error_handler_t::replace), "\n");
}

std::string VersionText(const StartCheck::Part& part) {
  if (part.found == 0 && part.known == 0) return "";
  if (part.found == 0) return absl::StrCat("none, version ", part.known);
  if (part.found == part.known) return absl::StrCat("version ", part.found);
  return absl::StrCat("version ", part.found, ", known here ", part.known);
}

std::string PartLine(const StartCheck::Part& part) {
  std::string line = absl::StrFormat("%-10s %-10s %-18s %s", part.name, node::WouldText(part.would),
                                     VersionText(part), part.where);
  if (!part.detail.empty()) absl::StrAppend(&line, "\n           ", part.detail);
  return line + "\n";
}

std::string Text(const StartCheck& check) {
  std::string text;
  for (const StartCheck::Part& part : check.parts) text += PartLine(part);
  absl::StrAppend(&text, "goes on    matches: ", check.open_matches,
                  ", blocks of competitions: ", check.open_blocks, "\n");
  if (check.over_matches > 0) {
    absl::StrAppend(&text, "archived   matches that are over: ", check.over_matches, "\n");
  }
  if (check.damaged_matches > 0) {
    absl::StrAppend(&text, "set aside  matches that cannot be read: ", check.damaged_matches, "\n");
  }
  if (check.blocks_of_others > 0) {
    absl::StrAppend(
        &text, "of others  blocks that other referees have begun: ", check.blocks_of_others, "\n");
  }
  for (const std::string& problem : check.archive_problems) {
    absl::StrAppend(&text, "archive    ", problem, "\n");
  }
  if (check.in_use) text += "in use     by a referee that runs now: stop it before\n";
  absl::StrAppend(&text, "refereed " REFEREE_VERSION " would ",
                  check.ready() ? "start" : "not start", " on this",
                  check.ready() && check.in_use ? " once that one has stopped" : "",
                  "; nothing was changed\n");
  return text;
}

// Prints what a start would do. Returns the exit status: 0 if a referee would start, else 1.
int RunCheck(const Flags& flags) {
  const StartCheck check =
      node::CheckStart({flags.node.data_dir, flags.node.store}, flags.node.set_aside_unknown);
  std::cout << (flags.json ? JsonText(check) : Text(check)) << std::flush;
  return check.ready() ? 0 : 1;
}

// --- A run ---

constexpr int kDeaf = 3;  // the exit status
// The longest time for a step of the start, and for the end after the drain.
constexpr absl::Duration kStepPatience = absl::Minutes(5);
constexpr absl::Duration kFarewellPatience = absl::Seconds(30);

// Ends the process at once. No match is lost: the log has all of them, and the next start resumes
// them. An orderly stop would wait for a transport that no longer answers.
[[noreturn]] void EndDeaf(log::LogWriter* log) {
  log->Write(
      {log::Level::kError, "deaf",
       "deaf: the referee does not answer its own connections any more; it ends, and goes on "
       "with its matches when it is started again"});
  log->Flush();
  std::_Exit(kDeaf);
}

bool WantsTls(const Flags& flags) {
  return !flags.tls_cert.empty() || !flags.tls_key.empty() || !flags.tls_client_ca.empty();
}

// Reads the files named by --tls-cert, --tls-key and --tls-client-ca. Checks only that certificate
// and key are both given. REQUIRES: WantsTls.
absl::StatusOr<service::TlsPem> ReadTlsFiles(const Flags& flags) {
  if (flags.tls_cert.empty() && flags.tls_key.empty()) {
    return absl::InvalidArgumentError(
        "client certificates need TLS: give a certificate and its key, too");
  }
  if (flags.tls_cert.empty() || flags.tls_key.empty()) {
    return absl::InvalidArgumentError("TLS needs both a certificate and its key");
  }
  service::TlsPem pem;
  for (const auto& [path, text] :
       {std::pair(&flags.tls_cert, &pem.certificate), std::pair(&flags.tls_key, &pem.key)}) {
    absl::StatusOr<std::string> read = replay::ReadTextFile(*path);
    if (!read.ok()) return read.status();
    *text = *std::move(read);
  }
  if (flags.tls_client_ca.empty()) return pem;
  absl::StatusOr<std::string> read = replay::ReadTextFile(flags.tls_client_ca);
  if (!read.ok()) return read.status();
  pem.client_ca = *std::move(read);
  return pem;
}

absl::StatusOr<std::unique_ptr<service::Tls>> MakeTls(const Flags& flags) {
  absl::StatusOr<service::TlsPem> pem = ReadTlsFiles(flags);
  if (!pem.ok()) return pem.status();
  return service::Tls::Make(*std::move(pem), absl::Now());
}

// Reloads the TLS files. `tls` is null without TLS. Returns the event to log.
log::Event ReloadTls(const Flags& flags, service::Tls* tls) {
  using log::Level;
  if (tls == nullptr) {
    return {Level::kInfo, "reloaded", "SIGHUP: without TLS there is nothing to read again"};
  }
  absl::StatusOr<service::TlsPem> pem = ReadTlsFiles(flags);
  const absl::StatusOr<absl::Time> end =
      pem.ok() ? tls->Replace(*std::move(pem), absl::Now()) : pem.status();
  if (!end.ok()) {
    return {Level::kError, "certificate_refused",
            absl::StrCat("SIGHUP: the certificate stays as it was: ", end.status().message())};
  }
  return {Level::kInfo, "certificate_taken",
          absl::StrCat("SIGHUP: new connections see the certificate that is valid until ",
                       UtcText(*end))};
}

// The server behind --metrics: the metrics and the readiness of a node. It starts before the node.
// Thread-safe.
class Monitoring {
 public:
  // Serves at `address` (metrics::ListeningAddress), and makes the node that is started with
  // `options` update the metrics. Must outlive that node. Returns the errors of HttpServer::Start.
  static absl::StatusOr<std::unique_ptr<Monitoring>> Start(const std::string& address,
                                                           node::NodeOptions* options);

  // Reports the readiness of `node` from now on. Null: the node is about to end.
  void Watch(node::Node* node);
  // The address with the actual port.
  const std::string& address() const { return server_->address(); }

 private:
  explicit Monitoring(const metrics::Names& names) : metrics_(names) {}
  std::string WhyNotReady();

  metrics::Metrics metrics_;
  Mutex mutex_;
  node::Node* node_ ABSL_GUARDED_BY(mutex_) = nullptr;
  bool started_ ABSL_GUARDED_BY(mutex_) = false;
  std::unique_ptr<metrics::HttpServer> server_;  // last, because its calls use the others
};

absl::StatusOr<std::unique_ptr<Monitoring>> Monitoring::Start(const std::string& address,
                                                              node::NodeOptions* options) {
  std::unique_ptr<Monitoring> monitoring(new Monitoring(node::MetricNames(*options)));
  absl::StatusOr<std::unique_ptr<metrics::HttpServer>> server =
      metrics::HttpServer::Start({address, [it = monitoring.get()] { return it->metrics_.Text(); },
                                  [it = monitoring.get()] { return it->WhyNotReady(); }});
  if (!server.ok()) return server.status();
  monitoring->server_ = *std::move(server);
  options->metrics = &monitoring->metrics_;
  return monitoring;
}

void Monitoring::Watch(node::Node* node) {
  const MutexLock lock(&mutex_);
  node_ = node;
  started_ = true;
}

std::string Monitoring::WhyNotReady() {
  const MutexLock lock(&mutex_);
  if (node_ != nullptr) return node_->WhyNotReady();
  return started_ ? "it has stopped" : "it starts, and goes on with what was left";
}

// The receivers of the program's state: the log and the service manager.
struct Told {
  log::LogWriter& log;
  const ServiceManager& manager;
};

// Waits for a signal to stop, and returns it. Reloads TLS on SIGHUP; `status` is reported to the
// service manager after that.
int AwaitStop(const sigset_t& signals, const Flags& flags, service::Tls* tls, const Told& told,
              const std::string& status) {
  int signal_number = 0;
  for (;;) {
    sigwait(&signals, &signal_number);
    if (signal_number != SIGHUP) return signal_number;
    told.manager.Reloading();
    told.log.Write(ReloadTls(flags, tls));
    told.manager.Ready(status);
  }
}

// Makes the node report its state to `manager`, which must outlive it.
void TellManager(const ServiceManager& manager, node::NodeOptions* options) {
  options->on_step = [&manager](absl::string_view what) {
    manager.StillStarting(what, kStepPatience);
  };
  options->on_readiness = [&manager](const std::string& why_not) {
    manager.Status(why_not.empty() ? "serves" : absl::StrCat("does not serve: ", why_not));
  };
  options->on_beat = [&manager] { manager.Beat(); };
  options->beat_period = manager.beat_period();
}

log::Event Started(const Flags& flags, const node::Node& node) {
  const std::string store =
      flags.node.store.empty()
          ? ""
          : ", store in " + postgres::DatabaseName(flags.node.store).value_or("");
  return {log::Level::kInfo, "started",
          absl::StrCat("ready: listening on ", node.address(), ", data in ", flags.node.data_dir,
                       store, ", durability ", replay::DurabilityName(flags.node.durability),
                       ", key ", node.key_fingerprint())};
}

absl::Status Run(const Flags& flags, const sigset_t& signals, const Told& told) {
  std::unique_ptr<service::Tls> tls;
  if (WantsTls(flags)) {
    absl::StatusOr<std::unique_ptr<service::Tls>> made = MakeTls(flags);
    if (!made.ok()) return made.status();
    tls = *std::move(made);
  }
  node::NodeOptions options = flags.node;
  options.server.tls = tls.get();
  if (!flags.peer_tls_ca.empty()) {
    absl::StatusOr<std::string> ca = replay::ReadTextFile(flags.peer_tls_ca);
    if (!ca.ok()) return At("--peer-tls-ca", ca.status());
    options.peer_ca = *std::move(ca);
  }
  options.software = "refereed " REFEREE_VERSION;
  options.log = told.log.log();
  options.server.on_deaf = [&log = told.log] { EndDeaf(&log); };
  TellManager(told.manager, &options);
  std::unique_ptr<Monitoring> monitoring;
  if (!flags.metrics.empty()) {
    absl::StatusOr<std::unique_ptr<Monitoring>> serving =
        Monitoring::Start(flags.metrics, &options);
    if (!serving.ok()) return serving.status();
    monitoring = *std::move(serving);
    told.log.Write({log::Level::kInfo, "metrics_served",
                    absl::StrCat("metrics: http://", monitoring->address(), "/metrics")});
  }
  const absl::StatusOr<std::unique_ptr<node::Node>> started = node::Node::Start(std::move(options));
  if (!started.ok()) return started.status();
  node::Node& node = **started;
  if (monitoring != nullptr) monitoring->Watch(&node);
  told.log.Write(Started(flags, node));
  const std::string status = absl::StrCat("listens on ", node.address());
  told.manager.Ready(status);

  const int signal_number = AwaitStop(signals, flags, tls.get(), told, status);
  told.manager.Stopping("drains", flags.drain_timeout + kFarewellPatience);
  told.log.Write({log::Level::kInfo, "draining",
                  absl::StrCat(strsignal(signal_number), ": draining for at most ",
                               absl::FormatDuration(flags.drain_timeout))});
  node.Stop(flags.drain_timeout, host::Host::Rest::kLeft);
  if (monitoring != nullptr) monitoring->Watch(nullptr);
  told.log.Write({log::Level::kInfo, "stopped", "stopped"});
  return absl::OkStatus();
}

}  // namespace
}  // namespace referee::daemon

namespace referee {

int RefereedMain(int argc, char** argv,
                 const std::vector<std::shared_ptr<const games::GameType>>& games) {
  replay::SilenceProtobuf();
  if (absl::Status added = games::AddGames(games); !added.ok()) {
    std::cerr << "refereed: " << std::string(added.message()) << "\n";
    return 2;
  }
  daemon::Flags flags;
  int exit_status = 0;
  if (!daemon::ReadFlags(argc, argv, &flags, &exit_status)) return exit_status;
  if (flags.check) return daemon::RunCheck(flags);
  // The referee itself reports gRPC's errors, such as an address in use, in one line.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  const sigset_t signals = BlockSignals({SIGTERM, SIGINT, SIGHUP});
  RaiseDescriptorLimit();
  const ServiceManager manager = ServiceManager::FromEnvironment();
  log::LogWriter log(flags.log);
  const absl::Status status = daemon::Run(flags, signals, {log, manager});
  if (status.ok()) return 0;
  log.WriteFailure(absl::StrCat("refereed: ", status.message()));
  return 2;
}

}  // namespace referee
