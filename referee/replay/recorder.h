// The interface that records matches: a recording is opened before a match begins, takes every
// record before its effects are sent, and is sealed into the archive when the match is over.
// log_recorder.h implements it.
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

// The record of one match. Thread-compatible. Destroying one that was not sealed keeps what was
// flushed.
class Recording {
 public:
  virtual ~Recording() = default;

  // Collects a record. It is written by the next Flush.
  virtual void Add(const match::Record& record) = 0;
  // Writes what was collected, in one piece. After an error the recording takes nothing more, and
  // what was flushed before stays.
  virtual absl::Status Flush() = 0;
  // Whether what was flushed is as safe as the recorder promises, so that it may be told; at first,
  // whether that is so of the match's opening.
  virtual bool Lasts() { return true; }
  // Has `then` called once, on another thread, when that is so, or with the error of the disk.
  // Nothing may be added or flushed until then. REQUIRES: Lasts() is false.
  virtual void WhenLasting(std::function<void(const absl::Status&)> then) {
    then(absl::OkStatus());
  }
  // What was flushed so far, for those who come later. Returns Unimplemented where nothing is kept,
  // or an error of the disk.
  virtual absl::StatusOr<std::vector<match::Record>> Records() const {
    return absl::UnimplementedError("this recording keeps nothing");
  }
  // Signs and archives the replay, and gives up the records. When that fails (a full disk), they
  // stay, and the archive is completed from them at the next start.
  // REQUIRES: the last record flushed is match::Ended.
  virtual absl::Status Seal() = 0;
  // Gives up a recording that is of no use, such as one from which its match cannot be rebuilt:
  // moves it, with `why`, to where people can look at it. Deletes nothing; the recording takes
  // nothing more. Does nothing for a recording that is stored nowhere.
  virtual absl::Status SetAside(absl::string_view why) {
    static_cast<void>(why);
    return absl::OkStatus();
  }
};

// A match that was running when its referee died: what was recorded, and the recording to go on
// with.
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

// Ends a match that will not go on as void, for `reason`, and seals it. Returns its last record. On
// failure the recording is as Flush or Seal left it.
absl::StatusOr<match::Ended> EndAsVoid(Unfinished* unfinished, absl::string_view reason,
                                       absl::Time now);

// Thread-safe.
class Recorder {
 public:
  virtual ~Recorder() = default;
  // Begins to record a match. Waits for no disk: see Lasts. Returns Unavailable or
  // ResourceExhausted that says what to do when the disk does not let it; nothing is left behind
  // then.
  virtual absl::StatusOr<std::unique_ptr<Recording>> Open(const match::Setup& setup,
                                                          const dice::Seed& seed) = 0;
  // Whether a match could be recorded and archived now; the same errors as Open. Leaves nothing.
  virtual absl::Status Check() = 0;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_RECORDER_H_
