#include "referee/service/accept/connections.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/base/limits.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

absl::Status TooManyCallsWithoutEnd(absl::string_view account, absl::string_view address) {
  return absl::ResourceExhaustedError(
      absl::StrCat(WhoIsThere(account, address), " has too many calls open that do not end"));
}

// The bytes received on a connection, as TCP counts them.
uint64_t BytesReceived(int fd) {
  tcp_info info{};
  socklen_t size = sizeof(info);
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  return info.tcpi_bytes_received;
}

constexpr size_t kPerConnection = 2;  // descriptors: the transport's, and the duplicate

}  // namespace

size_t DescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return limit.rlim_cur == RLIM_INFINITY ? std::numeric_limits<size_t>::max() : limit.rlim_cur;
}

absl::StatusOr<ConnectionLimits> LimitConnections(size_t all, size_t per_address,
                                                  size_t descriptors) {
  const size_t free =
      std::max(descriptors, limits::kReservedDescriptors) - limits::kReservedDescriptors;
  const size_t fit = free / kPerConnection;
  const size_t wanted = std::max<size_t>(all, 1);
  if (wanted > fit) {
    return absl::FailedPreconditionError(absl::StrCat(
        wanted, " connections need ", kPerConnection * wanted + limits::kReservedDescriptors,
        " file descriptors, and there are ", descriptors,
        "; raise the limit (ulimit -n, LimitNOFILE=), or lower --max-connections"));
  }
  ConnectionLimits limited;
  limited.all = all > 0 ? all : std::min(fit, limits::kMaxConnections);
  limited.per_address =
      per_address > 0 ? per_address : std::max<size_t>(limited.all / limits::kAddressesToFill, 1);
  limited.unknown = std::min(limits::kMaxUnknownConnections, std::max<size_t>(limited.all / 2, 1));
  return limited;
}

absl::Status Connections::Enter(Id id, absl::optional<Endpoint> transport,
                                absl::optional<Endpoint> client, replay::File duplicate,
                                Instant now) {
  // Checks under the lock, so that CutOffenders finds an address that is banned after the check.
  MutexLock lock(&mutex_);
  if (client && authenticator_ != nullptr) {
    const absl::Status let_in = authenticator_->CheckAddress(client->address.text());
    if (!let_in.ok()) return let_in;
  }
  absl::optional<IpAddress> newcomer;
  if (client) newcomer = client->address.Counted();
  if (newcomer) {
    if (IsRefused(*newcomer, now)) return SendsWaste(client->address.text());
    const auto count = count_.find(*newcomer);
    const bool full = count != count_.end() && count->second >= limits_.per_address;
    if (full && !CutOldestUnknownOf(*newcomer)) {
      return absl::ResourceExhaustedError(
          absl::StrCat("address ", client->address.text(), " has ", limits_.per_address,
                       " connections of known accounts, the most that one address may have; raise "
                       "--max-connections-per-address"));
    }
    if (unknown_count_ >= limits_.unknown) CutOldestUnknown(newcomer);
  }
  const bool full = connections_.size() >= limits_.all;
  if (full && !CutOldestUnknown(newcomer)) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "there are ", limits_.all,
        " connections of known accounts, the most that may be; raise --max-connections"));
  }
  Connection connection;
  connection.transport = transport;
  connection.client = client;
  connection.duplicate = std::move(duplicate);
  connection.unknown = client.has_value();
  Add(id, std::move(connection));
  return absl::OkStatus();
}

bool Connections::Watch(Id id, int descriptor) {
  MutexLock lock(&mutex_);
  const auto found = connections_.find(id);
  if (found == connections_.end()) return true;
  Connection& connection = found->second;
  connection.watched = descriptor;
  if (!connection.client) {
    local_bytes_->Add(id, descriptor, last_look_);
    return WatchReceived(descriptor, id, local_bytes_);
  }
  unused_bytes_->Add(id, *connection.transport, connection.client->address, connection.use,
                     last_look_);
  return WatchReceived(descriptor, id, unused_bytes_);
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
  Connection connection;
  connection.transport = transport;
  connection.duplicate = std::move(duplicate);
  Add(id, std::move(connection));
}

void Connections::Leave(Id id) {
  MutexLock lock(&mutex_);
  Remove(id);
}

void Connections::Recognise(absl::string_view peer, absl::string_view name,
                            const TokenHash& token) {
  const absl::optional<Endpoint> transport = Endpoint::FromPeer(peer);
  if (!transport) return;
  MutexLock lock(&mutex_);
  const auto id = by_transport_.find(*transport);
  if (id == by_transport_.end()) return;
  Connection& connection = connections_.at(id->second);
  absl::optional<Account>& account = connection.account;
  if (account && account->name == name) {
    account->token = token;
    return;
  }
  const bool distrusted =
      unheard_calls_.Distrusts(name, last_look_) || unused_bytes_->Distrusts(name, last_look_);
  if (distrusted) return;
  size_t& count = of_account_[name];
  if (count >= limits_.per_account) return;
  ++count;
  const uint64_t open_calls = connection.open_calls;
  SetOpenCalls(&connection, 0);
  if (account) ForgetAccount(account->name);
  account = Account{std::string(name), token};
  unused_bytes_->Recognise(id->second, name);
  const bool was_unknown = std::exchange(connection.unknown, false);
  SetOpenCalls(&connection, open_calls);
  if (!was_unknown) return;
  ForgetUnknown(id->second, connection.client->address.Counted());
}

