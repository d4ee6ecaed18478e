// What a node has for the other referees of its store: the secret of the fleet, and its streams to
// them (service/peer/PEERS.md).
#ifndef REFEREE_NODE_PEERS_H_
#define REFEREE_NODE_PEERS_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "referee/base/clock.h"
#include "referee/host/host.h"
#include "referee/host/timers.h"
#include "referee/service/peer/owner_session.h"
#include "referee/service/peer/peer_streams.h"
#include "referee/store/store.h"

namespace referee::node {

struct NodeOptions;

// Thread-safe, but for SetHost.
class Peers {
 public:
  // Asks the store for the secret, and returns its error. `owner`: this referee's name in the
  // store. All must outlive this.
  static absl::StatusOr<std::unique_ptr<Peers>> Make(const NodeOptions& options,
                                                     store::Store* store, const std::string& owner,
                                                     const Clock* clock, host::Timers* timers);
  // Closes.
  ~Peers();
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  // The host of the bots. To be called once, before anything below is used; it must outlive Close.
  void SetHost(host::Host* host) { environment_.host = host; }
  // Of this referee's server.
  const service::PeerEnvironment* environment() const { return &environment_; }
  service::PeerStreams& streams() { return *streams_; }
  // Ends the streams to other referees. Returns when they have ended.
  void Close();

 private:
  explicit Peers(service::PeerEnvironment environment) : environment_(std::move(environment)) {}

  service::PeerEnvironment environment_;
  std::unique_ptr<host::ThreadExecutor> executor_;  // dials; null after Close
  std::shared_ptr<service::PeerStreams> streams_;
};

}  // namespace referee::node

#endif  // REFEREE_NODE_PEERS_H_
