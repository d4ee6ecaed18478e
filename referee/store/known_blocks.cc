#include "referee/store/known_blocks.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "referee/base/ids.h"
#include "referee/replay/summary.h"

namespace referee::store {

absl::StatusOr<KnownBlocks> KnownBlocks::Read(Store* store, absl::Time since) {
  KnownBlocks known;
  known.since_ = since;
  const absl::Status read = ForEachCompetition(store, [&](const Competition& competition) {
    Blocks& blocks = known.competitions_[competition.id.text()];
    blocks.next = competition.next_block;
    return ForEachBlock(store, competition.id, competition.counted, [&](const Block& block) {
      if (block.state != BlockState::kRunning) return;
      blocks.running[block.number] = {block.attempt, !block.matches.empty()};
    });
  });
  if (!read.ok()) return read;
  return known;
}

bool KnownBlocks::Know(absl::string_view request_id) const {
  const absl::string_view competition = replay::CompetitionOf(request_id);
  if (competition.empty()) return true;
  const auto blocks = competitions_.find(std::string(competition));
  // It was removed before, or made since.
  if (blocks == competitions_.end()) {
    const absl::StatusOr<MatchId> id = MatchId::Parse(competition);  // of the same notation
    return !id.ok() || id->created() < since_;
  }
  const std::vector<absl::string_view> parts = absl::StrSplit(request_id, '/');
  int64_t number;
  int attempt;
  if (parts.size() != 4 || !absl::SimpleAtoi(parts[2], &number) ||
      !absl::SimpleAtoi(parts[3], &attempt)) {
    return true;
  }
  if (number >= blocks->second.next) return false;
  const auto running = blocks->second.running.find(number);
  if (running == blocks->second.running.end()) return true;
  return attempt < running->second.attempt ||
         (attempt == running->second.attempt && running->second.named);
}

}  // namespace referee::store
