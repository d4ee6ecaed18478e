#include "referee/sqlite/sqlite.h"

#include <sqlite3.h>

#include <cerrno>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "referee/base/errors.h"

namespace referee::sqlite {
namespace {

absl::Status DatabaseFull(absl::string_view path) {
  return absl::ResourceExhaustedError(
      absl::StrCat(path,
                   ": no room for what was to be written, and nothing of it was; make room "
                   "on that disk"));
}

// Returns a URI for a path with any characters.
std::string UriOf(absl::string_view path) {
  const std::string escaped = absl::StrReplaceAll(path, {{"%", "%25"}, {"?", "%3f"}, {"#", "%23"}});
  return absl::StrCat(absl::StartsWith(path, "/") ? "file://" : "file:", escaped);
}

}  // namespace

absl::Status DatabaseDamaged(absl::string_view path, absl::string_view why) {
  return absl::DataLossError(absl::StrCat(path, ": the file is damaged (", why,
                                          "); put back a copy of it, with its -wal file if "
                                          "there is one; what 'sqlite3 ",
                                          path, " .recover' prints is what can be read of it"));
}

absl::Status DatabaseBusy(absl::string_view path) {
  return absl::UnavailableError(
      absl::StrCat(path, ": another process is writing to it for too long; try again"));
}

// --- Statement ---

Statement::Statement(Connection* db, sqlite3_stmt* statement, absl::Status status)
    : db_(db), statement_(statement), status_(std::move(status)) {}

Statement::Statement(Statement&& other) noexcept
    : db_(other.db_),
      statement_(std::exchange(other.statement_, nullptr)),
      bound_(other.bound_),
      status_(std::move(other.status_)) {}

Statement::~Statement() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  const auto [place, kept] = db_->statements_.try_emplace(sqlite3_sql(statement_), statement_);
  if (!kept) sqlite3_finalize(statement_);
}

bool Statement::Step() {
  if (!status_.ok()) return false;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) Check(code);
  return false;
}

absl::Status Statement::Run() {
  while (Step()) continue;
  return status_;
}

int64_t Statement::Int(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::Real(int column) const { return sqlite3_column_double(statement_, column); }

absl::string_view Statement::Text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return absl::string_view(static_cast<const char*>(bytes), static_cast<size_t>(size));
}

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

void Statement::BindNext(int64_t value) {
  if (status_.ok()) Check(sqlite3_bind_int64(statement_, ++bound_, value));
}

void Statement::BindNext(double value) {
  if (status_.ok()) Check(sqlite3_bind_double(statement_, ++bound_, value));
}

void Statement::BindNext(absl::string_view text) {
  if (!status_.ok()) return;
  const char* bytes = text.data() == nullptr ? "" : text.data();  // a null pointer would bind NULL
  Check(sqlite3_bind_text64(statement_, ++bound_, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::BindNext(absl::Span<const uint8_t> blob) {
  if (!status_.ok()) return;
  const void* bytes = blob.data() == nullptr ? static_cast<const void*>("") : blob.data();
  Check(sqlite3_bind_blob64(statement_, ++bound_, bytes, blob.size(), SQLITE_STATIC));
}

void Statement::BindNext(absl::Time time) { BindNext(ToMicros(time)); }

void Statement::BindNull() {
  if (status_.ok()) Check(sqlite3_bind_null(statement_, ++bound_));
}

void Statement::Check(int code) {
  if (code != SQLITE_OK) status_ = db_->Error(code);
}

int64_t ToMicros(absl::Time time) { return absl::ToUnixMicros(time); }

// --- Connection ---

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const std::string& path, bool create,
                                                             absl::Duration busy_limit) {
  return OpenNamed(path, SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0), path,
                   busy_limit);
}

absl::StatusOr<std::unique_ptr<Connection>> Connection::OpenToRead(const std::string& path,
                                                                   bool still,
                                                                   absl::Duration busy_limit) {
  const std::string name = absl::StrCat(UriOf(path), still ? "?immutable=1" : "?readonly_shm=1");
  return OpenNamed(name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, path, busy_limit);
}

absl::StatusOr<std::unique_ptr<Connection>> Connection::OpenNamed(const std::string& name,
                                                                  int flags,
                                                                  const std::string& path,
                                                                  absl::Duration busy_limit) {
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &db,
                                   flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  if (db == nullptr) return FileError("cannot open", path, ENOMEM);
  std::unique_ptr<Connection> connection(new Connection(path, db));
  if (code != SQLITE_OK) return connection->Error(code);
  sqlite3_busy_timeout(db, static_cast<int>(absl::ToInt64Milliseconds(busy_limit)));
  return connection;
}

Connection::~Connection() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(db_);
}

