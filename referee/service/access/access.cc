#include "referee/service/access/access.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/service/client_address.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

constexpr CallAdmission::Kind kCall = CallAdmission::Kind::kCall;
constexpr CallAdmission::Kind kWatch = CallAdmission::Kind::kWatch;
constexpr CallAdmission::Effect kChange = CallAdmission::Effect::kChange;

constexpr AccessRule kRules[] = {
    {"referee.v1.AdminService.AddBan", Need::kOrganiser, 1},
    {"referee.v1.AdminService.AddBot", Need::kOrganiser, 1},
    {"referee.v1.AdminService.DisableBot", Need::kOrganiser, 1},
    {"referee.v1.AdminService.EnableBot", Need::kOrganiser, 1},
    {"referee.v1.AdminService.GetBot", Need::kOrganiserOrBot, 1},
    {"referee.v1.AdminService.ListAudit", Need::kOrganiser, 5},
    {"referee.v1.AdminService.ListBans", Need::kOrganiser, 5},
    {"referee.v1.AdminService.ListBots", Need::kOrganiser, 5},
    {"referee.v1.AdminService.RemoveBan", Need::kOrganiser, 1},
    {"referee.v1.AdminService.RemoveBot", Need::kOrganiser, 1},
    {"referee.v1.AdminService.RotateToken", Need::kOrganiserOrBot, 1, kCall, kChange},
    {"referee.v1.AdminService.SetBotVersion", Need::kOrganiser, 1},
    {"referee.v1.BotService.Play", Need::kBot, 1},
    {"referee.v1.CompetitionService.BeginSeason", Need::kOrganiser, 5},
    {"referee.v1.CompetitionService.CreateCompetition", Need::kOrganiser, 5},
    {"referee.v1.CompetitionService.DropBlock", Need::kOrganiser, 1},
    {"referee.v1.CompetitionService.FinishCompetition", Need::kOrganiser, 1},
    {"referee.v1.CompetitionService.GetCompetition", Need::kReader, 1},
    {"referee.v1.CompetitionService.GetStandings", Need::kReader, 20},
    {"referee.v1.CompetitionService.JoinCompetition", Need::kOrganiserOrBot, 1, kCall, kChange},
    {"referee.v1.CompetitionService.LeaveCompetition", Need::kOrganiserOrBot, 1, kCall, kChange},
    {"referee.v1.CompetitionService.ListBlocks", Need::kReader, 5},
    {"referee.v1.CompetitionService.ListCompetitions", Need::kReader, 5},
    {"referee.v1.CompetitionService.ListPairs", Need::kReader, 5},
    {"referee.v1.CompetitionService.ListRatingHistories", Need::kReader, 5},
    {"referee.v1.CompetitionService.ListRounds", Need::kReader, 20},
    {"referee.v1.CompetitionService.ListTestPoints", Need::kReader, 10},
    {"referee.v1.CompetitionService.PauseCompetition", Need::kOrganiser, 1},
    {"referee.v1.CompetitionService.RemoveCompetition", Need::kOrganiser, 5},
    {"referee.v1.CompetitionService.ResumeCompetition", Need::kOrganiser, 1},
    {"referee.v1.CompetitionService.StartCompetition", Need::kOrganiser, 1},
    {"referee.v1.CompetitionService.UpdateCompetition", Need::kOrganiser, 1},
    {"referee.v1.CompetitionService.WatchCompetition", Need::kReader, 20, kWatch},
    {"referee.v1.MatchService.CancelMatch", Need::kOrganiser, 1},
    {"referee.v1.MatchService.CreateMatch", Need::kOrganiser, 1},
    {"referee.v1.MatchService.GetMatch", Need::kReader, 1},
    {"referee.v1.MatchService.ListMatches", Need::kReader, 5},
    {"referee.v1.MatchService.ListPausedGames", Need::kReader, 1},
    {"referee.v1.MatchService.PauseGame", Need::kOrganiser, 1},
    {"referee.v1.MatchService.ResumeGame", Need::kOrganiser, 1},
    {"referee.v1.MatchService.WatchMatch", Need::kReader, 5, kWatch},
    {"referee.v1.ReplayService.GetReplay", Need::kReader, 2},
    {"referee.v1.ReplayService.ListReplays", Need::kReader, 5},
    {"referee.v1.ReplayService.VerifyReplay", Need::kReader, 50},
};

