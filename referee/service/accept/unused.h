// The unused bytes of open connections (LIMITS.md): bounded for a connection, for an account
// or an address, for all connections without a known token, and in all. The read that exceeds a
// bound ends its connection. Pure but for a lock: the reader reports what came, and passes the time
// in.
#ifndef REFEREE_SERVICE_ACCEPT_UNUSED_H_
#define REFEREE_SERVICE_ACCEPT_UNUSED_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/endpoint.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/service/accept/received.h"
#include "referee/service/accept/waste.h"

namespace referee::service {

// A connection that is cut off, and why.
struct Offender {
  uint64_t connection = 0;
  absl::Status reason;
  std::string account;  // empty: none is known on it
};

// Thread-safe.
class UnusedBytes final : public ReceiveLimit {
 public:
  // All connections together may have so many.
  explicit UnusedBytes(uint64_t all) : all_(all) {}

  // Takes in a connection: where the transport sees it coming from, whose it is, and what use the
  // service makes of it.
  void Add(uint64_t connection, const Endpoint& transport, const IpAddress& client,
           std::shared_ptr<const Use> use, Instant now);
  // From now on its unused bytes are those of an account, and not of its address any more.
  void Recognise(uint64_t connection, absl::string_view account);
  void Remove(uint64_t connection);

  // Whether a new connection from there is refused; see Waste.
  bool Refuses(const IpAddress& address, bool accounts_known, Instant now);
  // Whether a connection on which the account comes is to stay unknown.
  bool Distrusts(absl::string_view account, Instant now) const;

  // Notes the time, which goes on only so.
  void SetTime(Instant now);
  // Those that were cut off since the last call: nothing more is read from them, and whoever owns
  // them is to close them.
  std::vector<Offender> TakeOffenders();
  bool has_offenders() const;

  // ReceiveLimit. A descriptor that is another connection's by now may receive what it likes.
  absl::optional<uint64_t> Raise(uint64_t connection, int descriptor,
                                 const Received& received) override;
  bool Refuse(uint64_t connection, int descriptor) override;
  // A connection was cut off for what its account or address did: either is distrusted, or refused,
  // for it as for too many unused bytes.
  void Blame(uint64_t connection);
  // What Raise does where `acknowledged` bytes of what was sent to the connection have arrived.
  absl::optional<uint64_t> Receive(uint64_t connection, const Received& received,
                                   uint64_t acknowledged);
  // Only so many calls are open on a connection, as the transport says: any others have ended,
  // though nobody heard of them.
  void NoteOpenCalls(uint64_t connection, uint64_t open);

  // Of all connections, as far as it is known.
  uint64_t all() const;

 private:
  struct Connection {
    Endpoint transport;
    IpAddress client;
    std::shared_ptr<const Use> use;
    Instant since;
    std::string account;        // empty: it is unknown, and its address answers for it
    Received received;          // when it was last measured
    uint64_t acknowledged = 0;  // then
    uint64_t ended_calls = 0;   // of which nobody heard
    uint64_t answered = 0;      // of received.asks
    uint64_t answer_bytes = 0;  // acknowledged, that no answer has used up
    uint64_t lost_credit = 0;   // that it had when all was used: it is not saved up
    uint64_t unused = 0;
    uint64_t held = 0;     // these, and what calls take of which nobody has heard
    uint64_t charged = 0;  // to its account or address: the most that was unused
    int descriptor = -1;   // from which it was last read
    bool cut = false;
  };
  using ById = std::map<uint64_t, Connection>;
  // What is held, by the account; of an unknown connection by the address.
  using Holders = absl::flat_hash_map<std::string, uint64_t>;

  static std::string HolderOf(const Connection& connection);
  static uint64_t UnheardOf(const Connection& connection);
  static uint64_t OwedTo(const Connection& connection);
  // Notes which answers have left the transport, now that so much has arrived.
  static void SettleAnswers(Connection* connection, uint64_t acknowledged);
  uint64_t CreditOf(const Connection& connection) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetHeld(Connection* connection, uint64_t held) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Measure(Connection* connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Measures all anew, as a connection is else measured only when it has received more.
  void MeasureAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasTooMuch(const Connection& account) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Return why a connection is to be cut off, if it is.
  absl::Status Charge(Connection* connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Check(Connection* connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool StrangersHaveTooMuch() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Cut off connections until nobody has more than they may: those without a token together, and
  // all together. `reader` is the one that brought more.
  void MakeRoom(uint64_t reader) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void MakeRoomAmongStrangers(uint64_t reader) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Cuts off one that has much of what all may have together.
  void CutHolder(ById::value_type* victim) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Punish(const Connection& offender) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Cut(uint64_t id, Connection* connection, absl::Status reason)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const uint64_t all_;
  mutable Mutex mutex_;
  ById connections_ ABSL_GUARDED_BY(mutex_);
  Holders holders_ ABSL_GUARDED_BY(mutex_);
  uint64_t total_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t of_strangers_ ABSL_GUARDED_BY(mutex_) = 0;  // of these, on unknown connections
  Waste waste_ ABSL_GUARDED_BY(mutex_);                // of unknown connections
  AccountBudgets waste_of_accounts_ ABSL_GUARDED_BY(mutex_){limits::kUnusedOfAccount};
  std::vector<Offender> offenders_ ABSL_GUARDED_BY(mutex_);
  Instant now_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_UNUSED_H_
