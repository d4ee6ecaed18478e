#include "referee/service/accept/local_bytes.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace referee::service {
namespace {

// Returns 0 if the system does not know the socket's cookie.
uint64_t CookieOf(int descriptor) {
  uint64_t cookie = 0;
  socklen_t size = sizeof(cookie);
  if (getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size) != 0) return 0;
  return cookie;
}

std::string PeerOf(int descriptor) {
  ucred process{};
  socklen_t size = sizeof(process);
  getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &process, &size);
  return absl::StrCat("process ", process.pid, " of user ", process.uid, ", at a Unix socket,");
}

// Whether the peer reads its answers: little unsent data waits in the socket.
bool ReadsAnswers(int descriptor) {
  int unread = 0;
  return ioctl(descriptor, SIOCOUTQ, &unread) == 0 && unread < limits::kMaxUnreadByReader;
}

uint64_t Minus(uint64_t from, uint64_t taken) { return from - std::min(from, taken); }

}  // namespace

void LocalBytes::Add(uint64_t connection, int descriptor, Instant now) {
  MutexLock lock(&mutex_);
  if (connections_.empty()) drained_at_ = now;
  now_ = now;
  Connection added;
  added.cookie = CookieOf(descriptor);
  added.descriptor = descriptor;
  added.peer = PeerOf(descriptor);
  connections_[connection] = std::move(added);
}

void LocalBytes::Remove(uint64_t connection) {
  MutexLock lock(&mutex_);
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return;
  level_ = Minus(level_, found->second.brought);
  connections_.erase(found);
}

void LocalBytes::SetTime(Instant now) {
  MutexLock lock(&mutex_);
  now_ = now;
}

bool LocalBytes::has_offenders() const {
  MutexLock lock(&mutex_);
  return !offenders_.empty();
}

std::vector<Offender> LocalBytes::TakeOffenders() {
  MutexLock lock(&mutex_);
  return std::exchange(offenders_, {});
}

absl::optional<uint64_t> LocalBytes::Raise(uint64_t connection, int descriptor,
                                           const Received& received) {
  MutexLock lock(&mutex_);
  const auto found = connections_.find(connection);
  // The descriptor may already belong to another connection, as in UnusedBytes::Raise.
  if (found == connections_.end() || CookieOf(descriptor) != found->second.cookie) {
    return std::numeric_limits<uint64_t>::max();
  }
  if (found->second.cut) return absl::nullopt;
  Drain();
  Charge(&found->second, received, ReadsAnswers(descriptor));
  if (level_ > static_cast<uint64_t>(limits::kUnusedOfAccount.burst)) {
    Cut(&*std::max_element(
            connections_.begin(), connections_.end(),
            [](const auto& a, const auto& b) { return a.second.brought < b.second.brought; }),
        "has sent most of what came there without bringing a call or a message, such as halves of "
        "messages, or pings whose answers it does not read");
  }
  if (found->second.cut) return absl::nullopt;
  return received.bytes + limits::kBytesBetweenMeasures;
}

bool LocalBytes::Refuse(uint64_t connection, int descriptor) {
  MutexLock lock(&mutex_);
  const auto found = connections_.find(connection);
  if (found == connections_.end() || CookieOf(descriptor) != found->second.cookie) return false;
  if (!found->second.cut) Cut(&*found, "sends headers without an end");
  return true;
}

void LocalBytes::Drain() {
  const absl::Duration since = std::max(now_ - drained_at_, absl::ZeroDuration());
  drained_at_ = std::max(now_, drained_at_);
  const uint64_t used = use_->bytes();
  const auto forgiven = static_cast<uint64_t>(
      static_cast<double>(limits::kUnusedOfAccount.per_second) * absl::ToDoubleSeconds(since));
  level_ = Minus(level_, used - used_ + forgiven);
  used_ = used;
  if (level_ > 0) return;
  for (auto& [id, connection] : connections_) connection.brought = 0;
}

void LocalBytes::Charge(Connection* connection, const Received& received, bool reads_answers) {
  const uint64_t asks = received.asks - connection->received.asks;
  const uint64_t owed_before = connection->owed;
  connection->owed = reads_answers ? asks : connection->owed + asks;
  const uint64_t answers = Minus(connection->owed, std::max(owed_before, limits::kFreeOwedAnswers));
  const uint64_t more =
      received.bytes - connection->received.bytes + limits::kBytesOfOwedAnswer * answers;
  connection->received = received;
  connection->brought += more;
  level_ += more;
}

void LocalBytes::Cut(ById::value_type* offender, const std::string& reason) {
  Connection& connection = offender->second;
  connection.cut = true;
  level_ = Minus(level_, connection.brought);
  connection.brought = 0;
  if (CookieOf(connection.descriptor) == connection.cookie) {
    shutdown(connection.descriptor, SHUT_RDWR);
  }
  offenders_.push_back({offender->first,
                        absl::ResourceExhaustedError(absl::StrCat(connection.peer, " ", reason)),
                        ""});
}

}  // namespace referee::service
