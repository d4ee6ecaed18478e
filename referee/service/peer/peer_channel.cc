#include "referee/service/peer/peer_channel.h"

#include <utility>

#include "referee/base/address.h"
#include "referee/client/connection.h"

namespace referee::service {

absl::StatusOr<std::shared_ptr<grpc::Channel>> PeerChannelTo(const std::string& address,
                                                             const PeerChannelOptions& options) {
  const absl::StatusOr<Address> read = ReadAddress(address);
  if (!read.ok()) return read.status();
  client::ClientOptions client;
  client.address = address;
  client.tls = options.tls != nullptr;
  client.insecure = !client.tls && (options.insecure || read->local);
  if (!client.insecure) client.tls_ca = options.ca;
  if (client.tls) {
    const TlsPem own = options.tls->pem();
    if (own.client_ca.has_value()) {
      client.tls_cert = own.certificate;
      client.tls_key = own.key;
    }
  }
  const absl::StatusOr<client::Connection> connection = client::Connection::Make(std::move(client));
  if (!connection.ok()) return connection.status();
  return connection->channel();
}

}  // namespace referee::service