absl::StatusOr<sqlite3_stmt*> Connection::Compile(absl::string_view sql, bool kept) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(db_, sql.data(), static_cast<int>(sql.size()),
                                      kept ? SQLITE_PREPARE_PERSISTENT : 0, &statement, nullptr);
  if (code != SQLITE_OK) return Error(code);
  return statement;
}

Statement Connection::Prepare(absl::string_view sql) {
  const auto found = statements_.find(sql);
  if (found != statements_.end()) {
    sqlite3_stmt* statement = found->second;
    statements_.erase(found);
    return Statement(this, statement, absl::OkStatus());
  }
  absl::StatusOr<sqlite3_stmt*> statement = Compile(sql, true);
  if (!statement.ok()) return Statement(this, nullptr, statement.status());
  return Statement(this, *statement, absl::OkStatus());
}

absl::Status Connection::RunScript(absl::string_view sql) {
  const int code = sqlite3_exec(db_, std::string(sql).c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? absl::OkStatus() : Error(code);
}

absl::StatusOr<int64_t> Connection::ReadInt(absl::string_view sql) {
  Statement statement = Prepare(sql);
  const bool found = statement.Step();
  if (!statement.status().ok()) return statement.status();
  return found ? statement.Int(0) : 0;
}

absl::StatusOr<std::string> Connection::ReadText(absl::string_view sql) {
  Statement statement = Prepare(sql);
  const bool found = statement.Step();
  if (!statement.status().ok()) return statement.status();
  return found ? statement.String(0) : std::string();
}

int64_t Connection::changes() const { return sqlite3_changes64(db_); }

bool Connection::in_transaction() const { return sqlite3_get_autocommit(db_) == 0; }

bool Connection::read_only() const { return sqlite3_db_readonly(db_, "main") == 1; }

absl::Status Connection::Error(int code) const {
  const int error_number = sqlite3_system_errno(db_);
  switch (code & 0xff) {
    case SQLITE_FULL:
      return DatabaseFull(path_);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return DatabaseBusy(path_);
    case SQLITE_CORRUPT:
      return DatabaseDamaged(path_, sqlite3_errmsg(db_));
    case SQLITE_NOTADB:
      return absl::InvalidArgumentError(
          absl::StrCat(path_,
                       ": not a file of a referee; move it away and a new one is made, or name "
                       "another data directory"));
    case SQLITE_READONLY:
      // Read-only connections: another process is about to make the index of the log.
      if (code == SQLITE_READONLY_CANTINIT || code == SQLITE_READONLY_RECOVERY) {
        return DatabaseBusy(path_);
      }
      [[fallthrough]];
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return FileError("cannot write", path_, EACCES);
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
      if (code == SQLITE_IOERR_SHORT_READ) return DatabaseDamaged(path_, "it ends too early");
      // The system refused a write; SQLite does not say whether for a quota or another limit.
      if (code == SQLITE_IOERR_WRITE && error_number != EIO) return DatabaseFull(path_);
      if (error_number != 0) return FileError("cannot use", path_, error_number);
      [[fallthrough]];
    default:
      return absl::InternalError(absl::StrCat(path_, ": SQLite failed: ", sqlite3_errmsg(db_)));
  }
}

// --- Transaction ---

Transaction::Transaction(Connection* db, Kind kind)
    : db_(db), begun_(db->Run(kind == Kind::kRead ? "BEGIN" : "BEGIN IMMEDIATE")) {}

Transaction::~Transaction() {
  // An error may have rolled it back already. If the rollback fails, the next opening does it.
  if (begun_.ok() && db_->in_transaction()) (void)db_->Run("ROLLBACK");
}

absl::Status Transaction::Commit() { return db_->Run("COMMIT"); }

}  // namespace referee::sqlite
