// Interface that records matches: opens, writes and seals the recording of each match.
//
// A recording is opened before its match begins. It takes every record before the effects of the
// record are sent. It is sealed into the archive when the match is over. log_recorder.h implements
// the interface.
#ifndef REFEREE_REPLAY_RECORDER_H_
#define REFEREE_REPLAY_RECORDER_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/dice/dice.h"
#include "referee/match/record.h"

namespace referee::replay {

// The recording of one match. Thread-compatible. If it is destroyed before Seal, flushed records
// stay.
class Recording {
 public:
  virtual ~Recording() = default;

  // Buffers a record for the next Flush.
  virtual void Add(const match::Record& record) = 0;
  // Writes the buffered records in one piece. After an error the recording takes no more records;
  // flushed records stay.
  virtual absl::Status Flush() = 0;
  // Returns whether flushed records are as durable as the recorder promises, so that they may be
  // published. Before the first Flush this is about the opening of the match.
  virtual bool Lasts() { return true; }
  // Calls `then` once, on another thread, when Lasts() becomes true, or with the error of the disk.
  // Until then, Add and Flush must not be called. REQUIRES: Lasts() is false.
  virtual void WhenLasting(std::function<void(const absl::Status&)> then) {
    then(absl::OkStatus());
  }
  // Returns the flushed records, for observers that join late. Returns Unimplemented if the
  // recording stores nothing, or an error of the disk.
  virtual absl::StatusOr<std::vector<match::Record>> Records() const {
    return absl::UnimplementedError("this recording keeps nothing");
  }
  // Signs and archives the replay, and drops the records. If that fails (a full disk), the records
  // stay, and the next start archives the replay.
  // REQUIRES: the last record flushed is match::Ended.
  virtual absl::Status Seal() = 0;
  // Gives up a recording, for example if its match cannot be rebuilt from it. Moves it with `why`
  // to the quarantine, deletes nothing, and takes no more records. Does nothing if the recording is
  // not stored.
  virtual absl::Status SetAside(absl::string_view why) {
    static_cast<void>(why);
    return absl::OkStatus();
  }
};

// A match that was running when its referee died: its records, and its open recording.
//
//   match::Match match(unfinished.setup, unfinished.secret);
//   const absl::Status rebuilt = match.Rebuild(unfinished.records);
//   if (!rebuilt.ok()) return unfinished.recording->SetAside(rebuilt.message());
//   ... match.Step(match::Resume{limit}, now, reading) ...
struct Unfinished {
  match::Setup setup;
  dice::Seed secret;
  std::vector<match::Record> records;  // so far
  std::unique_ptr<Recording> recording;
};

// Ends a match as void, for `reason`, and seals it. Returns its last record. On failure the
// recording is as Flush or Seal left it.
absl::StatusOr<match::Ended> EndAsVoid(Unfinished* unfinished, absl::string_view reason,
                                       absl::Time now);

// Thread-safe.
class Recorder {
 public:
  virtual ~Recorder() = default;
  // Begins to record a match. Does not wait for the disk; see Lasts. Returns Unavailable or
  // ResourceExhausted that says what to do about the disk; then nothing is left behind.
  virtual absl::StatusOr<std::unique_ptr<Recording>> Open(const match::Setup& setup,
                                                          const dice::Seed& seed) = 0;
  // Checks that a match could be recorded and archived now. Returns the errors of Open. Leaves
  // nothing behind.
  virtual absl::Status Check() = 0;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_RECORDER_H_
