// The open connections of a server: decides which to admit and which to cut off.
//
// LIMITS.md has the limits and their effect on an attacker. A connection is unknown until a call on
// it has brought a valid token. Known connections are never closed to make room. Unknown ones are:
// the oldest of the address that has most of them goes first. A connection with too many unused
// bytes is cut off (unused.h, waste.h).
//
// The transport owns the connections. This class holds a duplicate of each descriptor. It serves to
// cut the connection off, and to let the caller of Leave learn that it has closed. So a connection
// costs two descriptors.
#ifndef REFEREE_SERVICE_ACCEPT_CONNECTIONS_H_
#define REFEREE_SERVICE_ACCEPT_CONNECTIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/endpoint.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/replay/files.h"
#include "referee/service/accept/local_bytes.h"
#include "referee/service/accept/unused.h"
#include "referee/service/accept/waste.h"
#include "referee/service/access/authenticator.h"

namespace referee::service {

// The maximum numbers of connections.
struct ConnectionLimits {
  size_t all = 0;
  size_t per_address = 0;  // as counted by IpAddress::Counted
  size_t unknown = 0;
  size_t per_account = limits::kMaxConnectionsPerAccount;  // any more count as unknown
  uint64_t unused_bytes = limits::kMemoryLimit / 2 / limits::kTransportToUnused;  // of all together
};

// The process's limit on file descriptors.
size_t DescriptorLimit();

// Computes limits for a process with `descriptors`. `all` and `per_address` are the configured
// values. 0 means as many as fit, at most limits::kMaxConnections, and a share of all. Returns
// FailedPrecondition if the configured numbers do not fit.
absl::StatusOr<ConnectionLimits> LimitConnections(size_t all, size_t per_address,
                                                  size_t descriptors);

// Thread-safe.
class Connections {
 public:
  using Id = uint64_t;

  // Returns the calls on the transport's connection from `transport`, or nullopt if it has none.
  // CutOffenders calls it without a lock.
  using Opened = std::function<absl::optional<CallCounts>(const Endpoint& transport)>;
  // Whether the bot of this name plays a match that has begun. Called with a lock held.
  using Plays = std::function<bool(const std::string& account)>;

  // `proxies` must send the PROXY protocol. `authenticator` decides who is shut out and must
  // outlive this; null: no client is. A null `opened` disables the limits on calls. A null `plays`
  // means that no bot plays.
  Connections(const ConnectionLimits& limits, std::vector<IpRange> proxies,
              const Authenticator* authenticator = nullptr, Opened opened = nullptr,
              Plays plays = nullptr)
      : limits_(limits),
        proxies_(std::move(proxies)),
        authenticator_(authenticator),
        opened_(std::move(opened)),
        plays_(std::move(plays)),
        unused_bytes_(std::make_shared<UnusedBytes>(limits.unused_bytes)) {}

  // Whether connections from `address` must begin with a PROXY header.
  bool IsProxy(const IpAddress& address) const { return Contain(proxies_, address); }

  // Adds connection `id` of `client`, which the transport sees as coming from `transport`. Both are
  // unset for unix sockets, which count in all but are never unknown: the socket file's permissions
  // control access. Takes `duplicate`. May cut off other connections. Returns PermissionDenied if
  // the address is banned, and ResourceExhausted if there is no room or the address is refused.
  absl::Status Enter(Id id, absl::optional<Endpoint> transport, absl::optional<Endpoint> client,
                     replay::File duplicate, Instant now);
  // Counts what is read from `descriptor`, the transport's, as received on the connection `id`.
  // Returns false if the descriptor cannot be watched.
  bool Watch(Id id, int descriptor);
  // Declares a connection from `transport` as the server's own. Unset: clears the declaration.
  void ExpectOwn(absl::optional<Endpoint> transport);
  bool IsOwn(const Endpoint& transport) const;
  // Adds the server's own connection, without any limit.
  void EnterOwn(Id id, absl::optional<Endpoint> transport, replay::File duplicate);
  // Removes a closed connection. Does nothing if it was cut off or never entered.
  void Leave(Id id);

  // Notes that a call on the connection of `peer` (as gRPC writes it) has brought the token of
  // account `name`. The connection becomes known, unless the account has too many connections or is
  // distrusted (waste.h).
  void Recognise(absl::string_view peer, absl::string_view name, const TokenHash& token);

  // Notes that a call on the connection of `peer` has shown the secret of the fleet. The connection
  // of this other referee becomes known, and its bytes and calls are no longer limited.
  void Trust(absl::string_view peer);

