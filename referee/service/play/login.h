// The login of a bot's stream: admission, Hello, token lookup, and counting of the bot's messages.
//
// It lives as long as the stream.
//
//   Login login(&environment);
//   absl::Status status = login.Enter(peer, link);
//   ...  // a message with a Hello has come
//   absl::StatusOr<Login::Guest> guest = login.Identify(hello, now);
//   status = login.Register(*guest, now, rechecked);
//   ...  // the stream is done
//   login.Leave();
//
// It needs no lock. The stream's reads make all calls before Leave except the const ones, one at a
// time. Call name() and LogGone after Register has returned, or where no name is needed.
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

// Shared by all sessions. The members must outlive the transports, and this the sessions.
struct SessionEnvironment {
  const StreamLimits* limits = nullptr;
  Admission* admission = nullptr;
  Sessions* sessions = nullptr;
  Authenticator* authenticator = nullptr;
  host::Host* host = nullptr;
  const Clock* clock = nullptr;
  host::Timers* timers = nullptr;
  Connections* connections = nullptr;
  // Takes events of bots that connect, leave or are refused. May be null.
  log::SparseLog* log = nullptr;
  // Called on any thread when the bot has reported a new version. May be null.
  std::function<void(const std::string& bot)> version_changed = {};
};

// The status of a stream that the bot ended or that was lost.
absl::Status BotGone();

class Login {
 public:
  // A bot that was identified by its token.
  struct Guest {
    Identity identity;
    TokenHash token;
    // Why the bot is shut out, although it may finish its matches; OK if it is not.
    absl::Status shut_out;
  };

  // `environment` must outlive this.
  explicit Login(const SessionEnvironment* environment) : environment_(*environment) {}

  // Admits the stream `link` from `peer`, as gRPC writes it. Returns the reason on refusal.
  absl::Status Enter(absl::string_view peer, std::weak_ptr<host::Link> link);
  // Counts `request`. Returns the error that ends the stream if it is too large or exceeds a limit.
  absl::Status Admit(const v1::PlayRequest& request, Instant when);

  // Updates the authenticator for a `request` that comes before the Hello was handled. Refreshes it
  // if it would refuse the token. Stores the version that the bot reports, so that later matches
  // use the new version. Then calls `then`, on this thread or another, with OK or the error that
  // ends the stream. `then` must keep this alive.
  void Prepare(const v1::PlayRequest& request, Instant when, Authenticator::Then then);

  // The first Hello in `request`, or null.
  static const v1::Hello* HelloOf(const v1::PlayRequest& request);
  // Whether `request` has a Hello whose token the authenticator would refuse without a refresh.
  bool WouldRefuseTokenOf(const v1::PlayRequest& request) const;
  // The bot whose Hello in `request` reports a version other than the stored one; nullopt if none
  // does.
  absl::optional<std::string> BotOfNewVersion(const v1::PlayRequest& request) const;

  // Checks a Hello and finds the bot of its token. Returns the error that ends the stream.
  absl::StatusOr<Guest> Identify(const v1::Hello& hello, Instant when);
  // Counts the stream as the bot's. `rechecked` is as in Sessions::AddBot. Returns
  // ResourceExhausted if the bot connects too often or has too many streams.
  absl::Status Register(const Guest& guest, Instant when, Sessions::End rechecked);
  // Releases everything that Enter and Register took. The last call.
  void Leave();

  // Log that the bot has connected; and that it has left, or was refused.
  void LogCome() const;
  void LogGone(const absl::Status& reason, bool was_there) const;

  const std::string& name() const { return name_; }
  uint64_t ticket() const { return ticket_; }
  // The remaining rate of the bot; null before Register.
  Allowance* allowance() const { return allowance_.get(); }

 private:
  void KeepVersion(const v1::PlayRequest& request, Instant when, const Authenticator::Then& then);
  // Like Authenticator::Find, but also accepts a bot that is shut out while it plays; `shut_out`
  // gets the reason.
  absl::StatusOr<Identity> IdentityOf(const TokenHash& token, absl::Status* shut_out) const;
  // Counts a refused token. Returns the error for the stream.
  absl::Status RefuseToken(const absl::Status& why, Instant when);

  const SessionEnvironment& environment_;
  std::string peer_;          // as the transport sees it
  std::shared_ptr<Use> use_;  // of its connection
  uint64_t ticket_ = 0;       // of the admission; 0: none
  uint64_t session_ = 0;      // of the sessions; 0: none
  std::string address_;       // of the client; see ClientAddress
  std::string name_;          // of the bot; set by Register
  int messages_before_hello_ = 0;
  std::shared_ptr<Allowance> allowance_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_LOGIN_H_
