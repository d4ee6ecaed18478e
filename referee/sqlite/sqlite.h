// RAII wrappers for the parts of SQLite that the referee needs.
//
// Errors are Status, and name the file. A Connection and its statements are for one thread at a
// time.
#ifndef REFEREE_SQLITE_SQLITE_H_
#define REFEREE_SQLITE_SQLITE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"

struct sqlite3;
struct sqlite3_stmt;

namespace referee::sqlite {

class Connection;

// Unavailable: another process has written to the database at this path for too long.
absl::Status DatabaseBusy(absl::string_view path);
// `why`: what is wrong with the file.
absl::Status DatabaseDamaged(absl::string_view path, absl::string_view why);

// A prepared statement. Its destructor resets it and returns it to the connection. After its first
// error it keeps that error and does nothing more.
//
//   Statement list = db.Prepare("SELECT name FROM account WHERE role = ?");
//   list.Bind("BOT");
//   while (list.Step()) names.push_back(list.Text(0));
//   if (!list.status().ok()) return list.status();
class Statement {
 public:
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;

  // Binds the parameters in order. Text is not copied: it must outlive the last step.
  template <typename... Values>
  Statement& Bind(const Values&... values) {
    (BindNext(values), ...);
    return *this;
  }

  // Advances to the next row. Returns false after the last row, and after an error.
  bool Step();
  // Steps to the end.
  absl::Status Run();
  const absl::Status& status() const { return status_; }

  // Columns of the current row, from 0. Text is valid until the next step.
  int64_t Int(int column) const;
  double Real(int column) const;
  absl::string_view Text(int column) const;  // of a blob: the bytes
  bool IsNull(int column) const;
  std::string String(int column) const { return std::string(Text(column)); }
  absl::Time Time(int column) const { return absl::FromUnixMicros(Int(column)); }

 private:
  friend class Connection;
  Statement(Connection* db, sqlite3_stmt* statement, absl::Status status);

  void BindNext(int64_t value);
  void BindNext(int value) { BindNext(int64_t{value}); }
  void BindNext(double value);
  void BindNext(absl::string_view text);
  void BindNext(const std::string& text) { BindNext(absl::string_view(text)); }
  void BindNext(const char* text) { BindNext(absl::string_view(text)); }
  void BindNext(absl::Span<const uint8_t> blob);
  void BindNext(absl::Time time);
  template <typename T>
  void BindNext(const absl::optional<T>& value) {
    if (value.has_value()) return BindNext(*value);
    BindNull();
  }
  void BindNull();
  void Check(int code);

  Connection* db_;
  sqlite3_stmt* statement_;  // null after an error of preparation, and when moved from
  int bound_ = 0;
  absl::Status status_;
};

// Microseconds since 1970: the notation of times in the file.
int64_t ToMicros(absl::Time time);

class Connection {
 public:
  // Opens a database; with `create`, makes it if it is missing. Reads nothing yet.
  static absl::StatusOr<std::unique_ptr<Connection>> Open(const std::string& path, bool create,
                                                          absl::Duration busy_limit);
  // Opens an existing database for reading, without changing any file; see reader.h. `still`: it
  // has no log, and no process writes to it meanwhile; else it has a log and its index.
  static absl::StatusOr<std::unique_ptr<Connection>> OpenToRead(const std::string& path, bool still,
                                                                absl::Duration busy_limit);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // `sql` must be one statement. It is cached: the same text is compiled once.
  Statement Prepare(absl::string_view sql);
  template <typename... Values>
  absl::Status Run(absl::string_view sql, const Values&... values) {
    return Prepare(sql).Bind(values...).Run();
  }
  // Executes any number of statements without caching, and ignores their rows.
  absl::Status RunScript(absl::string_view sql);
  // Return the first column of the first row, without caching the statement.
  absl::StatusOr<int64_t> ReadInt(absl::string_view sql);
  absl::StatusOr<std::string> ReadText(absl::string_view sql);

  // Rows changed by the last statement of Run.
  int64_t changes() const;
  bool in_transaction() const;
  // Returns whether the file system forbids writing to the file.
  bool read_only() const;
  const std::string& path() const { return path_; }

 private:
  friend class Statement;
  Connection(std::string path, sqlite3* db) : path_(std::move(path)), db_(db) {}
  // `name` is passed to SQLite; errors name `path`.
  static absl::StatusOr<std::unique_ptr<Connection>> OpenNamed(const std::string& name, int flags,
                                                               const std::string& path,
                                                               absl::Duration busy_limit);
  absl::StatusOr<sqlite3_stmt*> Compile(absl::string_view sql, bool kept);
  // Converts a result code of SQLite.
  absl::Status Error(int code) const;

  const std::string path_;
  sqlite3* const db_;
  absl::flat_hash_map<std::string, sqlite3_stmt*> statements_;  // idle ones
};

// Rolls back unless committed.
class Transaction {
 public:
  enum class Kind {
    kRead,   // a snapshot of the database
    kWrite,  // excludes other writers from its beginning on
  };
  Transaction(Connection* db, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Returns the status of BEGIN. Do nothing else unless it is OK.
  const absl::Status& begun() const { return begun_; }
  absl::Status Commit();

 private:
  Connection* const db_;
  const absl::Status begun_;
};

}  // namespace referee::sqlite

#endif  // REFEREE_SQLITE_SQLITE_H_
