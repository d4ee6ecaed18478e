// AdminService: the calls of AccountAdmin and BanAdmin, served to organisers. It also ends streams
// whose token has become invalid.
#ifndef REFEREE_SERVICE_ADMIN_SERVICE_H_
#define REFEREE_SERVICE_ADMIN_SERVICE_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "referee/service/access/access.h"
#include "referee/service/access/account_admin.h"
#include "referee/service/access/ban_admin.h"
#include "referee/service/calls.h"
#include "referee/service/play/sessions.h"
#include "referee/service/server.h"

namespace referee::service {

class AdminService final : public v1::AdminService::CallbackService {
 public:
  // All must outlive the service. REQUIRES: options.store, when a call comes.
  AdminService(const ServerOptions& options, const Access& access, Sessions* sessions,
               CallDeadlines* deadlines)
      : options_(options),
        sessions_(*sessions),
        calls_(access, deadlines, options.metrics, /*threads=*/1) {}

  grpc::ServerUnaryReactor* AddBot(grpc::CallbackServerContext* context,
                                   const v1::AddBotRequest* request,
                                   v1::AddBotResponse* response) override;
  grpc::ServerUnaryReactor* ListBots(grpc::CallbackServerContext* context,
                                     const v1::ListBotsRequest* request,
                                     v1::ListBotsResponse* response) override;
  grpc::ServerUnaryReactor* GetBot(grpc::CallbackServerContext* context,
                                   const v1::GetBotRequest* request,
                                   v1::GetBotResponse* response) override;
  grpc::ServerUnaryReactor* RotateToken(grpc::CallbackServerContext* context,
                                        const v1::RotateTokenRequest* request,
                                        v1::RotateTokenResponse* response) override;
  grpc::ServerUnaryReactor* SetBotVersion(grpc::CallbackServerContext* context,
                                          const v1::SetBotVersionRequest* request,
                                          v1::SetBotVersionResponse* response) override;
  grpc::ServerUnaryReactor* DisableBot(grpc::CallbackServerContext* context,
                                       const v1::DisableBotRequest* request,
                                       v1::DisableBotResponse* response) override;
  grpc::ServerUnaryReactor* EnableBot(grpc::CallbackServerContext* context,
                                      const v1::EnableBotRequest* request,
                                      v1::EnableBotResponse* response) override;
  grpc::ServerUnaryReactor* RemoveBot(grpc::CallbackServerContext* context,
                                      const v1::RemoveBotRequest* request,
                                      v1::RemoveBotResponse* response) override;
  grpc::ServerUnaryReactor* AddBan(grpc::CallbackServerContext* context,
                                   const v1::AddBanRequest* request,
                                   v1::AddBanResponse* response) override;
  grpc::ServerUnaryReactor* RemoveBan(grpc::CallbackServerContext* context,
                                      const v1::RemoveBanRequest* request,
                                      v1::RemoveBanResponse* response) override;
  grpc::ServerUnaryReactor* ListBans(grpc::CallbackServerContext* context,
                                     const v1::ListBansRequest* request,
                                     v1::ListBansResponse* response) override;
  grpc::ServerUnaryReactor* ListAudit(grpc::CallbackServerContext* context,
                                      const v1::ListAuditRequest* request,
                                      v1::ListAuditResponse* response) override;

 private:
  // Of an Admin, which is AccountAdmin or BanAdmin.
  template <typename Admin, typename Request, typename Response>
  using Act = absl::StatusOr<Response> (Admin::*)(const Request&) const;

  // Calls `act` in the caller's name if they may, and then `after`.
  template <typename Admin, typename Request, typename Response>
  grpc::ServerUnaryReactor* Serve(
      absl::string_view method, grpc::CallbackServerContext* context,
      Act<Admin, Request, Response> act, const Request* request, Response* response,
      std::function<void()> after = [] {});
  // Puts the change of an account into effect.
  void Changed(const std::string& name) const;
  // Puts a change of the bans into effect.
  void BansChanged() const;
  // Cancels the matches that have begun with those whom a request bans. Returns which.
  std::vector<MatchId> CancelMatchesOf(const v1::AddBanRequest& ban, const std::string& reason,
                                       const std::string& by) const;
  void SetConnected(v1::BotAccount* bot) const;

  const ServerOptions& options_;
  Sessions& sessions_;
  Calls calls_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ADMIN_SERVICE_H_
