#include "referee/service/access/access.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/limits.h"
#include "referee/service/client_address.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

constexpr CallAdmission::Kind kWatch = CallAdmission::Kind::kWatch;

constexpr AccessRule kRules[] = {
    {"referee.v1.AdminService.AddBot", Need::kOrganiser, 1},
    {"referee.v1.AdminService.DisableBot", Need::kOrganiser, 1},
    {"referee.v1.AdminService.EnableBot", Need::kOrganiser, 1},
    {"referee.v1.AdminService.GetBot", Need::kOrganiser, 1},
    {"referee.v1.AdminService.ListAudit", Need::kOrganiser, 5},
    {"referee.v1.AdminService.ListBots", Need::kOrganiser, 5},
    {"referee.v1.AdminService.RemoveBot", Need::kOrganiser, 1},
    {"referee.v1.AdminService.RotateToken", Need::kOrganiser, 1},
    {"referee.v1.BotService.Play", Need::kBot, 1},
    {"referee.v1.CompetitionService.CreateCompetition", Need::kOrganiser, 5},
    {"referee.v1.CompetitionService.FinishCompetition", Need::kOrganiser, 1},
    {"referee.v1.CompetitionService.GetCompetition", Need::kReader, 1},
    {"referee.v1.CompetitionService.GetStandings", Need::kReader, 20},
    {"referee.v1.CompetitionService.JoinCompetition", Need::kOrganiserOrBot, 1},
    {"referee.v1.CompetitionService.LeaveCompetition", Need::kOrganiserOrBot, 1},
    {"referee.v1.CompetitionService.ListBlocks", Need::kReader, 5},
    {"referee.v1.CompetitionService.ListCompetitions", Need::kReader, 5},
    {"referee.v1.CompetitionService.PauseCompetition", Need::kOrganiser, 1},
    {"referee.v1.CompetitionService.ResumeCompetition", Need::kOrganiser, 1},
    {"referee.v1.CompetitionService.StartCompetition", Need::kOrganiser, 1},
    {"referee.v1.CompetitionService.WatchCompetition", Need::kReader, 20, kWatch},
    {"referee.v1.MatchService.CancelMatch", Need::kOrganiser, 1},
    {"referee.v1.MatchService.CreateMatch", Need::kOrganiser, 1},
    {"referee.v1.MatchService.GetMatch", Need::kReader, 1},
    {"referee.v1.MatchService.ListMatches", Need::kReader, 5},
    {"referee.v1.MatchService.WatchMatch", Need::kReader, 5, kWatch},
    {"referee.v1.ReplayService.GetReplay", Need::kReader, 2},
    {"referee.v1.ReplayService.ListReplays", Need::kReader, 5},
    {"referee.v1.ReplayService.VerifyReplay", Need::kReader, 50},
};

// The line of a method. One without a line is nobody's to call.
const AccessRule* RuleOf(absl::string_view method) {
  const auto* rule = std::find_if(std::begin(kRules), std::end(kRules),
                                  [&](const AccessRule& one) { return one.method == method; });
  return rule == std::end(kRules) ? nullptr : rule;
}

// Whether the caller sits on this machine, as far as the transport tells.
bool IsLocal(const std::string& peer) {
  return absl::StartsWith(peer, "unix:") || absl::StartsWith(peer, "ipv4:127.") ||
         absl::StartsWith(peer, "ipv6:[::1]") || absl::StartsWith(peer, "ipv6:%5B::1%5D");
}

// The token that came with the call, if one did.
absl::optional<absl::string_view> TokenIn(const grpc::CallbackServerContext& context) {
  const auto header = context.client_metadata().find("authorization");
  if (header == context.client_metadata().end()) return absl::nullopt;
  absl::string_view token(header->second.data(), header->second.size());
  if (!absl::ConsumePrefix(&token, "Bearer ") || token.empty()) return absl::nullopt;
  return token;
}

bool Suffices(Role role, Need need) {
  switch (need) {
    case Need::kBot:
      return role == Role::kBot;
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

// What a caller comes with, apart from the call.
struct Claim {
  Need need = Need::kReader;
  bool has_token = false;
  absl::optional<TokenHash> hash;  // of the token, unless it is longer than any
  bool local = false;
};

Claim ClaimOf(Need need, const grpc::CallbackServerContext& context, const std::string& peer) {
  Claim claim;
  claim.need = need;
  const absl::optional<absl::string_view> token = TokenIn(context);
  claim.has_token = token.has_value();
  if (token && token->size() <= limits::kMaxTokenBytes) claim.hash = HashToken(*token);
  claim.local = IsLocal(peer);
  return claim;
}

absl::StatusOr<Identity> Find(const Authenticator& authenticator, const Claim& claim) {
  if (!claim.has_token) return TokenMissing(Wanted(claim.need));
  if (!claim.hash) return UnknownToken();
  return authenticator.Find(*claim.hash);
}

// Who it is, if they may; by what the authenticator knows now.
absl::StatusOr<Caller> Decide(const Authenticator& authenticator, const Claim& claim) {
  const absl::StatusOr<Identity> known = Find(authenticator, claim);
  if (known.ok() && Suffices(known->role, claim.need)) {
    return Caller{known->name, known->role, claim.hash, nullptr};
  }
  // Until somebody is an organiser, whoever is on this machine is, whatever token they have.
  if (!authenticator.HasOrganiser()) {
    if (!claim.local) return NoOrganiserYet(Wanted(claim.need));
    return Caller{kLocalCaller, Role::kOrganiser, absl::nullopt, nullptr};
  }
  if (!known.ok()) return known.status();
  return WrongRole(Wanted(claim.need), known->name, RoleName(known->role));
}

// Who pays for a call.
CallAdmission::Payer PayerOf(const absl::StatusOr<Caller>& caller, const std::string& peer) {
  using Class = CallAdmission::Class;
  if (!caller.ok() || caller->name.empty()) return {Class::kAddress, ClientAddress(peer)};
  return {caller->role == Role::kOrganiser ? Class::kOrganiser : Class::kAccount, caller->name};
}

}  // namespace

absl::Span<const AccessRule> AccessRules() { return kRules; }

void Access::Check(absl::string_view method, const grpc::CallbackServerContext& context,
                   Then then) const {
  const AccessRule* const rule = RuleOf(method);
  if (rule == nullptr) return then(NobodyMayCall(method));
  const std::string peer = context.peer();
  const Claim claim = ClaimOf(rule->need, context, peer);
  absl::StatusOr<Caller> caller = Decide(*options_.authenticator, claim);
  const bool free = rule->need == Need::kReader && options_.readers == Readers::kEverybody;
  const auto ticket = options_.admission->Enter(PayerOf(caller, peer), rule->kind, rule->cost,
                                                options_.clock->Now());
  if (!ticket.ok()) return then(ticket.status());
  if (free && !caller.ok()) caller = Caller();
  if (caller.ok()) caller->ticket = *ticket;
  if (caller.ok() && (free || caller->hash)) return then(caller);
  options_.authenticator->RefreshThen([&authenticator = *options_.authenticator, claim,
                                       ticket = *ticket,
                                       then = std::move(then)](const absl::Status& fresh) {
    if (!fresh.ok()) return then(fresh);
    absl::StatusOr<Caller> known = Decide(authenticator, claim);
    if (known.ok()) known->ticket = ticket;
    then(known);
  });
}

}  // namespace referee::service
