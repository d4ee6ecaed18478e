#include "referee/gate/refgate.h"

#include <signal.h>
#include <sodium.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "referee/base/errors.h"
#include "referee/base/process.h"
#include "referee/base/service_manager.h"
#include "referee/games/catalogue.h"
#include "referee/gate/export.h"
#include "referee/gate/flags.h"
#include "referee/gate/port_file.h"
#include "referee/gate/running_gate.h"
#include "referee/gate/ticket.h"
#include "referee/log/event.h"
#include "referee/log/log_writer.h"
#include "referee/replay/messages.h"

namespace referee::gate {
namespace {

constexpr absl::Duration kFarewellPatience = absl::Seconds(30);

absl::StatusOr<Gate::Options> OptionsFrom(const Flags& flags, bool has_token) {
  Gate::Options options;
  options.bounds = flags.bounds;
  options.trusted_proxies = flags.trusted_proxies;
  if (!flags.ticket_key_file.empty()) {
    absl::StatusOr<std::string> key = ReadTicketKey(flags.ticket_key_file);
    if (!key.ok()) return At("--ticket-key-file", key.status());
    options.ticket_key = *std::move(key);
  } else if (has_token && !flags.is_public) {
    return absl::InvalidArgumentError(
        "with a token, of --token-file or REFEREE_TOKEN, this gate sees what not everybody may "
        "see: "
        "give --ticket-key-file FILE, so that watchers need tickets, or --public; or start it "
        "without a token");
  }
  return options;
}

absl::Status Run(const Flags& flags, const sigset_t& signals, log::LogWriter* log) {
  if (!flags.port_file.empty()) {
    const absl::Status own = CheckPortFile(flags.port_file);
    if (!own.ok()) return At("--port-file", own);
  }
  absl::StatusOr<client::ClientOptions> client = client::ReadClientFlags(flags.client);
  if (!client.ok()) return client.status();
  absl::StatusOr<Gate::Options> options = OptionsFrom(flags, !client->token.empty());
  if (!options.ok()) return options.status();
  const std::string referee_address = client->address;
  client->max_message_bytes = client::kWholeMatchBytes;
  absl::StatusOr<client::Connection> referee = client::Connection::Make(*std::move(client));
  if (!referee.ok()) return referee.status();
  const ServiceManager manager = ServiceManager::FromEnvironment();
  const absl::StatusOr<std::unique_ptr<RunningGate>> started =
      RunningGate::Start(*std::move(options), *std::move(referee), flags.listen, log->log());
  if (!started.ok()) return started.status();
  const std::string& address = (*started)->address();
  if (!flags.port_file.empty()) {
    const absl::Status written = WritePortFile(flags.port_file, address);
    if (!written.ok()) return written;
  }
  log->Write({log::Level::kInfo, "started",
              absl::StrCat("ready: listening on ", address, ", referee at ", referee_address)});
  if (manager.beat_period() < absl::InfiniteDuration()) {
    (*started)->BeatEvery(manager.beat_period(), [&manager] { manager.Beat(); });
  }
  manager.Ready(absl::StrCat("listens on ", address));
  int signal_number = 0;
  sigwait(&signals, &signal_number);
  manager.Stopping("ends all streams", kFarewellPatience);
  log->Write({log::Level::kInfo, "stopping",
              absl::StrCat(strsignal(signal_number), ": ending all streams")});
  return absl::OkStatus();
}

}  // namespace
}  // namespace referee::gate

namespace referee {

int RefgateMain(int argc, char** argv,
                const std::vector<std::shared_ptr<const games::GameType>>& games) {
  replay::SilenceProtobuf();
  if (absl::Status added = games::AddGames(games); !added.ok()) {
    std::cerr << "refgate: " << std::string(added.message()) << "\n";
    return 2;
  }
  gate::Flags flags;
  int exit_status = 0;
  if (!gate::ReadFlags(argc, argv, &flags, &exit_status)) return exit_status;
  // Silences gRPC's log on stderr, which adds nothing to the errors of calls.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  if (sodium_init() < 0) return 2;
  if (!flags.site.folder.empty()) {
    const absl::StatusOr<int> exported = gate::Export(flags.site, flags.client);
    if (exported.ok()) return *exported;
    std::cout.flush();
    std::cerr << "refgate: " << exported.status().message() << "\n";
    return 2;
  }
  const sigset_t signals = BlockSignals({SIGTERM, SIGINT});
  RaiseDescriptorLimit();
  log::LogWriter log(flags.log);
  const absl::Status status = gate::Run(flags, signals, &log);
  if (status.ok()) {
    log.Write({log::Level::kInfo, "stopped", "stopped"});
    return 0;
  }
  log.WriteFailure(absl::StrCat("refgate: ", status.message()));
  return 2;
}

}  // namespace referee
