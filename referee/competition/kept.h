// A cache of costly reads: one value per key, for the most recently used keys.
//
//   Kept<store::CompetitionId, Table> tables(16);
//   absl::StatusOr<std::shared_ptr<const Table>> table = tables.Get(
//       id, [&](const Table& kept) { return kept.version == version; },
//       [&] { return ReadTable(id); });
#ifndef REFEREE_COMPETITION_KEPT_H_
#define REFEREE_COMPETITION_KEPT_H_

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "referee/base/mutex.h"

namespace referee::competition {

// Thread-safe.
template <typename Key, typename Value>
class Kept {
 public:
  // Caches at most `most` values.
  explicit Kept(size_t most) : most_(most) {}

  // Returns the cached value for `key` if it `is_fresh`. Otherwise returns and caches the result of
  // `read`. Concurrent callers wait for a running `read`, so it runs once for all of them. Returns
  // the error of `read`, which is not cached. Neither function may call back.
  absl::StatusOr<std::shared_ptr<const Value>> Get(
      const Key& key, absl::FunctionRef<bool(const Value&)> is_fresh,
      absl::FunctionRef<absl::StatusOr<Value>()> read) {
    MutexLock lock(&mutex_);
    const auto known = std::find_if(kept_.begin(), kept_.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    if (known != kept_.end() && is_fresh(*known->second)) {
      kept_.splice(kept_.begin(), kept_, known);
      return kept_.front().second;
    }
    absl::StatusOr<Value> value = read();
    if (!value.ok()) return value.status();
    if (known != kept_.end()) kept_.erase(known);
    kept_.emplace_front(key, std::make_shared<const Value>(*std::move(value)));
    if (kept_.size() > most_) kept_.pop_back();
    return kept_.front().second;
  }

 private:
  const size_t most_;
  Mutex mutex_;  // held during a read
  // Most recently used first.
  std::list<std::pair<Key, std::shared_ptr<const Value>>> kept_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_KEPT_H_
