#include "referee/service/accept/connections.h"

#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "referee/service/errors.h"

namespace referee::service {

absl::Status Connections::Enter(Id id, absl::optional<Endpoint> transport,
                                absl::optional<Endpoint> client, replay::File duplicate) {
  MutexLock lock(&mutex_);
  if (client) {
    const auto count = count_.find(client->address.Counted());
    const bool full = count != count_.end() && count->second >= limits_.per_address;
    if (full && !CutOldestUnknownOf(client->address.Counted())) {
      return TooManyConnectionsOfAddress(client->address.text(), limits_.per_address);
    }
    if (unknown_count_ >= limits_.unknown) CutOldestUnknown();
  }
  const bool full = connections_.size() >= limits_.all;
  if (full && !CutOldestUnknown()) return TooManyConnections(limits_.all);
  const bool unknown = client.has_value();
  Add(id, Connection{transport, client, std::move(duplicate), unknown});
  return absl::OkStatus();
}

void Connections::ExpectOwn(absl::optional<Endpoint> transport) {
  MutexLock lock(&mutex_);
  own_ = transport;
}

bool Connections::IsOwn(const Endpoint& transport) const {
  MutexLock lock(&mutex_);
  return own_ == transport;
}

void Connections::EnterOwn(Id id, absl::optional<Endpoint> transport, replay::File duplicate) {
  MutexLock lock(&mutex_);
  Add(id, Connection{transport, absl::nullopt, std::move(duplicate), false});
}

void Connections::Leave(Id id) {
  MutexLock lock(&mutex_);
  Remove(id);
}

void Connections::Recognise(absl::string_view peer) {
  const absl::optional<Endpoint> transport = Endpoint::FromPeer(peer);
  if (!transport) return;
  MutexLock lock(&mutex_);
  const auto id = by_transport_.find(*transport);
  if (id == by_transport_.end()) return;
  Connection& connection = connections_.at(id->second);
  if (!std::exchange(connection.unknown, false)) return;
  ForgetUnknown(id->second, connection.client->address.Counted());
}

std::string Connections::ClientOf(absl::string_view peer) const {
  if (proxies_.empty()) return std::string(peer);
  const absl::optional<Endpoint> transport = Endpoint::FromPeer(peer);
  if (!transport || !IsProxy(transport->address)) return std::string(peer);
  MutexLock lock(&mutex_);
  const auto id = by_transport_.find(*transport);
  if (id == by_transport_.end()) return "gone";
  const Connection& connection = connections_.at(id->second);
  return connection.client ? connection.client->ToPeer() : std::string(peer);
}

size_t Connections::size() const {
  MutexLock lock(&mutex_);
  return connections_.size();
}

void Connections::Add(Id id, Connection connection) {
  if (connection.client) {
    const IpAddress counted = connection.client->address.Counted();
    ++count_[counted];
    if (connection.unknown) {
      unknown_[counted].insert(id);
      ++unknown_count_;
    }
  }
  if (connection.transport) by_transport_[*connection.transport] = id;
  connections_[id] = std::move(connection);
}

bool Connections::CutOldestUnknownOf(const IpAddress& counted) {
  const auto unknown = unknown_.find(counted);
  if (unknown == unknown_.end()) return false;
  const Id oldest = *unknown->second.begin();
  shutdown(connections_.at(oldest).duplicate.fd(), SHUT_RDWR);
  Remove(oldest);
  return true;
}

bool Connections::CutOldestUnknown() {
  const auto most = std::max_element(
      unknown_.begin(), unknown_.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (most == unknown_.end()) return false;
  const IpAddress counted = most->first;
  return CutOldestUnknownOf(counted);
}

void Connections::Remove(Id id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  const Connection& connection = found->second;
  if (connection.client) {
    const IpAddress counted = connection.client->address.Counted();
    if (connection.unknown) ForgetUnknown(id, counted);
    const auto count = count_.find(counted);
    if (--count->second == 0) count_.erase(count);
  }
  if (connection.transport) {
    const auto by_transport = by_transport_.find(*connection.transport);
    // Another may have come from there since.
    if (by_transport != by_transport_.end() && by_transport->second == id) {
      by_transport_.erase(by_transport);
    }
  }
  connections_.erase(found);
}

void Connections::ForgetUnknown(Id id, const IpAddress& counted) {
  const auto unknown = unknown_.find(counted);
  unknown->second.erase(id);
  if (unknown->second.empty()) unknown_.erase(unknown);
  --unknown_count_;
}

}  // namespace referee::service
