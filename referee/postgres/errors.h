// Errors of PostgreSQL databases, a function each; `database` is what messages call it
// (Connection::name). How an error is worded: base/errors.h.
//
//   08, 57P, 25006  the connection, the server ends or is a standby by now: Unavailable
//   53300           too many connections: Unavailable
//   40001, 40P01    a conflict with another transaction: Aborted; see IsConflict
//   55P03, 57014    waited or ran for too long: Unavailable
//   58030           input or output: Unavailable
//   53, 54          disk, memory or a limit: ResourceExhausted
//   28, 42501       who is not let in, or may not do that: PermissionDenied
//   3D000, 3F000    no such database, no such schema: NotFound
//   22021, 22P05    text that is not UTF-8, or has a zero byte: InvalidArgument
//   XX001, XX002    damaged: DataLoss
//   others          Internal
#ifndef REFEREE_POSTGRES_ERRORS_H_
#define REFEREE_POSTGRES_ERRORS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::postgres {

// What libpq or the server says, on one line.
std::string OneLine(absl::string_view message);
// What the server said of a statement, with `message` as its words.
absl::Status StatementError(absl::string_view database, absl::string_view sqlstate,
                            absl::string_view message);
// Whether the same transaction may do when it is made again from its beginning: others were in its
// way, and nothing of it was done.
bool IsConflict(const absl::Status& status);
// Whether a connection is of no use after an error of this SQLSTATE.
bool EndsConnection(absl::string_view sqlstate);

// Does not repeat what is wrong: that may be a password.
absl::Status BadConninfo();
// A transaction that was to be committed had failed before.
absl::Status NotCommitted(absl::string_view database);

}  // namespace referee::postgres

#endif  // REFEREE_POSTGRES_ERRORS_H_
