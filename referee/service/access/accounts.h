// Authentication by the accounts and bans in the store, all of which are cached in memory.
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

// Every change of an account or ban, by whatever process, adds an entry to the audit log. So a
// refresh reads the number of the newest entry, and all accounts again if the number has changed.
// Thread-safe.
class Accounts final : public Authenticator {
 public:
  // Knows nobody before the first Refresh. `store` and `clock`, by which bans end, must outlive
  // this; `executor` is where RefreshThen waits for the store.
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

  // Calls that come while another waits for the store share one reading of it.
  absl::Status Refresh() override;
  // Whether the store answers: true if the latest refresh succeeded and is no older than `age`,
  // else what another says.
  bool StoreAnswers(absl::Duration age);
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
  // The account whose token this is, and may be used but for its end.
  absl::StatusOr<std::shared_ptr<const store::Account>> FindAccount(const TokenHash& hash,
                                                                    absl::Time now) const;
  void NoteUse(const store::Account& account, absl::Time now) const;
  // Puts into the store what was noted. What cannot be is tried again with the next.
  void KeepUses();
  bool Holds(const store::Ban& ban) const;
  absl::Status CheckBan(const Book& known, absl::string_view name) const;
  absl::Status ReadBans(Book* all) const;
  // All accounts and bans there are.
  absl::StatusOr<std::shared_ptr<const Book>> ReadAll() const;
  // Puts it into the store, in the bot's name.
  absl::Status ReadWhatChanged() ABSL_EXCLUSIVE_LOCKS_REQUIRED(refresh_mutex_);
  absl::Status KeepVersion(const std::string& name, const std::string& version);
  // Refreshes, and tells those who wait.
  void AnswerWaiting();

  store::Store& store_;
  const Clock& clock_;

  Mutex refresh_mutex_;  // taken before mutex_
  // The newest entry of the audit log before the accounts were read; -1: they were not.
  int64_t newest_entry_ ABSL_GUARDED_BY(refresh_mutex_) = -1;

  mutable Mutex mutex_;
  std::shared_ptr<const Book> book_ ABSL_GUARDED_BY(mutex_);
  // When the latest refresh began; none unless it succeeded.
  absl::optional<Instant> refreshed_ ABSL_GUARDED_BY(mutex_);
  std::vector<Then> waiting_ ABSL_GUARDED_BY(mutex_);

  mutable Mutex uses_mutex_;
  // When tokens were taken, by account: the last that was noted, and those not in the store yet.
  mutable absl::flat_hash_map<std::string, absl::Time> noted_uses_ ABSL_GUARDED_BY(uses_mutex_);
  mutable absl::flat_hash_map<std::string, absl::Time> due_uses_ ABSL_GUARDED_BY(uses_mutex_);

  // Destroyed first: it finishes what it was asked for.
  const std::unique_ptr<host::Executor> executor_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_ACCOUNTS_H_
