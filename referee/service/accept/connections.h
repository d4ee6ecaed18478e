// The open connections of a server: decides which are let in, and which are cut off. The limits,
// and what an attacker meets, are in LIMITS.md.
//
// A connection is unknown until a call on it has brought a token that somebody has. Known ones are
// never cut off to make room; of unknown ones the oldest goes first, of the address that has most.
// What comes on a connection is of use, or it is cut off: see unused.h and waste.h.
//
// The transport owns the connections. This holds a duplicate of each descriptor: with it a
// connection can be cut off, and it is how the caller of Leave learns that it has been closed. So a
// connection costs two descriptors.
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

// How many connections there may be.
struct ConnectionLimits {
  size_t all = 0;
  size_t per_address = 0;  // what IpAddress::Counted says is one
  size_t unknown = 0;
  size_t per_account = limits::kMaxConnectionsPerAccount;  // any more are unknown
  uint64_t unused_bytes = limits::kMemoryLimit / 2 / limits::kTransportToUnused;  // of all together
};

// The process's limit on file descriptors.
size_t DescriptorLimit();

// Limits for a process that may have `descriptors`. `all` and `per_address` are what was asked for;
// 0 stands for as many as fit, limits::kMaxConnections at most, and for a share of all. Returns
// FailedPrecondition when so many do not fit.
absl::StatusOr<ConnectionLimits> LimitConnections(size_t all, size_t per_address,
                                                  size_t descriptors);

// Thread-safe.
class Connections {
 public:
  using Id = uint64_t;

  // The calls on the connection that the transport has from there; not set if it has none. Called
  // by CutOffenders, without a lock.
  using Opened = std::function<absl::optional<CallCounts>(const Endpoint& transport)>;
  // Whether matches have begun with the bot of this name. Called with a lock held.
  using Plays = std::function<bool(const std::string& account)>;

  // `proxies` are those who say whom they speak for. `authenticator`, which must outlive this, says
  // who is shut out; null: nobody is. Without `opened` clients may open any calls; without `plays`
  // no bot plays.
  Connections(const ConnectionLimits& limits, std::vector<IpRange> proxies,
              const Authenticator* authenticator = nullptr, Opened opened = nullptr,
              Plays plays = nullptr)
      : limits_(limits),
        proxies_(std::move(proxies)),
        authenticator_(authenticator),
        opened_(std::move(opened)),
        plays_(std::move(plays)),
        unused_bytes_(std::make_shared<UnusedBytes>(limits.unused_bytes)) {}

  // Whether whoever connects from there has to say whom it speaks for.
  bool IsProxy(const IpAddress& address) const { return Contain(proxies_, address); }

  // Takes in a connection `id`, which the transport sees coming from `transport` and which is that
  // of `client`. Neither is set for unix sockets, which count among all connections and are never
  // unknown: whoever can open one is on this machine, and its file says who may. `duplicate` is
  // what this holds of it. May cut others off. Takes nothing, and returns PermissionDenied when the
  // address is banned, ResourceExhausted when there is no room, or the address is refused.
  absl::Status Enter(Id id, absl::optional<Endpoint> transport, absl::optional<Endpoint> client,
                     replay::File duplicate, Instant now);
  // From now on what is read from `descriptor`, the transport's, counts as received on a connection
  // that has entered. Returns false if it cannot be counted.
  bool Watch(Id id, int descriptor);
  // From now on a connection from there is the server's own; unless it is not set.
  void ExpectOwn(absl::optional<Endpoint> transport);
  bool IsOwn(const Endpoint& transport) const;
  // Takes in the server's own, without any limit.
  void EnterOwn(Id id, absl::optional<Endpoint> transport, replay::File duplicate);
  // It has been closed. Does nothing for one that was cut off, or did not enter.
  void Leave(Id id);

  // A call on the connection of `peer`, as gRPC writes it, has brought the token of account `name`.
  // Makes the connection known, unless that account has too many, or has opened too many calls of
  // which nobody heard.
  void Recognise(absl::string_view peer, absl::string_view name, const TokenHash& token);

  // A call on the connection of `peer` has shown the secret of the fleet: it is another referee's.
  // Makes the connection known, and bounds its bytes and calls no more.
  void Trust(absl::string_view peer);

  // The peer that speaks on the connection that gRPC has from `peer`, written in the same way. For
  // one of a proxy that is not open any more it is "gone": nobody, in particular nobody local.
  std::string ClientOf(absl::string_view peer) const;

  // Where the service says what use it has made of the connection of `peer`. Never null.
  std::shared_ptr<Use> UseOf(absl::string_view peer) const;
  // Looks at so many connections: at the others next time. Cuts off those that have been shut out
  // for limits::kShutOutGrace; those of accounts that open too many calls of which the service does
  // not hear; and those of accounts or addresses that have too many calls open. Closes those that
  // brought too many unused bytes, from which nothing is read any more. Returns why:
  // PermissionDenied or Unauthenticated; Aborted; ResourceExhausted. To be called by one thread at
  // a time.
  std::vector<Offender> CutOffenders(size_t count, Instant now);
  // Whether there is anything for CutOffenders: a connection, or an offender that has gone already.
  bool has_to_look() const;

  size_t size() const;
  // How many of them have not brought a token that is known.
  size_t unknown() const;

 private:
  // Whose a connection is: the last one whose token it brought.
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
    absl::optional<Account> account;             // of a known one
    Instant cut_at = Instant::InfiniteFuture();  // as it is shut out
    std::shared_ptr<Use> use = std::make_shared<Use>();
    int watched = -1;            // the transport's descriptor
    uint64_t asked_at = 0;       // bytes that had come when the transport was last asked
    uint64_t unheard_calls = 0;  // that were charged
    uint64_t open_calls = 0;     // when the transport was last asked
  };
  using ById = std::map<Id, Connection>;

  void Add(Id id, Connection connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Cut off the oldest unknown connection of an address, or of the one that would have most of them
  // with that of `newcomer`. Return false when there is none.
  bool CutOldestUnknownOf(const IpAddress& counted) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool CutOldestUnknown(const absl::optional<IpAddress>& newcomer)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsRefused(const IpAddress& counted, Instant now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns why a connection is to be cut off now, if it is, as it is shut out.
  absl::Status CheckHolder(Connection* connection, Instant now) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether the transport is to be asked how many calls were opened.
  bool IsToBeAsked(Connection* connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns why a connection is to be cut off, if it is, now that so many calls were opened on it.
  absl::Status CheckCalls(Connection* connection, const CallCounts& calls, Instant now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CheckUnheard(Connection* connection, uint64_t opened, Instant now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The calls that the connection's account has open on all its connections; of an unknown one the
  // address. REQUIRES: it has a client.
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
  const std::shared_ptr<UnusedBytes> unused_bytes_;  // shared: a read may be asking it
  const std::shared_ptr<LocalBytes> local_bytes_ = std::make_shared<LocalBytes>();  // as well

  mutable Mutex mutex_;
  ById connections_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<Endpoint, Id> by_transport_ ABSL_GUARDED_BY(mutex_);
  // By counted address: how many connections, and which of them are unknown.
  absl::flat_hash_map<IpAddress, size_t> count_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<IpAddress, std::set<Id>> unknown_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, size_t> of_account_ ABSL_GUARDED_BY(mutex_);
  // Calls that are open: by account; on unknown connections by counted address, and all of those.
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
