// Replays of an archive that no played block of the store has, and what explains them: their block
// is being played, does not count, or is of a competition that was removed. A part of an audit
// (audit.h). Thread-compatible.
#ifndef REFEREE_STORE_STRAY_REPLAYS_H_
#define REFEREE_STORE_STRAY_REPLAYS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/store/audit.h"
#include "referee/store/audited_replay.h"
#include "referee/store/removal.h"
#include "referee/store/store.h"

namespace referee::store {

class StrayReplays {
 public:
  // Counts replays in `report`, and calls `find` with each finding. Both pointers must outlive
  // this.
  StrayReplays(Store* store, AuditReport* report, std::function<void(const Finding&)> find)
      : store_(*store), report_(*report), find_(std::move(find)) {}

  // Call it with each block of the store.
  void NoteBlock(const Block& block) { block_states_[block.block_id] = block.state; }
  // Notes a block of which the store has all matches.
  void NotePlayed(const std::string& block_id) { played_ids_.insert(block_id); }

  // Takes a replay. REQUIRES: its match is in no played block.
  void Take(const std::string& match_id, const AuditedReplay& replay);
  // Finds the replays that have a result in a block that the store does not know. Call it once,
  // after all others. Returns the store's error.
  absl::Status Judge();

 private:
  // A block that replays name, but no competition.
  struct Unknown {
    std::vector<std::string> with_result;  // ids of matches
    bool is_void = false;                  // whether one has none
    std::string request_id;                // of one of its matches
  };

  // Reads the blocks of all competitions once more: one that had just begun may have a name by now.
  absl::Status ReadBlocksAgain();
  // The removals of competitions in the audit log.
  absl::StatusOr<std::vector<Removal>> ReadRemovals();
  // The number in the report of replays that name a block in this state, and are no match of it
  // that counts.
  int64_t& CountOf(BlockState state);

  Store& store_;
  AuditReport& report_;
  const std::function<void(const Finding&)> find_;
  // The states of all blocks, by the ids of their latest attempts.
  absl::flat_hash_map<std::string, BlockState> block_states_;
  absl::flat_hash_set<std::string> played_ids_;
  std::map<std::string, Unknown> unknown_;  // by block
  // Of attempts that came to nothing: ids and, of those whose matches the store has not, request
  // ids. A referee that lost its lease just then may have played these.
  absl::flat_hash_set<std::string> attempt_ids_;
  absl::flat_hash_set<std::string> unnamed_attempts_;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_STRAY_REPLAYS_H_
