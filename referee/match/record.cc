#include "referee/match/record.h"

namespace referee::match {

absl::string_view CauseName(Cause cause) {
  switch (cause) {
    case Cause::kTimeout:
      return "TIMEOUT";
    case Cause::kIllegal:
      return "ILLEGAL";
    case Cause::kDisconnected:
      return "DISCONNECTED";
    case Cause::kResigned:
      return "RESIGNED";
  }
  return "UNKNOWN";
}

}  // namespace referee::match
