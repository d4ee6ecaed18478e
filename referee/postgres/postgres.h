// RAII wrappers for the parts of libpq that the referee needs.
//
// Errors are Status, and name the database (errors.h). A Connection and its statements and results
// are for one thread at a time.
//
// Every call has a time limit: the server stops long operations (statement_timeout, lock_timeout,
// idle_in_transaction_session_timeout), and a client deadline covers a server that does not answer.
// A failed connection stays unusable (usable); open another one.
//
//   std::unique_ptr<Connection> db = Connection::Open("postgresql://host/referee", {}).value();
//   Transaction transaction(db.get(), Transaction::Kind::kWrite);
//   if (!transaction.begun().ok()) return transaction.begun();
//   Statement list = db->Prepare("SELECT name FROM account WHERE role = $1");
//   list.Bind("BOT");
//   while (list.Step()) names.emplace_back(list.Text(0));
//   if (!list.status().ok()) return list.status();
#ifndef REFEREE_POSTGRES_POSTGRES_H_
#define REFEREE_POSTGRES_POSTGRES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/postgres/params.h"

struct pg_conn;
struct pg_result;

namespace referee::postgres {

// All rows that a statement returned. Columns are of the integer types, double precision, text or
// bytea; the statement must cast other types, such as numeric.
class Result {
 public:
  Result() = default;
  explicit Result(pg_result* result) : result_(result) {}

  int rows() const;
  // Returns the number of rows that an INSERT, UPDATE or DELETE changed, or a SELECT found.
  int64_t changes() const;
  // Returns the tag of the executed command: "COMMIT", "UPDATE 2".
  absl::string_view command() const;

  // REQUIRES: 0 <= row < rows(), and a column of this type. NULL is 0 or empty.
  int64_t Int(int row, int column) const;
  double Real(int row, int column) const;
  // Of bytea: the bytes. Valid as long as the result.
  absl::string_view Text(int row, int column) const;
  bool IsNull(int row, int column) const;

 private:
  struct Clear {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Clear> result_;
};

// A statement with its parameters.
struct Query {
  absl::string_view sql;  // one statement; $1, $2, ... are its parameters
  Params params = {};
};

class Connection;

// A statement that its first step executes, as with sqlite::Statement. After its first error it
// keeps that error and does nothing more.
class Statement {
 public:
  // A statement that was executed, with its result.
  explicit Statement(Result result) : ran_(true), result_(std::move(result)) {}

  // Binds the parameters in order.
  template <typename... Values>
  Statement& Bind(const Values&... values) {
    (params_.Add(values), ...);
    return *this;
  }

  // Advances to the next row. Returns false after the last row, and after an error.
  bool Step();
  absl::Status Run();
  const absl::Status& status() const { return status_; }

  // Columns of the current row, from 0. Text is valid as long as the statement.
  int64_t Int(int column) const { return result_.Int(row_, column); }
  double Real(int column) const { return result_.Real(row_, column); }
  absl::string_view Text(int column) const { return result_.Text(row_, column); }
  bool IsNull(int column) const { return result_.IsNull(row_, column); }

 private:
  friend class Connection;
  Statement(Connection* db, absl::string_view sql) : db_(db), sql_(sql) {}

  Connection* db_ = nullptr;
  std::string sql_;
  Params params_;
  bool ran_ = false;
  Result result_;
  int row_ = -1;
  absl::Status status_;
};

// Returns the name in messages of the database in a connection string, without user and password:
// "database referee on db1:5432". Returns InvalidArgument when it is not a connection string, or a
// URL whose password libpq would misread.
absl::StatusOr<std::string> DatabaseName(const std::string& conninfo);

struct ConnectionOptions {
  // For each host of the connection string; connect_timeout in the string overrides it.
  absl::Duration connect_limit = absl::Seconds(5);
  // The longest time that one statement may run.
  absl::Duration statement_limit = absl::Seconds(60);
  // How long a statement waits for a lock of another transaction.
  absl::Duration lock_limit = absl::Seconds(10);
  // How long the server lets a transaction idle. The locks of a process that is suspended in a
  // transaction block all others for this long.
  absl::Duration idle_limit = absl::Seconds(5);
  // How long to wait beyond statement_limit for a server that does not stop a statement.
  absl::Duration answer_grace = absl::Seconds(10);
};

class Connection {
 public:
  // Connects to a server that accepts writes; of several hosts in `conninfo`, to the first such.
  // Returns the error of DatabaseName for a malformed string, Unavailable when no server accepts
  // the connection.
  static absl::StatusOr<std::unique_ptr<Connection>> Open(const std::string& conninfo,
                                                          const ConnectionOptions& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Returns the result of DatabaseName.
  const std::string& name() const { return name_; }
  // Returns false once the connection has failed; every call fails then.
  bool usable() const { return lost_.ok(); }
  bool in_transaction() const;
  // Rows changed by the last statement of Run.
  int64_t changes() const { return changes_; }

  // Statements of these calls are parsed once per connection and text, and cached. So texts must be
  // constant and few.
  Statement Prepare(absl::string_view sql) { return Statement(this, sql); }
  template <typename... Values>
  absl::Status Run(absl::string_view sql, const Values&... values) {
    return Prepare(sql).Bind(values...).Run();
  }
  absl::StatusOr<Result> Query(absl::string_view sql, const Params& params);
  // Sends all queries at once, and returns their results in order: one round trip. Returns the
  // first error; later statements were not executed.
  absl::StatusOr<std::vector<Result>> RunAll(absl::Span<const postgres::Query> queries);

  // Executes any number of statements without parameters or caching, and ignores their rows.
  // Outside of a transaction they form one.
  absl::Status RunScript(const std::string& sql);
  // Returns the first column of the first row; 0 if there is none.
  absl::StatusOr<int64_t> ReadInt(absl::string_view sql);
  // Returns `name` quoted as an SQL identifier.
  std::string Identifier(absl::string_view name) const;

 private:
  friend class Statement;
  Connection(pg_conn* db, absl::Duration answer_limit) : db_(db), answer_limit_(answer_limit) {}

  struct Sent;
  absl::Status SendAll(absl::Span<const postgres::Query> queries, std::vector<Sent>* sent);
  absl::StatusOr<std::vector<Result>> Receive(const std::vector<Sent>& sent);
  // Waits for the next result; null separates two statements.
  absl::StatusOr<pg_result*> Next(absl::Time deadline);
  // Returns OK, or the server's error.
  absl::Status Check(const pg_result* result);
  // Marks the connection as unusable. Returns `why`.
  absl::Status Lose(absl::Status why);
  absl::Status LoseByLibpq();

  pg_conn* const db_;
  const absl::Duration answer_limit_;
  std::string name_;
  absl::Status lost_;
  int64_t changes_ = 0;
  absl::flat_hash_map<std::string, std::string> prepared_;  // statement names by text
};

// Rolls back unless committed.
class Transaction {
 public:
  enum class Kind {
    kRead,   // a snapshot of the database
    kWrite,  // READ COMMITTED: each statement sees what was committed before it
  };
  Transaction(Connection* db, Kind kind);
  // For a transaction that a statement of RunAll begins, and another may commit.
  explicit Transaction(Connection* db) : db_(db) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Returns the status of BEGIN. Do nothing else unless it is OK.
  const absl::Status& begun() const { return begun_; }
  // After Unavailable it is unknown whether the transaction was committed.
  absl::Status Commit();

 private:
  Connection* const db_;
  const absl::Status begun_;
};

}  // namespace referee::postgres

#endif  // REFEREE_POSTGRES_POSTGRES_H_
