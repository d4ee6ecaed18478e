#include "referee/service/play/login.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/text.h"
#include "referee/service/client_address.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

// Explains why a token is unknown.
absl::Status WhyUnknown(absl::string_view token) {
  const absl::string_view bare = absl::StripAsciiWhitespace(token);
  if (bare.empty()) {
    return absl::UnauthenticatedError(
        "hello.token: empty; send the token that an organiser gave the bot ('refctl bot add NAME', "
        "or 'refctl bot rotate NAME' for a new one), in a duel that of REFEREE_TOKEN; a field "
        "whose name is misspelt comes empty, too");
  }
  if (bare == token) return UnknownToken();
  return absl::UnauthenticatedError(
      "hello.token: the token is not known, and has white space before or after it, as a line of a "
      "file that was read whole: take that off; if it is not known then either, ask an organiser "
      "for a new one ('refctl bot rotate NAME')");
}

// Checks the fields of a Hello other than the token.
absl::Status Check(const v1::Hello& hello) {
  if (hello.software().size() > limits::kMaxNameBytes || !IsPlainText(hello.software())) {
    return BadName("hello.software", hello.software());
  }
  if (hello.games_size() > limits::kMaxGamesInHello) {
    return BadValue("hello.games", absl::StrCat(hello.games_size(), " names"),
                    absl::StrCat("at most ", limits::kMaxGamesInHello, " names"));
  }
  for (const std::string& game : hello.games()) {
    const bool name = !game.empty() && game.size() <= limits::kMaxNameBytes && IsPlainText(game);
    if (!name) return BadName("hello.games", game);
  }
  if (!hello.version().empty() && !IsVersion(hello.version())) {
    return BadVersion("hello.version", hello.version());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status BotGone() { return absl::CancelledError("the bot has gone"); }

absl::Status Login::Enter(absl::string_view peer, std::weak_ptr<host::Link> link) {
  peer_ = std::string(peer);
  use_ = environment_.connections->UseOf(peer);
  const std::string client = environment_.connections->ClientOf(peer);
  address_ = ClientAddress(client);
  const absl::Status let_in = environment_.authenticator->CheckAddress(address_);
  if (!let_in.ok()) return let_in;
  const absl::StatusOr<uint64_t> ticket = environment_.admission->Enter(std::move(link), client);
  if (ticket.ok()) ticket_ = *ticket;
  return ticket.status();
}

absl::Status Login::Admit(const v1::PlayRequest& request, Instant when) {
  if (request.items_size() > limits::kMaxItemsReceived) {
    return absl::InvalidArgumentError(absl::StrCat("items: ", request.items_size(),
                                                   " in one message; at most ",
                                                   limits::kMaxItemsReceived, " are allowed"));
  }
  const size_t bytes = request.ByteSizeLong();
  use_->AddMessage(bytes);
  if (allowance_ != nullptr) return allowance_->TakeMessage(bytes, when);
  return ++messages_before_hello_ > limits::kMaxMessagesBeforeHello ? NoHello() : absl::OkStatus();
}

void Login::Prepare(const v1::PlayRequest& request, Instant when, Authenticator::Then then) {
  if (!WouldRefuseTokenOf(request)) return KeepVersion(request, when, then);
  environment_.authenticator->RefreshThen(
      [this, request, when, then = std::move(then)](const absl::Status& fresh) {
        fresh.ok() ? KeepVersion(request, when, then) : then(fresh);
      });
}

void Login::KeepVersion(const v1::PlayRequest& request, Instant when,
                        const Authenticator::Then& then) {
  const absl::optional<std::string> bot = BotOfNewVersion(request);
  if (!bot) return then(absl::OkStatus());
  if (absl::Status may = environment_.admission->TakeVersion(*bot, when); !may.ok()) {
    environment_.host->NoteRefused(*bot);
    return then(may);
  }
  environment_.authenticator->TellVersion(*bot, HelloOf(request)->version(),
                                          [this, bot, then](const absl::Status& told) {
                                            if (told.ok() && environment_.version_changed)
                                              environment_.version_changed(*bot);
                                            then(told);
                                          });
}

const v1::Hello* Login::HelloOf(const v1::PlayRequest& request) {
  const auto hello =
      std::find_if(request.items().begin(), request.items().end(),
                   [](const v1::BotItem& item) { return item.kind_case() == v1::BotItem::kHello; });
  return hello == request.items().end() ? nullptr : &hello->hello();
}

bool Login::WouldRefuseTokenOf(const v1::PlayRequest& request) const {
  const v1::Hello* const hello = HelloOf(request);
  if (hello == nullptr) return false;
  const std::string& token = hello->token();
  return token.size() <= limits::kMaxTokenBytes &&
         !environment_.authenticator->Find(HashToken(token)).ok();
}

absl::optional<std::string> Login::BotOfNewVersion(const v1::PlayRequest& request) const {
  const v1::Hello* const hello = HelloOf(request);
  if (hello == nullptr || !IsVersion(hello->version()) ||
      hello->token().size() > limits::kMaxTokenBytes) {
    return absl::nullopt;
  }
  const absl::StatusOr<Identity> identity =
      environment_.authenticator->Find(HashToken(hello->token()));
  if (!identity.ok() || identity->role != Role::kBot || identity->version == hello->version()) {
    return absl::nullopt;
  }
  // A bot that reconnects to running matches keeps its version; otherwise it would lose the
  // matches.
  if (environment_.host->plays(identity->name)) return absl::nullopt;
  // This stream will be refused because another one exists, so its version does not count.
  if (hello->keeps_existing() && environment_.host->connected(identity->name)) {
    return absl::nullopt;
  }
  return identity->name;
}

absl::StatusOr<Login::Guest> Login::Identify(const v1::Hello& hello, Instant when) {
  if (absl::Status sane = Check(hello); !sane.ok()) return sane;
  if (hello.token().size() > limits::kMaxTokenBytes) return RefuseToken(UnknownToken(), when);
  const TokenHash token = HashToken(hello.token());
  absl::Status shut_out;
  absl::StatusOr<Identity> identity = IdentityOf(token, &shut_out);
  if (!identity.ok()) {
    if (!absl::IsUnauthenticated(identity.status())) return identity.status();
    // A token that is known to be bad already has a more specific error.
    const bool unknown = identity.status() == UnknownToken();
    return RefuseToken(unknown ? WhyUnknown(hello.token()) : identity.status(), when);
  }
  if (identity->role != Role::kBot) {
    return WrongRole("a bot", identity->name, RoleName(identity->role));
  }
  return Guest{*std::move(identity), token, std::move(shut_out)};
}

absl::StatusOr<Identity> Login::IdentityOf(const TokenHash& token, absl::Status* shut_out) const {
  absl::StatusOr<Identity> identity = environment_.authenticator->Find(token);
  if (identity.ok()) return identity;
  // A bot that lost its connection may reconnect to its running matches, even if it is shut out.
  absl::StatusOr<Identity> known = environment_.authenticator->FindShutOut(token);
  if (!known.ok() || !environment_.host->plays(known->name)) return identity;
  *shut_out = identity.status();
  return known;
}

absl::Status Login::RefuseToken(const absl::Status& why, Instant when) {
  // A cheap lookup counts as use. Otherwise bad tokens would get the address refused, and with it
  // the valid bots there.
  if (environment_.admission->TakeLookUp(when)) use_->AddRefusedToken();
  const absl::Status may = environment_.admission->TakeBadToken(ticket_, when);
  return may.ok() ? why : may;
}

absl::Status Login::Register(const Guest& guest, Instant when, Sessions::End rechecked) {
  const std::string& name = guest.identity.name;
  auto allowance = environment_.admission->Greet(ticket_, name, when);
  if (!allowance.ok()) {
    environment_.host->NoteRefused(name);
    return allowance.status();
  }
  use_->AddCall();
  environment_.connections->Recognise(peer_, name, guest.token);
  session_ = environment_.sessions->AddBot({address_, name, guest.token}, std::move(rechecked));
  name_ = name;
  allowance_ = *std::move(allowance);
  return absl::OkStatus();
}

void Login::Leave() {
  if (session_ != 0) environment_.sessions->Remove(session_);
  if (ticket_ != 0) environment_.admission->Leave(ticket_);
}

void Login::LogCome() const {
  if (environment_.log == nullptr) return;
  environment_.log->Tell(log::Event(log::Level::kInfo, "bot_connected", "bots: one has connected")
                             .With(log::kBot, name_)
                             .With(log::kAccount, name_)
                             .With(log::kAddress, address_));
}

void Login::LogGone(const absl::Status& reason, bool was_there) const {
  // A connection that leaves before Hello is not logged.
  if (environment_.log == nullptr || (!was_there && (reason.ok() || reason == BotGone()))) return;
  const bool by_force = absl::IsResourceExhausted(reason) || absl::IsInvalidArgument(reason) ||
                        absl::IsPermissionDenied(reason) || absl::IsUnauthenticated(reason);
  const absl::string_view name = !was_there ? "bot_refused" : by_force ? "bot_cut_off" : "bot_left";
  log::Event event(name == "bot_left" ? log::Level::kInfo : log::Level::kWarning, name,
                   absl::StrCat(was_there ? "bots: one has gone" : "bots: one is not let in",
                                reason.ok() ? "" : ": ", reason.message()));
  event.fields[log::kAddress] = address_;
  if (was_there) event.fields[log::kBot] = event.fields[log::kAccount] = name_;
  environment_.log->Tell(std::move(event));
}

}  // namespace referee::service
