// What of a match survives which crash. A value.
#ifndef REFEREE_REPLAY_DURABILITY_H_
#define REFEREE_REPLAY_DURABILITY_H_

#include "absl/strings/string_view.h"

namespace referee::replay {

// Which records of a match survive which crash. In all cases a record is in the log before its
// effects are told, and there it survives the end of the process, however that ends.
enum class Durability {
  // All records survive a crash of the process, but not of the machine: nothing is synced.
  kNone,
  // The opening of a match and its end also survive a crash of the machine: they are on the disk
  // before anybody is told that the match was made or is over. Of a running match, the records that
  // were written out for the sake of others, or by the system, survive too.
  kMatch,
  // All records survive a crash of the machine: each is on the disk before its effects are told.
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
