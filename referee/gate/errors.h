// Errors of the gate, one function each. base/errors.h says how errors are worded.
#ifndef REFEREE_GATE_ERRORS_H_
#define REFEREE_GATE_ERRORS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::gate {

// Requests.
absl::Status NoRoute(absl::string_view path);
// `what`: "match", "replay of match", "competition", "season", "round".
absl::Status NothingNamed(absl::string_view what, absl::string_view name);
// `what`: "competition", "season".
absl::Status NothingOfBot(absl::string_view what, absl::string_view name, absl::string_view bot);
absl::Status NothingListed();
absl::Status BadTarget(absl::string_view why);
absl::Status UnknownParameter(absl::string_view name);
absl::Status ParameterTwice(absl::string_view name);
absl::Status ReplayTooLarge(absl::string_view match_id);
// Too much is asked at once; it passes.
absl::Status TooManyFeeds(size_t limit);
absl::Status TooManyCalls();
// By one address.
absl::Status AskedTooMuch();
absl::Status RefereeSilent();
absl::Status RefereeRefuses();
// Tickets.
absl::Status TicketMissing();
absl::Status TicketWrong();
absl::Status TicketOver();
absl::Status KeyTooShort(absl::string_view path, size_t least);
// The command line.
absl::Status PublicOrTickets();
absl::Status ListenAddress(absl::string_view address);
absl::Status CannotListen(absl::string_view address, absl::string_view why);

}  // namespace referee::gate

#endif  // REFEREE_GATE_ERRORS_H_
