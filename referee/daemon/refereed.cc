#include "referee/daemon/refereed.h"

#include <pthread.h>
#include <signal.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "referee/daemon/flags.h"
#include "referee/daemon/tls_files.h"
#include "referee/games/catalogue.h"
#include "referee/host/host.h"
#include "referee/node/node.h"
#include "referee/replay/durability.h"
#include "referee/service/accept/descriptors.h"
#include "referee/service/tls.h"

namespace referee::daemon {
namespace {

constexpr int kDeaf = 3;  // the exit status

void Log(absl::string_view line) {
  const std::string time =
      absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", absl::Now(), absl::UTCTimeZone());
  std::cerr << absl::StrCat(time, " ", line, "\n") << std::flush;
}

// Nothing is lost: what was played is in the log, and the next start goes on with it. To stop
// in order would mean to wait for a transport that does not answer.
void EndDeaf() {
  Log("deaf: the referee does not answer its own connections any more; it ends, and goes on with "
      "its matches when it is started again");
  std::_Exit(kDeaf);
}

// Signals are taken by sigwait on the main thread; the mask is inherited by every other.
sigset_t BlockSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals;
}

absl::StatusOr<std::unique_ptr<service::Tls>> MakeTls(const Flags& flags) {
  absl::StatusOr<service::TlsPem> pem = ReadTlsFiles(flags);
  if (!pem.ok()) return pem.status();
  return service::Tls::Make(*std::move(pem), absl::Now());
}

// `tls` is null where there is none.
void ReloadTls(const Flags& flags, service::Tls* tls) {
  if (tls == nullptr) return Log("SIGHUP: without TLS there is nothing to read again");
  absl::StatusOr<service::TlsPem> pem = ReadTlsFiles(flags);
  const absl::StatusOr<absl::Time> end =
      pem.ok() ? tls->Replace(*std::move(pem), absl::Now()) : pem.status();
  if (!end.ok()) {
    return Log(absl::StrCat("SIGHUP: the certificate stays as it was: ", end.status().message()));
  }
  Log(absl::StrCat("SIGHUP: new connections see the certificate that is valid until ",
                   absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", *end, absl::UTCTimeZone())));
}

// Returns the signal that says to stop.
int AwaitStop(const sigset_t& signals, const Flags& flags, service::Tls* tls) {
  int signal_number = 0;
  for (;;) {
    sigwait(&signals, &signal_number);
    if (signal_number != SIGHUP) return signal_number;
    ReloadTls(flags, tls);
  }
}

node::NodeOptions NodeOptionsFrom(const Flags& flags, service::Tls* tls) {
  node::NodeOptions options;
  options.listen = flags.listen;
  options.tls = tls;
  options.insecure = flags.insecure;
  options.data_dir = flags.data_dir;
  options.durability = flags.durability;
  options.set_aside_unknown = flags.set_aside_unknown;
  options.max_connections = flags.max_connections;
  options.max_connections_per_address = flags.max_connections_per_address;
  options.trusted_proxies = flags.trusted_proxies;
  options.readers = flags.readers;
  options.stream_limits = flags.stream_limits;
  options.call_limits = flags.call_limits;
  options.transport_bytes = flags.memory_limit / 2;
  options.software = "refereed " REFEREE_VERSION;
  options.max_running = flags.max_running;
  options.max_stall = flags.max_stall;
  options.min_free = flags.min_free;
  options.retention = flags.retention;
  options.kept_competitions.insert(flags.kept_competitions.begin(), flags.kept_competitions.end());
  options.resume_timeout = flags.resume_timeout;
  options.log = Log;
  options.on_deaf = EndDeaf;
  options.at_write = flags.fault_point.at_write;
  options.at_sync = flags.fault_point.at_sync;
  return options;
}

absl::Status Run(const Flags& flags, const sigset_t& signals) {
  std::unique_ptr<service::Tls> tls;
  if (WantsTls(flags)) {
    absl::StatusOr<std::unique_ptr<service::Tls>> made = MakeTls(flags);
    if (!made.ok()) return made.status();
    tls = *std::move(made);
  }
  const absl::StatusOr<std::unique_ptr<node::Node>> started =
      node::Node::Start(NodeOptionsFrom(flags, tls.get()));
  if (!started.ok()) return started.status();
  node::Node& node = **started;
  Log(absl::StrCat("ready: listening on ", node.address(), ", data in ", flags.data_dir,
                   ", durability ", replay::DurabilityName(flags.durability), ", key ",
                   node.key_fingerprint()));

  const int signal_number = AwaitStop(signals, flags, tls.get());
  Log(absl::StrCat(strsignal(signal_number), ": draining for at most ",
                   absl::FormatDuration(flags.drain_timeout)));
  node.Stop(flags.drain_timeout, host::Host::Rest::kLeft);
  Log("stopped");
  return absl::OkStatus();
}

}  // namespace
}  // namespace referee::daemon

namespace referee {

int RefereedMain(int argc, char** argv,
                 const std::vector<std::shared_ptr<const games::GameType>>& games) {
  if (absl::Status added = games::AddGames(games); !added.ok()) {
    std::cerr << "refereed: " << std::string(added.message()) << "\n";
    return 2;
  }
  daemon::Flags flags;
  int exit_status = 0;
  if (!daemon::ReadFlags(argc, argv, &flags, &exit_status)) return exit_status;
  // What gRPC has to say of an address that is taken, the referee says in one line.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  const sigset_t signals = daemon::BlockSignals();
  service::RaiseDescriptorLimit();
  const absl::Status status = daemon::Run(flags, signals);
  if (status.ok()) return 0;
  std::cerr << "refereed: " << std::string(status.message()) << "\n";
  return 2;
}

}  // namespace referee
