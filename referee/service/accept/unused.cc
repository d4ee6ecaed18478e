#include "referee/service/accept/unused.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

absl::Status SendsUnused(absl::string_view account, absl::string_view address, uint64_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(WhoIsThere(account, address), " has sent more than ", limit >> 20,
                   " MiB that brought neither a call nor a message, such as calls that do not end, "
                   "halves of messages, messages that are too large, headers without an end, or "
                   "pings whose answers it does not read"));
}

bool Comes(int descriptor, const Endpoint& from) {
  sockaddr_storage peer{};
  socklen_t size = sizeof(peer);
  if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return false;
  return Endpoint::FromSockaddr(peer) == from;
}

// The sent bytes that the peer has acknowledged, as TCP counts them.
uint64_t Acknowledged(int descriptor) {
  tcp_info info{};
  socklen_t size = sizeof(info);
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  return info.tcpi_bytes_acked;
}

}  // namespace

void UnusedBytes::Add(uint64_t connection, const Endpoint& transport, const IpAddress& client,
                      std::shared_ptr<const Use> use, Instant now) {
  MutexLock lock(&mutex_);
  now_ = now;
  Connection added;
  added.transport = transport;
  added.client = client;
  added.use = std::move(use);
  added.since = now;
  connections_.emplace(connection, std::move(added));
}

void UnusedBytes::Recognise(uint64_t connection, absl::string_view account) {
  MutexLock lock(&mutex_);
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return;
  Connection& recognised = found->second;
  if (recognised.account.empty()) {
    waste_.Return(recognised.client.Counted(), recognised.charged);
    recognised.charged = 0;
  }
  SetHeld(&recognised, 0);
  recognised.account = std::string(account);
  if (!recognised.cut) Measure(&recognised);
}

void UnusedBytes::Remove(uint64_t connection) {
  MutexLock lock(&mutex_);
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return;
  SetHeld(&found->second, 0);
  connections_.erase(found);
}

bool UnusedBytes::Refuses(const IpAddress& address, bool accounts_known, Instant now) {
  MutexLock lock(&mutex_);
  return waste_.Refuses(address, accounts_known, now);
}

bool UnusedBytes::Distrusts(absl::string_view account, Instant now) const {
  MutexLock lock(&mutex_);
  return waste_of_accounts_.Distrusts(account, now);
}

void UnusedBytes::SetTime(Instant now) {
  MutexLock lock(&mutex_);
  now_ = now;
}

bool UnusedBytes::has_offenders() const {
  MutexLock lock(&mutex_);
  return !offenders_.empty();
}

std::vector<Offender> UnusedBytes::TakeOffenders() {
  MutexLock lock(&mutex_);
  return std::exchange(offenders_, {});
}

absl::optional<uint64_t> UnusedBytes::Raise(uint64_t connection, int descriptor,
                                            const Received& received) {
  constexpr uint64_t kWhatItLikes = std::numeric_limits<uint64_t>::max();
  {
    MutexLock lock(&mutex_);
    const auto found = connections_.find(connection);
    // The transport may have closed the connection, and another one may have its descriptor.
    const bool same = found != connections_.end() && Comes(descriptor, found->second.transport);
    if (!same) return kWhatItLikes;
    found->second.descriptor = descriptor;
  }
  return Receive(connection, received, Acknowledged(descriptor));
}

absl::optional<uint64_t> UnusedBytes::Receive(uint64_t connection, const Received& received,
                                              uint64_t acknowledged) {
  MutexLock lock(&mutex_);
  const auto found = connections_.find(connection);
  if (found == connections_.end() || found->second.cut) return absl::nullopt;
  Connection& reader = found->second;
  SettleAnswers(&reader, acknowledged);
  reader.received = received;
  const uint64_t credit = CreditOf(reader) - reader.lost_credit;
  if (credit > received.bytes) reader.lost_credit += credit - received.bytes;
  Measure(&reader);
  absl::Status good = Charge(&reader);
  if (good.ok()) good = Check(&reader);
  if (!good.ok()) Cut(connection, &reader, std::move(good));
  MakeRoom(connection);
  if (reader.cut) return absl::nullopt;
  return received.bytes + limits::kBytesBetweenMeasures;
}

void UnusedBytes::NoteOpenCalls(uint64_t connection, uint64_t open) {
  MutexLock lock(&mutex_);
  const auto found = connections_.find(connection);
  if (found == connections_.end() || found->second.cut) return;
  const uint64_t unheard = UnheardOf(found->second);
  found->second.ended_calls += unheard - std::min(unheard, open);
  Measure(&found->second);
}

