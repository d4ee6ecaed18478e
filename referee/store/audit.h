// An audit of a store's competitions against the archive: checks every match of every played block,
// and all that follows from them, by recomputing it from the replays alone. It only reads, and may
// run beside a daemon that continues its competitions.
//
//   AuditOptions options;
//   options.store = store.get();
//   options.data_dir = data_dir;
//   const auto report = Audit(options, [](const Finding& finding) { ... });
#ifndef REFEREE_STORE_AUDIT_H_
#define REFEREE_STORE_AUDIT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/replay/key_ring.h"
#include "referee/store/audited_replay.h"
#include "referee/store/store.h"

namespace referee::store {

struct AuditOptions {
  Store* store = nullptr;  // must outlive the call
  std::string data_dir;    // whose archive
  // The bytes of a replay that is not in the archive; NotFound if there is none. Thread-safe. Null:
  // there is no other place. What it does not answer for ends the audit.
  std::function<absl::StatusOr<std::string>(const MatchId& id)> find_elsewhere;
  // The keys of which one must have signed each replay; not set: any key.
  absl::optional<replay::KeyRing> keys;
  int threads = 0;  // that verify replays; 0: as many as there are cores
  // Called now and then, on the calling thread, with how many replays are verified, and of how
  // many. May be null.
  std::function<void(int64_t verified, int64_t total)> progress;
};

// A discrepancy that the audit found.
struct Finding {
  std::string competition;        // its name; empty: of none that is known
  absl::optional<int64_t> block;  // its number
  std::string match_id;           // may be empty
  std::string problem;            // one line
};

// How often matches ended without a result, and who decided that.
struct Endings {
  // By the account that cancelled them, or "local".
  std::map<std::string, int64_t> cancelled;
  int64_t cancelled_by_referee = 0;        // by itself: no bot came, or none was ready
  std::map<VoidCause, int64_t> void_ones;  // of VOID matches, by what the replay shows
};

struct AuditReport {
  int64_t competitions = 0;
  int64_t blocks = 0;           // that were played
  int64_t replays = 0;          // of their matches, that are there
  int64_t void_replays = 0;     // of void and dropped blocks, and of attempts that came to nothing
  int64_t running_replays = 0;  // of blocks that are being played
  int64_t unrecorded = 0;       // matches of such blocks of which the store says: no record
  int64_t other_replays = 0;    // of matches that are in no block
  int64_t removed_replays = 0;  // of blocks of competitions that were removed (removal.h)
  int64_t expired_replays = 0;  // that the retention has removed (replay/retention.h)
  int64_t findings = 0;
  Endings endings;  // of all replays that verify
  // What of the archive could not be read: an error for each pack or folder, which names it.
  std::vector<absl::Status> problems;
};

// Calls `take` with each finding, on the calling thread:
// - a played block has no replay, which was not removed for its age either, of one of its matches,
// or one that does not verify, is of another
//   match, block, rotation, game, of other options or another position, or of other bots, or has
//   another result or other times;
// - the replays of a block have different seeds or nonces;
// - a forfeited block counts as something else than its replays give, or is forfeited by a bot that
//   had lost none of its matches;
// - a match is in two blocks, a block or an entrant is missing, a block is counted but not over;
// - a block that is over has no end time, or one that is not over has one; likewise the finish time
//   of a competition, and the start time of one of which blocks have begun;
// - an entrant's tally, conduct or rating, or a pair's total, differs from what the replays of the
//   counted blocks give;
// - an entrant has begun more or fewer blocks than the store says, or of a competition without open
//   blocks more or fewer attempts were followed by another;
// - a match of an attempt that came to nothing has no replay, and the store does not say so;
// - replays are signed by a key that is not among `keys`: one finding a key;
// - a replay in the archive does not verify, or is of a block with a result that the store does not
//   know, or knows with other matches; but for as many such blocks as competitions had that were
//   removed, from the time in which these were there.
// STORE.md says what is not checked.
//
// Returns the error of the store or the archive when they cannot be read.
absl::StatusOr<AuditReport> Audit(const AuditOptions& options,
                                  absl::FunctionRef<void(const Finding&)> take);

}  // namespace referee::store

#endif  // REFEREE_STORE_AUDIT_H_
