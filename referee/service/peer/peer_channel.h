// How a referee dials the others of its fleet: as clients do.
#ifndef REFEREE_SERVICE_PEER_PEER_CHANNEL_H_
#define REFEREE_SERVICE_PEER_PEER_CHANNEL_H_

#include <grpcpp/channel.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "referee/service/tls.h"

namespace referee::service {

struct PeerChannelOptions {
  const Tls* tls = nullptr;  // of this referee; null: it has none
  bool insecure = false;     // allows plain text to other machines
  std::string ca;            // PEM of the authorities to trust; empty: the system's
};

// Makes a channel to the referee at `address`. It uses TLS if this referee has TLS, or if the other
// is on another machine and plain text is not allowed there. If this referee requires client
// certificates, it shows its own. Returns InvalidArgument for a malformed address.
absl::StatusOr<std::shared_ptr<grpc::Channel>> PeerChannelTo(const std::string& address,
                                                             const PeerChannelOptions& options);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_PEER_CHANNEL_H_
