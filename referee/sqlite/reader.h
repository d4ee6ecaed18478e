// A read-only connection to an SQLite database. Changes neither the file nor the files beside it.
//
// SQLite alone does not guarantee that. It reads a database with a log (WAL) through an index in
// shared memory, `-shm`. Even opened for reading, SQLite makes a missing log and index and leaves
// them behind, and renews the index of a killed process. In a folder without write permission it
// fails. So a Reader uses one of two modes:
//
// - No process has the file open, and it was closed properly: there is no log, and the file is
//   complete. It is read as an unchanging file (`immutable`), without locks. SQLite then does not
//   notice if another process opens and changes it; `overtaken` does.
// - A process has it open, or was killed: there is a log and an index. Both are read unchanged
//   (`readonly_shm`), with the locks that keep others from merging the log while it is read. If no
//   process maintains the index, SQLite makes its own in memory.
//
// A log without its index, as in an incomplete copy, cannot be read without writing.
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
  // Opens the database at `path`, and reads nothing yet. Returns NotFound when it does not exist.
  // Returns Unavailable when there is a log without its index, as for a moment while another
  // process opens or closes it.
  static absl::StatusOr<Reader> Open(const std::string& path, absl::Duration busy_limit);
  // Reads through a connection that may write.
  explicit Reader(std::unique_ptr<Connection> db) : db_(std::move(db)) {}

  Connection* db() { return db_.get(); }
  // Returns whether another process has opened or closed the database since Open. Then results may
  // be inconsistent, or reads refused: open another Reader.
  bool overtaken() const;

 private:
  // The mode of reading.
  enum class Way { kShared, kStill, kLogged };

  Reader(std::unique_ptr<Connection> db, Way way, const struct stat& file)
      : db_(std::move(db)), way_(way), file_(file) {}

  std::unique_ptr<Connection> db_;
  Way way_ = Way::kShared;
  struct stat file_ = {};  // before it was opened
};

}  // namespace referee::sqlite

#endif  // REFEREE_SQLITE_READER_H_
