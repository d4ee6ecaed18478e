#include "referee/service/access/access.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/limits.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

constexpr AccessRule kRules[] = {
    {"referee.v1.AdminService.AddBot", Need::kOrganiser},
    {"referee.v1.AdminService.DisableBot", Need::kOrganiser},
    {"referee.v1.AdminService.EnableBot", Need::kOrganiser},
    {"referee.v1.AdminService.GetBot", Need::kOrganiser},
    {"referee.v1.AdminService.ListAudit", Need::kOrganiser},
    {"referee.v1.AdminService.ListBots", Need::kOrganiser},
    {"referee.v1.AdminService.RemoveBot", Need::kOrganiser},
    {"referee.v1.AdminService.RotateToken", Need::kOrganiser},
    {"referee.v1.BotService.Play", Need::kBot},
    {"referee.v1.CompetitionService.CreateCompetition", Need::kOrganiser},
    {"referee.v1.CompetitionService.FinishCompetition", Need::kOrganiser},
    {"referee.v1.CompetitionService.GetCompetition", Need::kReader},
    {"referee.v1.CompetitionService.GetStandings", Need::kReader},
    {"referee.v1.CompetitionService.JoinCompetition", Need::kOrganiserOrBot},
    {"referee.v1.CompetitionService.LeaveCompetition", Need::kOrganiserOrBot},
    {"referee.v1.CompetitionService.ListBlocks", Need::kReader},
    {"referee.v1.CompetitionService.ListCompetitions", Need::kReader},
    {"referee.v1.CompetitionService.PauseCompetition", Need::kOrganiser},
    {"referee.v1.CompetitionService.ResumeCompetition", Need::kOrganiser},
    {"referee.v1.CompetitionService.StartCompetition", Need::kOrganiser},
    {"referee.v1.CompetitionService.WatchCompetition", Need::kReader},
    {"referee.v1.MatchService.CancelMatch", Need::kOrganiser},
    {"referee.v1.MatchService.CreateMatch", Need::kOrganiser},
    {"referee.v1.MatchService.GetMatch", Need::kReader},
    {"referee.v1.MatchService.ListMatches", Need::kReader},
    {"referee.v1.MatchService.WatchMatch", Need::kReader},
    {"referee.v1.ReplayService.GetReplay", Need::kReader},
    {"referee.v1.ReplayService.ListReplays", Need::kReader},
    {"referee.v1.ReplayService.VerifyReplay", Need::kReader},
};

// What a method needs. One without a line is nobody's to call.
absl::optional<Need> NeedOf(absl::string_view method) {
  const auto* rule = std::find_if(std::begin(kRules), std::end(kRules),
                                  [&](const AccessRule& one) { return one.method == method; });
  if (rule == std::end(kRules)) return absl::nullopt;
  return rule->need;
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

Claim ClaimOf(Need need, const grpc::CallbackServerContext& context, const std::string& client) {
  Claim claim;
  claim.need = need;
  const absl::optional<absl::string_view> token = TokenIn(context);
  claim.has_token = token.has_value();
  if (token && token->size() <= limits::kMaxTokenBytes) claim.hash = HashToken(*token);
  claim.local = IsLocal(client);
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
    return Caller{known->name, known->role, claim.hash};
  }
  // Until somebody is an organiser, whoever is on this machine is, whatever token they have.
  if (!authenticator.HasOrganiser()) {
    if (!claim.local) return NoOrganiserYet(Wanted(claim.need));
    return Caller{kLocalCaller, Role::kOrganiser, absl::nullopt};
  }
  if (!known.ok()) return known.status();
  return WrongRole(Wanted(claim.need), known->name, RoleName(known->role));
}

}  // namespace

absl::Span<const AccessRule> AccessRules() { return kRules; }

void Access::Check(absl::string_view method, const grpc::CallbackServerContext& context,
                   Then then) const {
  const absl::optional<Need> need = NeedOf(method);
  if (!need) return then(NobodyMayCall(method));
  const std::string peer = context.peer();
  const std::shared_ptr<UsedBytes> used = connections_.UsedOf(peer);
  used->Add(limits::kBytesOfCall);
  if (*need == Need::kReader && readers_ == Readers::kEverybody) return then(Caller());
  const Claim claim = ClaimOf(*need, context, connections_.ClientOf(peer));
  const absl::StatusOr<Caller> caller = Decide(authenticator_, claim);
  if (caller.ok() && caller->hash) {
    connections_.Recognise(peer);
    if (caller->role == Role::kOrganiser) used->Add(limits::kBytesOfOrganisersCall);
    return then(caller);
  }
  authenticator_.RefreshThen(
      [&authenticator = authenticator_, claim, then = std::move(then)](const absl::Status& fresh) {
        then(fresh.ok() ? Decide(authenticator, claim) : fresh);
      });
}

}  // namespace referee::service
