// Records matches in a log (log.h), and stores the replays of finished ones in a Shelf (shelf.h).
//
// Uses no files itself; file_recorder.h adds the files and folders.
#ifndef REFEREE_REPLAY_LOG_RECORDER_H_
#define REFEREE_REPLAY_LOG_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/match/record.h"
#include "referee/replay/durability.h"
#include "referee/replay/log.h"
#include "referee/replay/log_disk.h"
#include "referee/replay/recorder.h"
#include "referee/replay/replay.h"
#include "referee/replay/shelf.h"
#include "referee/replay/signer.h"

namespace referee::replay {

// The result of Recover for one match, or a note about the log.
struct Recovered {
  enum class Action {
    kSealed,   // the match was over, and is now archived
    kRunning,  // the match was running; resume or end it
    kBroken,   // the match could not be read; it is in the quarantine
    kKept,     // left in the log: a full disk, or records for another program
    kNoted,    // not a match: an unfinished write
  };
  Action action = Action::kKept;
  std::string what;    // subject, such as "match 01m7xzk53v0w00000000000000"
  MatchId match_id;    // default-constructed if it could not be read
  std::string detail;  // one line for people: what was cut off, or why
  // A finished match: set for kSealed, and for kKept if its records could be read.
  struct Over {
    match::Setup setup;
    match::Ended ended;
    uint32_t turns = 0;  // that were played
  };
  absl::optional<Over> over;
  // For kKept, if the match is over and could not be archived: seal it later.
  std::unique_ptr<Recording> unsealed;
  // For kRunning. If dropped, the next start finds the match again.
  absl::optional<Unfinished> unfinished;
};

// Thread-safe. At most one per disk.
class LogRecorder final : public Recorder {
 public:
  struct Options {
    LogDisk* disk = nullptr;  // must outlive the recorder
    std::shared_ptr<Shelf> shelf;
    Durability durability = Durability::kNone;
    size_t segment_bytes = limits::kLogSegmentBytes;
    bool own_threads = true;  // as Log::Options has it
    // Stores the records of a match that is given up for inspection, with the reason.
    std::function<absl::Status(const MatchId& id, absl::string_view records, absl::string_view why)>
        quarantine;
    // Whether Recover gives up matches with fields, or of games, that this program does not know.
    bool set_aside_unknown = false;
  };

  // Reads the log on the disk, and continues it. Returns FailedPrecondition that names the segment
  // when the version of one is unknown here, or the error of the disk.
  static absl::StatusOr<std::unique_ptr<LogRecorder>> Make(Options options, Signer signer);

  // The recording must not outlive the recorder. Recordings share syncs.
  absl::StatusOr<std::unique_ptr<Recording>> Open(const match::Setup& setup,
                                                  const dice::Seed& seed) override;
  // Returns an error after a failed sync, or when the log has no room for a match.
  absl::Status Check() override;

  // Marks the replays of these matches as removed. Otherwise the next start restores those whose
  // records are still in the log.
  absl::Status Forget(const absl::flat_hash_set<std::string>& match_ids);

  // Recovers the matches in the log, oldest first. Archives each finished match once, even if the
  // earlier process died while archiving it. Returns running matches with open recordings. Never
  // drops a match that it could not archive. REQUIRES: no recording is open.
  std::vector<Recovered> Recover();

  // Returns a finished match that could not be archived yet. Returns NotFound if there is none, or
  // the match is still running.
  absl::StatusOr<Replay> ReadKept(const MatchId& id) const;

 private:
  class LogRecording;

  LogRecorder(Options options, Signer signer) : options_(std::move(options)), signer_(signer) {}

  absl::Status Seal(Log::Line* line, const ReplaySummary& summary);
  absl::Status Quarantine(const Log::Line& line, absl::string_view why) const;
  absl::Status SetAside(Log::Line* line, absl::string_view why);
  Recovered RecoverOne(const Log::Left& left);
  // Archives a match that was read, or opens it to be resumed.
  void GoOn(const std::shared_ptr<Log::Line>& line, Unfinished match, bool ended,
            Recovered* result);
  bool IsArchived(Log::Line* line, Recovered* result);
  // Restores replays that a loss of power has destroyed.
  void Mend();
  void Keep(const Log::Sealed& sealed);

  const Options options_;
  const Signer signer_;
  std::unique_ptr<Log> log_;
  std::vector<Log::Left> left_;      // until Recover has handled them
  std::vector<Log::Sealed> sealed_;  // until Recover has handled them
  std::vector<std::string> notes_;   // until Recover has handled them
};

// A match decoded from its records in the log.
struct MatchRead {
  match::Setup setup;
  dice::Seed secret;
  std::vector<match::Record> records;
  bool ended = false;
};
// Decodes records, encoded as in LogFrame. Returns InvalidArgument that names the record, or an
// IsUnknownHere error (errors.h) if another program must read it.
absl::StatusOr<MatchRead> ReadMatch(absl::string_view records);

// Returns the signed replay file of the same records. REQUIRES: they are complete, and the last is
// match::Ended.
std::string ReplayOf(absl::string_view records, const Signer& signer);

// Returns the least time between the starts of two syncs, given how long the first took. For
// Durability::kMatch, where only beginnings and ends of matches wait for a sync.
absl::Duration GatherAfter(absl::Duration sync);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_RECORDER_H_
