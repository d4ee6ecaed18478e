// Takes over what a former referee left in <data_dir>/journals: a journal for each match that was
// running, and a ledger. It puts the matches into the log, the replays of the ledger on the shelf,
// and removes the files. Nothing is removed before its content is elsewhere; so it may be
// interrupted, and begun again.
#ifndef REFEREE_REPLAY_FORMER_H_
#define REFEREE_REPLAY_FORMER_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/replay/log_recorder.h"
#include "referee/replay/shelf.h"

namespace referee::replay {

// <data_dir>/journals/broken, where what cannot be read is kept.
std::string BrokenDir(const std::string& data_dir);
// Keeps `bytes` there under `name`, and `reason` beside it.
absl::Status KeepAside(const std::string& data_dir, absl::string_view name, absl::string_view bytes,
                       absl::string_view reason);

// Takes all over into `recorder`, which Recover then deals with, and `shelf`. Returns what could
// not be taken over: journals that cannot be read, which were moved to BrokenDir; those that
// another program must read stay where they are, unless `set_aside_unknown`. Returns the error of a
// disk, of a ledger that another program must read.
absl::StatusOr<std::vector<Recovered>> TakeOverFormer(const std::string& data_dir,
                                                      bool set_aside_unknown, LogRecorder* recorder,
                                                      Shelf* shelf);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_FORMER_H_