void Connections::Trust(absl::string_view peer) {
  const absl::optional<Endpoint> transport = Endpoint::FromPeer(peer);
  if (!transport) return;
  MutexLock lock(&mutex_);
  const auto id = by_transport_.find(*transport);
  if (id == by_transport_.end()) return;
  Connection& connection = connections_.at(id->second);
  SetOpenCalls(&connection, 0);
  connection.trusted = true;
  unused_bytes_->Remove(id->second);
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

std::shared_ptr<Use> Connections::UseOf(absl::string_view peer) const {
  if (const absl::optional<Endpoint> transport = Endpoint::FromPeer(peer)) {
    MutexLock lock(&mutex_);
    const auto id = by_transport_.find(*transport);
    if (id != by_transport_.end()) return connections_.at(id->second).use;
    return std::make_shared<Use>();
  }
  return local_bytes_->use();
}

std::vector<Offender> Connections::CutOffenders(size_t count, Instant now) {
  std::vector<std::pair<Id, Endpoint>> to_ask;
  unused_bytes_->SetTime(now);
  local_bytes_->SetTime(now);
  std::vector<Offender> offenders = unused_bytes_->TakeOffenders();
  for (Offender& offender : local_bytes_->TakeOffenders()) {
    offenders.push_back(std::move(offender));
  }
  const auto cut = [&](Id id, absl::Status reason) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const absl::optional<Account>& account = connections_.at(id).account;
    offenders.push_back({id, std::move(reason), account ? account->name : ""});
    Cut(id);
  };
  {
    MutexLock lock(&mutex_);
    last_look_ = now;
    for (const Offender& offender : offenders) {
      if (connections_.count(offender.connection) != 0) Cut(offender.connection);
    }
    for (count = std::min(count, connections_.size()); count > 0; --count) {
      auto looked_at = connections_.lower_bound(next_look_);
      if (looked_at == connections_.end()) looked_at = connections_.begin();
      if (looked_at == connections_.end()) break;
      next_look_ = looked_at->first + 1;
      Connection& connection = looked_at->second;
      absl::Status good = CheckHolder(&connection, now);
      if (!good.ok()) {
        cut(looked_at->first, std::move(good));
      } else if (IsToBeAsked(&connection)) {
        to_ask.emplace_back(looked_at->first, *connection.transport);
      }
    }
  }
  for (const auto& [id, transport] : to_ask) {
    const absl::optional<CallCounts> calls = opened_(transport);
    if (!calls) continue;
    MutexLock lock(&mutex_);
    const auto asked = connections_.find(id);
    if (asked == connections_.end()) continue;
    unused_bytes_->NoteOpenCalls(id, calls->open);
    absl::Status good = CheckCalls(&asked->second, *calls, now);
    if (good.ok()) continue;
    if (absl::IsResourceExhausted(good)) unused_bytes_->Blame(id);
    cut(id, std::move(good));
  }
  return offenders;
}

bool Connections::has_to_look() const {
  return size() > 0 || unused_bytes_->has_offenders() || local_bytes_->has_offenders();
}

size_t Connections::unknown() const {
  MutexLock lock(&mutex_);
  return unknown_count_;
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
  Cut(*unknown->second.begin());
  return true;
}

bool Connections::CutOldestUnknown(const absl::optional<IpAddress>& newcomer) {
  const auto weight = [&newcomer](const auto& address) {
    return address.second.size() + (newcomer == address.first ? 1 : 0);
  };
  const auto most =
      std::max_element(unknown_.begin(), unknown_.end(), [&weight](const auto& a, const auto& b) {
        // On a tie, takes the address with the oldest connection.
        return std::make_pair(weight(a), *b.second.begin()) <
               std::make_pair(weight(b), *a.second.begin());
      });
  if (most == unknown_.end()) return false;
  const IpAddress counted = most->first;
  return CutOldestUnknownOf(counted);
}

bool Connections::IsRefused(const IpAddress& counted, Instant now) {
  const auto count = count_.find(counted);
  const auto unknown = unknown_.find(counted);
  const bool accounts_known = count != count_.end() &&
                              (unknown == unknown_.end() || unknown->second.size() < count->second);
  return unused_bytes_->Refuses(counted, accounts_known, now);
}

