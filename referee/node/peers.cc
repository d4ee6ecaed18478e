#include "referee/node/peers.h"

#include <utility>

#include "referee/node/entropy.h"
#include "referee/node/node.h"
#include "referee/service/peer/peer_channel.h"

namespace referee::node {

absl::StatusOr<std::unique_ptr<Peers>> Peers::Make(const NodeOptions& options, store::Store* store,
                                                   const std::string& owner, const Clock* clock,
                                                   host::Timers* timers) {
  absl::StatusOr<std::string> secret = store->FleetSecret(FillWithEntropy);
  if (!secret.ok()) return secret.status();
  service::PeerEnvironment environment;
  environment.clock = clock;
  environment.timers = timers;
  environment.owner = owner;
  environment.secret = *std::move(secret);
  std::unique_ptr<Peers> peers(new Peers(std::move(environment)));
  peers->executor_ = std::make_unique<host::ThreadExecutor>();
  service::PeerStreams::Options streams;
  streams.environment = &peers->environment_;
  streams.executor = peers->executor_.get();
  streams.dial = [&options](const std::string& address) {
    return service::PeerChannelTo(address,
                                  {options.server.tls, options.server.insecure, options.peer_ca});
  };
  streams.log = options.log;
  peers->streams_ = service::PeerStreams::Make(std::move(streams));
  return peers;
}

Peers::~Peers() { Close(); }

void Peers::Close() {
  streams_->Close();
  executor_ = nullptr;
}

}  // namespace referee::node
