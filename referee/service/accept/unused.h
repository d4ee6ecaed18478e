// Limits the unused bytes of open connections (LIMITS.md).
//
// There are limits for a connection, for an account or an address, for all connections without a
// known token, and in all. The read that exceeds a limit ends its connection. Pure except for a
// lock: the reader reports what came, and the caller passes the time in.
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

// A connection that is cut off, and the reason.
struct Offender {
  uint64_t connection = 0;
  absl::Status reason;
  std::string account;  // empty: the connection is unknown
};

// Thread-safe.
class UnusedBytes final : public ReceiveLimit {
 public:
  // `all` is the limit for all connections together.
  explicit UnusedBytes(uint64_t all) : all_(all) {}

  // Adds a connection that the transport sees at `transport` and that belongs to `client`. `use`
  // counts the use that the service makes of it.
  void Add(uint64_t connection, const Endpoint& transport, const IpAddress& client,
           std::shared_ptr<const Use> use, Instant now);
  // Charges the connection's unused bytes to an account from now on, and no longer to its address.
  void Recognise(uint64_t connection, absl::string_view account);
  void Remove(uint64_t connection);

  // Whether a new connection from `address` is refused; see Waste.
  bool Refuses(const IpAddress& address, bool accounts_known, Instant now);
  // Whether a connection that brings the account's token stays unknown.
  bool Distrusts(absl::string_view account, Instant now) const;

  // Sets the current time.
  void SetTime(Instant now);
  // Returns the connections that were cut off since the last call. Nothing more is read from them;
  // their owner must close them.
  std::vector<Offender> TakeOffenders();
  bool has_offenders() const;

  // ReceiveLimit. A descriptor that now belongs to another connection is not limited.
  absl::optional<uint64_t> Raise(uint64_t connection, int descriptor,
                                 const Received& received) override;
  bool Refuse(uint64_t connection, int descriptor) override;
  // Punishes the account or address of a connection that was cut off elsewhere: an account is
  // distrusted, an address is refused.
  void Blame(uint64_t connection);
  // Does the work of Raise; `acknowledged` is the number of sent bytes that the client
  // acknowledged.
  absl::optional<uint64_t> Receive(uint64_t connection, const Received& received,
                                   uint64_t acknowledged);
  // Notes how many calls are open on a connection according to the transport. All other unseen
  // calls have ended.
  void NoteOpenCalls(uint64_t connection, uint64_t open);

  // The unused bytes of all connections, as last measured.
  uint64_t all() const;

 private:
  struct Connection {
    Endpoint transport;
    IpAddress client;
    std::shared_ptr<const Use> use;
    Instant since;
    std::string account;        // empty: unknown, so its address is charged
    Received received;          // at the last measurement
    uint64_t acknowledged = 0;  // at that time
    uint64_t ended_calls = 0;   // calls that ended unseen
    uint64_t answered = 0;      // of received.asks
    uint64_t answer_bytes = 0;  // acknowledged bytes that no answer has consumed
    uint64_t lost_credit = 0;   // surplus credit, which cannot be saved up
    uint64_t unused = 0;
    uint64_t held = 0;     // unused bytes, plus the cost of unseen calls
    uint64_t charged = 0;  // to its account or address: the maximum of `unused`
    int descriptor = -1;   // from which it was last read
    bool cut = false;
  };
  using ById = std::map<uint64_t, Connection>;
  // Held bytes by account, or by address for an unknown connection.
  using Holders = absl::flat_hash_map<std::string, uint64_t>;

  static std::string HolderOf(const Connection& connection);
  static uint64_t UnheardOf(const Connection& connection);
  static uint64_t OwedTo(const Connection& connection);
  // Marks answers as sent, according to the acknowledged bytes.
  static void SettleAnswers(Connection* connection, uint64_t acknowledged);
  uint64_t CreditOf(const Connection& connection) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetHeld(Connection* connection, uint64_t held) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Measure(Connection* connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Measures all connections. Otherwise a connection is measured only when it receives more.
  void MeasureAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasTooMuch(const Connection& account) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Return the reason if the connection must be cut off.
  absl::Status Charge(Connection* connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Check(Connection* connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool StrangersHaveTooMuch() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Cut off connections until the limits hold again: of all connections without a token, and of all
  // together. `reader` is the connection that has just received bytes.
  void MakeRoom(uint64_t reader) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void MakeRoomAmongStrangers(uint64_t reader) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Cuts off a connection that holds much of a common limit.
  void CutHolder(ById::value_type* victim) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Punish(const Connection& offender) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Cut(uint64_t id, Connection* connection, absl::Status reason)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const uint64_t all_;
  mutable Mutex mutex_;
  ById connections_ ABSL_GUARDED_BY(mutex_);
  Holders holders_ ABSL_GUARDED_BY(mutex_);
  uint64_t total_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t of_strangers_ ABSL_GUARDED_BY(mutex_) = 0;  // of total_, the part of unknown connections
  Waste waste_ ABSL_GUARDED_BY(mutex_);                // of unknown connections
  AccountBudgets waste_of_accounts_ ABSL_GUARDED_BY(mutex_){limits::kUnusedOfAccount};
  std::vector<Offender> offenders_ ABSL_GUARDED_BY(mutex_);
  Instant now_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_UNUSED_H_
