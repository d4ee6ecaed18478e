#include "referee/store/known_blocks.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/replay/summary.h"

namespace referee::store {

absl::StatusOr<KnownBlocks> KnownBlocks::Read(Store* store, absl::Time since) {
  KnownBlocks known;
  known.since_ = since;
  CompetitionId before;
  while (true) {
    const absl::StatusOr<std::vector<Competition>> page =
        store->ListCompetitions(before, limits::kMaxPageSize);
    if (!page.ok()) return page.status();
    if (page->empty()) return known;
    for (const Competition& competition : *page) {
      Blocks& blocks = known.competitions_[competition.id.text()];
      blocks.next = competition.next_block;
      for (int64_t from = competition.counted; from < competition.next_block;) {
        const absl::StatusOr<std::vector<Block>> open =
            store->ListBlocks(competition.id, from, limits::kMaxPageSize, absl::nullopt);
        if (!open.ok()) return open.status();
        if (open->empty()) break;
        for (const Block& block : *open) {
          if (block.state != BlockState::kRunning) continue;
          blocks.running[block.number] = {block.attempt, !block.matches.empty()};
        }
        from = open->back().number + 1;
      }
    }
    before = page->back().id;
  }
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
