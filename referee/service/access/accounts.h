// Who somebody is, by the accounts in the store.
#ifndef REFEREE_SERVICE_ACCESS_ACCOUNTS_H_
#define REFEREE_SERVICE_ACCESS_ACCOUNTS_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/base/mutex.h"
#include "referee/service/access/authenticator.h"
#include "referee/store/store.h"

namespace referee::service {

// Asks the store each time, so that what another process changed there holds at once. Thread-safe.
class Accounts final : public Authenticator {
 public:
  // `store` must outlive this.
  explicit Accounts(store::Store* store) : store_(*store) {}

  absl::StatusOr<Identity> Find(const TokenHash& hash) const override;
  absl::Status Recheck(absl::string_view name, const TokenHash& hash) const override;
  absl::StatusOr<bool> KnowsBot(absl::string_view name) const override;
  absl::StatusOr<bool> HasOrganiser() const override;

 private:
  // Whether the account of this name is there, and has this role.
  absl::StatusOr<bool> Has(absl::string_view name, store::Role role) const;

  store::Store& store_;
  mutable Mutex mutex_;
  // Who was one when last looked for, to be looked at first.
  mutable std::string organiser_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_ACCOUNTS_H_
