#include "referee/service/access/account_admin.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/service/access/access.h"
#include "referee/service/access/token.h"
#include "referee/service/convert/competition.h"
#include "referee/service/convert/convert.h"

namespace referee::service {
namespace {

// How many of a bot's competitions a response lists, the latest first.
constexpr int kShownCompetitions = 100;

absl::StatusOr<Role> RoleFrom(v1::Role role) {
  switch (role) {
    case v1::ROLE_UNSPECIFIED:
    case v1::ROLE_BOT:
      return Role::kBot;
    case v1::ROLE_ORGANISER:
      return Role::kOrganiser;
    case v1::ROLE_OBSERVER:
      return Role::kObserver;
    default:
      return BadValue("role", absl::StrCat(role), "BOT, ORGANISER or OBSERVER");
  }
}

v1::Role RoleToWire(Role role) {
  switch (role) {
    case Role::kBot:
      return v1::ROLE_BOT;
    case Role::kOrganiser:
      return v1::ROLE_ORGANISER;
    case Role::kObserver:
      return v1::ROLE_OBSERVER;
  }
  return v1::ROLE_UNSPECIFIED;
}

// Whether a new account may have this name. Older stores may contain others.
bool IsAccountName(absl::string_view name) {
  return !name.empty() && name.size() <= limits::kMaxNameBytes && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_isalnum(c) || c == '-' || c == '_' || c == '.';
         });
}

// Converts a token lifetime; zero: unlimited.
absl::StatusOr<absl::Duration> LifetimeFromWire(const google::protobuf::Duration& wire) {
  absl::StatusOr<absl::Duration> lifetime =
      FromWire("token_lifetime", wire, absl::ZeroDuration(), limits::kMaxTokenLifetime);
  if (!lifetime.ok() || *lifetime == absl::ZeroDuration()) return lifetime;
  return FromWire("token_lifetime", wire, limits::kMinTokenLifetime, limits::kMaxTokenLifetime);
}

// For the audit log.
std::string LifetimeText(absl::Duration lifetime) {
  return lifetime == absl::ZeroDuration() ? ""
                                          : absl::StrCat(", for ", absl::FormatDuration(lifetime));
}

v1::RotateTokenResponse WithToken(const std::string& token) {
  v1::RotateTokenResponse response;
  response.set_token(token);
  return response;
}

// Why an entrant is suspended.
std::string SetAsideText(const store::Entry& entry) {
  return absl::StrCat("competition ", Quoted(entry.competition_name), ": ", entry.entrant.reason);
}

}  // namespace

store::AuditEntry AccountAdmin::Entry(absl::string_view action, absl::string_view subject,
                                      std::string detail) const {
  return {0, clock_.WallNow(), who_, std::string(action), std::string(subject), std::move(detail)};
}

template <typename Response>
absl::StatusOr<Response> AccountAdmin::Show(absl::string_view name, Response response) const {
  const absl::StatusOr<store::Account> account = store_.GetAccount(name);
  if (!account.ok()) return account.status();
  if (absl::Status shown = ToWire(*account, response.mutable_bot()); !shown.ok()) return shown;
  return response;
}

absl::Status AccountAdmin::ToWire(const store::Account& account, v1::BotAccount* out) const {
  out->set_name(account.name);
  out->set_role(RoleToWire(account.role));
  out->set_disabled(account.disabled);
  service::ToWire(account.create_time, out->mutable_create_time());
  service::ToWire(account.token_time, out->mutable_token_time());
  out->set_version(account.version);
  if (account.version_time) {
    service::ToWire(*account.version_time, out->mutable_version_time());
  }
  out->set_version_kept(account.version_kept);
  if (const absl::optional<absl::Time> expires = account.token_expires()) {
    service::ToWire(*expires, out->mutable_token_expire_time());
  }
  if (account.last_used) service::ToWire(*account.last_used, out->mutable_last_used_time());
  if (account.role != Role::kBot) return absl::OkStatus();
  const absl::StatusOr<std::vector<store::Entry>> entries =
      store_.ListEntries(account.name, kShownCompetitions);
  if (!entries.ok()) return entries.status();
  store::Conduct conduct;
  for (const store::Entry& entry : *entries) {
    conduct += entry.entrant.tally.conduct;
    if (entry.entrant.presence != store::Presence::kSetAside || entry.entrant.successor) continue;
    out->add_set_aside(SetAsideText(entry));
  }
  service::ToWire(conduct, out->mutable_conduct());
  return absl::OkStatus();
}

