// Which records of a match survive which crash.
#ifndef REFEREE_REPLAY_DURABILITY_H_
#define REFEREE_REPLAY_DURABILITY_H_

#include "absl/strings/string_view.h"

namespace referee::replay {

// Which records of a match survive which crash. In all cases a record is in the log before its
// effects are published. The log survives the end of the process, however it ends.
enum class Durability {
  // All records survive a crash of the process, but not of the machine: nothing is synced.
  kNone,
  // The opening and the end of a match also survive a crash of the machine. They are on the disk
  // before anyone learns that the match was made or is over. Other records of a running match
  // survive if they were synced for other matches, or written by the system.
  kMatch,
  // All records survive a crash of the machine: each is on the disk before its effects are
  // published.
  kTurn,
};

// "none", "match", "turn".
inline absl::string_view DurabilityName(Durability durability) {
  switch (durability) {
    case Durability::kNone:
      return "none";
    case Durability::kMatch:
      return "match";
    case Durability::kTurn:
      return "turn";
  }
  return "";
}

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_DURABILITY_H_
