// AdminService: the calls of AccountAdmin and BanAdmin, served to organisers. It also ends streams
// whose token has become invalid.
#ifndef REFEREE_SERVICE_ADMIN_SERVICE_H_
#define REFEREE_SERVICE_ADMIN_SERVICE_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/service/access/access.h"
#include "referee/service/access/account_admin.h"
#include "referee/service/access/ban_admin.h"
#include "referee/service/calls.h"
#include "referee/service/play/sessions.h"
#include "referee/service/server.h"
#include "referee/store/account.h"

namespace referee::service {

class AdminService final : public v1::AdminService::CallbackService {
 public:
  // All must outlive the service. REQUIRES: options.store, when a call comes.
  AdminService(const ServerOptions& options, const Access& access, Sessions* sessions,
               CallDeadlines* deadlines)
      : options_(options),
        sessions_(*sessions),
        calls_(access, deadlines, options.metrics, /*threads=*/1) {
    sessions_.OnRefreshed([this] { EnforceBans().IgnoreError(); });
  }
  ~AdminService() override { sessions_.OnRefreshed(nullptr); }

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
  // Puts a change of the bans into effect. Returns what EnforceBans does.
  absl::Status BansChanged();
  // Cancels the matches here that bans cancel, whichever referee was asked for the ban: at once
  // when it was this one, else at the next recheck. Returns the error of an audit entry.
  absl::Status EnforceBans();
  // The bots that a ban shuts out, as far as they are here.
  std::vector<std::string> BotsOf(const store::Ban& ban) const;
  absl::Status Audit(const store::Ban& ban, const MatchId& match, const std::string& reason) const;
  void SetConnected(v1::BotAccount* bot) const;

  const ServerOptions& options_;
  Sessions& sessions_;
  Calls calls_;
  Mutex enforcing_;
  // The matches that bans have cancelled, while there are such bans.
  absl::flat_hash_set<std::string> cancelled_ ABSL_GUARDED_BY(enforcing_);
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ADMIN_SERVICE_H_
