// A verified replay of the archive: the parts of it that an audit compares.
//
// Pure functions of the files; thread-safe.
#ifndef REFEREE_STORE_AUDITED_REPLAY_H_
#define REFEREE_STORE_AUDITED_REPLAY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/games/game.h"
#include "referee/match/record.h"
#include "referee/replay/key_ring.h"
#include "referee/store/store.h"

namespace referee::store {

// The cause of a void match, as far as its replay shows.
enum class VoidCause {
  kStall,    // the referee stalled while a seat's clock ran
  kBlock,    // another match of its block ended without a result
  kRestart,  // the referee was restarted, and the match was not resumed
  kOther,    // see the reason in the replay
};
// "STALL", "BLOCK", "RESTART", "OTHER".
absl::string_view VoidCauseName(VoidCause cause);

struct AuditedReplay {
  bool found = false;  // the file exists
  // Why it does not verify; empty: it verifies, and the fields below are set.
  std::string problem;
  // What is wrong with a signature by a key outside the ring; empty: the key is in the ring.
  std::string foreign_key;
  std::string request_id;  // of the call that made the match
  absl::optional<match::BlockPlace> block;
  std::string game;
  std::vector<games::Option> options;  // as Game::source()
  std::vector<std::string> bots;       // by seat
  match::DiceSource dice;
  match::Verdict verdict;
  VoidCause void_cause = VoidCause::kOther;  // if the match is void
};

// Verifies the replay of a match. `bytes` is the result of a lookup; NotFound: no replay. A replay
// signed by a key outside `keys` is verified too, because perhaps only the key is wrong. Returns
// the error of the lookup if the replay exists but cannot be read.
absl::StatusOr<AuditedReplay> ReadAudited(const absl::StatusOr<std::string>& bytes,
                                          const MatchId& id,
                                          const absl::optional<replay::KeyRing>& keys);

// Returns the options of a block's matches as in their replays: those of the competition with
// defaults written out, and the block's position. For a game with unknown rules, the stored
// options.
std::vector<games::Option> OptionsOf(const Competition& competition,
                                     absl::Span<const std::string> positions, int64_t block);

// Returns how the replay differs from the match of the store in `rotation` of `block`; empty: not
// at all. `options`: the result of OptionsOf for the block. A match of a forfeited block may lack a
// result. REQUIRES: replay.problem is empty; the bots of the block are entrants.
std::string Disagreement(const AuditedReplay& replay, const Competition& competition,
                         const Block& block, absl::Span<const games::Option> options,
                         size_t rotation);

// Returns how two replays show that they are not of the same block; empty: they do not. Matches of
// a block have the same block id, seed, nonces and hashes. REQUIRES: both have no problem, and are
// in blocks.
std::string OtherBlock(const AuditedReplay& replay, const AuditedReplay& sibling);

}  // namespace referee::store

#endif  // REFEREE_STORE_AUDITED_REPLAY_H_
