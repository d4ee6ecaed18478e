// Audits a store's competitions against the archive of replays.
//
// Checks every match of every played block, and recomputes all results from the replays alone. Only
// reads, and may run beside a daemon that continues its competitions.
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
  std::string data_dir;    // with the archive
  // Returns the bytes of a replay that is not in the archive, or NotFound. Thread-safe. Null: no
  // other source. Any other error ends the audit.
  std::function<absl::StatusOr<std::string>(const MatchId& id)> find_elsewhere;
  // Keys, one of which must have signed each replay; not set: any key.
  absl::optional<replay::KeyRing> keys;
  int threads = 0;  // for verifying; 0: one per core
  // Called now and then, on the calling thread, with the number of verified and of all replays. May
  // be null.
  std::function<void(int64_t verified, int64_t total)> progress;
};

// A discrepancy.
struct Finding {
  std::string competition;        // name; empty: unknown
  absl::optional<int64_t> block;  // number
  std::string match_id;           // may be empty
  std::string problem;            // one line
};

// Counts of matches that ended without a result, by who caused that.
struct Endings {
  // By the account that cancelled the match, or "local".
  std::map<std::string, int64_t> cancelled;
  int64_t cancelled_by_referee = 0;        // automatically: no bot came, or none was ready
  std::map<VoidCause, int64_t> void_ones;  // VOID matches, by the cause in the replay
};

struct AuditReport {
  int64_t competitions = 0;
  int64_t blocks = 0;           // played
  int64_t replays = 0;          // found, of matches of these blocks
  int64_t void_replays = 0;     // of void and dropped blocks, and of failed attempts
  int64_t running_replays = 0;  // of running blocks
  int64_t unrecorded = 0;       // matches of failed attempts that the store marks as not recorded
  int64_t other_replays = 0;    // of matches in no block
  int64_t removed_replays = 0;  // of blocks of removed competitions (removal.h)
  int64_t expired_replays = 0;  // removed by the retention (replay/retention.h)
  int64_t findings = 0;
  Endings endings;  // of all replays that verify
  // An error for each pack or folder of the archive that could not be read; it names the pack or
  // folder.
  std::vector<absl::Status> problems;
};

// Calls `take` with each finding, on the calling thread:
// - a match of a played block has no replay, unless the retention removed it; or its replay does
//   not verify, or has another match, block, rotation, game, options, position, bots, result or
//   times;
// - the replays of a block have different seeds or nonces;
// - a forfeited block counts with other results than its replays give, or is forfeited by a bot
//   that had lost none of its matches;
// - a match is in two blocks, a block or an entrant is missing, or a counted block is not over;
// - a block that is over has no end time, or one that is not over has one; the same for the finish
//   time of a competition, and for the start time once blocks have begun;
// - an entrant's tally, conduct or rating, or a pair's total, differs from what the replays of the
//   counted blocks give;
// - an entrant has begun more or fewer blocks than the store says; in a competition without open
//   blocks, more or fewer attempts were followed by another;
// - a match of a failed attempt has no replay, and the store does not mark it as not recorded;
// - replays are signed by a key that is not among `keys`: one finding per key;
// - a replay in the archive does not verify, or has a result in a block that the store does not
//   know, or knows with other matches. For each removed competition, as many unknown blocks as it
//   had, from the time in which it existed, are not findings.
// STORE.md says what is not checked.
//
// Returns the error of the store or the archive when they cannot be read.
absl::StatusOr<AuditReport> Audit(const AuditOptions& options,
                                  absl::FunctionRef<void(const Finding&)> take);

}  // namespace referee::store

#endif  // REFEREE_STORE_AUDIT_H_
