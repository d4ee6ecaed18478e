// Errors of a match: its time control, what a bot says in it, and its records, a function each.
// How an error is worded: base/errors.h.
#ifndef REFEREE_MATCH_ERRORS_H_
#define REFEREE_MATCH_ERRORS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/ids.h"

namespace referee::match {

// Match: time controls.
absl::Status UnlimitedTime();
absl::Status IncrementWithoutBank(absl::string_view increment);

// Match: a move that is not taken, for `turn`, while turn `due` of `mover` is due.
absl::Status MoveBeforeStart(uint32_t turn);
absl::Status MoveAfterEnd(uint32_t turn);
absl::Status MoveAfterForfeit(uint32_t turn, uint32_t due, Seat mover);
absl::Status MoveRepeated(uint32_t turn, uint32_t due, Seat mover);
absl::Status MoveTooLate(uint32_t turn, uint32_t due, Seat mover);
// A move that came `late` after the turn's `limit` was used up; `outcome` says what followed.
absl::Status MoveLate(uint32_t turn, absl::Duration late, absl::Duration limit,
                      absl::string_view outcome);
absl::Status MoveNotAsked(uint32_t turn, uint32_t due, Seat mover);
// A move for the turn that is due, in reply to `request`: request `due` has replaced it, or the bot
// was never sent it.
absl::Status MoveReplaced(uint32_t turn, uint32_t request, uint32_t due);
absl::Status MoveToNoRequest(uint32_t turn, uint32_t request, uint32_t due);

// Match: a bot that says that it is ready when nobody waits for it.
absl::Status ReadyUnasked();
absl::Status ReadyTwice();
absl::Status ReadyAfterHashes();
absl::Status ReadyAfterStart();
absl::Status ReadyWithoutHash();

// Match: a nonce that nobody waits for, or that is not the one that the bot has told the hash of.
absl::Status NonceBeforeHashes();
absl::Status NonceWithoutHash();
absl::Status NonceTwice();
absl::Status NonceAfterStart();
absl::Status NonceNotAsked();
absl::Status NonceUnlikeHash(absl::string_view hash, absl::string_view told);

// Records from which the match cannot be rebuilt.
absl::Status RecordsDisagree(uint32_t turn, absl::string_view problem);

}  // namespace referee::match

#endif  // REFEREE_MATCH_ERRORS_H_
