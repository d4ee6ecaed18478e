// The gRPC server of a referee: BotService, MatchService, ReplayService, health and reflection, at
// one address, over one host. Handlers validate, look up, call, convert, and nothing more.
#ifndef REFEREE_SERVICE_SERVER_H_
#define REFEREE_SERVICE_SERVER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/host/host.h"
#include "referee/host/timers.h"
#include "referee/service/admission.h"
#include "referee/service/credentials.h"

namespace referee::service {

struct ServerOptions {
  // "host:port" (port 0: any free one) or "unix:path".
  std::string listen;
  // PEM, both or none. With them, TLS.
  std::string tls_cert;
  std::string tls_key;
  // Allows plain text on addresses other than loopback and unix sockets.
  bool insecure = false;
  // What streams of bots may do; for tests to take less.
  StreamLimits stream_limits;
  // Where the replays are that ReplayService serves: the recorder's data dir.
  std::string data_dir;

  // All must outlive the server.
  const Credentials* credentials = nullptr;
  host::Host* host = nullptr;
  const Clock* clock = nullptr;
  host::Timers* timers = nullptr;
};

// Returns what Server::Start would refuse before it touches anything: an address that makes no
// sense or may not be plain text, half of TLS.
absl::Status Validate(const ServerOptions& options);

class Server {
 public:
  // Returns what Validate does, InvalidArgument for a certificate or key that is none, Unavailable
  // when the address is taken.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options);

  virtual ~Server() = default;
  // The address that clients dial: the port is the real one.
  virtual const std::string& address() const = 0;
  // Ends all calls, those under way after `grace`, and returns when no handler runs any more. The
  // host must be drained before.
  virtual void Shutdown(absl::Duration grace) = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_SERVER_H_