void UnusedBytes::Blame(uint64_t connection) {
  MutexLock lock(&mutex_);
  const auto found = connections_.find(connection);
  if (found != connections_.end()) Punish(found->second);
}

bool UnusedBytes::Refuse(uint64_t connection, int descriptor) {
  MutexLock lock(&mutex_);
  const auto found = connections_.find(connection);
  // The descriptor may already belong to another connection, as in Raise.
  if (found == connections_.end() || !Comes(descriptor, found->second.transport)) return false;
  Connection& offender = found->second;
  if (offender.cut) return true;
  const std::string address = offender.client.text();
  Punish(offender);
  Cut(connection, &offender,
      absl::ResourceExhaustedError(
          absl::StrCat(WhoIsThere(offender.account, address), " sends headers without an end")));
  return true;
}

uint64_t UnusedBytes::all() const {
  MutexLock lock(&mutex_);
  return total_;
}

std::string UnusedBytes::HolderOf(const Connection& connection) {
  // Account names contain no spaces.
  return connection.account.empty() ? "address " + connection.client.Counted().text()
                                    : connection.account;
}

// The open calls that the service has not seen.
uint64_t UnusedBytes::UnheardOf(const Connection& connection) {
  const uint64_t known = connection.use->calls() + connection.ended_calls;
  return connection.received.calls - std::min(connection.received.calls, known);
}

// The cost of the answers that the transport still holds.
uint64_t UnusedBytes::OwedTo(const Connection& connection) {
  const uint64_t owed = connection.received.asks - connection.answered;
  return limits::kBytesOfOwedAnswer * (owed - std::min(owed, limits::kFreeOwedAnswers));
}

void UnusedBytes::SettleAnswers(Connection* connection, uint64_t acknowledged) {
  connection->answer_bytes += acknowledged - std::min(acknowledged, connection->acknowledged);
  connection->acknowledged = acknowledged;
  const uint64_t owed = connection->received.asks - connection->answered;
  const uint64_t left = connection->answer_bytes / limits::kAcknowledgedPerAnswer;
  connection->answered += std::min(owed, left);
  // Bytes that carried no answer are not saved up for later answers.
  connection->answer_bytes =
      left < owed ? connection->answer_bytes % limits::kAcknowledgedPerAnswer : 0;
}

// The number of received bytes that do not count as unused.
uint64_t UnusedBytes::CreditOf(const Connection& connection) const {
  const absl::Duration open = std::max(now_ - connection.since, absl::ZeroDuration());
  return connection.use->bytes() + connection.acknowledged / limits::kBytesPerAcknowledgedByte +
         limits::kBytesOfSecond * static_cast<uint64_t>(absl::ToInt64Seconds(open));
}

void UnusedBytes::SetHeld(Connection* connection, uint64_t held) {
  if (connection->held == held) return;
  const auto holder = holders_.try_emplace(HolderOf(*connection), 0).first;
  holder->second += held - connection->held;  // modulo 2^64, like the next sums
  total_ += held - connection->held;
  if (connection->account.empty()) of_strangers_ += held - connection->held;
  connection->held = held;
  if (holder->second == 0) holders_.erase(holder);
}

void UnusedBytes::Measure(Connection* connection) {
  const uint64_t credit = CreditOf(*connection) - connection->lost_credit;
  const uint64_t bytes = connection->received.bytes;
  const uint64_t calls = UnheardOf(*connection);
  connection->unused = bytes - std::min(bytes, credit) + OwedTo(*connection);
  SetHeld(connection,
          connection->unused +
              limits::kBytesOfUnheardCall * (calls - std::min(calls, limits::kFreeUnheardCalls)));
}

void UnusedBytes::MeasureAll() {
  for (auto& [id, connection] : connections_) {
    if (!connection.cut) Measure(&connection);
  }
}

bool UnusedBytes::HasTooMuch(const Connection& account) const {
  const auto holder = holders_.find(HolderOf(account));
  return holder != holders_.end() &&
         holder->second > static_cast<uint64_t>(limits::kUnusedOfAccount.burst);
}

