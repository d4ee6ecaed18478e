// The gRPC server of a referee: all services at one address, over one host.
//
// It serves BotService, MatchService, ReplayService, AdminService, CompetitionService, PeerService,
// health and reflection. Handlers validate, look up, call and convert, and nothing more.
#ifndef REFEREE_SERVICE_SERVER_H_
#define REFEREE_SERVICE_SERVER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/endpoint.h"
#include "referee/base/limits.h"
#include "referee/competition/competitions.h"
#include "referee/host/host.h"
#include "referee/host/paused_games.h"
#include "referee/host/timers.h"
#include "referee/log/event.h"
#include "referee/metrics/metrics.h"
#include "referee/replay/archive.h"
#include "referee/replay/key_ring.h"
#include "referee/service/accept/acceptor.h"
#include "referee/service/access/access.h"
#include "referee/service/access/authenticator.h"
#include "referee/service/access/call_admission.h"
#include "referee/service/play/admission.h"
#include "referee/service/tls.h"
#include "referee/store/store.h"

namespace referee::service {

struct PeerEnvironment;

struct ServerOptions {
  // "host:port" (port 0: any free port) or "unix:path".
  std::string listen;
  // The TLS credentials; null: plain text. Must outlive the server.
  Tls* tls = nullptr;
  // Allows plain text on addresses other than loopback and unix sockets.
  bool insecure = false;
  // Limits of bot streams; tests set smaller ones.
  StreamLimits stream_limits;
  // Limits of all other calls.
  CallLimits call_limits;
  // Memory that gRPC may use for connections and their calls, in bytes.
  size_t transport_bytes = limits::kMemoryLimit / 2;
  // The replays that ReplayService serves; must outlive the server.
  const replay::Archive* archive = nullptr;
  // The recorder's keys. VerifyReplay rejects replays that none of these keys signed.
  replay::KeyRing keys;
  // Most open connections, in all and from one address. 0: as many as the descriptor limit allows,
  // and a share of them. See accept/connections.h.
  size_t max_connections = 0;
  size_t max_connections_per_address = 0;
  // Checks the processes that connect if `listen` is a unix socket; null: accepts all.
  PeerCheck check_peer;
  // Proxies whose connections must begin with a PROXY protocol header that names the client.
  std::vector<IpRange> trusted_proxies;
  // Takes events (log/LOG.md); may be null.
  log::Log log;
  // Called when the server has failed to answer its own connections for a while
  // (accept/self_check.h). Runs on a server thread and must not shut the server down. Null: no self
  // check.
  std::function<void()> on_deaf;
  // Who may read public data without a token.
  Readers readers = Readers::kEverybody;
  // Holds accounts and the audit log; must outlive the server. Null: accounts cannot be changed,
  // and nothing is audited.
  store::Store* store = nullptr;
  // The paused games; must outlive the server.
  host::PausedGames* paused_games = nullptr;
  // The competitions; must outlive the server. Null: CompetitionService is not served.
  competition::Competitions* competitions = nullptr;
  // Shared by the sessions with other referees of the fleet; must outlive the server. Null:
  // PeerService is not served.
  const PeerEnvironment* peers = nullptr;

  // Counts calls; must outlive the server. Null: calls are not counted.
  const metrics::Metrics* metrics = nullptr;

  // All must outlive the server.
  Authenticator* authenticator = nullptr;
  host::Host* host = nullptr;
  const Clock* clock = nullptr;
  host::Timers* timers = nullptr;
};

// Returns the errors of Server::Start that depend on the options alone: a malformed address, an
// address that requires TLS, or more connections than there are descriptors.
absl::Status Validate(const ServerOptions& options);

// The connections and watches that are open now, and the memory of unsent answers.
struct Traffic {
  size_t known_connections = 0;  // with a valid token
  size_t unknown_connections = 0;
  int watches = 0;
  size_t answer_bytes = 0;  // of answers that are not sent yet
};

// The methods whose calls the metrics count.
std::vector<metrics::Method> CountedMethods();

// What the health service (grpc.health.v1) reports as serving: each service by its full name,
// matches by kMatchesService, and the whole referee by the empty name. The empty name needs all
// four fields.
struct Health {
  bool any = false;      // ReplayService serves; if false, nothing serves
  bool matches = false;  // new matches start: BotService, MatchService and kMatchesService
  bool store = false;    // the store answers: AdminService, and with `shelf` CompetitionService
  bool shelf = true;     // the replay store takes replays, or none is configured
};
inline constexpr char kMatchesService[] = "matches";

class Server {
 public:
  // Returns the errors of Validate, or Unavailable if the address is in use.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options);

  virtual ~Server() = default;
  // The address that clients dial, with the real port.
  virtual const std::string& address() const = 0;
  // Sets what the health service reports. Before the first call nothing serves. Has no effect after
  // Shutdown.
  virtual void TellHealth(const Health& health) = 0;
  // Whether the latest self check was answered (options.on_deaf). True before the first.
  virtual bool hears() const = 0;
  // Connects to itself as a client does. Returns whether it answered within `patience`. Do not call
  // after Shutdown.
  virtual bool AnswersItself(absl::Duration patience) = 0;
  virtual Traffic traffic() const = 0;
  // Ends the streams of other referees and refuses new ones.
  virtual void EndPeers() = 0;
  // Ends all calls, running ones after `grace`. Returns when no handler runs any more. REQUIRES:
  // the host is drained.
  virtual void Shutdown(absl::Duration grace) = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_SERVER_H_
