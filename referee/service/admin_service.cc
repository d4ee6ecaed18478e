#include "referee/service/admin_service.h"

#include <utility>

#include "referee/service/answer.h"

namespace referee::service {

template <typename Request, typename Response>
absl::Status AdminService::Serve(absl::string_view method,
                                 const grpc::CallbackServerContext& context,
                                 Act<Request, Response> act, const Request& request,
                                 Response* response) const {
  const absl::StatusOr<Caller> caller = access_.Check(method, context);
  if (!caller.ok()) return caller.status();
  const AdminDesk desk(options_.store, options_.clock, options_.bots_file, caller->name);
  absl::StatusOr<Response> done = (desk.*act)(request);
  if (!done.ok()) return done.status();
  *response = *std::move(done);
  return absl::OkStatus();
}

void AdminService::SetConnected(v1::BotAccount* bot) const {
  bot->set_connected(options_.host->connected(bot->name()));
}

grpc::ServerUnaryReactor* AdminService::AddBot(grpc::CallbackServerContext* context,
                                               const v1::AddBotRequest* request,
                                               v1::AddBotResponse* response) {
  const absl::Status done =
      Serve("referee.v1.AdminService.AddBot", *context, &AdminDesk::AddBot, *request, response);
  return Answer(context, done);
}

grpc::ServerUnaryReactor* AdminService::ListBots(grpc::CallbackServerContext* context,
                                                 const v1::ListBotsRequest* request,
                                                 v1::ListBotsResponse* response) {
  const absl::Status done =
      Serve("referee.v1.AdminService.ListBots", *context, &AdminDesk::ListBots, *request, response);
  for (v1::BotAccount& bot : *response->mutable_bots()) SetConnected(&bot);
  return Answer(context, done);
}

grpc::ServerUnaryReactor* AdminService::GetBot(grpc::CallbackServerContext* context,
                                               const v1::GetBotRequest* request,
                                               v1::GetBotResponse* response) {
  const absl::Status done =
      Serve("referee.v1.AdminService.GetBot", *context, &AdminDesk::GetBot, *request, response);
  if (done.ok()) SetConnected(response->mutable_bot());
  return Answer(context, done);
}

grpc::ServerUnaryReactor* AdminService::RotateToken(grpc::CallbackServerContext* context,
                                                    const v1::RotateTokenRequest* request,
                                                    v1::RotateTokenResponse* response) {
  const absl::Status done = Serve("referee.v1.AdminService.RotateToken", *context,
                                  &AdminDesk::RotateToken, *request, response);
  if (done.ok()) sessions_.Recheck(request->name());
  return Answer(context, done);
}

grpc::ServerUnaryReactor* AdminService::DisableBot(grpc::CallbackServerContext* context,
                                                   const v1::DisableBotRequest* request,
                                                   v1::DisableBotResponse* response) {
  const absl::Status done = Serve("referee.v1.AdminService.DisableBot", *context,
                                  &AdminDesk::DisableBot, *request, response);
  if (done.ok()) sessions_.Recheck(request->name());
  return Answer(context, done);
}

grpc::ServerUnaryReactor* AdminService::EnableBot(grpc::CallbackServerContext* context,
                                                  const v1::EnableBotRequest* request,
                                                  v1::EnableBotResponse* response) {
  const absl::Status done = Serve("referee.v1.AdminService.EnableBot", *context,
                                  &AdminDesk::EnableBot, *request, response);
  if (done.ok()) SetConnected(response->mutable_bot());
  return Answer(context, done);
}

grpc::ServerUnaryReactor* AdminService::RemoveBot(grpc::CallbackServerContext* context,
                                                  const v1::RemoveBotRequest* request,
                                                  v1::RemoveBotResponse* response) {
  const absl::Status done = Serve("referee.v1.AdminService.RemoveBot", *context,
                                  &AdminDesk::RemoveBot, *request, response);
  if (done.ok()) sessions_.Recheck(request->name());
  return Answer(context, done);
}

grpc::ServerUnaryReactor* AdminService::ListAudit(grpc::CallbackServerContext* context,
                                                  const v1::ListAuditRequest* request,
                                                  v1::ListAuditResponse* response) {
  const absl::Status done = Serve("referee.v1.AdminService.ListAudit", *context,
                                  &AdminDesk::ListAudit, *request, response);
  return Answer(context, done);
}

}  // namespace referee::service
