#include "referee/store/place.h"

#include <sys/stat.h>

#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/postgres/errors.h"
#include "referee/postgres/postgres.h"
#include "referee/replay/files.h"
#include "referee/store/errors.h"
#include "referee/store/postgres_store.h"
#include "referee/store/sqlite_store.h"

namespace referee::store {
namespace {

constexpr size_t kMaxNameBytes = 1024;  // of a database's name

std::string FileIn(const std::string& data_dir) { return data_dir + "/store.db"; }
std::string NoteIn(const std::string& data_dir) { return data_dir + "/store.elsewhere"; }

bool IsThere(const std::string& path) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0;
}

absl::Status CheckIsHere(const std::string& data_dir) {
  const absl::StatusOr<std::string> database = Elsewhere(data_dir);
  if (!database.ok()) return database.status();
  return database->empty()
             ? absl::OkStatus()
             : absl::FailedPreconditionError(absl::StrCat(
                   NoteIn(data_dir), ": the store of this data directory is ", *database,
                   "; give --store and its URL; or, to go back to the file store.db with what was "
                   "in it then, remove this file"));
}

absl::Status CheckIsElsewhere(const Place& place) {
  const bool url =
      absl::StartsWith(place.url, "postgresql://") || absl::StartsWith(place.url, "postgres://");
  if (!url) return postgres::BadConninfo();
  if (absl::StatusOr<std::string> name = postgres::DatabaseName(place.url); !name.ok()) {
    return name.status();
  }
  const bool here = !place.data_dir.empty() && IsThere(FileIn(place.data_dir)) &&
                    !IsThere(NoteIn(place.data_dir));
  return here ? absl::FailedPreconditionError(absl::StrCat(
                    FileIn(place.data_dir),
                    ": this data directory has a store of its own; 'refctl store copy' takes "
                    "it to a database, or move it away to leave behind what is in it"))
              : absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Store>> OpenElsewhere(const Place& place,
                                                     const OpenOptions& options) {
  if (absl::Status s = CheckIsElsewhere(place); !s.ok()) return s;
  PostgresOptions postgres;
  postgres.clock = options.clock;
  return OpenPostgresStore(place.url, postgres);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> OpenStore(const Place& place, const OpenOptions& options) {
  if (place.url.empty()) {
    if (absl::Status s = CheckIsHere(place.data_dir); !s.ok()) return s;
    SqliteOptions sqlite;
    sqlite.sync_blocks = options.sync_blocks;
    sqlite.clock = options.clock;
    return OpenSqliteStore(FileIn(place.data_dir), sqlite);
  }
  absl::StatusOr<std::unique_ptr<Store>> store = OpenElsewhere(place, options);
  if (!store.ok() || place.data_dir.empty()) return store;
  const absl::StatusOr<std::string> database = postgres::DatabaseName(place.url);
  if (!database.ok()) return database.status();
  if (absl::Status s = NoteElsewhere(place.data_dir, *database); !s.ok()) return s;
  return store;
}

absl::StatusOr<std::unique_ptr<Store>> OpenStoreToRead(const Place& place) {
  if (!place.url.empty()) return OpenElsewhere(place, {});
  if (absl::Status s = CheckIsHere(place.data_dir); !s.ok()) return s;
  return OpenSqliteStoreToRead(FileIn(place.data_dir));
}

absl::Status CheckPlace(const Place& place) {
  const absl::Status placed = CheckPlaceOnly(place);
  return placed.ok() && place.url.empty() ? CheckStoreVersion(FileIn(place.data_dir)) : placed;
}

absl::Status CheckPlaceOnly(const Place& place) {
  return place.url.empty() ? CheckIsHere(place.data_dir) : CheckIsElsewhere(place);
}

absl::StatusOr<std::string> Elsewhere(const std::string& data_dir) {
  absl::StatusOr<std::string> text = replay::ReadWholeFile(NoteIn(data_dir), kMaxNameBytes);
  if (absl::IsNotFound(text.status())) return "";
  if (!text.ok()) return text.status();
  const absl::string_view name = absl::StripSuffix(*text, "\n");
  return name.empty() ? "a database" : std::string(name);
}

absl::Status NoteElsewhere(const std::string& data_dir, const std::string& database) {
  return replay::WriteFileWhole(NoteIn(data_dir), database + "\n", 0644, /*sync=*/true);
}

}  // namespace referee::store
