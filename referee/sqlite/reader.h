// A read-only connection to a database. It changes neither the file nor the files beside it.
//
// SQLite alone does not promise that. A database with a log (WAL) is read by way of an index in
// shared memory, `-shm`: opened only to be read, SQLite still makes the log and the index where
// there are none, and leaves them behind; it renews an index that a killed process left; and in a
// folder that may not be written it fails. So the file is read in one of two ways:
//
// - Nobody has it open, and it was closed properly: there is no log, and the file holds everything.
//   It is read as a file that does not change (`immutable`), without locks. SQLite then does not
//   notice when somebody opens it meanwhile and changes the file; `overtaken` does.
// - Somebody has it open, or was killed: there is a log, and an index. Both are read as they are
//   (`readonly_shm`), with the locks that keep others from putting the log back over what is being
//   read. An index that nobody keeps up to date is not trusted: SQLite makes its own, in memory.
//
// A log without its index, as after a copy of some of the files, cannot be read without writing.
#ifndef REFEREE_SQLITE_READER_H_
#define REFEREE_SQLITE_READER_H_

#include <sys/stat.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/sqlite/sqlite.h"

namespace referee::sqlite {

// Thread-compatible.
class Reader {
 public:
  // Opens the database at `path`, and reads nothing yet. Returns NotFound when there is none,
  // Unavailable when there is a log without its index, as there is for a moment while somebody
  // opens or closes it.
  static absl::StatusOr<Reader> Open(const std::string& path, absl::Duration busy_limit);
  // Reads by a connection that may write.
  explicit Reader(std::unique_ptr<Connection> db) : db_(std::move(db)) {}

  Connection* db() { return db_.get(); }
  // Whether somebody has opened or closed it since this was opened, so that what was read
  // may be inconsistent, or was refused. Open another Reader then.
  bool overtaken() const;

 private:
  // How the file is read.
  enum class Way { kShared, kStill, kLogged };

  Reader(std::unique_ptr<Connection> db, Way way, const struct stat& file)
      : db_(std::move(db)), way_(way), file_(file) {}

  std::unique_ptr<Connection> db_;
  Way way_ = Way::kShared;
  struct stat file_ = {};  // as it was before it was opened
};

}  // namespace referee::sqlite

#endif  // REFEREE_SQLITE_READER_H_
