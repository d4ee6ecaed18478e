// What the tables of the store are read and written by: one transaction of a database, SQLite's or
// PostgreSQL's. The tables' SQL is what both understand, in SQLite's notation:
//
// - parameters are ? or ?1, ?2;
// - integers, times and truth values are INTEGER, texts compare by their bytes;
// - a statement may be open while others run.
//
// They differ in how writers are kept apart. In SQLite they take turns. In PostgreSQL those that
// change the same competition do, since who reads its head in a transaction that writes locks it
// (for_update); and so do all that write anything but blocks (TakePostgresTurn).
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

// sqlite::Statement or postgres::Statement; sqlite.h says what each call does.
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
  // The first column of the first row; 0 if there is none.
  absl::StatusOr<int64_t> ReadInt(absl::string_view sql);

  // Rows that the last statement of Run changed.
  int64_t changes() const;
  // What messages call it.
  const std::string& path() const;
  // Says that what is kept is damaged, and what to do about it.
  absl::Status Damaged(absl::string_view why) const;
  // What ends a SELECT of rows that the transaction is about to change; or that others must not
  // remove, nor change in what names them, before it has ended.
  absl::string_view for_update() const { return locks() ? " FOR UPDATE" : ""; }
  absl::string_view for_key_share() const { return locks() ? " FOR KEY SHARE" : ""; }

 private:
  bool locks() const { return writes_ && std::holds_alternative<postgres::Connection*>(db_); }

  std::variant<sqlite::Connection*, postgres::Connection*> db_;
  bool writes_ = false;
};

// A statement in SQLite's notation in that of PostgreSQL, which knows without being told which
// index is short.
std::string PostgresSql(absl::string_view sql);

}  // namespace referee::store

#endif  // REFEREE_STORE_SQL_H_
