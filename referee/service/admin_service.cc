#include "referee/service/admin_service.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/endpoint.h"
#include "referee/service/errors.h"

namespace referee::service {

template <typename Admin, typename Request, typename Response>
grpc::ServerUnaryReactor* AdminService::Serve(absl::string_view method,
                                              grpc::CallbackServerContext* context,
                                              Act<Admin, Request, Response> act,
                                              const Request* request, Response* response,
                                              std::function<void()> after) {
  return calls_.Serve(method, context, response, [=](const Caller& caller) {
    const Admin desk(options_.store, options_.clock, caller.name);
    absl::StatusOr<Response> done = (desk.*act)(*request);
    if (!done.ok()) return done.status();
    *response = *std::move(done);
    after();
    return absl::OkStatus();
  });
}

void AdminService::Changed(const std::string& name) const {
  // If the store cannot be read now, it will be soon.
  options_.authenticator->Refresh().IgnoreError();
  sessions_.Recheck(name);
}

absl::Status AdminService::BansChanged() {
  options_.authenticator->Refresh().IgnoreError();
  absl::Status enforced = EnforceBans();
  sessions_.Recheck();
  return enforced;
}

std::vector<std::string> AdminService::BotsOf(const store::Ban& ban) const {
  if (ban.kind == store::Ban::Kind::kAccount) return {ban.subject};
  const absl::StatusOr<IpRange> range = IpRange::Parse(ban.subject);
  return range.ok() ? sessions_.NamesFrom(range->Counted()) : std::vector<std::string>();
}

absl::Status AdminService::EnforceBans() {
  MutexLock lock(&enforcing_);
  const std::vector<store::Ban> bans = options_.authenticator->CancellingBans();
  if (bans.empty()) cancelled_.clear();
  absl::Status audited;
  for (const store::Ban& ban : bans) {
    const std::string reason =
        absl::StrCat(ban.subject, " was banned", ban.reason.empty() ? "" : ": ", ban.reason);
    for (const std::string& bot : BotsOf(ban)) {
      for (const MatchId& id : options_.host->CancelMatchesOf(bot, reason, ban.cancelled_by)) {
        // One that was cancelled may take a moment to end.
        if (cancelled_.insert(id.text()).second) audited.Update(Audit(ban, id, reason));
      }
    }
  }
  return audited;
}

absl::Status AdminService::Audit(const store::Ban& ban, const MatchId& match,
                                 const std::string& reason) const {
  store::AuditEntry entry;
  entry.time = options_.clock->WallNow();
  entry.who = ban.cancelled_by;
  entry.action = "match.cancel";
  entry.subject = match.text();
  entry.detail = reason;
  const absl::Status written = options_.store->AppendAudit(entry);
  if (written.ok()) return written;
  return NotAudited(absl::StrCat("match.cancel: match ", match.text(), " is as you asked"),
                    written);
}

void AdminService::SetConnected(v1::BotAccount* bot) const {
  bot->set_connected(options_.host->connected(bot->name()));
}

grpc::ServerUnaryReactor* AdminService::AddBot(grpc::CallbackServerContext* context,
                                               const v1::AddBotRequest* request,
                                               v1::AddBotResponse* response) {
  return Serve("referee.v1.AdminService.AddBot", context, &AccountAdmin::AddBot, request, response,
               [=] { Changed(request->name()); });
}

grpc::ServerUnaryReactor* AdminService::ListBots(grpc::CallbackServerContext* context,
                                                 const v1::ListBotsRequest* request,
                                                 v1::ListBotsResponse* response) {
  return Serve("referee.v1.AdminService.ListBots", context, &AccountAdmin::ListBots, request,
               response, [=] {
                 for (v1::BotAccount& bot : *response->mutable_bots()) SetConnected(&bot);
               });
}

grpc::ServerUnaryReactor* AdminService::GetBot(grpc::CallbackServerContext* context,
                                               const v1::GetBotRequest* request,
                                               v1::GetBotResponse* response) {
  return calls_.Serve("referee.v1.AdminService.GetBot", context, response,
                      [=](const Caller& caller) {
                        v1::GetBotRequest meant = *request;
                        if (meant.name().empty()) meant.set_name(caller.name);
                        if (caller.role == Role::kBot && meant.name() != caller.name) {
                          return OnlyForItself(caller.name, meant.name());
                        }
                        const AccountAdmin desk(options_.store, options_.clock, caller.name);
                        absl::StatusOr<v1::GetBotResponse> found = desk.GetBot(meant);
                        if (!found.ok()) return found.status();
                        *response = *std::move(found);
                        SetConnected(response->mutable_bot());
                        return absl::OkStatus();
                      });
}

grpc::ServerUnaryReactor* AdminService::RotateToken(grpc::CallbackServerContext* context,
                                                    const v1::RotateTokenRequest* request,
                                                    v1::RotateTokenResponse* response) {
  return calls_.Serve("referee.v1.AdminService.RotateToken", context, response,
                      [=](const Caller& caller) {
                        v1::RotateTokenRequest meant = *request;
                        const bool own = caller.role == Role::kBot;
                        if (own && meant.name().empty()) meant.set_name(caller.name);
                        if (own && meant.name() != caller.name) {
                          return OnlyForItself(caller.name, meant.name());
                        }
                        const AccountAdmin desk(options_.store, options_.clock, caller.name);
                        absl::StatusOr<v1::RotateTokenResponse> done =
                            own ? desk.RenewToken(meant, *caller.hash) : desk.RotateToken(meant);
                        if (!done.ok()) return done.status();
                        *response = *std::move(done);
                        Changed(meant.name());
                        return absl::OkStatus();
                      });
}

grpc::ServerUnaryReactor* AdminService::SetBotVersion(grpc::CallbackServerContext* context,
                                                      const v1::SetBotVersionRequest* request,
                                                      v1::SetBotVersionResponse* response) {
  return Serve("referee.v1.AdminService.SetBotVersion", context, &AccountAdmin::SetBotVersion,
               request, response, [=] {
                 Changed(request->name());
                 if (options_.competitions != nullptr) {
                   options_.competitions->VersionChanged(request->name());
                 }
                 SetConnected(response->mutable_bot());
               });
}

grpc::ServerUnaryReactor* AdminService::DisableBot(grpc::CallbackServerContext* context,
                                                   const v1::DisableBotRequest* request,
                                                   v1::DisableBotResponse* response) {
  return Serve("referee.v1.AdminService.DisableBot", context, &AccountAdmin::DisableBot, request,
               response, [=] { Changed(request->name()); });
}

grpc::ServerUnaryReactor* AdminService::EnableBot(grpc::CallbackServerContext* context,
                                                  const v1::EnableBotRequest* request,
                                                  v1::EnableBotResponse* response) {
  return Serve("referee.v1.AdminService.EnableBot", context, &AccountAdmin::EnableBot, request,
               response, [=] {
                 Changed(request->name());
                 SetConnected(response->mutable_bot());
               });
}

grpc::ServerUnaryReactor* AdminService::RemoveBot(grpc::CallbackServerContext* context,
                                                  const v1::RemoveBotRequest* request,
                                                  v1::RemoveBotResponse* response) {
  return Serve("referee.v1.AdminService.RemoveBot", context, &AccountAdmin::RemoveBot, request,
               response, [=] { Changed(request->name()); });
}

grpc::ServerUnaryReactor* AdminService::AddBan(grpc::CallbackServerContext* context,
                                               const v1::AddBanRequest* request,
                                               v1::AddBanResponse* response) {
  return calls_.Serve("referee.v1.AdminService.AddBan", context, response,
                      [=](const Caller& caller) {
                        const BanAdmin desk(options_.store, options_.clock, caller.name);
                        absl::StatusOr<v1::AddBanResponse> banned = desk.AddBan(*request);
                        if (!banned.ok()) return banned.status();
                        *response = *std::move(banned);
                        return BansChanged();
                      });
}

grpc::ServerUnaryReactor* AdminService::RemoveBan(grpc::CallbackServerContext* context,
                                                  const v1::RemoveBanRequest* request,
                                                  v1::RemoveBanResponse* response) {
  return Serve("referee.v1.AdminService.RemoveBan", context, &BanAdmin::RemoveBan, request,
               response, [=] { BansChanged().IgnoreError(); });
}

grpc::ServerUnaryReactor* AdminService::ListBans(grpc::CallbackServerContext* context,
                                                 const v1::ListBansRequest* request,
                                                 v1::ListBansResponse* response) {
  return Serve("referee.v1.AdminService.ListBans", context, &BanAdmin::ListBans, request, response);
}

grpc::ServerUnaryReactor* AdminService::ListAudit(grpc::CallbackServerContext* context,
                                                  const v1::ListAuditRequest* request,
                                                  v1::ListAuditResponse* response) {
  return Serve("referee.v1.AdminService.ListAudit", context, &AccountAdmin::ListAudit, request,
               response);
}

}  // namespace referee::service
