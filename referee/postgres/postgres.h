// RAII wrappers for the parts of libpq that the referee needs, with errors as Status, which name
// the database (errors.h). A Connection and what comes from it are for one thread at a time.
//
// No call waits for ever: the server ends what takes too long there (statement_timeout,
// lock_timeout, idle_in_transaction_session_timeout), and what it does not answer ends on this
// side, by a deadline of its own. A connection that has failed stays so (usable); whoever needs the
// database opens another.
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

// The rows that a statement returned, all of them. Columns are of the integer types, double
// precision, text or bytea: of another, such as numeric, the statement casts.
class Result {
 public:
  Result() = default;
  explicit Result(pg_result* result) : result_(result) {}

  int rows() const;
  // How many rows an INSERT, UPDATE or DELETE changed; how many a SELECT found.
  int64_t changes() const;
  // The command that was done: "COMMIT", "UPDATE 2".
  absl::string_view command() const;

  // REQUIRES: 0 <= row < rows(), and a column of this type. NULL is 0 or empty.
  int64_t Int(int row, int column) const;
  double Real(int row, int column) const;
  // Of bytea, its bytes. Valid as long as the result.
  absl::string_view Text(int row, int column) const;
  bool IsNull(int row, int column) const;

 private:
  struct Clear {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Clear> result_;
};

// A statement with what is bound to it.
struct Query {
  absl::string_view sql;  // one statement; $1, $2, ... are its parameters
  Params params = {};
};

class Connection;

// A statement that is run by its first step, as sqlite::Statement is. After its first error it
// keeps that error and does nothing more.
class Statement {
 public:
  // One that has run, with this result.
  explicit Statement(Result result) : ran_(true), result_(std::move(result)) {}

  // Binds the parameters in order.
  template <typename... Values>
  Statement& Bind(const Values&... values) {
    (params_.Add(values), ...);
    return *this;
  }

  // Goes to the next row. Returns false after the last, and after an error.
  bool Step();
  absl::Status Run();
  const absl::Status& status() const { return status_; }

  // Columns of the row that Step came to, from 0. Text is valid as long as the statement.
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

// What messages call the database that a connection string names, without user and password:
// "database referee on db1:5432". Returns InvalidArgument when it is no connection string, or a URL
// that has its password where libpq looks for something else.
absl::StatusOr<std::string> DatabaseName(const std::string& conninfo);

struct ConnectionOptions {
  // For each host of the connection string, unless it says connect_timeout itself.
  absl::Duration connect_limit = absl::Seconds(5);
  // How long one statement may run.
  absl::Duration statement_limit = absl::Seconds(60);
  // How long a statement waits for a lock that another transaction has.
  absl::Duration lock_limit = absl::Seconds(10);
  // How long a transaction lasts of which nothing is heard. Its locks hold up all others: this is
  // how long a process that is suspended in the middle of one does.
  absl::Duration idle_limit = absl::Seconds(5);
  // How long a server that has ended nothing within statement_limit is waited for.
  absl::Duration answer_grace = absl::Seconds(10);
};

class Connection {
 public:
  // Connects to a server that takes writes: of several hosts in `conninfo`, the first that does.
  // Returns what DatabaseName does when it is no connection string; Unavailable when there is no
  // such server, or it lets nobody in.
  static absl::StatusOr<std::unique_ptr<Connection>> Open(const std::string& conninfo,
                                                          const ConnectionOptions& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // What DatabaseName says.
  const std::string& name() const { return name_; }
  // False once it is of no use any more; every call fails then.
  bool usable() const { return lost_.ok(); }
  bool in_transaction() const;
  // Rows that the last statement of Run changed.
  int64_t changes() const { return changes_; }

  // The statements of these calls are parsed once for each connection and text, and kept: texts
  // are the program's own, and few.
  Statement Prepare(absl::string_view sql) { return Statement(this, sql); }
  template <typename... Values>
  absl::Status Run(absl::string_view sql, const Values&... values) {
    return Prepare(sql).Bind(values...).Run();
  }
  absl::StatusOr<Result> Query(absl::string_view sql, const Params& params);
  // Sends all of them at once and waits for all results, in order: one round trip. Returns the
  // first error; the statements after that one were not run.
  absl::StatusOr<std::vector<Result>> RunAll(absl::Span<const postgres::Query> queries);

  // Runs any number of statements, which have no parameters and are not kept, and ignores their
  // rows. Outside of a transaction they are one.
  absl::Status RunScript(const std::string& sql);
  // The first column of the first row; 0 if there is none.
  absl::StatusOr<int64_t> ReadInt(absl::string_view sql);
  // `name` as an identifier of SQL.
  std::string Identifier(absl::string_view name) const;

 private:
  friend class Statement;
  Connection(pg_conn* db, absl::Duration answer_limit) : db_(db), answer_limit_(answer_limit) {}

  struct Sent;
  absl::Status SendAll(absl::Span<const postgres::Query> queries, std::vector<Sent>* sent);
  absl::StatusOr<std::vector<Result>> Receive(const std::vector<Sent>& sent);
  // Waits for the next result of what was sent; null between two statements.
  absl::StatusOr<pg_result*> Next(absl::Time deadline);
  // OK, or the error that the server says.
  absl::Status Check(const pg_result* result);
  // The connection is of no use any more. Returns why.
  absl::Status Lose(absl::Status why);
  absl::Status LoseByLibpq();

  pg_conn* const db_;
  const absl::Duration answer_limit_;
  std::string name_;
  absl::Status lost_;
  int64_t changes_ = 0;
  absl::flat_hash_map<std::string, std::string> prepared_;  // names by text
};

// Rolls back what was not committed.
class Transaction {
 public:
  enum class Kind {
    kRead,   // one moment of the database
    kWrite,  // READ COMMITTED: each statement sees what was committed before it
  };
  Transaction(Connection* db, Kind kind);
  // One that a statement of RunAll begins, and another may commit.
  explicit Transaction(Connection* db) : db_(db) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // The status of beginning it: do nothing else unless it is OK.
  const absl::Status& begun() const { return begun_; }
  // After Unavailable from here it is not known whether the transaction was committed.
  absl::Status Commit();

 private:
  Connection* const db_;
  const absl::Status begun_;
};

}  // namespace referee::postgres

#endif  // REFEREE_POSTGRES_POSTGRES_H_
