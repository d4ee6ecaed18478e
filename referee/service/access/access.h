// Authorisation: a table of who may call which RPC and what that costs, and the check that every
// handler begins with.
//
//   access.Check("referee.v1.MatchService.CancelMatch", *context,
//                [=](const absl::StatusOr<Caller>& caller) {
//                  if (!caller.ok()) return call->Finish(ToGrpc(caller.status()));
//                  ...
//                });
#ifndef REFEREE_SERVICE_ACCESS_ACCESS_H_
#define REFEREE_SERVICE_ACCESS_ACCESS_H_

#include <grpcpp/server_context.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/log/sparse_log.h"
#include "referee/service/accept/connections.h"
#include "referee/service/access/authenticator.h"
#include "referee/service/access/call_admission.h"

namespace referee::service {

enum class Need {
  kNothing,
  kBot,             // a bot's token, in Hello: the stream checks it
  kReader,          // nothing; or any token, if readers need one
  kOrganiser,       // an organiser's token
  kOrganiserOrBot,  // the same, or a bot's that acts for itself, which the handler checks
};

struct AccessRule {
  absl::string_view method;  // full name, such as "referee.v1.MatchService.CreateMatch"
  Need need;
  // What a call takes of its caller's rate, in units of the cheapest one, some ten microseconds.
  int cost;
  CallAdmission::Kind kind = CallAdmission::Kind::kCall;
  // Of what a bot may call by itself: whether that changes its account or its entries.
  CallAdmission::Effect effect = CallAdmission::Effect::kNone;
};

// The table.
absl::Span<const AccessRule> AccessRules();

// Who may read matches, replays and competitions.
enum class Readers {
  kEverybody,
  kObservers,  // those with a token: observers, bots, organisers
};

// The metadata, of which the value is "observer", by which a call asks to be told no more than an
// observer may be told: of who shows what it reads to others.
inline constexpr char kReadAs[] = "referee-read-as";
inline constexpr char kReadAsObserver[] = "observer";

// Who calls.
struct Caller {
  // As the audit log names the caller. Empty for a reader without a token that is known.
  std::string name;
  Role role = Role::kObserver;
  absl::optional<TokenHash> hash;  // of the token, if it is known
  // It reads for others: it is told what an observer may be told, whatever its role.
  bool reads_for_observers = false;
  std::string address;  // see ClientAddress
  uint32_t max_page_size = limits::kMaxPageSize;
  // Whoever keeps anything for the call holds this until then.
  std::shared_ptr<CallAdmission::Ticket> ticket;
};

// How many entries a page of a list has. `asked` is the page_size of a request: 0 for the default,
// and never more than `most`.
inline int PageSize(uint32_t asked, uint32_t most = limits::kMaxPageSize) {
  return static_cast<int>(std::min<uint32_t>(asked == 0 ? limits::kDefaultPageSize : asked, most));
}

// In the audit log, whoever has changed the store in the data directory itself.
inline constexpr char kLocalCaller[] = "local";

// Thread-safe.
class Access {
 public:
  struct Options {
    // All must outlive this.
    Authenticator* authenticator = nullptr;
    Connections* connections = nullptr;
    CallAdmission* admission = nullptr;
    const Clock* clock = nullptr;
    Readers readers = Readers::kEverybody;
    uint32_t page_size_without_token = limits::kMaxPageSizeWithoutToken;
    log::SparseLog* log =
        nullptr;  // is told of whom it refuses, and of calls that fail; may be null
    // Called when an account calls more than its rate, on any thread. May be null.
    std::function<void(const std::string& account)> refused = {};
  };
  explicit Access(const Options& options) : options_(options) {}

  // Refuses banned addresses and accounts with PermissionDenied. Charges the call to its caller:
  // the account, if it brings a token that is known, else the address; and calls `then` with
  // ResourceExhausted if that has called too much.
  //
  // Identifies the caller by the metadata "authorization: Bearer <token>" and checks that they may
  // call `method`. Calls `then` with the caller; with Unauthenticated when there is no token or an
  // unknown one, or PermissionDenied when its role does not suffice, both of which say what would;
  // or with the error of refreshing the authenticator; with InvalidArgument for a bad kReadAs. If
  // the token suffices `then` is called at once; else usually on another thread, perhaps after the
  // call was cancelled. Neither this nor `context` is used by then.
  using Then = std::function<void(const absl::StatusOr<Caller>&)>;
  void Check(absl::string_view method, const grpc::ServerContextBase& context, Then then) const;
  // The same, for a method that is not in the table.
  void Check(const AccessRule& rule, const grpc::ServerContextBase& context, Then then) const;
  // Notes how large the request of a call is. Without it one of more than limits::kBytesOfCall
  // counts as unused in part.
  void NoteRequest(const grpc::ServerContextBase& context, size_t bytes) const;
  // Tells the log if this end of a call is a fault of the referee or its machine. `caller` may be
  // empty.
  void NoteEnd(absl::string_view method, absl::string_view caller, const absl::Status& end) const;

 private:
  const Options options_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_ACCESS_H_
