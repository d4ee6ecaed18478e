#include "referee/daemon/refereed.h"

#include <pthread.h>
#include <signal.h>
#include <sodium.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/daemon/contests.h"
#include "referee/daemon/flags.h"
#include "referee/daemon/identities.h"
#include "referee/daemon/tls_files.h"
#include "referee/games/catalogue.h"
#include "referee/host/host.h"
#include "referee/host/load_watch.h"
#include "referee/host/stall_monitor.h"
#include "referee/host/timers.h"
#include "referee/replay/archive.h"
#include "referee/replay/file_recorder.h"
#include "referee/replay/replay.h"
#include "referee/replay/signer.h"
#include "referee/service/server.h"
#include "referee/service/tls.h"

namespace referee::daemon {
namespace {

void Log(absl::string_view line) {
  const std::string time =
      absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", absl::Now(), absl::UTCTimeZone());
  std::cerr << absl::StrCat(time, " ", line, "\n") << std::flush;
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

// Deals with what an earlier process left. Returns matches that are over and still in journals.
std::vector<replay::Recovered::Over> Recover(replay::FileRecorder* recorder, host::Host* host,
                                             absl::Duration resume_timeout) {
  std::vector<replay::Recovered::Over> kept;
  for (replay::Recovered& recovered : recorder->Recover()) {
    Log(absl::StrCat("journal ", recovered.journal, ": ", recovered.detail));
    if (recovered.action == replay::Recovered::Action::kKept && recovered.over) {
      kept.push_back(*std::move(recovered.over));
    }
    if (!recovered.unfinished) continue;
    const absl::Status resumed = host->Resume(*std::move(recovered.unfinished), resume_timeout);
    if (!resumed.ok()) {
      Log(absl::StrCat("journal ", recovered.journal, ": set aside: ", resumed.message()));
    }
  }
  host->EndResuming();
  return kept;
}

// What ended lately is known to the host as if it had ended here, so that a call that made one of
// these matches can be repeated.
void RememberArchived(const std::string& data_dir, host::Host* host) {
  const replay::Archive archive(data_dir);
  absl::StatusOr<replay::ArchivePage> page = archive.List(limits::kMaxRememberedMatches, "");
  if (!page.ok()) return;
  std::reverse(page->replays.begin(), page->replays.end());
  for (const replay::ArchivedReplay& archived : page->replays) {
    const absl::StatusOr<std::string> file = archive.Read(archived.id);
    if (!file.ok()) continue;
    const absl::StatusOr<replay::Replay> replay = replay::Parse(*file);
    if (!replay.ok()) continue;  // verifying the archive is not the daemon's business
    host->Remember(replay->setup, *replay->ended(), replay->turns());
  }
}

void LogLoad(int most, absl::Duration stall) {
  Log(absl::StrCat("load: at most ", most,
                   " matches at once from here on; the referee stands still for ",
                   absl::FormatDuration(stall)));
}

void LogFinished(const host::MatchRunner& runner, const absl::Status& sealed) {
  if (sealed.ok()) return;
  Log(absl::StrCat("match ", runner.id().text(), ": ", sealed.message()));
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

absl::Status Run(const Flags& flags, const sigset_t& signals) {
  if (sodium_init() < 0) return absl::InternalError("libsodium does not start");

  Identities identities;
  if (!flags.bots_file.empty()) {
    if (absl::Status read = identities.ReadBotsFile(flags.bots_file); !read.ok()) return read;
  }
  std::unique_ptr<service::Tls> tls;
  if (WantsTls(flags)) {
    absl::StatusOr<std::unique_ptr<service::Tls>> made = MakeTls(flags);
    if (!made.ok()) return made.status();
    tls = *std::move(made);
  }
  service::ServerOptions server_options;
  server_options.listen = flags.listen;
  server_options.insecure = flags.insecure;
  server_options.data_dir = flags.data_dir;
  server_options.readers = flags.readers;
  server_options.tls = tls.get();

  // Before anything is made in the data directory.
  if (absl::Status valid = service::Validate(server_options); !valid.ok()) return valid;

  absl::StatusOr<replay::Signer> signer = replay::Signer::LoadOrCreate(flags.data_dir);
  if (!signer.ok()) return signer.status();
  const std::string fingerprint = replay::Fingerprint(signer->public_key());
  auto recorder = replay::FileRecorder::Make({flags.data_dir, flags.durability, flags.fault_point},
                                             *std::move(signer));
  if (!recorder.ok()) return recorder.status();
  if (absl::Status opened = identities.OpenStore(flags.data_dir); !opened.ok()) return opened;
  const SystemClock clock;
  host::HostOptions host_options;
  host_options.clock = &clock;
  host_options.recorder = recorder->get();
  host_options.entropy = [](absl::Span<uint8_t> bytes) {
    randombytes_buf(bytes.data(), bytes.size());
  };
  host_options.software = "refereed " REFEREE_VERSION;
  host_options.max_running = flags.max_running;
  host::ThreadTimers timers(&clock);
  const absl::StatusOr<std::unique_ptr<Contests>> contests =
      Contests::Make(flags, fingerprint, &clock, &timers, Log);
  if (!contests.ok()) return contests.status();
  competition::Competitions& competitions = (*contests)->competitions();
  host_options.on_finished = [&](const host::MatchRunner& runner, const absl::Status& sealed) {
    LogFinished(runner, sealed);
    competitions.MatchFinished(runner, sealed);
  };
  host_options.on_connection = [&](absl::string_view) { competitions.Wake(); };
  const bool syncs = flags.durability != replay::Durability::kNone;
  host::ThreadExecutor executor(syncs ? host::kSyncingThreads : 1);
  host_options.timers = &timers;
  host_options.executor = &executor;
  host::StallMonitor stalls(&clock);
  host_options.stalls = &stalls.log();
  host::Host host(host_options);
  const std::vector<replay::Recovered::Over> kept =
      Recover(recorder->get(), &host, flags.resume_timeout);
  RememberArchived(flags.data_dir, &host);
  for (const auto& [setup, ended, turns] : kept) host.Remember(setup, ended, turns);
  if (absl::Status opened = competitions.Open(&host); !opened.ok()) {
    host.Drain(absl::ZeroDuration(), host::Host::Rest::kLeft);
    return opened;
  }
  const host::LoadWatch load(
      {&host, &clock, &timers, &stalls.log(), flags.max_running, flags.max_stall, LogLoad});

  identities.Fill(&server_options);
  server_options.host = &host;
  server_options.competitions = &competitions;
  server_options.clock = &clock;
  server_options.timers = &timers;
  absl::StatusOr<std::unique_ptr<service::Server>> server = service::Server::Start(server_options);
  if (!server.ok()) {
    competitions.Close();
    host.Drain(absl::ZeroDuration(), host::Host::Rest::kLeft);
    return server.status();
  }
  Log(absl::StrCat("ready: listening on ", (*server)->address(), ", data in ", flags.data_dir,
                   ", durability ", replay::DurabilityName(flags.durability), ", key ",
                   fingerprint));

  const int signal_number = AwaitStop(signals, flags, tls.get());
  Log(absl::StrCat(strsignal(signal_number), ": draining for at most ",
                   absl::FormatDuration(flags.drain_timeout)));
  // What competitions have begun is left as it is, and goes on after the next start.
  competitions.Drain();
  host.Drain(flags.drain_timeout, host::Host::Rest::kLeft);
  competitions.Close();
  (*server)->Shutdown(absl::Seconds(2));
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
  // Debian builds Abseil so that each of its locks, of which gRPC takes many, looks for deadlocks.
  // The referee itself uses none of these locks.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  const sigset_t signals = daemon::BlockSignals();
  const absl::Status status = daemon::Run(flags, signals);
  if (status.ok()) return 0;
  std::cerr << "refereed: " << std::string(status.message()) << "\n";
  return 2;
}

}  // namespace referee
