#include "referee/postgres/errors.h"

#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace referee::postgres {
namespace {

// The payload that marks a conflict.
constexpr char kConflict[] = "referee/postgres/conflict";

absl::StatusCode CodeOf(absl::string_view sqlstate) {
  if (EndsConnection(sqlstate)) return absl::StatusCode::kUnavailable;
  if (sqlstate == "40001" || sqlstate == "40P01") return absl::StatusCode::kAborted;
  if (sqlstate == "53300" || sqlstate == "55P03" || sqlstate == "57014" || sqlstate == "58030") {
    return absl::StatusCode::kUnavailable;
  }
  if (absl::StartsWith(sqlstate, "53") || absl::StartsWith(sqlstate, "54")) {
    return absl::StatusCode::kResourceExhausted;
  }
  if (absl::StartsWith(sqlstate, "28") || sqlstate == "42501") {
    return absl::StatusCode::kPermissionDenied;
  }
  if (sqlstate == "3D000" || sqlstate == "3F000") return absl::StatusCode::kNotFound;
  if (sqlstate == "22021" || sqlstate == "22P05") return absl::StatusCode::kInvalidArgument;
  if (sqlstate == "XX001" || sqlstate == "XX002") return absl::StatusCode::kDataLoss;
  return absl::StatusCode::kInternal;
}

// Returns what to do about an error.
absl::string_view RemedyFor(absl::string_view sqlstate) {
  switch (CodeOf(sqlstate)) {
    case absl::StatusCode::kUnavailable:
      return "; try again";
    case absl::StatusCode::kAborted:
      return "; others changed the same; try again";
    case absl::StatusCode::kResourceExhausted:
      return "; nothing was written; make room on the server";
    case absl::StatusCode::kPermissionDenied:
      return "; let the owner of the database grant that, or connect as another user";
    case absl::StatusCode::kNotFound:
      return "; make it, or name another";
    case absl::StatusCode::kInvalidArgument:
      return "; text is UTF-8 without zero bytes";
    case absl::StatusCode::kDataLoss:
      return "; restore it from a backup";
    default:
      return "";
  }
}

}  // namespace

std::string OneLine(absl::string_view message) {
  message = absl::StripSuffix(message, "\n");
  std::string line;
  for (const char c : message) {
    if (c == '\n') {
      line += "; ";
    } else if (c != '\t') {
      line += c;
    }
  }
  return line;
}

absl::Status StatementError(absl::string_view database, absl::string_view sqlstate,
                            absl::string_view message) {
  const absl::StatusCode code = CodeOf(sqlstate);
  absl::Status status(code, absl::StrCat(database, ": ", OneLine(message), " (SQLSTATE ", sqlstate,
                                         ")", RemedyFor(sqlstate)));
  if (code == absl::StatusCode::kAborted) status.SetPayload(kConflict, absl::Cord());
  return status;
}

bool IsConflict(const absl::Status& status) { return status.GetPayload(kConflict).has_value(); }

bool EndsConnection(absl::string_view sqlstate) {
  return absl::StartsWith(sqlstate, "08") || absl::StartsWith(sqlstate, "57P") ||
         sqlstate == "25006";
}

absl::Status BadConninfo() {
  return absl::InvalidArgumentError(
      "not an address of a PostgreSQL database, and not shown, since it may hold a password; one "
      "is "
      "postgresql://user@host:5432/database, where @ : / ? # % in a name or a password are written "
      "%40 %3A %2F %3F %23 %25");
}

absl::Status NotCommitted(absl::string_view database) {
  return absl::InternalError(
      absl::StrCat(database, ": a transaction was to be committed that had failed"));
}

}  // namespace referee::postgres
