#include "referee/service/admin_service.h"

#include <utility>

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

void AdminService::BansChanged() const {
  options_.authenticator->Refresh().IgnoreError();
  sessions_.Recheck();
}

std::vector<MatchId> AdminService::CancelMatchesOf(const v1::AddBanRequest& ban,
                                                   const std::string& reason,
                                                   const std::string& by) const {
  std::vector<std::string> bots = {ban.account()};
  if (ban.has_address()) bots = sessions_.NamesFrom(IpRange::Parse(ban.address())->Counted());
  std::vector<MatchId> cancelled;
  for (const std::string& bot : bots) {
    for (const MatchId& id : options_.host->CancelMatchesOf(bot, reason, by)) {
      cancelled.push_back(id);
    }
  }
  return cancelled;
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
  return calls_.Serve(
      "referee.v1.AdminService.AddBan", context, response, [=](const Caller& caller) {
        const auto cancel = [&](const v1::AddBanRequest& ban, const std::string& reason) {
          return CancelMatchesOf(ban, reason, caller.name);
        };
        const BanAdmin desk(options_.store, options_.clock, caller.name, cancel);
        absl::StatusOr<v1::AddBanResponse> banned = desk.AddBan(*request);
        if (!banned.ok()) return banned.status();
        *response = *std::move(banned);
        BansChanged();
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* AdminService::RemoveBan(grpc::CallbackServerContext* context,
                                                  const v1::RemoveBanRequest* request,
                                                  v1::RemoveBanResponse* response) {
  return Serve("referee.v1.AdminService.RemoveBan", context, &BanAdmin::RemoveBan, request,
               response, [=] { BansChanged(); });
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
