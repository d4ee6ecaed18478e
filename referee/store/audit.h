// Whether what a store says of its competitions is what the archive's replays say: every match of
// every block that was played, and all that follows from them, reckoned again from the replays
// alone. Reads only, and may be run beside a daemon that goes on with its competitions.
//
//   AuditOptions options;
//   options.store = store.get();
//   options.data_dir = data_dir;
//   const auto report = Audit(options, [](const Finding& finding) { ... });
#ifndef REFEREE_STORE_AUDIT_H_
#define REFEREE_STORE_AUDIT_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/replay/signer.h"
#include "referee/store/store.h"

namespace referee::store {

struct AuditOptions {
  Store* store = nullptr;  // must outlive the call
  std::string data_dir;    // whose archive
  // Whose signature counts; none: any.
  absl::optional<replay::PublicKey> key;
  int threads = 0;  // that verify replays; 0: as many as there are cores
  // Told now and then, on the thread that calls, how many replays were verified, of how many. May
  // be null.
  std::function<void(int64_t verified, int64_t total)> progress;
};

// Something that is not as it should be.
struct Finding {
  std::string competition;        // its name; empty: of none that is known
  absl::optional<int64_t> block;  // its number
  std::string match_id;           // may be empty
  std::string problem;            // one line
};

struct AuditReport {
  int64_t competitions = 0;
  int64_t blocks = 0;         // that were played
  int64_t replays = 0;        // of their matches, that are there
  int64_t void_replays = 0;   // of blocks that were void, and were played again or dropped
  int64_t other_replays = 0;  // of matches that are in no block, or in one that is being played
  int64_t findings = 0;
};

// Calls `take` with each finding, on the thread that calls:
// - a played block has no replay of one of its matches, or one that does not verify, is of another
//   match, block, rotation, game or of other bots, or has another result;
// - a match is in two blocks, a block or an entrant is missing, a block is counted but not over;
// - a block that is over has no time of its end, or one that is not has one; so of competitions
//   that are FINISHED, or of which blocks have begun;
// - what an entrant's tally and rating are, or a pair's total, is not what the replays of the
// blocks
//   that are counted make it;
// - an entrant has not begun as many blocks as the store has of it;
// - a replay in the archive does not verify, or is of a block that has a result but is unknown, or
//   is known with other matches.
// STORE.md says what is not checked.
//
// Returns what the store or the archive says when they cannot be read.
absl::StatusOr<AuditReport> Audit(const AuditOptions& options,
                                  absl::FunctionRef<void(const Finding&)> take);

}  // namespace referee::store

#endif  // REFEREE_STORE_AUDIT_H_
