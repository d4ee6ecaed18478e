#include "referee/match/verdict.h"

#include <algorithm>

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

bool WasSilent(const Verdict& verdict, Seat seat) {
  return std::any_of(verdict.forfeits.begin(), verdict.forfeits.end(), [seat](SeatForfeit forfeit) {
    return forfeit.seat == seat && (forfeit.cause == Cause::kTimeout ||
                                    forfeit.cause == Cause::kDisconnected || forfeit.unasked);
  });
}

}  // namespace referee::match
