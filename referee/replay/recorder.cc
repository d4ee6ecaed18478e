#include "referee/replay/recorder.h"

#include <string>

namespace referee::replay {

absl::StatusOr<match::Ended> EndAsVoid(Unfinished* unfinished, absl::string_view reason,
                                       absl::Time now) {
  match::Ended ended;
  ended.ending = match::Ending::kVoid;
  ended.reason = std::string(reason);
  ended.seed = unfinished->secret;
  ended.time = now;
  // As in a resumed match: the log may stop after any record, and Resumed explains why.
  unfinished->recording->Add(match::Resumed{now});
  unfinished->recording->Add(ended);
  if (absl::Status s = unfinished->recording->Flush(); !s.ok()) return s;
  if (absl::Status s = unfinished->recording->Seal(); !s.ok()) return s;
  return ended;
}

}  // namespace referee::replay
