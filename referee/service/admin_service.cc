#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "referee/base/endpoint.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/service/access/account_admin.h"
#include "referee/service/errors.h"
#include "referee/service/services.h"
#include "referee/service/unary_service.h"
#include "referee/store/account.h"

namespace referee::service {
namespace {

class AdminService final : public UnaryService<v1::AdminService> {
 public:
  explicit AdminService(const ServiceParts& parts);
  ~AdminService() override { parts_.sessions->OnRefreshed(nullptr); }

 private:
  template <typename Request, typename Response>
  using Act = absl::StatusOr<Response> (AccountAdmin::*)(const Request&) const;

  // Serves a method by `act` in the caller's name, and then calls `after`.
  template <typename Request, typename Response, typename After>
  void ServeAs(Act<Request, Response> act, After after) {
    ServeBy<Request, Response>(
        Requests::kSmall, [=](const Caller& caller, const Request& request, Response* response) {
          absl::Status done = Answer((DeskOf(caller).*act)(request), response);
          if (done.ok()) after(request, response);
          return done;
        });
  }
  template <typename Request, typename Response>
  void ServeAs(Act<Request, Response> act) {
    ServeAs(act, [](const Request&, Response*) {});
  }
  template <typename Response>
  static absl::Status Answer(absl::StatusOr<Response> done, Response* response) {
    if (done.ok()) *response = *std::move(done);
    return done.status();
  }

  absl::Status Show(const Caller& caller, const v1::GetBotRequest& request,
                    v1::GetBotResponse* response);
  absl::Status Rotate(const Caller& caller, const v1::RotateTokenRequest& request,
                      v1::RotateTokenResponse* response);
  absl::Status Ban(const Caller& caller, const v1::AddBanRequest& request,
                   v1::AddBanResponse* response);

  AccountAdmin DeskOf(const Caller& caller) const {
    return AccountAdmin(parts_.options.store, parts_.options.clock, caller.name);
  }
  // Applies a change of an account to open sessions.
  void Changed(const std::string& name) const;
  // Applies a change of the bans. Returns the errors of EnforceBans.
  absl::Status BansChanged();
  // Cancels matches at this referee as the bans demand. A ban made here applies at once, a ban made
  // at another referee at the next recheck. Returns the error of an audit entry.
  absl::Status EnforceBans();
  // The bots with sessions at this referee that `ban` shuts out; for an account, its name.
  std::vector<std::string> BotsOf(const store::Ban& ban) const;
  void SetConnected(v1::BotAccount* bot) const {
    bot->set_connected(parts_.options.host->connected(bot->name()));
  }

  Mutex enforcing_;
  // Matches that were cancelled by a ban; cleared when no cancelling ban is left.
  absl::flat_hash_set<std::string> cancelled_ ABSL_GUARDED_BY(enforcing_);
};

AdminService::AdminService(const ServiceParts& parts) : UnaryService(parts, /*threads=*/1) {
  const auto changed = [this](const auto& request, auto*) { Changed(request.name()); };
  ServeAs(&AccountAdmin::AddBot, changed);
  ServeAs(&AccountAdmin::ListBots, [this](const auto&, auto* response) {
    for (v1::BotAccount& bot : *response->mutable_bots()) SetConnected(&bot);
  });
  Serve(&AdminService::Show);
  Serve(&AdminService::Rotate);
  ServeAs(&AccountAdmin::SetBotVersion, [this](const auto& request, auto* response) {
    Changed(request.name());
    if (parts_.options.competitions != nullptr) {
      parts_.options.competitions->VersionChanged(request.name());
    }
    SetConnected(response->mutable_bot());
  });
  ServeAs(&AccountAdmin::DisableBot, changed);
  ServeAs(&AccountAdmin::EnableBot, [this](const auto& request, auto* response) {
    Changed(request.name());
    SetConnected(response->mutable_bot());
  });
  ServeAs(&AccountAdmin::RemoveBot, changed);
  Serve(&AdminService::Ban);
  ServeAs(&AccountAdmin::RemoveBan, [this](const auto&, auto*) { BansChanged().IgnoreError(); });
  ServeAs(&AccountAdmin::ListBans);
  ServeAs(&AccountAdmin::ListAudit);
  parts_.sessions->OnRefreshed([this] { EnforceBans().IgnoreError(); });
}

absl::Status AdminService::Show(const Caller& caller, const v1::GetBotRequest& request,
                                v1::GetBotResponse* response) {
  v1::GetBotRequest meant = request;
  if (meant.name().empty()) meant.set_name(caller.name);
  if (caller.role == Role::kBot && meant.name() != caller.name) {
    return OnlyForItself(caller.name, meant.name());
  }
  absl::Status found = Answer(DeskOf(caller).GetBot(meant), response);
  if (found.ok()) SetConnected(response->mutable_bot());
  return found;
}

absl::Status AdminService::Rotate(const Caller& caller, const v1::RotateTokenRequest& request,
                                  v1::RotateTokenResponse* response) {
  v1::RotateTokenRequest meant = request;
  const bool own = caller.role == Role::kBot;
  if (own && meant.name().empty()) meant.set_name(caller.name);
  if (own && meant.name() != caller.name) return OnlyForItself(caller.name, meant.name());
  const AccountAdmin desk = DeskOf(caller);
  absl::Status done =
      Answer(own ? desk.RenewToken(meant, *caller.hash) : desk.RotateToken(meant), response);
  if (done.ok()) Changed(meant.name());
  return done;
}

absl::Status AdminService::Ban(const Caller& caller, const v1::AddBanRequest& request,
                               v1::AddBanResponse* response) {
  absl::Status banned = Answer(DeskOf(caller).AddBan(request), response);
  return banned.ok() ? BansChanged() : banned;
}

void AdminService::Changed(const std::string& name) const {
  // A failed read is repeated soon.
  parts_.options.authenticator->Refresh().IgnoreError();
  parts_.sessions->Recheck(name);
}

absl::Status AdminService::BansChanged() {
  parts_.options.authenticator->Refresh().IgnoreError();
  absl::Status enforced = EnforceBans();
  parts_.sessions->Recheck();
  return enforced;
}

std::vector<std::string> AdminService::BotsOf(const store::Ban& ban) const {
  if (ban.kind == store::Ban::Kind::kAccount) return {ban.subject};
  const absl::StatusOr<IpRange> range = IpRange::Parse(ban.subject);
  return range.ok() ? parts_.sessions->NamesFrom(range->Counted()) : std::vector<std::string>();
}

absl::Status AdminService::EnforceBans() {
  MutexLock lock(&enforcing_);
  const ServerOptions& options = parts_.options;
  const std::vector<store::Ban> bans = options.authenticator->CancellingBans();
  if (bans.empty()) cancelled_.clear();
  absl::Status audited;
  for (const store::Ban& ban : bans) {
    const std::string reason =
        absl::StrCat(ban.subject, " was banned", ban.reason.empty() ? "" : ": ", ban.reason);
    for (const std::string& bot : BotsOf(ban)) {
      for (const MatchId& id : options.host->CancelMatchesOf(bot, reason, ban.cancelled_by)) {
        // A cancelled match may take a moment to end; it is audited only once.
        if (!cancelled_.insert(id.text()).second) continue;
        audited.Update(
            Audit(options, ban.cancelled_by, "match.cancel", "match", id.text(), reason));
      }
    }
  }
  return audited;
}

}  // namespace

std::unique_ptr<grpc::Service> MakeAdminService(const ServiceParts& parts) {
  return std::make_unique<AdminService>(parts);
}

}  // namespace referee::service
