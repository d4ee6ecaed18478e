// Errors of scripted referees, and of the commands that have one, a function each. How an error is
// worded: base/errors.h.
#ifndef REFEREE_CTL_SCRIPTED_ERRORS_H_
#define REFEREE_CTL_SCRIPTED_ERRORS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::ctl {

absl::Status CannotListen(absl::string_view address);
// A move that names another match, turn or request than the one it was asked for.
absl::Status OtherMatchAnswered(absl::string_view given, absl::string_view asked);
absl::Status OtherTurnAnswered(absl::string_view field, uint32_t given, uint32_t asked);
// The bot did not say Hello, or not first; `log` as for duels.
absl::Status NoHelloFrom(absl::string_view what, absl::string_view log);
// hello.takes_none, and no Capacity within `limit` of it.
absl::Status TakesNoMatches(absl::Duration limit);
// doctor: neither or both of --bot and --listen.
absl::Status BotOrListen();

// rerun: neither or both of --seat and --bot; a seat or name that a match has not; a turn that it
// has not (0: any).
absl::Status SeatOrBot();
absl::Status NobodyMeant(absl::string_view match_id, absl::string_view who, absl::string_view bots);
absl::Status NoTurnMeant(absl::string_view match_id, uint32_t turn);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_SCRIPTED_ERRORS_H_
