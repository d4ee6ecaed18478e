// A store that goes on in another until it is frozen: from a given write on it does nothing any
// more, and says so, as if the process had been killed just before that write.
#ifndef REFEREE_TESTS_UNIT_COMPETITION_FREEZING_STORE_H_
#define REFEREE_TESTS_UNIT_COMPETITION_FREEZING_STORE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "referee/store/sql_store.h"

namespace referee::testing {

// Counts what is written, here and elsewhere, up to the write before which all freezes.
// Thread-compatible.
struct Frost {
  int64_t writes = 0;
  int64_t freezes_before = -1;  // -1: never
  bool frozen() const { return freezes_before >= 0 && writes >= freezes_before; }
  // Whether one more write happens.
  bool Write() {
    if (frozen()) return false;
    ++writes;
    return true;
  }
};

// Its transactions are those of the other.
class FreezingStore final : public store::SqlStore {
 public:
  // Both must outlive it. REQUIRES: the store is in a database that speaks SQL.
  FreezingStore(store::Store* store, Frost* frost)
      : store_(dynamic_cast<store::SqlStore&>(*store)), frost_(*frost) {}

  // What Apply returns instead of doing anything, as long as it is not OK.
  absl::Status apply_status;
  // Called after Apply has changed the store, and before its caller hears of it. May be null.
  std::function<void()> after_apply;
  // What RenewLease returns instead, likewise.
  absl::Status renew_status;
  // What every call returns instead of doing anything, likewise.
  absl::Status outage;
  // How often Apply was called.
  int applies = 0;
  // How often ListBlocks was called.
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
  // Names the transactions of any SqlStore.
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
