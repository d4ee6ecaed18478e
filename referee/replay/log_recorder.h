// Records matches in a log (log.h), and puts their replays on a shelf (shelf.h) when they are over.
// It knows neither files nor folders; file_recorder.h puts it together with those.
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

// What Recover did with one match, or found beside the matches.
struct Recovered {
  enum class Action {
    kSealed,   // the match was over: archived
    kRunning,  // the match was running: to go on with, or to be ended
    kBroken,   // could not be read: set aside
    kKept,     // could not be dealt with now (a full disk), or not by this program: left as it is
    kNoted,    // no match: a write that was not finished
  };
  Action action = Action::kKept;
  std::string what;    // it is about, such as "match 01m7xzk53v0w00000000000000"
  MatchId match_id;    // default-made if it could not be read
  std::string detail;  // one line for people: what was cut off, or why
  // Of a match that was over: of kSealed, and of kKept where what was wrong came later.
  struct Over {
    match::Setup setup;
    match::Ended ended;
    uint32_t turns = 0;  // that were played
  };
  absl::optional<Over> over;
  // Of kKept, when the match is over and could not be archived: for the next try.
  std::unique_ptr<Recording> unsealed;
  // Of kRunning. If it is dropped, the next start finds the match again.
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
    // Keeps the records of a match that is given up, for people to look at, with the reason.
    std::function<absl::Status(const MatchId& id, absl::string_view records, absl::string_view why)>
        quarantine;
    // Whether Recover sets aside matches with fields, or of games, that this program does not know.
    bool set_aside_unknown = false;
  };

  // Reads the log that is on the disk, and goes on with it. Returns FailedPrecondition that names
  // the segment when one is of a version that is not known here, or the error of the disk.
  static absl::StatusOr<std::unique_ptr<LogRecorder>> Make(Options options, Signer signer);

  // The recording must not outlive the recorder. Those of which the records are to last share
  // syncs.
  absl::StatusOr<std::unique_ptr<Recording>> Open(const match::Setup& setup,
                                                  const dice::Seed& seed) override;
  // OK but after a sync has failed: there is room for a match in the log, or Open says otherwise.
  absl::Status Check() override;

  // Notes that the replays of these matches are removed from the shelf: else the next start puts
  // back those that are still in the log.
  absl::Status Forget(const absl::flat_hash_set<std::string>& match_ids);

  // Deals with the matches that are in the log, oldest first. Archives those that were over, once,
  // even if the earlier process died in the middle of that; returns those that were running, open.
  // Never drops what it could not archive. REQUIRES: no recording is open.
  std::vector<Recovered> Recover();

  // A match that is over but could not be archived yet. Returns NotFound if there is none, or the
  // match is still running.
  absl::StatusOr<Replay> ReadKept(const MatchId& id) const;

 private:
  class LogRecording;

  LogRecorder(Options options, Signer signer) : options_(std::move(options)), signer_(signer) {}

  absl::Status Seal(Log::Line* line, const ReplaySummary& summary);
  absl::Status Quarantine(const Log::Line& line, absl::string_view why) const;
  absl::Status SetAside(Log::Line* line, absl::string_view why);
  Recovered RecoverOne(const Log::Left& left);
  // Archives a match that was read, or opens it to go on with.
  void GoOn(const std::shared_ptr<Log::Line>& line, Unfinished match, bool ended,
            Recovered* result);
  bool IsArchived(Log::Line* line, Recovered* result);
  // Puts replays back of which a loss of power has left nothing that can be read.
  void Mend();
  void Keep(const Log::Sealed& sealed);

  const Options options_;
  const Signer signer_;
  std::unique_ptr<Log> log_;
  std::vector<Log::Left> left_;      // until Recover has dealt with them
  std::vector<Log::Sealed> sealed_;  // the same
  std::vector<std::string> notes_;   // the same
};

// A match that was read from its records, as LogFrame has them.
struct MatchRead {
  match::Setup setup;
  dice::Seed secret;
  std::vector<match::Record> records;
  bool ended = false;
};
// Returns InvalidArgument that names the record, or an error that IsUnknownHere (errors.h) when
// another program must read it.
absl::StatusOr<MatchRead> ReadMatch(absl::string_view records);

// Returns the replay file of a match, signed, from the same records. REQUIRES: they are whole, and
// the last is match::Ended.
std::string ReplayOf(absl::string_view records, const Signer& signer);

// How long after a sync of the log began, which took `sync`, the next begins at the soonest where
// only matches that begin or end wait for it (Durability::kMatch).
absl::Duration GatherAfter(absl::Duration sync);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_RECORDER_H_
