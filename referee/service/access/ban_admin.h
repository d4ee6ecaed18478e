// The organiser's operations on the bans in a store, validated and audited, with the requests and
// responses of AdminService, as account_admin.h has those on accounts.
#ifndef REFEREE_SERVICE_ACCESS_BAN_ADMIN_H_
#define REFEREE_SERVICE_ACCESS_BAN_ADMIN_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "proto/referee/v1/admin_service.pb.h"
#include "referee/base/clock.h"
#include "referee/store/store.h"

namespace referee::service {

// Every call returns InvalidArgument that names the field, or the store's error. Thread-safe.
class BanAdmin {
 public:
  // `who` is the actor's name in the audit log. Both pointers must outlive this.
  BanAdmin(store::Store* store, const Clock* clock, std::string who)
      : store_(*store), clock_(*clock), who_(std::move(who)) {}

  // Also NotFound for an account that does not exist; FailedPrecondition if no other organiser
  // would be left that is neither disabled nor banned.
  absl::StatusOr<v1::AddBanResponse> AddBan(const v1::AddBanRequest& request) const;
  absl::StatusOr<v1::RemoveBanResponse> RemoveBan(const v1::RemoveBanRequest& request) const;
  // Leaves out bans that are over.
  absl::StatusOr<v1::ListBansResponse> ListBans(const v1::ListBansRequest& request) const;

 private:
  store::Store& store_;
  const Clock& clock_;
  const std::string who_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_BAN_ADMIN_H_
