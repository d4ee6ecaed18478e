// The gRPC server of a referee: BotService, MatchService, ReplayService, AdminService,
// CompetitionService, PeerService, health and reflection, at one address, over one host. Handlers
// validate, look up, call, convert, and nothing more.
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
  // "host:port" (port 0: any free one) or "unix:path".
  std::string listen;
  // Set: the server uses TLS. Must outlive the server.
  Tls* tls = nullptr;
  // Allows plain text on addresses other than loopback and unix sockets.
  bool insecure = false;
  // Limits of the streams of bots; tests set smaller ones.
  StreamLimits stream_limits;
  // Limits of all other calls.
  CallLimits call_limits;
  // What gRPC may take for connections, and calls on them, in bytes.
  size_t transport_bytes = limits::kMemoryLimit / 2;
  // The replays that ReplayService serves; must outlive the server.
  const replay::Archive* archive = nullptr;
  // The recorder's keys: VerifyReplay finds fault with replays that none of them signed.
  replay::KeyRing keys;
  // Connections that may be open, and how many of them from one address; 0: as many as the limit on
  // descriptors allows, and a share of them. See accept/connections.h.
  size_t max_connections = 0;
  size_t max_connections_per_address = 0;
  // Checks the processes that connect, if `listen` is a unix socket; null: all may.
  PeerCheck check_peer;
  // Those who say whom they speak for, with the PROXY protocol, and must.
  std::vector<IpRange> trusted_proxies;
  // Takes events (log/LOG.md); may be null.
  log::Log log;
  // Called when the server has not answered itself for a while, as accept/self_check.h says; it is
  // on a thread of the server's, which it must not shut down. Null: it does not dial itself.
  std::function<void()> on_deaf;
  // Who may read what is public without a token.
  Readers readers = Readers::kEverybody;
  // Where accounts and the audit log are kept; must outlive the server. Null: accounts cannot be
  // changed, and nothing is audited.
  store::Store* store = nullptr;
  // The games that are paused; must outlive the server.
  host::PausedGames* paused_games = nullptr;
  // The competitions; must outlive the server. Null: CompetitionService is not served.
  competition::Competitions* competitions = nullptr;
  // What sessions with other referees of the fleet have in common; must outlive the server. Null:
  // PeerService is not served.
  const PeerEnvironment* peers = nullptr;

  // Where calls are counted; must outlive the server. Null: they are not.
  const metrics::Metrics* metrics = nullptr;

  // All must outlive the server.
  Authenticator* authenticator = nullptr;
  host::Host* host = nullptr;
  const Clock* clock = nullptr;
  host::Timers* timers = nullptr;
};

// Returns the error that Server::Start would return before it does anything: for a malformed
// address, one that may not be plain text, or more connections than there are descriptors for.
absl::Status Validate(const ServerOptions& options);

// What a server has open now.
struct Traffic {
  size_t known_connections = 0;  // that have brought a token that is known
  size_t unknown_connections = 0;
  int watches = 0;
  size_t answer_bytes = 0;  // kept by answers that are not sent
};

// The methods of which the calls are counted.
std::vector<metrics::Method> CountedMethods();

// What of a referee serves, as the health service (grpc.health.v1) tells it: of the empty name,
// which stands for all; of each service by its full name; and of kMatchesService.
struct Health {
  bool any = false;      // of ReplayService; without it nothing serves
  bool matches = false;  // they begin: of BotService, MatchService and kMatchesService
  bool store = false;    // it answers: of AdminService, and with `shelf` of CompetitionService
  bool shelf = true;     // it takes replays, or there is none
};
inline constexpr char kMatchesService[] = "matches";

class Server {
 public:
  // Returns the errors of Validate; Unavailable when the address is taken.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options);

  virtual ~Server() = default;
  // The address that clients dial: the port is the real one.
  virtual const std::string& address() const = 0;
  // What the health service says from here on; before, nothing serves. Not after Shutdown.
  virtual void TellHealth(const Health& health) = 0;
  // Whether the latest attempt to connect to itself, of those that it makes with options.on_deaf,
  // was answered. True before the first.
  virtual bool hears() const = 0;
  // Connects to itself as a client does. Returns whether it has answered within `patience`. Not
  // after Shutdown.
  virtual bool AnswersItself(absl::Duration patience) = 0;
  virtual Traffic traffic() const = 0;
  // Ends the streams of other referees, and lets none attach itself any more.
  virtual void EndPeers() = 0;
  // Ends all calls, those under way after `grace`, and returns when no handler runs any more. The
  // host must be drained before.
  virtual void Shutdown(absl::Duration grace) = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_SERVER_H_