  // Returns the client on gRPC's connection from `peer`, in gRPC's notation. Returns "gone" for a
  // closed connection of a proxy, which must not count as a local client.
  std::string ClientOf(absl::string_view peer) const;

  // Returns where the service counts the use of the connection of `peer`. Never null.
  std::shared_ptr<Use> UseOf(absl::string_view peer) const;
  // Checks `count` connections, in turn, and returns those that it cuts off or closes, with the
  // reason:
  // - PermissionDenied or Unauthenticated: shut out for limits::kShutOutGrace, and not playing;
  // - Aborted: the account opens too many calls that the service does not see;
  // - ResourceExhausted: the account or address has too many open calls, or brought too many unused
  //   bytes, in which case reading has already stopped.
  //
  // Call it on one thread at a time.
  std::vector<Offender> CutOffenders(size_t count, Instant now);
  // Whether CutOffenders has work: a connection, or an offender that has already closed.
  bool has_to_look() const;

  size_t size() const;
  // The number of unknown connections.
  size_t unknown() const;

 private:
  // The account whose token came last on a connection.
  struct Account {
    std::string name;
    TokenHash token;
  };
  struct Connection {
    absl::optional<Endpoint> transport;
    absl::optional<Endpoint> client;
    replay::File duplicate;
    bool unknown = false;
    bool trusted = false;                        // another referee's
    absl::optional<Account> account;             // of a known connection
    Instant cut_at = Instant::InfiniteFuture();  // end of the grace period after being shut out
    std::shared_ptr<Use> use = std::make_shared<Use>();
    int watched = -1;            // the transport's descriptor
    uint64_t asked_at = 0;       // bytes received when the transport was last asked
    uint64_t unheard_calls = 0;  // calls that were charged
    uint64_t open_calls = 0;     // when the transport was last asked
  };
  using ById = std::map<Id, Connection>;

  void Add(Id id, Connection connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Cut off the oldest unknown connection of an address, or of the address that would have most
  // with `newcomer` counted in. Return false if there is none.
  bool CutOldestUnknownOf(const IpAddress& counted) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool CutOldestUnknown(const absl::optional<IpAddress>& newcomer)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsRefused(const IpAddress& counted, Instant now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns the reason if a connection is shut out and its grace period is over.
  absl::Status CheckHolder(Connection* connection, Instant now) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether enough bytes have come to ask the transport for the number of calls.
  bool IsToBeAsked(Connection* connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns the reason if the connection's calls exceed a limit.
  absl::Status CheckCalls(Connection* connection, const CallCounts& calls, Instant now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CheckUnheard(Connection* connection, uint64_t opened, Instant now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The open calls on all connections of the connection's account, or of its address if it is
  // unknown. REQUIRES: it has a client.
  uint64_t& OpenCallsOfHolder(const Connection& connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetOpenCalls(Connection* connection, uint64_t calls) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Cut(Id id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Remove(Id id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ForgetAccount(const std::string& name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ForgetUnknown(Id id, const IpAddress& counted) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const ConnectionLimits limits_;
  const std::vector<IpRange> proxies_;
  const Authenticator* const authenticator_;
  const Opened opened_;
  const Plays plays_;
  const std::shared_ptr<UnusedBytes> unused_bytes_;  // shared: a concurrent read may use it
  const std::shared_ptr<LocalBytes> local_bytes_ = std::make_shared<LocalBytes>();  // likewise

  mutable Mutex mutex_;
  ById connections_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<Endpoint, Id> by_transport_ ABSL_GUARDED_BY(mutex_);
  // By counted address: the number of connections, and the unknown ones.
  absl::flat_hash_map<IpAddress, size_t> count_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<IpAddress, std::set<Id>> unknown_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, size_t> of_account_ ABSL_GUARDED_BY(mutex_);
  // Open calls: by account, by counted address on unknown connections, and in all on unknown ones.
  absl::flat_hash_map<std::string, uint64_t> open_of_account_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<IpAddress, uint64_t> open_of_address_ ABSL_GUARDED_BY(mutex_);
  uint64_t open_of_unknown_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::optional<Endpoint> own_ ABSL_GUARDED_BY(mutex_);
  AccountBudgets unheard_calls_ ABSL_GUARDED_BY(mutex_){limits::kUnheardCalls};
  Instant last_look_ ABSL_GUARDED_BY(mutex_);
  Id next_look_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t unknown_count_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_CONNECTIONS_H_
