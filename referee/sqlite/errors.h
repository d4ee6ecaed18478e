// Errors of SQLite databases, a function each. How an error is worded: base/errors.h.
#ifndef REFEREE_SQLITE_ERRORS_H_
#define REFEREE_SQLITE_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::sqlite {

absl::Status NoDatabase(absl::string_view path);
absl::Status NotADatabase(absl::string_view path);
absl::Status DatabaseDamaged(absl::string_view path, absl::string_view why);
absl::Status DatabaseFull(absl::string_view path);
absl::Status DatabaseBusy(absl::string_view path);
absl::Status DatabaseFailed(absl::string_view path, absl::string_view why);
// There is a -wal file without its -shm file, which would have to be made.
absl::Status DatabaseLogAlone(absl::string_view path);

}  // namespace referee::sqlite

#endif  // REFEREE_SQLITE_ERRORS_H_
