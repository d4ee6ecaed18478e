// One interface for SQL on SQLite and PostgreSQL, within a transaction.
//
// The SQL of the tables is what both understand, in SQLite's notation:
//
// - parameters are ? or ?1, ?2;
// - integers, times and booleans are INTEGER, texts compare by their bytes;
// - a statement may be open while others run.
//
// Writers are isolated differently. In SQLite they take turns. In PostgreSQL only writers of the
// same competition do: a transaction that writes locks the competition's row when it reads it
// (for_update). Writers of anything but blocks also take turns (TakePostgresTurn).
#ifndef REFEREE_STORE_SQL_H_
#define REFEREE_STORE_SQL_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/postgres/postgres.h"
#include "referee/sqlite/sqlite.h"

namespace referee::store {

// A sqlite::Statement or postgres::Statement; sqlite.h documents the calls.
class SqlStatement {
 public:
  explicit SqlStatement(sqlite::Statement statement) : statement_(std::move(statement)) {}
  explicit SqlStatement(postgres::Statement statement) : statement_(std::move(statement)) {}

  template <typename... Values>
  SqlStatement& Bind(const Values&... values) {
    std::visit([&](auto& of) { of.Bind(values...); }, statement_);
    return *this;
  }
  bool Step() {
    return std::visit([](auto& of) { return of.Step(); }, statement_);
  }
  absl::Status Run() {
    return std::visit([](auto& of) { return of.Run(); }, statement_);
  }
  const absl::Status& status() const {
    return std::visit([](auto& of) -> const absl::Status& { return of.status(); }, statement_);
  }

  int64_t Int(int column) const {
    return std::visit([column](auto& of) { return of.Int(column); }, statement_);
  }
  double Real(int column) const {
    return std::visit([column](auto& of) { return of.Real(column); }, statement_);
  }
  absl::string_view Text(int column) const {
    return std::visit([column](auto& of) { return of.Text(column); }, statement_);
  }
  bool IsNull(int column) const {
    return std::visit([column](auto& of) { return of.IsNull(column); }, statement_);
  }
  std::string String(int column) const { return std::string(Text(column)); }
  absl::Time Time(int column) const { return absl::FromUnixMicros(Int(column)); }
  absl::optional<absl::Time> OptionalTime(int column) const {
    if (IsNull(column)) return absl::nullopt;
    return Time(column);
  }

 private:
  std::variant<sqlite::Statement, postgres::Statement> statement_;
};

// A database within a transaction. For one thread at a time; must not outlive the transaction.
class SqlDatabase {
 public:
  explicit SqlDatabase(sqlite::Connection* db) : db_(db) {}
  // `writes`: the transaction may write.
  SqlDatabase(postgres::Connection* db, bool writes) : db_(db), writes_(writes) {}

  SqlStatement Prepare(absl::string_view sql);
  template <typename... Values>
  absl::Status Run(absl::string_view sql, const Values&... values) {
    return Prepare(sql).Bind(values...).Run();
  }
  // Returns the first column of the first row; 0 if there is none.
  absl::StatusOr<int64_t> ReadInt(absl::string_view sql);

  // Rows changed by the last statement of Run.
  int64_t changes() const;
  // The name of the database in messages.
  const std::string& path() const;
  // Returns the error for damaged data, with what to do about it.
  absl::Status Damaged(absl::string_view why) const;
  // Suffixes of a SELECT. for_update: the transaction will change the rows. for_key_share: other
  // transactions must not remove the rows, nor change their keys, until it ends.
  absl::string_view for_update() const { return locks() ? " FOR UPDATE" : ""; }
  absl::string_view for_key_share() const { return locks() ? " FOR KEY SHARE" : ""; }

 private:
  bool locks() const { return writes_ && std::holds_alternative<postgres::Connection*>(db_); }

  std::variant<sqlite::Connection*, postgres::Connection*> db_;
  bool writes_ = false;
};

// Translates a statement from SQLite's to PostgreSQL's notation. Drops index hints, which
// PostgreSQL does not need.
std::string PostgresSql(absl::string_view sql);

}  // namespace referee::store

#endif  // REFEREE_STORE_SQL_H_
