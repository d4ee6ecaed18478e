// The audit log entry of a removed competition.
//
// With it an audit of the archive knows why replays exist without a competition. Pure.
#ifndef REFEREE_STORE_REMOVAL_H_
#define REFEREE_STORE_REMOVAL_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/store/store.h"

namespace referee::store {

// The action of the entry.
inline constexpr absl::string_view kRemoveCompetition = "competition.remove";

struct Removal {
  absl::Time made;     // when the competition was made
  absl::Time removed;  // when it was removed
  int64_t blocks = 0;  // that had begun
};

// Returns the detail of the entry: "a swiss of isaac, 12 blocks, made 2026-11-22T20:05:11.000123Z".
std::string RemovalDetail(const Competition& competition);
// Parses an entry; returns none unless it is about a removal.
absl::optional<Removal> RemovalIn(const AuditEntry& entry);

}  // namespace referee::store

#endif  // REFEREE_STORE_REMOVAL_H_
