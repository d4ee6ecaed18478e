// Errors of PostgreSQL databases, one function each. base/errors.h says how to word an error.
//
// `database` is the name of the database in messages (Connection::name). The codes by SQLSTATE:
//
//   08, 57P, 25006  lost connection, server shutdown, or the server is now a standby: Unavailable
//   53300           too many connections: Unavailable
//   40001, 40P01    a conflict with another transaction: Aborted; see IsConflict
//   55P03, 57014    waited or ran for too long: Unavailable
//   58030           input or output: Unavailable
//   53, 54          disk, memory or a limit: ResourceExhausted
//   28, 42501       login refused, or missing privilege: PermissionDenied
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

// Returns a message of libpq or the server on one line.
std::string OneLine(absl::string_view message);
// Error of a statement; `message` is the server's.
absl::Status StatementError(absl::string_view database, absl::string_view sqlstate,
                            absl::string_view message);
// Returns whether a transaction conflicted with others: it had no effect, and may succeed if
// repeated from its beginning.
bool IsConflict(const absl::Status& status);
// Returns whether an error of this SQLSTATE makes the connection unusable.
bool EndsConnection(absl::string_view sqlstate);

// Does not quote the connection string, which may contain a password.
absl::Status BadConninfo();
// The transaction to be committed had failed before.
absl::Status NotCommitted(absl::string_view database);

}  // namespace referee::postgres

#endif  // REFEREE_POSTGRES_ERRORS_H_
