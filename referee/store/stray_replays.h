// Explains the replays of an archive that no played block of the store has. A part of an audit
// (audit.h).
//
// The block of such a replay may be running, not count, or be of a removed competition.
// Thread-compatible.
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
  // Counts replays in `report`, and calls `find` with each finding. Both pointers must outlive this
  // object.
  StrayReplays(Store* store, AuditReport* report, std::function<void(const Finding&)> find)
      : store_(*store), report_(*report), find_(std::move(find)) {}

  // Call it with each block of the store.
  void NoteBlock(const Block& block) { block_states_[block.block_id] = block.state; }
  // Notes a block for which the store has all matches.
  void NotePlayed(const std::string& block_id) { played_ids_.insert(block_id); }

  // Adds a replay. REQUIRES: its match is in no played block.
  void Take(const std::string& match_id, const AuditedReplay& replay);
  // Reports the replays with a result in a block that the store does not know. Call it once, last.
  // Returns the store's error.
  absl::Status Judge();

 private:
  // A block that replays name, but no competition.
  struct Unknown {
    std::vector<std::string> with_result;  // ids of matches
    bool is_void = false;                  // a match has no result
    std::string request_id;                // of one of its matches
  };

  // Reads the blocks of all competitions again: a block that had just begun may have an id by now.
  absl::Status ReadBlocksAgain();
  // Returns the removals of competitions in the audit log.
  absl::StatusOr<std::vector<Removal>> ReadRemovals();
  // Returns the counter of the report for replays that name a block in this state, but are not
  // matches that count.
  int64_t& CountOf(BlockState state);

  Store& store_;
  AuditReport& report_;
  const std::function<void(const Finding&)> find_;
  // The states of all blocks, by the block ids of their latest attempts.
  absl::flat_hash_map<std::string, BlockState> block_states_;
  absl::flat_hash_set<std::string> played_ids_;
  std::map<std::string, Unknown> unknown_;  // by block id
  // Failed attempts: block ids and, where the store does not know the matches, request ids. A
  // referee that had just lost its lease may have played the latter.
  absl::flat_hash_set<std::string> attempt_ids_;
  absl::flat_hash_set<std::string> unnamed_attempts_;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_STRAY_REPLAYS_H_