absl::StatusOr<v1::AddBotResponse> AccountAdmin::AddBot(const v1::AddBotRequest& request) const {
  if (!IsAccountName(request.name())) {
    return BadValue("name", request.name(),
                    "1 to 64 letters (a to z, A to Z), digits and - _ . that do not begin with -, "
                    "so that every command line and every list can name the account");
  }
  if (request.name() == kLocalCaller) {
    return absl::InvalidArgumentError(
        absl::StrCat("name: ", Quoted(request.name()),
                     " stands for whoever changes the data directory itself; take another"));
  }
  const absl::StatusOr<Role> role = RoleFrom(request.role());
  if (!role.ok()) return role.status();
  absl::StatusOr<absl::Duration> lifetime = absl::ZeroDuration();
  if (request.has_token_lifetime()) lifetime = LifetimeFromWire(request.token_lifetime());
  if (!lifetime.ok()) return lifetime.status();
  const std::string token = NewToken();
  store::Account account;
  account.token_lifetime = *lifetime;
  account.name = request.name();
  account.role = *role;
  account.token_hash = HashToken(token);
  account.create_time = clock_.WallNow();
  account.token_time = account.create_time;
  const absl::Status added = store_.AddAccount(
      account,
      Entry("bot.add", account.name, absl::StrCat(RoleName(*role), LifetimeText(*lifetime))));
  if (!added.ok()) return added;
  v1::AddBotResponse response;
  response.set_token(token);
  if (absl::Status shown = ToWire(account, response.mutable_bot()); !shown.ok()) return shown;
  return response;
}

absl::StatusOr<v1::ListBotsResponse> AccountAdmin::ListBots(
    const v1::ListBotsRequest& request) const {
  if (!request.page_token().empty() && !IsPlainName(request.page_token())) {
    return BadName("page_token", request.page_token());
  }
  // The one extra account shows whether there is a next page.
  const int page_size = PageSize(request.page_size());
  absl::StatusOr<std::vector<store::Account>> accounts =
      store_.ListAccounts(request.page_token(), page_size + 1);
  if (!accounts.ok()) return accounts.status();
  v1::ListBotsResponse response;
  if (static_cast<int>(accounts->size()) > page_size) {
    accounts->pop_back();
    response.set_next_page_token(accounts->back().name);
  }
  for (const store::Account& account : *accounts) {
    if (absl::Status shown = ToWire(account, response.add_bots()); !shown.ok()) return shown;
  }
  return response;
}

absl::StatusOr<v1::GetBotResponse> AccountAdmin::GetBot(const v1::GetBotRequest& request) const {
  if (!IsPlainName(request.name())) return BadName("name", request.name());
  return Show<v1::GetBotResponse>(request.name());
}

absl::StatusOr<v1::RotateTokenResponse> AccountAdmin::RotateToken(
    const v1::RotateTokenRequest& request) const {
  if (!IsPlainName(request.name())) return BadName("name", request.name());
  absl::optional<absl::Duration> lifetime;
  if (request.has_token_lifetime()) {
    const absl::StatusOr<absl::Duration> read = LifetimeFromWire(request.token_lifetime());
    if (!read.ok()) return read.status();
    lifetime = *read;
  }
  const std::string token = NewToken();
  store::AuditEntry audit = Entry("bot.rotate", request.name());
  if (lifetime) audit.detail = absl::StrCat("token", LifetimeText(*lifetime));
  const absl::Status renewed =
      store_.SetToken(request.name(), HashToken(token), audit.time, lifetime, audit);
  if (!renewed.ok()) return renewed;
  return Show(request.name(), WithToken(token));
}

