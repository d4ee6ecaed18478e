// Authorisation: which role may call which RPC at what cost, and the check that begins every
// handler.
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
  kBot,             // a bot's token, in Hello; the stream checks it
  kReader,          // no token; or any token, if readers need one
  kOrganiser,       // an organiser's token
  kOrganiserOrBot,  // an organiser's token, or a bot's for itself (the handler checks)
};

struct AccessRule {
  absl::string_view method;  // full name, such as "referee.v1.MatchService.CreateMatch"
  Need need;
  // The charge to the caller's rate, in units of the cheapest call, some ten microseconds.
  int cost;
  CallAdmission::Kind kind = CallAdmission::Kind::kCall;
  // For calls that a bot may make for itself: whether they change its account or its entries.
  CallAdmission::Effect effect = CallAdmission::Effect::kNone;
};

// The table of all methods.
absl::Span<const AccessRule> AccessRules();

// Who may read matches, replays and competitions.
enum class Readers {
  kEverybody,
  kObservers,  // holders of a token: observers, bots, organisers
};

// Call metadata that restricts the call to what an observer sees. For clients that show the results
// to others.
inline constexpr char kReadAs[] = "referee-read-as";
inline constexpr char kReadAsObserver[] = "observer";

// The authenticated caller of an RPC.
struct Caller {
  // The caller's name in the audit log. Empty for a reader without a valid token.
  std::string name;
  Role role = Role::kObserver;
  absl::optional<TokenHash> hash;  // of the token, if it is known
  // Treats the caller as an observer, whatever its role.
  bool reads_for_observers = false;
  std::string address;  // see ClientAddress
  uint32_t max_page_size = limits::kMaxPageSize;
  // Hold it as long as anything is stored for the call.
  std::shared_ptr<CallAdmission::Ticket> ticket;
};

// The number of entries on a page of a list. `asked` is the page_size of a request; 0 means the
// default. The result is at most `most`.
inline int PageSize(uint32_t asked, uint32_t most = limits::kMaxPageSize) {
  return static_cast<int>(std::min<uint32_t>(asked == 0 ? limits::kDefaultPageSize : asked, most));
}

// The name in the audit log for changes made directly in the data directory.
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
    log::SparseLog* log = nullptr;  // takes events of refused callers and failed calls; may be null
    // Called on any thread when an account exceeds its rate. May be null.
    std::function<void(const std::string& account)> refused = {};
  };
  explicit Access(const Options& options) : options_(options) {}

  // Authenticates and charges a call, then calls `then` with the caller or an error.
  //
  // The caller is identified by the metadata "authorization: Bearer <token>". The call is charged
  // to the account of a valid token, otherwise to the address. Errors:
  // - PermissionDenied: the address or account is banned, or the role is not allowed to call
  //   `method`;
  // - ResourceExhausted: the payer has called too much;
  // - Unauthenticated: there is no token, or an unknown one; the message says which is needed;
  // - InvalidArgument: a bad kReadAs;
  // - the error of refreshing the authenticator.
  //
  // If the token suffices, calls `then` at once. Otherwise it usually runs on another thread,
  // perhaps after the call was cancelled. By then this object and `context` are no longer used.
  using Then = std::function<void(const absl::StatusOr<Caller>&)>;
  void Check(absl::string_view method, const grpc::ServerContextBase& context, Then then) const;
  // Like the above, for a method that is not in the table.
  void Check(const AccessRule& rule, const grpc::ServerContextBase& context, Then then) const;
  // Notes the size of a call's request. Otherwise a request larger than limits::kBytesOfCall counts
  // in part as unused bytes.
  void NoteRequest(const grpc::ServerContextBase& context, size_t bytes) const;
  // Logs the end of a call if it is a fault of the referee or its machine. `caller` may be empty.
  void NoteEnd(absl::string_view method, absl::string_view caller, const absl::Status& end) const;

 private:
  const Options options_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_ACCESS_H_
