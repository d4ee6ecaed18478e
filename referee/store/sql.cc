#include "referee/store/sql.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "referee/sqlite/sqlite.h"
#include "referee/store/errors.h"

namespace referee::store {

SqlStatement SqlDatabase::Prepare(absl::string_view sql) {
  if (auto* const* sqlite = std::get_if<sqlite::Connection*>(&db_)) {
    return SqlStatement((*sqlite)->Prepare(sql));
  }
  return SqlStatement(std::get<postgres::Connection*>(db_)->Prepare(PostgresSql(sql)));
}

absl::StatusOr<int64_t> SqlDatabase::ReadInt(absl::string_view sql) {
  SqlStatement statement = Prepare(sql);
  const bool found = statement.Step();
  if (!statement.status().ok()) return statement.status();
  return found ? statement.Int(0) : 0;
}

int64_t SqlDatabase::changes() const {
  return std::visit([](auto* db) { return db->changes(); }, db_);
}

const std::string& SqlDatabase::path() const {
  if (auto* const* sqlite = std::get_if<sqlite::Connection*>(&db_)) return (*sqlite)->path();
  return std::get<postgres::Connection*>(db_)->name();
}

absl::Status SqlDatabase::Damaged(absl::string_view why) const {
  const bool file = std::holds_alternative<sqlite::Connection*>(db_);
  return file ? sqlite::DatabaseDamaged(path(), why) : PostgresStoreDamaged(path(), why);
}

std::string PostgresSql(absl::string_view sql) {
  std::string translated;
  int next = 0;
  for (size_t i = 0; i < sql.size(); ++i) {
    translated += sql[i] == '?' ? '$' : sql[i];
    const bool numbered = i + 1 < sql.size() && absl::ascii_isdigit(sql[i + 1]);
    if (sql[i] == '?' && !numbered) absl::StrAppend(&translated, ++next);
  }
  return absl::StrReplaceAll(translated, {{" INDEXED BY open_block", ""}});
}

}  // namespace referee::store
