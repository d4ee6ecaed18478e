#include "referee/store/stray_replays.h"

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/replay/summary.h"

namespace referee::store {
namespace {

// Returns whether the match may be of a removed competition: it was made while that existed, and
// unknown blocks are left of it. Takes the block from `removals`.
bool TakeRemoved(const std::string& match_id, std::vector<Removal>* removals) {
  const absl::StatusOr<MatchId> id = MatchId::Parse(match_id);
  if (!id.ok()) return false;
  // Ids have milliseconds.
  const absl::Time begun = id->created() + absl::Milliseconds(1);
  for (Removal& removal : *removals) {
    if (removal.blocks == 0 || begun < removal.made || id->created() > removal.removed) continue;
    --removal.blocks;
    return true;
  }
  return false;
}

}  // namespace

int64_t& StrayReplays::CountOf(BlockState state) {
  switch (state) {
    case BlockState::kRunning:
      return report_.running_replays;
    case BlockState::kDropped:
    case BlockState::kVoid:
      return report_.void_replays;
    case BlockState::kPlayed:
      break;
  }
  return report_.other_replays;  // the store has other matches of the block
}

void StrayReplays::Take(const std::string& match_id, const AuditedReplay& replay) {
  if (!replay.found) return;  // removed since it was listed
  const std::string block = replay.block ? replay.block->block.text() : "";
  std::string problem = replay.problem;
  if (problem.empty() && played_ids_.contains(block)) {
    problem = absl::StrCat("its replay says that it is in block ", block,
                           ", of which the store has other matches");
  }
  if (!problem.empty()) find_({"", absl::nullopt, match_id, problem});
  const auto known = block_states_.find(block);
  if (!block.empty() && known != block_states_.end()) {
    ++CountOf(known->second);
    return;
  }
  if (!problem.empty() || block.empty()) {
    ++report_.other_replays;
    return;
  }
  Unknown& unknown = unknown_[block];
  unknown.request_id = replay.request_id;
  if (replay.verdict.ending == match::Ending::kFinished) {
    unknown.with_result.push_back(match_id);
  } else {
    unknown.is_void = true;
    ++report_.void_replays;
  }
}

absl::Status StrayReplays::ReadBlocksAgain() {
  return ForEachCompetition(&store_, [this](const Competition& competition) {
    const CompetitionId& id = competition.id;
    return ForEachBlock(&store_, id, 0, [&](const Block& block) {
      NoteBlock(block);
      for (const Attempt& attempt : block.attempts) {
        attempt_ids_.insert(attempt.block_id);
        if (!attempt.block_id.empty()) continue;
        unnamed_attempts_.insert(replay::BlockRequestId(id.text(), block.number, attempt.number));
      }
    });
  });
}

absl::StatusOr<std::vector<Removal>> StrayReplays::ReadRemovals() {
  std::vector<Removal> removals;
  int64_t before = 0;
  while (true) {
    const absl::StatusOr<std::vector<AuditEntry>> entries =
        store_.ListAudit(before, limits::kMaxPageSize);
    if (!entries.ok()) return entries.status();
    if (entries->empty()) return removals;
    for (const AuditEntry& entry : *entries) {
      if (const absl::optional<Removal> removal = RemovalIn(entry)) removals.push_back(*removal);
    }
    before = entries->back().number;
  }
}

absl::Status StrayReplays::Judge() {
  if (unknown_.empty()) return absl::OkStatus();
  if (absl::Status read = ReadBlocksAgain(); !read.ok()) return read;
  absl::StatusOr<std::vector<Removal>> removals = ReadRemovals();
  if (!removals.ok()) return removals.status();
  for (const auto& [block, unknown] : unknown_) {
    const auto matches = static_cast<int64_t>(unknown.with_result.size());
    if (const auto known = block_states_.find(block); known != block_states_.end()) {
      CountOf(known->second) += matches;
    } else if (unknown.is_void || attempt_ids_.contains(block) ||
               unnamed_attempts_.contains(unknown.request_id)) {
      report_.void_replays += matches;
    } else if (TakeRemoved(unknown.with_result.front(), &*removals)) {
      report_.removed_replays += matches;
    } else {
      for (const std::string& match_id : unknown.with_result) {
        find_({"", absl::nullopt, match_id,
               absl::StrCat("its replay has a result in block ", block,
                            ", which no competition of the store has")});
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace referee::store
