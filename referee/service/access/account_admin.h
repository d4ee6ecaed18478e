// The organiser's operations on the accounts and bans in a store, validated and audited.
//
// It takes the requests and returns the responses of AdminService. AdminService serves them; refctl
// calls them on the referee's own machine.
#ifndef REFEREE_SERVICE_ACCESS_ACCOUNT_ADMIN_H_
#define REFEREE_SERVICE_ACCESS_ACCOUNT_ADMIN_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/admin_service.pb.h"
#include "referee/base/clock.h"
#include "referee/service/access/authenticator.h"
#include "referee/store/store.h"

namespace referee::service {

// Every call returns InvalidArgument that names the field, or the store's error; see
// admin_service.proto. Never sets `connected`, which only the host knows. Thread-safe.
class AccountAdmin {
 public:
  // `who` is the actor's name in the audit log. Both pointers must outlive this.
  AccountAdmin(store::Store* store, const Clock* clock, std::string who)
      : store_(*store), clock_(*clock), who_(std::move(who)) {}

  absl::StatusOr<v1::AddBotResponse> AddBot(const v1::AddBotRequest& request) const;
  absl::StatusOr<v1::ListBotsResponse> ListBots(const v1::ListBotsRequest& request) const;
  absl::StatusOr<v1::GetBotResponse> GetBot(const v1::GetBotRequest& request) const;
  absl::StatusOr<v1::RotateTokenResponse> RotateToken(const v1::RotateTokenRequest& request) const;
  // Renews the token for the account itself, which shows its current token.
  absl::StatusOr<v1::RotateTokenResponse> RenewToken(const v1::RotateTokenRequest& request,
                                                     const TokenHash& shown) const;
  absl::StatusOr<v1::SetBotVersionResponse> SetBotVersion(
      const v1::SetBotVersionRequest& request) const;
  absl::StatusOr<v1::DisableBotResponse> DisableBot(const v1::DisableBotRequest& request) const;
  absl::StatusOr<v1::EnableBotResponse> EnableBot(const v1::EnableBotRequest& request) const;
  absl::StatusOr<v1::RemoveBotResponse> RemoveBot(const v1::RemoveBotRequest& request) const;
  absl::StatusOr<v1::ListAuditResponse> ListAudit(const v1::ListAuditRequest& request) const;

  // Also returns NotFound for an unknown account, and FailedPrecondition if the ban would leave no
  // organiser that is neither disabled nor banned.
  absl::StatusOr<v1::AddBanResponse> AddBan(const v1::AddBanRequest& request) const;
  absl::StatusOr<v1::RemoveBanResponse> RemoveBan(const v1::RemoveBanRequest& request) const;
  // Leaves out bans that have ended.
  absl::StatusOr<v1::ListBansResponse> ListBans(const v1::ListBansRequest& request) const;

 private:
  store::AuditEntry Entry(absl::string_view action, absl::string_view subject,
                          std::string detail = "") const;
  // Adds the current state of the account to `response`.
  template <typename Response>
  absl::StatusOr<Response> Show(absl::string_view name, Response response = Response()) const;
  absl::Status ToWire(const store::Account& account, v1::BotAccount* out) const;

  store::Store& store_;
  const Clock& clock_;
  const std::string who_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_ACCOUNT_ADMIN_H_
