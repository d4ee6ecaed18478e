#include "referee/service/access/access.h"

#include <algorithm>

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

}  // namespace

absl::Span<const AccessRule> AccessRules() { return kRules; }

absl::StatusOr<Caller> Access::Check(absl::string_view method,
                                     const grpc::CallbackServerContext& context) const {
  const absl::optional<Need> need = NeedOf(method);
  if (!need) return NobodyMayCall(method);
  if (*need == Need::kReader && readers_ == Readers::kEverybody) return Caller();
  const absl::optional<absl::string_view> token = TokenIn(context);
  const absl::StatusOr<Identity> known =
      token && token->size() <= limits::kMaxTokenBytes
          ? authenticator_.Find(HashToken(*token))
          : absl::StatusOr<Identity>(token ? UnknownToken() : TokenMissing(Wanted(*need)));
  if (known.ok() && Suffices(known->role, *need)) {
    return Caller{known->name, known->role, HashToken(*token)};
  }
  // Until somebody is an organiser, whoever is on this machine is, whatever token they have.
  const absl::StatusOr<bool> organised = authenticator_.HasOrganiser();
  if (!organised.ok()) return organised.status();
  if (!*organised) {
    if (!IsLocal(context.peer())) return NoOrganiserYet(Wanted(*need));
    return Caller{kLocalCaller, Role::kOrganiser, absl::nullopt};
  }
  if (!known.ok()) return known.status();
  return WrongRole(Wanted(*need), known->name, RoleName(known->role));
}

}  // namespace referee::service
