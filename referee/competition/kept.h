// What was read of competitions, and is costly to read, kept for those who ask again: one value for
// each key, of the keys that were asked for last.
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
  // At most so many values.
  explicit Kept(size_t most) : most_(most) {}

  // The value that is kept for `key` if it `is_fresh`; else what `read` returns, which takes its
  // place. Who asks while something is read waits, so what many ask for at once is read once.
  // Returns the error of `read`, which is not kept. Neither function may call back here.
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
  Mutex mutex_;  // held while something is read
  // Asked for last first.
  std::list<std::pair<Key, std::shared_ptr<const Value>>> kept_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_KEPT_H_
