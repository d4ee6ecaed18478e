// The login of a bot's stream: admits its connection, reads its Hello, finds whose token it brings,
// and counts what the bot sends. It ends with the stream.
//
//   Login login(&environment);
//   absl::Status status = login.Enter(peer, link);
//   ...  // a message with a Hello has come
//   absl::StatusOr<Login::Guest> guest = login.Identify(hello, now);
//   status = login.Register(*guest, now, rechecked);
//   ...  // the stream is done
//   login.Leave();
//
// Needs no lock: the stream's reads, which come one at a time, make all calls before Leave but the
// const ones. Those of name() and LogGone come once Register has returned, or need no name.
#ifndef REFEREE_SERVICE_PLAY_LOGIN_H_
#define REFEREE_SERVICE_PLAY_LOGIN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/clock.h"
#include "referee/host/host.h"
#include "referee/host/link.h"
#include "referee/host/timers.h"
#include "referee/log/sparse_log.h"
#include "referee/service/accept/connections.h"
#include "referee/service/access/authenticator.h"
#include "referee/service/play/admission.h"
#include "referee/service/play/sessions.h"

namespace referee::service {

// What sessions have in common. All must outlive the transports, and this the sessions.
struct SessionEnvironment {
  const StreamLimits* limits = nullptr;
  Admission* admission = nullptr;
  Sessions* sessions = nullptr;
  Authenticator* authenticator = nullptr;
  host::Host* host = nullptr;
  const Clock* clock = nullptr;
  host::Timers* timers = nullptr;
  Connections* connections = nullptr;
  // Is told of bots that come, go and are refused. May be null.
  log::SparseLog* log = nullptr;
  // Called when the bot of this name has told another version, on any thread. May be null.
  std::function<void(const std::string& bot)> version_changed = {};
};

// Why a stream ends whose bot ended it, or was lost.
absl::Status BotGone();

class Login {
 public:
  // A bot whose token is known.
  struct Guest {
    Identity identity;
    TokenHash token;
    // Why its holder is shut out, but may play its matches to their ends; OK: it is not.
    absl::Status shut_out;
  };

  // `environment` must outlive this.
  explicit Login(const SessionEnvironment* environment) : environment_(*environment) {}

  // Lets the stream `link` from `peer`, as gRPC writes it, in; or returns why not.
  absl::Status Enter(absl::string_view peer, std::weak_ptr<host::Link> link);
  // Returns the error that ends the stream if `request` is too large, or one too many.
  absl::Status Admit(const v1::PlayRequest& request, Instant when);

  // Brings the authenticator up to date for a `request` that comes before the Hello was taken in:
  // refreshes it where it would refuse the token, and has it keep the version that the bot tells,
  // so that what begins from then on is the new version's. Then calls `then`, here or on another
  // thread, with OK or the error that ends the stream. `then` must keep this alive.
  void Prepare(const v1::PlayRequest& request, Instant when, Authenticator::Then then);

  // The first Hello in it; null if there is none.
  static const v1::Hello* HelloOf(const v1::PlayRequest& request);
  // Whether `request` brings a Hello whose token would be refused without a refresh of the
  // authenticator.
  bool WouldRefuseTokenOf(const v1::PlayRequest& request) const;
  // The bot of a request whose Hello tells another version than the bot has; none of others.
  absl::optional<std::string> BotOfNewVersion(const v1::PlayRequest& request) const;

  // Checks a Hello, and finds the bot whose token it brings. Returns the error that ends the
  // stream.
  absl::StatusOr<Guest> Identify(const v1::Hello& hello, Instant when);
  // Counts the stream as the bot's. `rechecked` is as in Sessions::AddBot. Returns
  // ResourceExhausted when the bot connects too often, or has too many streams.
  absl::Status Register(const Guest& guest, Instant when, Sessions::End rechecked);
  // Gives up all that Enter and Register took. The last call.
  void Leave();

  // Log that the bot has come; and that it has gone, or was never let in.
  void LogCome() const;
  void LogGone(const absl::Status& reason, bool was_there) const;

  const std::string& name() const { return name_; }
  uint64_t ticket() const { return ticket_; }
  // What the bot may still send; null before Register.
  Allowance* allowance() const { return allowance_.get(); }

 private:
  void KeepVersion(const v1::PlayRequest& request, Instant when, const Authenticator::Then& then);
  // As Authenticator::Find; and while the bot plays also whose it is that is shut out, with why in
  // `shut_out`.
  absl::StatusOr<Identity> IdentityOf(const TokenHash& token, absl::Status* shut_out) const;
  // Counts a token that is refused for `why`. Returns the error for the stream.
  absl::Status RefuseToken(const absl::Status& why, Instant when);

  const SessionEnvironment& environment_;
  std::string peer_;          // that the transport sees
  std::shared_ptr<Use> use_;  // of its connection
  uint64_t ticket_ = 0;       // of the admission; 0 for none
  uint64_t session_ = 0;      // of the sessions; 0 for none
  std::string address_;       // of the client; see ClientAddress
  std::string name_;          // of the bot; set by Register
  int messages_before_hello_ = 0;
  std::shared_ptr<Allowance> allowance_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_LOGIN_H_
