#include "referee/service/client_address.h"

#include "absl/types/optional.h"
#include "referee/base/endpoint.h"

namespace referee::service {

std::string ClientAddress(absl::string_view peer) {
  if (const absl::optional<Endpoint> endpoint = Endpoint::FromPeer(peer)) {
    return endpoint->address.Counted().text();
  }
  return std::string(peer.substr(0, peer.find(':')));
}

}  // namespace referee::service