absl::StatusOr<v1::RotateTokenResponse> AccountAdmin::RenewToken(
    const v1::RotateTokenRequest& request, const TokenHash& shown) const {
  if (request.has_token_lifetime()) {
    return BadValue("token_lifetime", "a duration",
                    "not set: a bot's new token lasts as the old one");
  }
  const std::string token = NewToken();
  const store::AuditEntry audit = Entry("bot.renew", request.name());
  const absl::Status renewed =
      store_.RenewToken(request.name(), shown, HashToken(token), audit.time,
                        audit.time + limits::kFormerTokenTime, audit);
  if (!renewed.ok()) return renewed;
  return Show(request.name(), WithToken(token));
}

absl::StatusOr<v1::SetBotVersionResponse> AccountAdmin::SetBotVersion(
    const v1::SetBotVersionRequest& request) const {
  if (!IsPlainName(request.name())) return BadName("name", request.name());
  if (request.as_told() && !request.version().empty()) {
    return BadValue("version", request.version(), "empty where as_told is set");
  }
  if (!request.as_told() && !IsVersion(request.version())) {
    return BadVersion("version", request.version());
  }
  const store::AuditEntry audit =
      Entry("bot.version", request.name(), request.as_told() ? "as told" : request.version());
  const absl::Status set = request.as_told()
                               ? store_.ReleaseVersion(request.name(), audit)
                               : store_.SetVersion(request.name(), request.version(), audit.time,
                                                   store::VersionSource::kOrganiser, audit);
  if (!set.ok()) return set;
  return Show<v1::SetBotVersionResponse>(request.name());
}

absl::StatusOr<v1::DisableBotResponse> AccountAdmin::DisableBot(
    const v1::DisableBotRequest& request) const {
  if (!IsPlainName(request.name())) return BadName("name", request.name());
  if (request.reason().size() > limits::kMaxReasonBytes || !IsPlainText(request.reason())) {
    return BadValue("reason", request.reason(), "at most 256 bytes without control characters");
  }
  const std::string reason =
      request.reason().empty() ? absl::StrCat("by ", who_) : request.reason();
  const absl::Status disabled =
      store_.SetDisabled(request.name(), reason, Entry("bot.disable", request.name(), reason));
  if (!disabled.ok()) return disabled;
  return Show<v1::DisableBotResponse>(request.name());
}

absl::StatusOr<v1::EnableBotResponse> AccountAdmin::EnableBot(
    const v1::EnableBotRequest& request) const {
  if (!IsPlainName(request.name())) return BadName("name", request.name());
  const absl::Status enabled =
      store_.SetDisabled(request.name(), "", Entry("bot.enable", request.name()));
  if (!enabled.ok()) return enabled;
  return Show<v1::EnableBotResponse>(request.name());
}

absl::StatusOr<v1::RemoveBotResponse> AccountAdmin::RemoveBot(
    const v1::RemoveBotRequest& request) const {
  if (!IsPlainName(request.name())) return BadName("name", request.name());
  const absl::Status removed =
      store_.RemoveAccount(request.name(), Entry("bot.remove", request.name()));
  if (!removed.ok()) return removed;
  return v1::RemoveBotResponse();
}

absl::StatusOr<v1::ListAuditResponse> AccountAdmin::ListAudit(
    const v1::ListAuditRequest& request) const {
  int64_t from = 0;
  const bool first = request.page_token().empty();
  if (!first && (!absl::SimpleAtoi(request.page_token(), &from) || from <= 0)) {
    return BadValue("page_token", request.page_token(), "next_page_token of the answer before");
  }
  const int page_size = PageSize(request.page_size());
  absl::StatusOr<std::vector<store::AuditEntry>> entries =
      request.oldest_first() ? store_.ListAuditAfter(from, page_size + 1)
                             : store_.ListAudit(from, page_size + 1);
  if (!entries.ok()) return entries.status();
  v1::ListAuditResponse response;
  if (static_cast<int>(entries->size()) > page_size) {
    entries->pop_back();
    response.set_next_page_token(absl::StrCat(entries->back().number));
  }
  for (const store::AuditEntry& entry : *entries) {
    v1::AuditEntry* const out = response.add_entries();
    out->set_number(static_cast<uint64_t>(entry.number));
    service::ToWire(entry.time, out->mutable_time());
    out->set_who(entry.who);
    out->set_action(entry.action);
    out->set_subject(entry.subject);
    out->set_detail(entry.detail);
  }
  return response;
}

}  // namespace referee::service