// The rule of a method, or null if the method is not in the table.
const AccessRule* RuleOf(absl::string_view method) {
  const auto* rule = std::find_if(std::begin(kRules), std::end(kRules),
                                  [&](const AccessRule& one) { return one.method == method; });
  return rule == std::end(kRules) ? nullptr : rule;
}

// The token of the call, if any.
absl::optional<absl::string_view> TokenIn(const grpc::ServerContextBase& context) {
  const auto header = context.client_metadata().find("authorization");
  if (header == context.client_metadata().end()) return absl::nullopt;
  absl::string_view token(header->second.data(), header->second.size());
  if (!absl::ConsumePrefix(&token, "Bearer ") || token.empty()) return absl::nullopt;
  return token;
}

// Whether the call asks for an observer's view.
absl::StatusOr<bool> ReadsForObservers(const grpc::ServerContextBase& context) {
  const auto header = context.client_metadata().find(kReadAs);
  if (header == context.client_metadata().end()) return false;
  const absl::string_view value(header->second.data(), header->second.size());
  if (value != kReadAsObserver) {
    return BadValue("metadata referee-read-as", value, "observer, or no such metadata");
  }
  return true;
}

bool Suffices(Role role, Need need) {
  switch (need) {
    case Need::kBot:
      return role == Role::kBot;
    case Need::kNothing:
    case Need::kReader:
      return true;
    case Need::kOrganiser:
      return role == Role::kOrganiser;
    case Need::kOrganiserOrBot:
      return role == Role::kOrganiser || role == Role::kBot;
  }
  return false;
}

absl::string_view Wanted(Need need) {
  switch (need) {
    case Need::kNothing:
      return "anybody";
    case Need::kBot:
      return "a bot";
    case Need::kReader:
      return "an observer";
    case Need::kOrganiser:
      return "an organiser";
    case Need::kOrganiserOrBot:
      return "an organiser, or a bot for itself,";
  }
  return "";
}

// The credentials of a call, and what the method requires.
struct Claim {
  Need need = Need::kReader;
  bool has_token = false;
  absl::optional<TokenHash> hash;  // not set if the token is too long
};

Claim ClaimOf(Need need, const grpc::ServerContextBase& context) {
  Claim claim;
  claim.need = need;
  const absl::optional<absl::string_view> token = TokenIn(context);
  claim.has_token = token.has_value();
  if (token && token->size() <= limits::kMaxTokenBytes) claim.hash = HashToken(*token);
  return claim;
}

absl::StatusOr<Identity> Find(const Authenticator& authenticator, const Claim& claim) {
  if (!claim.has_token) {
    return absl::UnauthenticatedError(
        absl::StrCat("only ", Wanted(claim.need),
                     " may do this: send metadata 'authorization: Bearer <token>' with a token"));
  }
  if (!claim.hash) return UnknownToken();
  return authenticator.Find(*claim.hash);
}

// Returns the caller if its role is allowed to call, according to the authenticator's current
// state.
absl::StatusOr<Caller> Decide(const Authenticator& authenticator, const Claim& claim,
                              const absl::StatusOr<Identity>& known) {
  if (known.ok() && Suffices(known->role, claim.need)) {
    Caller caller;
    caller.name = known->name;
    caller.role = known->role;
    caller.hash = claim.hash;
    return caller;
  }
  if (absl::IsPermissionDenied(known.status())) return known.status();  // banned
  if (!authenticator.HasOrganiser()) {
    return absl::UnauthenticatedError(absl::StrCat(
        "only ", Wanted(claim.need),
        " may do this, and the referee has no organiser yet: make one on its machine with 'refctl "
        "bot add NAME --role organiser --data-dir DIR', which prints the token to send"));
  }
  if (!known.ok()) return known.status();
  return WrongRole(Wanted(claim.need), known->name, RoleName(known->role));
}

// Who is charged for a call.
CallAdmission::Payer PayerOf(const absl::StatusOr<Identity>& known, const std::string& address) {
  using Class = CallAdmission::Class;
  if (!known.ok()) return {Class::kAddress, address};
  return {known->role == Role::kOrganiser ? Class::kOrganiser : Class::kAccount, known->name};
}

// Whether an error is the referee's own and not an answer to the request.
bool IsFaultOfReferee(const absl::Status& end) {
  return absl::IsInternal(end) || absl::IsUnavailable(end) || absl::IsDataLoss(end) ||
         absl::IsUnknown(end);
}

