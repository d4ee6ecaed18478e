// A verified replay of the archive: the parts of it that an audit compares. Pure functions of the
// files; thread-safe.
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

// What made a match void, as far as its replay shows.
enum class VoidCause {
  kStall,    // the referee stood still while a seat's clock ran
  kBlock,    // another match of its block ended without a result
  kRestart,  // the referee was started again, and the match did not go on
  kOther,    // its reason says which
};
// "STALL", "BLOCK", "RESTART", "OTHER".
absl::string_view VoidCauseName(VoidCause cause);

struct AuditedReplay {
  bool found = false;  // whether there is a file
  // Why it does not verify; empty: it verifies, and the rest is set.
  std::string problem;
  // What is wrong with a signature by a key that is not in the ring; empty: it is in it.
  std::string foreign_key;
  std::string request_id;  // by which the match was asked for
  absl::optional<match::BlockPlace> block;
  std::string game;
  std::vector<games::Option> options;  // as Game::source()
  std::vector<std::string> bots;       // by seat
  match::DiceSource dice;
  match::Verdict verdict;
  VoidCause void_cause = VoidCause::kOther;  // if it is void
};

// Verifies the replay of a match, of which `bytes` is what a look for it has brought: NotFound if
// there is none. One that is signed by a key which `keys` does not have is verified nevertheless:
// the key is wrong, and maybe nothing else. Returns the error of that look when the file is there
// but cannot be read.
absl::StatusOr<AuditedReplay> ReadAudited(const absl::StatusOr<std::string>& bytes,
                                          const MatchId& id,
                                          const absl::optional<replay::KeyRing>& keys);

// The options of a block's matches, as their replays have them: those of the competition, defaults
// written out, and its position. Of a game whose rules are not here, as they were stored.
std::vector<games::Option> OptionsOf(const Competition& competition,
                                     absl::Span<const std::string> positions, int64_t block);

// How it disagrees with the store's match in `rotation` of `block` of `competition`, of which
// `options` are those of the block; empty if it does not. A match of a forfeited block may have no
// result. REQUIRES: replay.problem is empty; the bots of the block are entrants.
std::string Disagreement(const AuditedReplay& replay, const Competition& competition,
                         const Block& block, absl::Span<const games::Option> options,
                         size_t rotation);

// How a match's replay shows that it is not of the same block as another that should be: the
// matches of a block have the same id of it, seed, nonces and hashes. Empty if it does not.
// REQUIRES: both have no problem, and are in blocks.
std::string OtherBlock(const AuditedReplay& replay, const AuditedReplay& sibling);

}  // namespace referee::store

#endif  // REFEREE_STORE_AUDITED_REPLAY_H_
