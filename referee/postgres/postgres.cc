#include "referee/postgres/postgres.h"

#include <libpq-fe.h>
#include <poll.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "referee/postgres/errors.h"

namespace referee::postgres {
namespace {

// Reads a big-endian integer of `size` bytes.
uint64_t ReadBytes(const char* bytes, int size) {
  uint64_t value = 0;
  for (int i = 0; i < size; ++i) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

void IgnoreNotice(void*, const PGresult*) {}

// Returns whether the password in a URL is where libpq expects it. If not, libpq would read a part
// of it as the host, which messages show. libpq itself reports strings that are not URLs.
bool HasPasswordInItsPlace(absl::string_view conninfo) {
  const size_t scheme = conninfo.find("://");
  if (scheme == absl::string_view::npos) return true;
  const absl::string_view rest = conninfo.substr(scheme + 3);
  const size_t at = rest.rfind('@');
  return at == absl::string_view::npos || rest.find_first_of("@/?#") == at;
}

// The keywords that a connection string sets.
struct Parsed {
  absl::flat_hash_map<std::string, std::string> values;
};

absl::StatusOr<Parsed> Parse(const std::string& conninfo) {
  if (!HasPasswordInItsPlace(conninfo)) return BadConninfo();
  PQconninfoOption* options = PQconninfoParse(conninfo.c_str(), nullptr);
  if (options == nullptr) return BadConninfo();
  Parsed parsed;
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    if (option->val != nullptr) parsed.values.emplace(option->keyword, option->val);
  }
  PQconninfoFree(options);
  const auto port = parsed.values.find("port");
  const bool numbered = port == parsed.values.end() ||
                        port->second.find_first_not_of("0123456789,") == std::string::npos;
  if (!numbered) return BadConninfo();
  return parsed;
}

// Sets defaults, so that a lost server or network is noticed within seconds.
void SetLimits(const ConnectionOptions& options, Parsed* parsed) {
  const auto or_else = [&](const char* keyword, int64_t value) {
    parsed->values.try_emplace(keyword, absl::StrCat(value));
  };
  or_else("connect_timeout",
          absl::ToInt64Seconds(absl::Ceil(options.connect_limit, absl::Seconds(1))));
  or_else("tcp_user_timeout", absl::ToInt64Milliseconds(options.connect_limit));
  or_else("keepalives_idle", 5);
  or_else("keepalives_interval", 2);
  or_else("keepalives_count", 3);
  parsed->values.try_emplace("application_name", "refereed");
  parsed->values["client_encoding"] = "UTF8";
  parsed->values["target_session_attrs"] = "read-write";
}

std::string NameOf(const Parsed& parsed) {
  const auto value = [&](const char* keyword) -> std::string {
    const auto found = parsed.values.find(keyword);
    return found == parsed.values.end() ? "" : found->second;
  };
  const std::string host = value("host").empty() ? value("hostaddr") : value("host");
  std::string name =
      absl::StrCat("database ", value("dbname").empty() ? "of the user's name" : value("dbname"));
  if (!host.empty()) absl::StrAppend(&name, " on ", host);
  // If several hosts of a URL name no ports, libpq returns "," for them.
  const std::string port = value("port");
  if (port.find_first_not_of(',') != std::string::npos) absl::StrAppend(&name, ":", port);
  return name;
}

}  // namespace

absl::StatusOr<std::string> DatabaseName(const std::string& conninfo) {
  const absl::StatusOr<Parsed> parsed = Parse(conninfo);
  if (!parsed.ok()) return parsed.status();
  return NameOf(*parsed);
}

// --- Result ---

void Result::Clear::operator()(pg_result* result) const { PQclear(result); }

int Result::rows() const { return PQntuples(result_.get()); }

int64_t Result::changes() const { return std::strtoll(PQcmdTuples(result_.get()), nullptr, 10); }

absl::string_view Result::command() const { return PQcmdStatus(result_.get()); }

int64_t Result::Int(int row, int column) const {
  const char* bytes = PQgetvalue(result_.get(), row, column);
  switch (PQgetlength(result_.get(), row, column)) {
    case 0:
      return 0;
    case 1:
      return static_cast<int64_t>(ReadBytes(bytes, 1));  // a boolean
    case 2:
      return static_cast<int16_t>(ReadBytes(bytes, 2));
    case 4:
      return static_cast<int32_t>(ReadBytes(bytes, 4));
    default:
      assert(PQgetlength(result_.get(), row, column) == 8);
      return static_cast<int64_t>(ReadBytes(bytes, 8));
  }
}

double Result::Real(int row, int column) const {
  if (IsNull(row, column)) return 0;
  const uint64_t bits = ReadBytes(PQgetvalue(result_.get(), row, column), 8);
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

absl::string_view Result::Text(int row, int column) const {
  return absl::string_view(PQgetvalue(result_.get(), row, column),
                           static_cast<size_t>(PQgetlength(result_.get(), row, column)));
}

bool Result::IsNull(int row, int column) const {
  return PQgetisnull(result_.get(), row, column) == 1;
}

// --- Statement ---

bool Statement::Step() {
  if (!status_.ok()) return false;
  if (!ran_) {
    absl::StatusOr<Result> result = db_->Query(sql_, params_);
    if (!result.ok()) {
      status_ = result.status();
      return false;
    }
    result_ = *std::move(result);
    ran_ = true;
  }
  return ++row_ < result_.rows();
}

absl::Status Statement::Run() {
  while (Step()) continue;
  if (status_.ok()) db_->changes_ = result_.changes();
  return status_;
}

// --- Connection ---

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const std::string& conninfo,
                                                             const ConnectionOptions& options) {
  absl::StatusOr<Parsed> parsed = Parse(conninfo);
  if (!parsed.ok()) return parsed.status();
  SetLimits(options, &*parsed);
  std::vector<const char*> keywords;
  std::vector<const char*> values;
  for (const auto& [keyword, value] : parsed->values) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  std::unique_ptr<Connection> db(
      new Connection(PQconnectdbParams(keywords.data(), values.data(), 0),
                     options.statement_limit + options.answer_grace));
  db->name_ = NameOf(*parsed);
  if (PQstatus(db->db_) != CONNECTION_OK || PQsetnonblocking(db->db_, 1) != 0) {
    return db->Lose(absl::UnavailableError(absl::StrCat(
        db->name_, ": cannot connect: ", OneLine(PQerrorMessage(db->db_)),
        "; see that a primary is running there, and that it lets this user in, and try again")));
  }
  PQsetNoticeReceiver(db->db_, IgnoreNotice, nullptr);
  const absl::Status set = db->RunScript(
      absl::StrCat("SET statement_timeout = ", absl::ToInt64Milliseconds(options.statement_limit),
                   "; SET lock_timeout = ", absl::ToInt64Milliseconds(options.lock_limit),
                   "; SET idle_in_transaction_session_timeout = ",
                   absl::ToInt64Milliseconds(options.idle_limit)));
  if (!set.ok()) return set;
  return db;
}

Connection::~Connection() { PQfinish(db_); }

bool Connection::in_transaction() const {
  return usable() && PQtransactionStatus(db_) != PQTRANS_IDLE;
}

absl::Status Connection::Lose(absl::Status why) {
  lost_ = std::move(why);
  return lost_;
}

absl::Status Connection::LoseByLibpq() {
  return Lose(absl::UnavailableError(absl::StrCat(
      name_, ": the connection was lost: ", OneLine(PQerrorMessage(db_)), "; try again")));
}

absl::StatusOr<pg_result*> Connection::Next(absl::Time deadline) {
  for (;;) {
    const int unsent = PQflush(db_);
    if (unsent < 0) return LoseByLibpq();
    if (PQisBusy(db_) == 0) return PQgetResult(db_);
    const absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration()) {
      return Lose(absl::UnavailableError(absl::StrCat(name_, ": no answer within ",
                                                      absl::FormatDuration(answer_limit_),
                                                      "; the connection was closed; try again")));
    }
    pollfd socket = {PQsocket(db_), static_cast<short>(POLLIN | (unsent > 0 ? POLLOUT : 0)), 0};
    const int ready = poll(&socket, 1, static_cast<int>(absl::ToInt64Milliseconds(left)) + 1);
    if (ready < 0 && errno != EINTR) return LoseByLibpq();
    if (ready > 0 && PQconsumeInput(db_) == 0) return LoseByLibpq();
  }
}