std::string AboutCall(absl::string_view method, const absl::Status& end) {
  return absl::StrCat("calls: ", method, ": ", absl::StatusCodeToString(end.code()), ": ",
                      end.message());
}

void TellRefused(log::SparseLog* log, absl::string_view method, const std::string& address,
                 const std::string& account, const absl::Status& why) {
  const bool limit = absl::IsResourceExhausted(why);
  log->Tell(log::Event(log::Level::kWarning, limit ? "call_limit" : "call_refused",
                       AboutCall(method, why))
                .With(log::kAddress, address)
                .With(log::kAccount, account));
}

}  // namespace

absl::Span<const AccessRule> AccessRules() { return kRules; }

void Access::Check(absl::string_view method, const grpc::ServerContextBase& context,
                   Then then) const {
  const AccessRule* const rule = RuleOf(method);
  if (rule == nullptr) {
    return then(absl::PermissionDeniedError(
        absl::StrCat("nobody may call ", method, ": no line says who may")));
  }
  Check(*rule, context, std::move(then));
}

void Access::NoteRequest(const grpc::ServerContextBase& context, size_t bytes) const {
  options_.connections->UseOf(context.peer())->AddMessage(bytes);
}

void Access::NoteEnd(absl::string_view method, absl::string_view caller,
                     const absl::Status& end) const {
  if (options_.log == nullptr || !IsFaultOfReferee(end)) return;
  options_.log->Tell(log::Event(log::Level::kError, "call_failed", AboutCall(method, end))
                         .With(log::kAccount, caller));
}

void Access::Check(const AccessRule& rule, const grpc::ServerContextBase& context,
                   Then then) const {
  const std::string peer = context.peer();
  Connections& connections = *options_.connections;
  connections.UseOf(peer)->AddCall();
  const std::string address = ClientAddress(connections.ClientOf(peer));
  const Claim claim = ClaimOf(rule.need, context);
  const absl::StatusOr<Identity> identity = Find(*options_.authenticator, claim);
  if (options_.log != nullptr) {
    then = [log = options_.log, method = rule.method, address,
            account = identity.ok() ? identity->name : "",
            then = std::move(then)](const absl::StatusOr<Caller>& caller) {
      if (!caller.ok()) TellRefused(log, method, address, account, caller.status());
      then(caller);
    };
  }
  const absl::Status let_in = options_.authenticator->CheckAddress(address);
  if (!let_in.ok()) return then(let_in);
  const auto ticket = options_.admission->Enter(PayerOf(identity, address), rule.kind, rule.cost,
                                                options_.clock->Now(), rule.effect);
  if (!ticket.ok()) {
    // Without kRetryAfter the limit is shared by all callers, so it is not this caller's fault.
    const bool own = ticket.status().GetPayload(kRetryAfter).has_value();
    if (options_.refused && identity.ok() && own) options_.refused(identity->name);
    return then(ticket.status());
  }
  const absl::StatusOr<bool> for_observers = ReadsForObservers(context);
  if (!for_observers.ok()) return then(for_observers.status());
  const auto complete = [peer, address, ticket = *ticket, for_observers = *for_observers,
                         &connections](absl::StatusOr<Caller> known) {
    if (!known.ok()) return known;
    known->reads_for_observers = for_observers;
    if (known->hash) connections.Recognise(peer, known->name, *known->hash);
    known->address = address;
    known->ticket = ticket;
    return known;
  };
  const bool free = rule.need == Need::kNothing ||
                    (rule.need == Need::kReader && options_.readers == Readers::kEverybody);
  absl::StatusOr<Caller> caller = Decide(*options_.authenticator, claim, identity);
  // A banned account has no access without its token either.
  if (free && !caller.ok() && !absl::IsPermissionDenied(caller.status())) {
    caller = Caller();
    caller->max_page_size = options_.page_size_without_token;
  }
  if (caller.ok()) return then(complete(std::move(caller)));
  options_.authenticator->RefreshThen([&authenticator = *options_.authenticator, claim, complete,
                                       then = std::move(then)](const absl::Status& fresh) {
    then(fresh.ok() ? complete(Decide(authenticator, claim, Find(authenticator, claim))) : fresh);
  });
}

}  // namespace referee::service
