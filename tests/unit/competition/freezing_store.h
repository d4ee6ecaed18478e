// A store on top of another one that simulates the death of the process before a given write.
#ifndef REFEREE_TESTS_UNIT_COMPETITION_FREEZING_STORE_H_
#define REFEREE_TESTS_UNIT_COMPETITION_FREEZING_STORE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "referee/store/sql_store.h"

namespace referee::testing {

// Counts writes, of this store and of others, and freezes before a given write. Thread-compatible.
struct Frost {
  int64_t writes = 0;
  int64_t freezes_before = -1;  // -1: never
  bool frozen() const { return freezes_before >= 0 && writes >= freezes_before; }
  // Counts a write. Returns false, without counting, once frozen.
  bool Write() {
    if (frozen()) return false;
    ++writes;
    return true;
  }
};

// Forwards all transactions to the other store.
class FreezingStore final : public store::SqlStore {
 public:
  // Both arguments must outlive this object. REQUIRES: `store` is a SqlStore.
  FreezingStore(store::Store* store, Frost* frost)
      : store_(dynamic_cast<store::SqlStore&>(*store)), frost_(*frost) {}

  // Unless OK: Apply returns this error and does nothing.
  absl::Status apply_status;
  // Called after Apply has changed the store, before Apply returns. May be null.
  std::function<void()> after_apply;
  // Unless OK: RenewLease returns this error and does nothing.
  absl::Status renew_status;
  // Unless OK: every read and write returns this error and does nothing.
  absl::Status outage;
  // The number of calls of Apply.
  int applies = 0;
  // The number of calls of ListBlocks.
  int block_lists = 0;

  absl::StatusOr<int64_t> RenewLease(absl::string_view owner, absl::Duration ttl) override {
    if (!renew_status.ok()) return renew_status;
    return SqlStore::RenewLease(owner, ttl);
  }
  absl::Status Apply(const store::Lease& lease, absl::Span<const store::Change> changes) override {
    ++applies;
    if (!outage.ok()) return outage;
    if (!apply_status.ok()) return apply_status;
    if (!frost_.Write()) return Dead();
    const absl::Status done = store_.Apply(lease, changes);
    if (after_apply) after_apply();
    return done;
  }
  absl::StatusOr<std::vector<store::Block>> ListBlocks(const store::CompetitionId& id, int64_t from,
                                                       int limit,
                                                       absl::optional<int> entrant) override {
    ++block_lists;
    return SqlStore::ListBlocks(id, from, limit, entrant);
  }

 private:
  // Gives access to the protected transactions of any SqlStore.
  struct Transactions : SqlStore {
    using SqlStore::InRead;
    using SqlStore::InWrite;
    using SqlStore::Now;
  };

  absl::Status InWrite(Writes writes, Body body) override {
    if (!outage.ok()) return outage;
    return frost_.Write() ? (store_.*&Transactions::InWrite)(writes, body) : Dead();
  }
  absl::Status InRead(bool repeatable, Body body) override {
    if (!outage.ok()) return outage;
    return (store_.*&Transactions::InRead)(repeatable, body);
  }
  absl::StatusOr<absl::Time> Now(store::SqlDatabase* db) override {
    return (store_.*&Transactions::Now)(db);
  }

  static absl::Status Dead() { return absl::UnavailableError("the store is frozen"); }

  store::SqlStore& store_;
  Frost& frost_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_UNIT_COMPETITION_FREEZING_STORE_H_
