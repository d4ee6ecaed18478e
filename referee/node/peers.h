// A node's connections to the other referees of its store (service/peer/PEERS.md).
//
// It has the secret of the fleet and the streams to the other referees.
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

// Thread-safe, except for SetHost.
class Peers {
 public:
  // Reads the secret from the store; returns the store's error. `owner`: this referee's name in the
  // store. All arguments must outlive the result.
  static absl::StatusOr<std::unique_ptr<Peers>> Make(const NodeOptions& options,
                                                     store::Store* store, const std::string& owner,
                                                     const Clock* clock, host::Timers* timers);
  // Calls Close.
  ~Peers();
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  // Sets the host of the bots. Call this once, before the functions below; `host` must outlive
  // Close.
  void SetHost(host::Host* host) { environment_.host = host; }
  // The peer environment for this referee's server.
  const service::PeerEnvironment* environment() const { return &environment_; }
  service::PeerStreams& streams() { return *streams_; }
  // Closes the streams to other referees. Returns when they have ended.
  void Close();

 private:
  explicit Peers(service::PeerEnvironment environment) : environment_(std::move(environment)) {}

  service::PeerEnvironment environment_;
  std::unique_ptr<host::ThreadExecutor> executor_;  // dials peers; null after Close
  std::shared_ptr<service::PeerStreams> streams_;
};

}  // namespace referee::node

#endif  // REFEREE_NODE_PEERS_H_
