#include "referee/store/known_blocks.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/replay/summary.h"

namespace referee::store {
namespace {

struct BlockRequest {
  int64_t number = 0;
  int attempt = 0;
};

// Parses the request id of a competition's attempt at a block; none if it is not one.
absl::optional<BlockRequest> ReadBlockRequest(absl::string_view request_id) {
  const std::vector<absl::string_view> parts = absl::StrSplit(request_id, '/');
  BlockRequest request;
  const bool read = parts.size() == 4 && absl::SimpleAtoi(parts[2], &request.number) &&
                    absl::SimpleAtoi(parts[3], &request.attempt);
  return read ? absl::make_optional(request) : absl::nullopt;
}

}  // namespace

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
  // The competition was removed before, or made since.
  if (blocks == competitions_.end()) {
    const absl::StatusOr<MatchId> id = MatchId::Parse(competition);  // of the same notation
    return !id.ok() || id->created() < since_;
  }
  const absl::optional<BlockRequest> asked = ReadBlockRequest(request_id);
  if (!asked) return true;
  if (asked->number >= blocks->second.next) return false;
  const auto running = blocks->second.running.find(asked->number);
  if (running == blocks->second.running.end()) return true;
  return asked->attempt < running->second.attempt ||
         (asked->attempt == running->second.attempt && running->second.named);
}

absl::StatusOr<KeptReplays> KeptReplays::Read(Store* store) {
  KeptReplays kept;
  const absl::Status read = ForEachCompetition(store, [&](const Competition& competition) {
    kept.from_[competition.id.text()] = competition.spec.keep_replays ? 0 : competition.counted;
    return absl::OkStatus();
  });
  if (!read.ok()) return read;
  return kept;
}

bool KeptReplays::Keep(absl::string_view request_id) const {
  const auto from = from_.find(std::string(replay::CompetitionOf(request_id)));
  if (from == from_.end()) return false;
  const absl::optional<BlockRequest> asked = ReadBlockRequest(request_id);
  return !asked || asked->number >= from->second;
}

}  // namespace referee::store
