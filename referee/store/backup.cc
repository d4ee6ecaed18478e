#include "referee/store/backup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/folders.h"
#include "referee/replay/key_files.h"
#include "referee/replay/log.h"
#include "referee/replay/log_folder.h"
#include "referee/replay/log_recorder.h"
#include "referee/replay/pack.h"
#include "referee/replay/replay.h"
#include "referee/sqlite/reader.h"
#include "referee/store/backup_folder.h"
#include "referee/store/backup_manifest.h"
#include "referee/store/errors.h"
#include "referee/store/known_blocks.h"
#include "referee/store/place.h"
#include "referee/store/schema.h"
#include "referee/store/sqlite_store.h"

namespace referee::store {
namespace {

namespace fs = std::filesystem;

constexpr absl::Duration kBusyLimit = absl::Seconds(10);
constexpr int kCopyTries = 20;
// The store knows every match that is older than this when it is copied. A referee that cannot
// write which matches it has made makes no more.
constexpr absl::Duration kSurelyKnown = absl::Hours(1);

FileSeen Seen(const struct stat& info) {
  return {static_cast<uint64_t>(info.st_ino), static_cast<uint64_t>(info.st_size),
          int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

// Returns where the entry of a replay begins in its pack.
uint64_t EntryBegin(const replay::PackedReplay& entry) {
  return entry.offset - replay::EncodePackEntry(entry.id, "").size();
}

// The entries of a pack whose matches the store knows.
struct KnownEntries {
  uint64_t end = 0;  // of the entries before the first unknown one
  std::string more;  // known entries after `end`
};

// Removes trailing slashes.
std::string WithoutLastSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

class BackupWork {
 public:
  BackupWork(const std::string& data_dir, const std::string& to, absl::Time now)
      : data_dir_(WithoutLastSlashes(data_dir)), folder_(WithoutLastSlashes(to)), now_(now) {}

  absl::StatusOr<BackupReport> Run() {
    if (absl::Status s = CheckDataDir(); !s.ok()) return s;
    if (absl::Status s = folder_.Open(now_); !s.ok()) return s;
    if (absl::Status s = CopyStore(); !s.ok()) return s;
    if (absl::Status s = CopyOver(); !s.ok()) return s;
    if (absl::Status s = CopyFolders(); !s.ok()) return s;
    if (absl::Status s = CopyPacks(); !s.ok()) return s;
    if (absl::Status s = CopySmall(); !s.ok()) return s;
    absl::StatusOr<BackupReport> report = folder_.Commit();
    if (report.ok()) report->problems = problems_;
    return report;
  }

 private:
  // Checks that the data directory has its store.
  absl::Status CheckDataDir() const;

  absl::Status CopyStore();
  absl::Status CopyStoreFile(const std::string& stored);
  // Writes the replays of finished matches that are still in the log.
  absl::Status CopyOver();
  absl::Status CopyPacks();
  absl::Status CopyPack(replay::PackName name);
  // Finds the known entries from byte `from` on.
  absl::StatusOr<KnownEntries> FindKnown(int fd, const std::string& path, replay::PackName name,
                                         uint64_t from);
  bool Knows(int fd, const std::string& path, const replay::PackedReplay& entry) const;
  // Copies replays that are files, except those of CopyOver.
  absl::Status CopyFolders();
  // Copies keys and the quarantine.
  absl::Status CopySmall();

  std::string StorePath() const { return data_dir_ + "/store.db"; }
  // Copies a file if it exists. `seen`: its identity.
  absl::Status AddFile(const std::string& path, bool is_public, const FileSeen& seen = FileSeen());

  const std::string data_dir_;
  BackupFolder folder_;
  const absl::Time now_;
  KnownBlocks known_;
  std::set<std::string> over_;  // paths of the replays that CopyOver has written
  std::vector<absl::Status> problems_;
};

absl::Status BackupWork::CheckDataDir() const {
  const absl::StatusOr<std::string> elsewhere = Elsewhere(data_dir_);
  if (!elsewhere.ok()) return elsewhere.status();
  if (!elsewhere->empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(data_dir_, ": its store is ", *elsewhere,
                     ", and a backup is of a data directory with its store; save the database with "
                     "pg_dump first, "
                     "then copy the directory"));
  }
  // Makes no backup of a folder that is not a data directory.
  const absl::Status store = sqlite::Reader::Open(StorePath(), kBusyLimit).status();
  return absl::IsNotFound(store) ? store : absl::OkStatus();
}

absl::Status BackupWork::AddFile(const std::string& path, bool is_public, const FileSeen& seen) {
  const absl::StatusOr<std::string> bytes =
      replay::ReadWholeFile(absl::StrCat(data_dir_, "/", path), limits::kMaxReplayBytes);
  if (absl::IsNotFound(bytes.status())) return absl::OkStatus();
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<BackupPart> part = folder_.NewPart(path, is_public);
  if (!part.ok()) return part.status();
  part->seen = seen;
  return folder_.AddWhole(*std::move(part), *bytes);
}

// --- The store ---

namespace {

// Removes the leases and the secret of the fleet: no daemon plays the blocks of a copy, and no
// fleet shares it.
absl::Status EndLeases(const std::string& copy) {
  absl::StatusOr<std::unique_ptr<Connection>> db = Connection::Open(copy, false, kBusyLimit);
  if (!db.ok()) return db.status();
  // Overwrite deleted data, so that the secret cannot be read from the file.
  return (*db)->RunScript("PRAGMA secure_delete = ON; DELETE FROM lease; DELETE FROM fleet");
}

}  // namespace

absl::Status BackupWork::CopyStoreFile(const std::string& stored) {
  const std::string path = StorePath();
  for (int i = 0; i < kCopyTries; ++i) {
    // SQLite fills an empty file, and keeps its mode.
    const absl::StatusOr<replay::File> file =
        replay::OpenFile(stored, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!file.ok()) return file.status();
    absl::StatusOr<sqlite::Reader> reader = sqlite::Reader::Open(path, kBusyLimit);
    absl::Status copied = reader.status();
    if (reader.ok()) {
      copied = reader->db()->Run("VACUUM INTO ?", stored);
      if (reader->overtaken()) copied = absl::UnavailableError("");
    }
    if (copied.ok()) {
      if (absl::Status s = EndLeases(stored); !s.ok()) return s;
      if (absl::Status s = replay::SyncData(file->fd(), stored); !s.ok()) return s;
      return replay::SyncFolderOf(stored);
    }
    if (!absl::IsUnavailable(copied)) return copied;
  }
  return absl::UnavailableError(absl::StrCat(
      path, ": a referee was started or stopped meanwhile, again and again; try again"));
}

absl::Status BackupWork::CopyStore() {
  absl::StatusOr<BackupPart> part = folder_.NewPart("store.db", /*is_public=*/false);
  if (!part.ok()) return part.status();
  const std::string stored = folder_.StoredPath(*part);
  if (absl::Status s = CopyStoreFile(stored); !s.ok()) return s;
  const absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStoreToRead(stored);
  if (!store.ok()) return store.status();
  absl::StatusOr<KnownBlocks> known = KnownBlocks::Read(store->get(), now_);
  if (!known.ok()) return known.status();
  known_ = *std::move(known);
  const absl::StatusOr<replay::File> file = replay::OpenFile(stored, O_RDONLY);
  if (!file.ok()) return file.status();
  Checksum sum;
  const absl::StatusOr<uint64_t> size = CopyBytes(*file, stored, 0, UINT64_MAX, nullptr, "", &sum);
  if (!size.ok()) return size.status();
  part->size = *size;
  part->checksum = sum.Text();
  folder_.Add(*std::move(part), *size);
  return absl::OkStatus();
}

// --- The log ---

absl::Status BackupWork::CopyOver() {
  const absl::StatusOr<replay::Log::Contents> contents =
      replay::Log::ReadRunning(replay::LogFolder::Of(data_dir_));
  if (!contents.ok()) return contents.status();
  const replay::Folders folders(data_dir_);
  absl::optional<replay::Signer> signer;
  for (const replay::Log::Left& left : contents->left) {
    const std::string& records = left.line->records_read();
    const absl::StatusOr<replay::MatchRead> match = replay::ReadMatch(records);
    if (!left.damage.empty() || !match.ok() || !match->ended) continue;
    if (!known_.Know(match->setup.request_id)) continue;
    if (!signer) {
      absl::StatusOr<absl::optional<replay::Signer>> key = replay::FindKey(data_dir_);
      if (!key.ok()) return key.status();
      if (!key->has_value()) return replay::NoKeyYet(data_dir_);
      signer = *std::move(key);
    }
    const std::string path = folders.PathOf(match->setup.id).substr(data_dir_.size() + 1);
    absl::StatusOr<BackupPart> part = folder_.NewPart(path, /*is_public=*/true);
    if (!part.ok()) return part.status();
    const absl::Status added =
        folder_.AddWhole(*std::move(part), replay::ReplayOf(records, *signer));
    if (!added.ok()) return added;
    over_.insert(path);
  }
  return absl::OkStatus();
}

// --- The archive ---

bool BackupWork::Knows(int fd, const std::string& path, const replay::PackedReplay& entry) const {
  if (entry.id.created() < now_ - kSurelyKnown) return true;
  const absl::StatusOr<std::string> bytes = replay::ReadPackEntry(fd, path, entry);
  if (!bytes.ok()) return true;  // the archive has the entry, whatever it is
  const absl::StatusOr<replay::Replay> replay = replay::Parse(*bytes);
  return !replay.ok() || known_.Know(replay->setup.request_id);
}

absl::StatusOr<KnownEntries> BackupWork::FindKnown(int fd, const std::string& path,
                                                   replay::PackName name, uint64_t from) {
  std::vector<replay::PackedReplay> entries;
  const absl::StatusOr<replay::PackScan> scan = replay::ScanPack(
      path, name, from, [&](replay::PackedReplay entry) { entries.push_back(std::move(entry)); });
  if (!scan.ok()) return scan.status();
  const absl::Status problem = replay::PackProblem(path, *scan);
  if (!problem.ok()) problems_.push_back(problem);
  const auto unknown =
      std::find_if(entries.begin(), entries.end(),
                   [&](const replay::PackedReplay& entry) { return !Knows(fd, path, entry); });
  KnownEntries known;
  known.end = unknown == entries.end() ? scan->end : EntryBegin(*unknown);
  for (auto entry = unknown; entry != entries.end(); ++entry) {
    if (!Knows(fd, path, *entry)) continue;
    const absl::StatusOr<std::string> bytes = replay::ReadPackEntry(fd, path, *entry);
    if (bytes.ok()) known.more += replay::EncodePackEntry(entry->id, *bytes);
  }
  return known;
}

absl::Status BackupWork::CopyPacks() {
  std::set<replay::PackName> copied;
  // The replays kept from a removed pack may be in a pack that was made meanwhile.
  for (bool more = true; more;) {
    more = false;
    const absl::StatusOr<std::vector<replay::PackName>> names = replay::PacksIn(data_dir_);
    if (!names.ok()) return names.status();
    for (const replay::PackName name : *names) {
      if (!copied.insert(name).second) continue;
      more = true;
      if (absl::Status s = CopyPack(name); !s.ok()) return s;
    }
  }
  return absl::OkStatus();
}

absl::Status BackupWork::CopyPack(replay::PackName name) {
  const std::string path = absl::StrCat("replays/packs/", name.text());
  const std::string full = replay::PackPath(data_dir_, name);
  const absl::StatusOr<replay::File> file = replay::OpenFile(full, O_RDONLY);
  if (absl::IsNotFound(file.status())) return absl::OkStatus();  // removed meanwhile
  if (!file.ok()) return file.status();
  struct stat info;
  if (fstat(file->fd(), &info) != 0) return FileError("cannot read", full, errno);
  const BackupPart* former = folder_.Former(path);
  if (former != nullptr && former->seen == Seen(info)) {
    folder_.Add(*former, 0);
    return absl::OkStatus();
  }
  // A pack that was cut or replaced does not begin with the same bytes as the copy.
  Checksum sum;
  uint64_t from = 0;
  if (former != nullptr) {
    const absl::StatusOr<uint64_t> same =
        CopyBytes(*file, full, 0, former->size, nullptr, "", &sum);
    if (!same.ok()) return same.status();
    from = former->size;
    if (sum.Text() != former->checksum) {
      former = nullptr;
      from = 0;
      sum = Checksum();
    }
  }
  const size_t problems_before = problems_.size();
  const absl::StatusOr<KnownEntries> known = FindKnown(file->fd(), full, name, from);
  if (!known.ok()) return absl::IsNotFound(known.status()) ? absl::OkStatus() : known.status();
  if (known->end == 0) return absl::OkStatus();  // not a pack

  absl::StatusOr<BackupPart> part = former != nullptr ? absl::StatusOr<BackupPart>(*former)
                                                      : folder_.NewPart(path, /*is_public=*/true);
  if (!part.ok()) return part.status();
  const std::string stored = folder_.StoredPath(*part);
  const absl::StatusOr<replay::File> to =
      replay::OpenFile(stored, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (!to.ok()) return to.status();
  // Cut off the remains of an interrupted call.
  if (ftruncate(to->fd(), static_cast<off_t>(from)) != 0) {
    return FileError("cannot write", stored, errno);
  }
  const absl::StatusOr<uint64_t> size =
      CopyBytes(*file, full, from, known->end, &*to, stored, &sum);
  if (!size.ok()) return size.status();
  if (absl::Status s = replay::SyncData(to->fd(), stored); !s.ok()) return s;
  if (absl::Status s = replay::SyncFolderOf(stored); !s.ok()) return s;
  part->size = from + *size;
  part->checksum = sum.Text();
  // Copy and report damaged packs again next time.
  const bool whole = known->more.empty() && problems_.size() == problems_before;
  part->seen = whole ? Seen(info) : FileSeen();
  folder_.Add(*std::move(part), *size);
  if (known->more.empty()) return absl::OkStatus();
  absl::StatusOr<BackupPart> more = folder_.NewPart(path, /*is_public=*/true, ".more");
  return more.ok() ? folder_.AddWhole(*std::move(more), known->more) : more.status();
}

absl::Status BackupWork::CopyFolders() {
  const replay::Folders folders(data_dir_);
  for (const MatchId& id : folders.Ids()) {
    const std::string full = folders.PathOf(id);
    const std::string path = full.substr(data_dir_.size() + 1);
    if (over_.count(path) > 0) continue;  // archived meanwhile
    struct stat info;
    if (stat(full.c_str(), &info) != 0) continue;  // moved to a pack meanwhile
    const FileSeen seen = Seen(info);
    const BackupPart* const former = folder_.Former(path);
    if (former != nullptr && former->seen == seen) {
      folder_.Add(*former, 0);
    } else if (absl::Status s = AddFile(path, /*is_public=*/true, seen); !s.ok()) {
      return s;
    }
  }
  return absl::OkStatus();
}

// --- The rest ---

absl::Status BackupWork::CopySmall() {
  std::error_code error;
  const std::string quarantine = replay::QuarantineDir(data_dir_);
  for (fs::directory_iterator i(quarantine, error), end; !error && i != end; i.increment(error)) {
    if (!i->is_regular_file(error)) continue;
    const std::string path = i->path().string().substr(data_dir_.size() + 1);
    if (absl::Status s = AddFile(path, /*is_public=*/false); !s.ok()) return s;
  }
  for (const char* const path : {"key", "key.next"}) {
    if (absl::Status s = AddFile(path, /*is_public=*/false); !s.ok()) return s;
  }
  // Copy the record of removals after the packs: it then has all packs that were removed before.
  for (const char* const path : {"key.pub", "key.ring", "replays/removed"}) {
    if (absl::Status s = AddFile(path, /*is_public=*/true); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BackupReport> Backup(const std::string& data_dir, const std::string& to,
                                    absl::Time now) {
  return BackupWork(data_dir, to, now).Run();
}

}  // namespace referee::store
