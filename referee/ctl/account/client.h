// A client of a referee's AdminService, with errors for people.
#ifndef REFEREE_CTL_ACCOUNT_CLIENT_H_
#define REFEREE_CTL_ACCOUNT_CLIENT_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "referee/ctl/connection.h"

namespace referee::ctl {

// Has the calls of service::AccountAdmin and service::BanAdmin. Thread-safe. Every call returns
// what Connection::Call does.
class AdminClient {
 public:
  explicit AdminClient(Connection connection)
      : connection_(std::move(connection)),
        stub_(v1::AdminService::NewStub(connection_.channel())) {}

  absl::StatusOr<v1::AddBotResponse> AddBot(const v1::AddBotRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::AddBot, request);
  }
  absl::StatusOr<v1::ListBotsResponse> ListBots(const v1::ListBotsRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::ListBots, request);
  }
  absl::StatusOr<v1::GetBotResponse> GetBot(const v1::GetBotRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::GetBot, request);
  }
  absl::StatusOr<v1::RotateTokenResponse> RotateToken(const v1::RotateTokenRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::RotateToken, request);
  }
  absl::StatusOr<v1::SetBotVersionResponse> SetBotVersion(
      const v1::SetBotVersionRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::SetBotVersion, request);
  }
  absl::StatusOr<v1::DisableBotResponse> DisableBot(const v1::DisableBotRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::DisableBot, request);
  }
  absl::StatusOr<v1::EnableBotResponse> EnableBot(const v1::EnableBotRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::EnableBot, request);
  }
  absl::StatusOr<v1::RemoveBotResponse> RemoveBot(const v1::RemoveBotRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::RemoveBot, request);
  }
  absl::StatusOr<v1::AddBanResponse> AddBan(const v1::AddBanRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::AddBan, request);
  }
  absl::StatusOr<v1::RemoveBanResponse> RemoveBan(const v1::RemoveBanRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::RemoveBan, request);
  }
  absl::StatusOr<v1::ListBansResponse> ListBans(const v1::ListBansRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::ListBans, request);
  }
  absl::StatusOr<v1::ListAuditResponse> ListAudit(const v1::ListAuditRequest& request) const {
    return connection_.Call(stub_.get(), &v1::AdminService::Stub::ListAudit, request);
  }

 private:
  Connection connection_;
  std::unique_ptr<v1::AdminService::Stub> stub_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ACCOUNT_CLIENT_H_