absl::Status UnusedBytes::Charge(Connection* connection) {
  if (connection->unused <= connection->charged) return absl::OkStatus();
  const uint64_t more = connection->unused - std::exchange(connection->charged, connection->unused);
  if (connection->account.empty()) {
    const bool allowed = waste_.Add(connection->client.Counted(), more, now_);
    return allowed ? absl::OkStatus() : SendsWaste(connection->client.text());
  }
  const bool allowed = waste_of_accounts_.Add(connection->account, more, now_);
  return allowed ? absl::OkStatus()
                 : SendsUnused(connection->account, connection->client.text(),
                               limits::kUnusedOfAccount.burst);
}

absl::Status UnusedBytes::Check(Connection* connection) {
  if (connection->account.empty()) return absl::OkStatus();
  const std::string& account = connection->account;
  const std::string address = connection->client.text();
  if (connection->unused > limits::kMaxUnusedOfConnection) {
    return SendsUnused(account, address, limits::kMaxUnusedOfConnection);
  }
  if (!HasTooMuch(*connection)) return absl::OkStatus();
  MeasureAll();
  if (!HasTooMuch(*connection)) return absl::OkStatus();
  // The cut releases what the account holds, so reconnecting must have a cost.
  Punish(*connection);
  return SendsUnused(account, address, limits::kUnusedOfAccount.burst);
}

bool UnusedBytes::StrangersHaveTooMuch() const {
  return of_strangers_ > all_ / limits::kShareOfAddresses;
}

void UnusedBytes::MakeRoom(uint64_t reader) {
  if (total_ <= all_ && !StrangersHaveTooMuch()) return;
  MeasureAll();
  MakeRoomAmongStrangers(reader);
  while (total_ > all_) {
    const auto most =
        std::max_element(holders_.begin(), holders_.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const std::string holder = most->first;
    auto victim = connections_.end();
    for (auto it = connections_.begin(); it != connections_.end(); ++it) {
      if (it->second.held == 0 || HolderOf(it->second) != holder) continue;
      if (victim == connections_.end() || it->second.held > victim->second.held) victim = it;
    }
    CutHolder(&*victim);
  }
}

// Connections from any number of addresses are counted together. The reader goes first: the
// transport has not taken its bytes and frees its memory at once, while others may end slowly. A
// reader that holds little stays, so that a bot can reconnect.
void UnusedBytes::MakeRoomAmongStrangers(uint64_t reader) {
  if (!StrangersHaveTooMuch()) return;
  const auto reading = connections_.find(reader);
  const uint64_t little = limits::kFewUnheardCalls * limits::kBytesOfUnheardCall;
  if (reading->second.account.empty() && reading->second.held > little) CutHolder(&*reading);
  while (StrangersHaveTooMuch()) {
    const auto held_by_stranger = [](const ById::value_type& connection) {
      return connection.second.account.empty() ? connection.second.held : 0;
    };
    CutHolder(&*std::max_element(
        connections_.begin(), connections_.end(),
        [&](const auto& a, const auto& b) { return held_by_stranger(a) < held_by_stranger(b); }));
  }
}

void UnusedBytes::CutHolder(ById::value_type* victim) {
  Connection& connection = victim->second;
  Punish(connection);
  const uint64_t limit = connection.account.empty() ? all_ / limits::kShareOfAddresses : all_;
  Cut(victim->first, &connection,
      absl::ResourceExhaustedError(absl::StrCat(
          WhoIsThere(connection.account, connection.client.text()), " has sent most of the ",
          limit >> 20, " MiB that ",
          connection.account.empty() ? "all connections without a known token" : "all connections",
          " together may bring of calls that do not begin, halves of messages or headers without "
          "an end")));
}

// Distrusts the account, or refuses the address of an unknown connection. No honest client exceeds
// these limits.
void UnusedBytes::Punish(const Connection& offender) {
  if (offender.account.empty()) {
    waste_.Add(offender.client.Counted(), limits::kWaste.burst + 1, now_);
  } else {
    waste_of_accounts_.Add(offender.account, limits::kUnusedOfAccount.burst + 1, now_);
  }
}

void UnusedBytes::Cut(uint64_t id, Connection* connection, absl::Status reason) {
  connection->cut = true;
  // Shutting down the socket also ends a connection that is not being read, and frees its memory.
  const int descriptor = connection->descriptor;
  if (descriptor >= 0 && Comes(descriptor, connection->transport)) shutdown(descriptor, SHUT_RDWR);
  SetHeld(connection, 0);
  offenders_.push_back({id, std::move(reason), connection->account});
}

}  // namespace referee::service
