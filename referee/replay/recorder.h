// Where matches are recorded: a recording is opened before a match begins, takes every record
// before what it led to is sent, and is sealed into the archive when the match is over. The
// contract and, in file_recorder.h, its implementation on files.
#ifndef REFEREE_REPLAY_RECORDER_H_
#define REFEREE_REPLAY_RECORDER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "referee/dice/dice.h"
#include "referee/match/record.h"

namespace referee::replay {

// The record of one match. Thread-compatible. Destroying one that was not sealed keeps what is in
// its journal.
class Recording {
 public:
  virtual ~Recording() = default;

  // Collects a record. It is written by the next Flush.
  virtual void Add(const match::Record& record) = 0;
  // Writes what was collected, in one piece. After an error the recording takes nothing more, and
  // what was flushed before stays.
  virtual absl::Status Flush() = 0;
  // Signs and archives the replay, and removes the journal. When that fails (a full disk), the
  // journal stays, and the archive is completed from it at the next start.
  // REQUIRES: the last record flushed is match::Ended.
  virtual absl::Status Seal() = 0;
};

// Thread-safe.
class Recorder {
 public:
  virtual ~Recorder() = default;
  // Opens the journal of a match. Returns Unavailable or ResourceExhausted that says what to do
  // when the disk does not let it; nothing is left behind then.
  virtual absl::StatusOr<std::unique_ptr<Recording>> Open(const match::Setup& setup,
                                                          const dice::Seed& seed) = 0;
  // Whether a journal could be opened and written now; the same errors as Open. Leaves nothing.
  virtual absl::Status Check() = 0;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_RECORDER_H_
