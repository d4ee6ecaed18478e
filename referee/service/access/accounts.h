// Authentication by the accounts and bans in the store, all cached in memory.
//
//   Accounts accounts(store, &clock, std::make_unique<host::ThreadExecutor>());
//   if (absl::Status read = accounts.Refresh(); !read.ok()) return read;
#ifndef REFEREE_SERVICE_ACCESS_ACCOUNTS_H_
#define REFEREE_SERVICE_ACCESS_ACCOUNTS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/endpoint.h"
#include "referee/base/mutex.h"
#include "referee/host/timers.h"
#include "referee/service/access/authenticator.h"
#include "referee/store/store.h"

namespace referee::service {

// Every change of an account or ban, by any process, adds an entry to the audit log. So a refresh
// reads the number of the newest entry, and reads all accounts again if the number has changed.
// Thread-safe.
class Accounts final : public Authenticator {
 public:
  // Starts empty, until the first Refresh. `store` must outlive this, and so must `clock`, which
  // decides when bans end. RefreshThen waits for the store on `executor`.
  Accounts(store::Store* store, const Clock* clock, std::unique_ptr<host::Executor> executor);

  absl::StatusOr<Identity> Find(const TokenHash& hash) const override;
  absl::StatusOr<Identity> FindShutOut(const TokenHash& hash) const override;
  absl::Status Recheck(absl::string_view name, const TokenHash& hash) const override;
  absl::Status CheckExpiry(absl::string_view name) const override;
  absl::Status CheckAddress(absl::string_view address) const override;
  std::vector<store::Ban> CancellingBans() const override;
  std::string WhyShutOut(absl::string_view name) const override;
  bool KnowsBot(absl::string_view name) const override;
  absl::optional<Role> RoleOf(absl::string_view name) const override;
  bool HasOrganiser() const override;

  absl::Status Refresh() override;
  // Whether the store answers: true if the latest refresh succeeded within the last `age`.
  // Otherwise refreshes and returns whether that succeeded.
  bool StoreAnswers(absl::Duration age);
  // Requests share one refresh if they come before it starts.
  void RefreshThen(Then then) override;
  void TellVersion(const std::string& name, const std::string& version, Then then) override;

 private:
  struct Book {
    absl::flat_hash_map<std::string, std::shared_ptr<const store::Account>> by_name;
    absl::flat_hash_map<std::string, std::shared_ptr<const store::Account>> by_hash;  // 32 bytes
    bool has_organiser = false;
    absl::flat_hash_map<std::string, store::Ban> banned;  // accounts
    std::vector<std::pair<IpRange, store::Ban>> banned_ranges;
  };

  std::shared_ptr<const Book> book() const;
  // Returns the account with this token, without regard to the token's expiry. Returns an error if
  // it is banned or disabled, or if the token was renewed.
  absl::StatusOr<std::shared_ptr<const store::Account>> FindAccount(const TokenHash& hash,
                                                                    absl::Time now) const;
  void NoteUse(const store::Account& account, absl::Time now) const;
  // Writes the noted uses to the store. Failed ones are retried with the next.
  void KeepUses();
  bool Holds(const store::Ban& ban) const;
  absl::Status CheckBan(const Book& known, absl::string_view name) const;
  absl::Status ReadBans(Book* all) const;
  // Reads all accounts and bans.
  absl::StatusOr<std::shared_ptr<const Book>> ReadAll() const;
  // Reads all accounts and bans if the audit log has new entries.
  absl::Status ReadWhatChanged() ABSL_EXCLUSIVE_LOCKS_REQUIRED(refresh_mutex_);
  // Stores the version in the bot's name.
  absl::Status KeepVersion(const std::string& name, const std::string& version);
  // Refreshes, and calls the waiting callbacks.
  void AnswerWaiting();

  store::Store& store_;
  const Clock& clock_;

  Mutex refresh_mutex_;  // taken before mutex_
  // The newest audit entry before the accounts were read; -1: they were not read.
  int64_t newest_entry_ ABSL_GUARDED_BY(refresh_mutex_) = -1;

  mutable Mutex mutex_;
  std::shared_ptr<const Book> book_ ABSL_GUARDED_BY(mutex_);
  // When the latest refresh began; not set unless it succeeded.
  absl::optional<Instant> refreshed_ ABSL_GUARDED_BY(mutex_);
  std::vector<Then> waiting_ ABSL_GUARDED_BY(mutex_);

  mutable Mutex uses_mutex_;
  // When tokens were last used, by account: as noted, and as not yet written to the store.
  mutable absl::flat_hash_map<std::string, absl::Time> noted_uses_ ABSL_GUARDED_BY(uses_mutex_);
  mutable absl::flat_hash_map<std::string, absl::Time> due_uses_ ABSL_GUARDED_BY(uses_mutex_);

  // Destroyed first: it finishes pending tasks.
  const std::unique_ptr<host::Executor> executor_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_ACCOUNTS_H_