absl::Status Connection::Check(const pg_result* result) {
  switch (PQresultStatus(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_PIPELINE_SYNC:
      return absl::OkStatus();
    default:
      break;
  }
  const char* sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  if (sqlstate == nullptr || PQstatus(db_) == CONNECTION_BAD) return LoseByLibpq();
  absl::Status error =
      StatementError(name_, sqlstate, PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
  return EndsConnection(sqlstate) ? Lose(std::move(error)) : error;
}

// Describes each expected result: of a statement, or of the parsing of one.
struct Connection::Sent {
  absl::string_view parsed;  // text of the parsed statement; empty: the statement is executed
  std::string name;
};

absl::Status Connection::SendAll(absl::Span<const postgres::Query> queries,
                                 std::vector<Sent>* sent) {
  absl::flat_hash_map<absl::string_view, std::string> parsing;
  for (const postgres::Query& query : queries) {
    const auto known = prepared_.find(query.sql);
    std::string name = known != prepared_.end() ? known->second : parsing[query.sql];
    if (name.empty()) {
      name = absl::StrCat("s", prepared_.size() + parsing.size());
      parsing[query.sql] = name;
      const std::string sql(query.sql);
      if (PQsendPrepare(db_, name.c_str(), sql.c_str(), 0, nullptr) == 0) return LoseByLibpq();
      sent->push_back({query.sql, name});
    }
    const Params& params = query.params;
    if (PQsendQueryPrepared(db_, name.c_str(), params.size(), params.pointers().data(),
                            params.lengths().data(), params.formats().data(), 1) == 0) {
      return LoseByLibpq();
    }
    sent->push_back({});
  }
  return PQpipelineSync(db_) == 1 ? absl::OkStatus() : LoseByLibpq();
}

absl::StatusOr<std::vector<Result>> Connection::Receive(const std::vector<Sent>& sent) {
  const absl::Time deadline = absl::Now() + answer_limit_;
  std::vector<Result> results;
  absl::Status first_error;
  for (const Sent& one : sent) {
    absl::StatusOr<pg_result*> next = Next(deadline);
    if (!next.ok()) return next.status();
    Result result(*next);
    if (first_error.ok()) {
      first_error = Check(*next);
      if (!usable()) return first_error;
      if (first_error.ok() && !one.parsed.empty()) prepared_.emplace(one.parsed, one.name);
    }
    if (first_error.ok() && one.parsed.empty()) results.push_back(std::move(result));
    next = Next(deadline);  // null ends each statement
    if (!next.ok()) return next.status();
    assert(*next == nullptr);
  }
  const absl::StatusOr<pg_result*> sync = Next(deadline);
  if (!sync.ok()) return sync.status();
  const Result end(*sync);
  if (PQresultStatus(*sync) != PGRES_PIPELINE_SYNC) return LoseByLibpq();
  if (!first_error.ok()) return first_error;
  return results;
}

absl::StatusOr<std::vector<Result>> Connection::RunAll(absl::Span<const postgres::Query> queries) {
  if (!usable()) return lost_;
  if (PQenterPipelineMode(db_) == 0) return LoseByLibpq();
  std::vector<Sent> sent;
  absl::Status status = SendAll(queries, &sent);
  if (!status.ok()) return status;
  absl::StatusOr<std::vector<Result>> results = Receive(sent);
  if (usable() && PQexitPipelineMode(db_) == 0) return LoseByLibpq();
  return results;
}

absl::StatusOr<Result> Connection::Query(absl::string_view sql, const Params& params) {
  absl::StatusOr<std::vector<Result>> results = RunAll({postgres::Query{sql, params}});
  if (!results.ok()) return results.status();
  return std::move(results->front());
}

absl::Status Connection::RunScript(const std::string& sql) {
  if (!usable()) return lost_;
  if (PQsendQuery(db_, sql.c_str()) == 0) return LoseByLibpq();
  const absl::Time deadline = absl::Now() + answer_limit_;
  absl::Status first_error;
  for (;;) {
    const absl::StatusOr<pg_result*> next = Next(deadline);
    if (!next.ok()) return next.status();
    if (*next == nullptr) return first_error;
    const Result result(*next);
    if (first_error.ok()) first_error = Check(*next);
    if (!usable()) return first_error;
  }
}

absl::StatusOr<int64_t> Connection::ReadInt(absl::string_view sql) {
  const absl::StatusOr<Result> result = Query(sql, Params());
  if (!result.ok()) return result.status();
  return result->rows() == 0 ? 0 : result->Int(0, 0);
}

std::string Connection::Identifier(absl::string_view name) const {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '\0') continue;  // SQL allows none
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + "\"";
}

// --- Transaction ---

Transaction::Transaction(Connection* db, Kind kind)
    : db_(db),
      begun_(db->Run(kind == Kind::kRead ? "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
                                         : "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE")) {}

Transaction::~Transaction() {
  // If the rollback fails, the connection is lost, and the transaction with it.
  if (begun_.ok() && db_->in_transaction()) (void)db_->Run("ROLLBACK");
}

absl::Status Transaction::Commit() {
  const absl::StatusOr<Result> done = db_->Query("COMMIT", Params());
  if (!done.ok()) return done.status();
  return done->command() == "COMMIT" ? absl::OkStatus() : NotCommitted(db_->name());
}

}  // namespace referee::postgres