absl::Status Connections::CheckHolder(Connection* connection, Instant now) const {
  if (authenticator_ == nullptr || !connection->client) return absl::OkStatus();
  absl::Status good = authenticator_->CheckAddress(connection->client->address.text());
  if (good.ok() && connection->account) {
    good = authenticator_->Recheck(connection->account->name, connection->account->token);
  }
  const bool plays = connection->account && plays_ != nullptr && plays_(connection->account->name);
  if (!good.ok() && plays) good = absl::OkStatus();
  connection->cut_at = good.ok() ? Instant::InfiniteFuture()
                                 : std::min(connection->cut_at, now + limits::kShutOutGrace);
  return now < connection->cut_at ? absl::OkStatus() : good;
}

bool Connections::IsToBeAsked(Connection* connection) {
  if (opened_ == nullptr || !connection->client || connection->trusted) return false;
  const uint64_t received = BytesReceived(connection->duplicate.fd());
  if (received < connection->asked_at + limits::kBytesBeforeAsking) return false;
  connection->asked_at = received;
  return true;
}

absl::Status Connections::CheckCalls(Connection* connection, const CallCounts& calls, Instant now) {
  SetOpenCalls(connection, calls.open);
  if (calls.open == 0 && !connection->account) return absl::OkStatus();
  const uint64_t open = calls.open == 0 ? 0 : OpenCallsOfHolder(*connection);
  const std::string address = connection->client->address.text();
  if (connection->account) {
    if (open > limits::kMaxOpenCallsOfAccount) {
      return TooManyCallsWithoutEnd(connection->account->name, address);
    }
    return CheckUnheard(connection, calls.opened, now);
  }
  const bool has_share = open <= limits::kMaxOpenCallsOfAddress;
  // If unknown connections have too many calls in all, cuts off the first one checked that has more
  // than a few.
  const bool has_room = open_of_unknown_ <= limits::kMaxOpenCallsOfUnknown ||
                        connection->open_calls <= limits::kFewOpenCalls;
  return has_share && has_room ? absl::OkStatus() : TooManyCallsWithoutEnd("", address);
}

absl::Status Connections::CheckUnheard(Connection* connection, uint64_t opened, Instant now) {
  const uint64_t accounted = connection->use->calls() + connection->unheard_calls;
  if (opened <= accounted) return absl::OkStatus();
  connection->unheard_calls += opened - accounted;
  const std::string& account = connection->account->name;
  if (unheard_calls_.Add(account, opened - accounted, now)) return absl::OkStatus();
  return absl::AbortedError(
      absl::StrCat("account ", account, ", from ", connection->client->address.text(),
                   ", opens calls without end that are reset before they are heard; its new "
                   "connections count as unknown for a minute"));
}

uint64_t& Connections::OpenCallsOfHolder(const Connection& connection) {
  return connection.account ? open_of_account_[connection.account->name]
                            : open_of_address_[connection.client->address.Counted()];
}

void Connections::SetOpenCalls(Connection* connection, uint64_t calls) {
  if (connection->open_calls == calls) return;
  const uint64_t more = calls - connection->open_calls;  // modulo 2^64, like the sums
  connection->open_calls = calls;
  uint64_t& of_holder = OpenCallsOfHolder(*connection);
  of_holder += more;
  if (!connection->account) open_of_unknown_ += more;
  if (of_holder > 0) return;
  if (connection->account) {
    open_of_account_.erase(connection->account->name);
  } else {
    open_of_address_.erase(connection->client->address.Counted());
  }
}

void Connections::Cut(Id id) {
  const int fd = connections_.at(id).duplicate.fd();
  // Disconnecting also drops unread input, which would cost the transport time.
  sockaddr nobody{};
  nobody.sa_family = AF_UNSPEC;
  if (connect(fd, &nobody, sizeof(nobody)) != 0) shutdown(fd, SHUT_RDWR);
  Remove(id);
}

void Connections::Remove(Id id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  Connection& connection = found->second;
  SetOpenCalls(&connection, 0);
  if (connection.watched >= 0) {
    const ReceiveLimit* limit = unused_bytes_.get();
    if (!connection.client) limit = local_bytes_.get();
    ForgetReceived(connection.watched, id, limit);
    unused_bytes_->Remove(id);
    local_bytes_->Remove(id);
  }
  if (connection.client) {
    const IpAddress counted = connection.client->address.Counted();
    if (connection.unknown) ForgetUnknown(id, counted);
    const auto count = count_.find(counted);
    if (--count->second == 0) count_.erase(count);
  }
  if (connection.transport) {
    const auto by_transport = by_transport_.find(*connection.transport);
    // A later connection may come from the same endpoint.
    if (by_transport != by_transport_.end() && by_transport->second == id) {
      by_transport_.erase(by_transport);
    }
  }
  if (connection.account) ForgetAccount(connection.account->name);
  connections_.erase(found);
}

void Connections::ForgetAccount(const std::string& name) {
  const auto count = of_account_.find(name);
  if (--count->second == 0) of_account_.erase(count);
}

void Connections::ForgetUnknown(Id id, const IpAddress& counted) {
  const auto unknown = unknown_.find(counted);
  unknown->second.erase(id);
  if (unknown->second.empty()) unknown_.erase(unknown);
  --unknown_count_;
}

}  // namespace referee::service
