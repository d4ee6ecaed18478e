#include "referee/store/copy.h"

#include <sys/stat.h>

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/replay/data_dir.h"
#include "referee/store/errors.h"
#include "referee/store/place.h"
#include "referee/store/postgres_schema.h"
#include "referee/store/schema.h"
#include "referee/store/sqlite_store.h"

namespace referee::store {
namespace {

absl::Status CopyDiffers(absl::string_view database, absl::string_view table, int64_t row) {
  return absl::DataLossError(
      absl::StrCat(database, ": row ", row, " of table ", table, ", counted from 0 by its key, is ",
                   "read back as other than it was written; nothing was changed; look at the "
                   "server's log, and try again"));
}

constexpr size_t kRowsAtOnce = 500;

enum class Type { kInteger, kReal, kText, kBytes };

struct Column {
  std::string name;
  Type type = Type::kText;
  bool counts_up = false;  // the database generates the values, each only once
};

// A table that both stores have, with the same name.
struct Table {
  std::string name;
  std::vector<Column> columns;
  std::vector<std::string> key;
  int64_t rows = 0;

  std::string ColumnNames() const {
    return absl::StrJoin(columns, ", ",
                         [](std::string* out, const Column& column) { out->append(column.name); });
  }
  // Both databases return the same order, because texts are sorted by their bytes.
  std::string SelectAll() const {
    return absl::StrCat("SELECT ", ColumnNames(), " FROM ", name, " ORDER BY ",
                        absl::StrJoin(key, ", "));
  }
  std::string Insert() const {
    std::string places;
    for (size_t i = 1; i <= columns.size(); ++i) absl::StrAppend(&places, i > 1 ? ", $" : "$", i);
    return absl::StrCat("INSERT INTO ", name, "(", ColumnNames(),
                        ") OVERRIDING SYSTEM VALUE VALUES(", places, ")");
  }
};

absl::StatusOr<Type> TypeOf(absl::string_view name) {
  if (name == "bigint") return Type::kInteger;
  if (name == "double precision") return Type::kReal;
  if (name == "text") return Type::kText;
  if (name == "bytea") return Type::kBytes;
  return absl::InternalError(absl::StrCat("the store has a column of type ", name));
}

// --- Tables to copy ---

// Returns the tables of the PostgreSQL schema; competitions come first, because others refer to
// them. Leaves out the version of the store, leases and the secret of the fleet.
absl::StatusOr<std::vector<Table>> ListTables(postgres::Connection* db) {
  std::vector<Table> tables;
  postgres::Statement columns = db->Prepare(
      "SELECT table_name::text, column_name::text, data_type::text, (is_identity = 'YES')::int "
      "FROM information_schema.columns WHERE table_schema = current_schema() AND table_name NOT IN "
      "('store', 'lease', 'fleet') ORDER BY table_name <> 'competition', table_name, "
      "ordinal_position");
  while (columns.Step()) {
    if (tables.empty() || tables.back().name != columns.Text(0)) {
      tables.push_back({std::string(columns.Text(0)), {}, {}});
    }
    const absl::StatusOr<Type> type = TypeOf(columns.Text(2));
    if (!type.ok()) return type.status();
    tables.back().columns.push_back({std::string(columns.Text(1)), *type, columns.Int(3) != 0});
  }
  if (!columns.status().ok()) return columns.status();
  for (Table& table : tables) {
    postgres::Statement key = db->Prepare(
        "SELECT attname::text FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = "
        "ANY(indkey) WHERE indrelid = to_regclass($1) AND indisprimary ORDER BY "
        "array_position(indkey::int2[], attnum)");
    key.Bind(table.name);
    while (key.Step()) table.key.emplace_back(key.Text(0));
    if (!key.status().ok()) return key.status();
  }
  return tables;
}

absl::Status CountRows(Connection* file, std::vector<Table>* tables) {
  for (Table& table : *tables) {
    const absl::StatusOr<int64_t> rows =
        file->ReadInt(absl::StrCat("SELECT count(*) FROM ", table.name));
    if (!rows.ok()) return rows.status();
    table.rows = *rows;
  }
  return absl::OkStatus();
}

absl::Status CheckEmpty(postgres::Connection* db, const std::vector<Table>& tables) {
  for (const Table& table : tables) {
    const absl::StatusOr<int64_t> any = db->ReadInt(
        absl::StrCat("SELECT count(*) FROM (SELECT 1 FROM ", table.name, " LIMIT 1) t"));
    if (!any.ok()) return any.status();
    if (*any > 0) {
      return absl::AlreadyExistsError(absl::StrCat(db->name(), ": its table ", table.name,
                                                   " has rows; a store is copied into an empty one "
                                                   "only: name another database"));
    }
  }
  return absl::OkStatus();
}

// --- Copying and comparing ---

class Copy {
 public:
  Copy(Connection* file, postgres::Connection* db, std::vector<Table> tables,
       absl::FunctionRef<void(int64_t done, int64_t total)> progress)
      : file_(file), db_(db), tables_(std::move(tables)), progress_(progress) {
    for (const Table& table : tables_) total_ += 2 * table.rows;
  }

