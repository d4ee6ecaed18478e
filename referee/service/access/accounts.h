// Who somebody is, by the accounts in the store; and by both, the store and a bots file.
#ifndef REFEREE_SERVICE_ACCESS_ACCOUNTS_H_
#define REFEREE_SERVICE_ACCESS_ACCOUNTS_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/base/mutex.h"
#include "referee/service/access/authenticator.h"
#include "referee/service/access/credentials.h"
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

// Those of a bots file, and accounts of other names. Thread-safe.
class BotsFileAndAccounts final : public Authenticator {
 public:
  // Both must outlive this.
  BotsFileAndAccounts(const Credentials* file, const Accounts* accounts)
      : file_(*file), accounts_(*accounts) {}

  absl::StatusOr<Identity> Find(const TokenHash& hash) const override;
  absl::Status Recheck(absl::string_view name, const TokenHash& hash) const override;
  absl::StatusOr<bool> KnowsBot(absl::string_view name) const override;
  absl::StatusOr<bool> HasOrganiser() const override;

 private:
  const Credentials& file_;
  const Accounts& accounts_;
};

// Returns AlreadyExists that names one that has a line in `file` and an account in `store`.
absl::Status CheckNoNameTwice(const Credentials& file, store::Store* store);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_ACCOUNTS_H_