  absl::Status Run() {
    for (const Table& table : tables_) {
      if (absl::Status s = Write(table); !s.ok()) return s;
    }
    for (const Table& table : tables_) {
      if (absl::Status s = CompareAll(table); !s.ok()) return s;
    }
    return GoOnCounting("lease", "term");
  }

  CopyReport Report() const {
    std::map<absl::string_view, int64_t> rows;
    for (const Table& table : tables_) rows[table.name] = table.rows;
    return {db_->name(), rows["account"], rows["competition"], rows["block"], total_ / 2};
  }

 private:
  static postgres::Params ParamsOf(const Table& table, const Statement& row) {
    postgres::Params params;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const int at = static_cast<int>(i);
      if (row.IsNull(at)) {
        params.AddNull();
        continue;
      }
      switch (table.columns[i].type) {
        case Type::kInteger:
          params.Add(row.Int(at));
          break;
        case Type::kReal:
          params.Add(row.Real(at));
          break;
        case Type::kText:
          params.Add(row.Text(at));
          break;
        case Type::kBytes: {
          const absl::string_view bytes = row.Text(at);
          params.Add(
              absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
          break;
        }
      }
    }
    return params;
  }

  absl::Status Write(const Table& table) {
    const std::string insert = table.Insert();
    std::vector<postgres::Query> queries;
    const auto send = [&]() -> absl::Status {
      const absl::Status sent = db_->RunAll(queries).status();
      Advance(queries.size());
      queries.clear();
      return sent.ok() ? sent : At(absl::StrCat("table ", table.name), sent);
    };
    Statement rows = file_->Prepare(table.SelectAll());
    while (rows.Step()) {
      queries.push_back({insert, ParamsOf(table, rows)});
      if (queries.size() < kRowsAtOnce) continue;
      if (absl::Status s = send(); !s.ok()) return s;
    }
    if (!rows.status().ok()) return rows.status();
    if (absl::Status s = send(); !s.ok()) return s;
    for (const Column& column : table.columns) {
      if (!column.counts_up) continue;
      if (absl::Status s = GoOnCounting(table.name, column.name); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  // Continues generated numbers after the last one of the file, even if its row was deleted.
  absl::Status GoOnCounting(const std::string& table, const std::string& column) {
    const absl::StatusOr<int64_t> last = file_->ReadInt(absl::StrCat(
        "SELECT max((SELECT coalesce(max(", column, "), 0) FROM ", table,
        "), (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = '", table, "'))"));
    if (!last.ok()) return last.status();
    if (*last == 0) return absl::OkStatus();
    return db_->Run("SELECT setval(pg_get_serial_sequence($1, $2), $3)", table, column, *last);
  }

  absl::Status CompareAll(const Table& table) {
    const std::string cursor = absl::StrCat("copied_", table.name);
    absl::Status opened = db_->RunScript(
        absl::StrCat("DECLARE ", cursor, " NO SCROLL CURSOR FOR ", table.SelectAll()));
    if (!opened.ok()) return opened;
    const std::string fetch = absl::StrCat("FETCH FORWARD ", kRowsAtOnce, " FROM ", cursor);
    Statement rows = file_->Prepare(table.SelectAll());
    int64_t number = 0;
    for (;;) {
      const absl::StatusOr<postgres::Result> copies = db_->Query(fetch, {});
      if (!copies.ok()) return copies.status();
      for (int at = 0; at < copies->rows(); ++at, ++number) {
        if (!rows.Step() || !Same(table, rows, *copies, at)) {
          return rows.status().ok() ? CopyDiffers(db_->name(), table.name, number) : rows.status();
        }
      }
      Advance(static_cast<size_t>(copies->rows()));
      if (copies->rows() == 0) break;
    }
    const bool more = rows.Step();
    if (!rows.status().ok()) return rows.status();
    return more || number != table.rows ? CopyDiffers(db_->name(), table.name, number)
                                        : db_->RunScript("CLOSE " + cursor);
  }

  static bool Same(const Table& table, const Statement& row, const postgres::Result& copies,
                   int copy) {
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const int at = static_cast<int>(i);
      if (row.IsNull(at) != copies.IsNull(copy, at)) return false;
      if (row.IsNull(at)) continue;
      const Type type = table.columns[i].type;
      const bool same = type == Type::kInteger ? row.Int(at) == copies.Int(copy, at)
                        : type == Type::kReal  ? row.Real(at) == copies.Real(copy, at)
                                               : row.Text(at) == copies.Text(copy, at);
      if (!same) return false;
    }
    return true;
  }

  void Advance(size_t rows) {
    done_ += static_cast<int64_t>(rows);
    progress_(done_, total_);
  }

  Connection* const file_;
  postgres::Connection* const db_;
  const std::vector<Table> tables_;
  const absl::FunctionRef<void(int64_t done, int64_t total)> progress_;
  int64_t total_ = 0;
  int64_t done_ = 0;
};

absl::StatusOr<CopyReport> CopyInTransaction(
    Connection* file, postgres::Connection* db,
    absl::FunctionRef<void(int64_t done, int64_t total)> progress) {
  postgres::Transaction transaction(db, postgres::Transaction::Kind::kWrite);
  absl::Status status = transaction.begun();
  if (status.ok()) status = TakePostgresTurn(db);
  if (!status.ok()) return status;
  absl::StatusOr<std::vector<Table>> tables = ListTables(db);
  if (!tables.ok()) return tables.status();
  if (absl::Status s = CheckEmpty(db, *tables); !s.ok()) return s;
  if (absl::Status s = CountRows(file, &*tables); !s.ok()) return s;
  Copy copy(file, db, *std::move(tables), progress);
  status = copy.Run();
  if (status.ok()) status = transaction.Commit();
  if (!status.ok()) return status;
  return copy.Report();
}

}  // namespace

absl::StatusOr<CopyReport> CopyToPostgres(
    const std::string& data_dir, const std::string& url, const PostgresOptions& options,
    absl::FunctionRef<void(int64_t done, int64_t total)> progress) {
  const std::string path = data_dir + "/store.db";
  if (absl::Status here = CheckPlace({data_dir, ""}); !here.ok()) return here;
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return NoStore(path);  // no directory is made
  const absl::StatusOr<replay::File> lock = replay::LockDataDir(data_dir);
  if (!lock.ok()) return lock.status();
  absl::StatusOr<Reader> file = OpenStoreReader(path, SqliteOptions().busy_limit);
  if (!file.ok()) return file.status();
  absl::Status readable = CheckVersion(file->db());
  if (readable.ok()) readable = CheckSmallTables(file->db());
  if (!readable.ok()) return readable;
  const Transaction reading(file->db(), Transaction::Kind::kRead);
  if (!reading.begun().ok()) return reading.begun();

  const absl::StatusOr<PostgresMigration> made = MigratePostgresStore(url, options);
  if (!made.ok()) return made.status();
  const absl::StatusOr<std::unique_ptr<postgres::Connection>> db =
      postgres::Connection::Open(url, options.connection);
  if (!db.ok()) return db.status();
  if (absl::Status s = UsePostgresSchema(db->get(), options.schema); !s.ok()) return s;
  absl::StatusOr<CopyReport> report = CopyInTransaction(file->db(), db->get(), progress);
  if (!report.ok()) return report;
  if (absl::Status s = NoteElsewhere(data_dir, (*db)->name()); !s.ok()) return s;
  return report;
}

}  // namespace referee::store
