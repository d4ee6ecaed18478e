#include "referee/store/backup.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
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
#include "referee/store/backup_manifest.h"
#include "referee/store/database.h"
#include "referee/store/errors.h"
#include "referee/store/known_blocks.h"
#include "referee/store/place.h"
#include "referee/store/sqlite_store.h"

namespace referee::store {
namespace {

namespace fs = std::filesystem;

constexpr size_t kCopiedAtOnce = 1024 * 1024;
constexpr absl::Duration kBusyLimit = absl::Seconds(10);
constexpr int kCopyTries = 20;
// A match that was made so long before the store was copied is known to it: a referee that cannot
// write which matches it has made makes no more.
constexpr absl::Duration kSurelyKnown = absl::Hours(1);

FileSeen Seen(const struct stat& info) {
  return {static_cast<uint64_t>(info.st_ino), static_cast<uint64_t>(info.st_size),
          int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

// Copies the bytes from `begin` to `end` of a file to the end of another, if there is one, and adds
// them to `sum`. Returns how many there were.
absl::StatusOr<uint64_t> CopyBytes(int from, const std::string& path, uint64_t begin, uint64_t end,
                                   const replay::File* to, const std::string& to_path,
                                   Checksum* sum) {
  uint64_t at = begin;
  while (at < end) {
    const size_t size = std::min<uint64_t>(kCopiedAtOnce, end - at);
    const absl::StatusOr<std::string> bytes = replay::ReadAt(from, path, at, size);
    if (!bytes.ok()) return bytes.status();
    if (bytes->empty()) break;
    sum->Add(*bytes);
    if (to != nullptr) {
      if (absl::Status s = replay::WriteAll(to->fd(), *bytes, to_path); !s.ok()) return s;
    }
    at += bytes->size();
  }
  return at - begin;
}

// Where the entry of a replay begins in its pack.
uint64_t EntryBegin(const replay::PackedReplay& entry) {
  return entry.offset - replay::EncodePackEntry(entry.id, "").size();
}

// What is in a pack of matches that the store knows.
struct KnownEntries {
  uint64_t end = 0;  // of those that have none among them that it does not know
  std::string more;  // the entries after these
};

// A path as those below it begin.
std::string WithoutLastSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

class BackupWork {
 public:
  BackupWork(const std::string& data_dir, const std::string& to, absl::Time now)
      : data_dir_(WithoutLastSlashes(data_dir)), to_(WithoutLastSlashes(to)), now_(now) {}

  absl::StatusOr<BackupReport> Run() {
    if (absl::Status s = Open(); !s.ok()) return s;
    if (absl::Status s = CopyStore(); !s.ok()) return s;
    if (absl::Status s = CopyOver(); !s.ok()) return s;
    if (absl::Status s = CopyFolders(); !s.ok()) return s;
    if (absl::Status s = CopyPacks(); !s.ok()) return s;
    if (absl::Status s = CopySmall(); !s.ok()) return s;
    const absl::Status written = replay::WriteFileWhole(
        absl::StrCat(to_, "/", kBackupManifest), EncodeManifest(manifest_), 0600, /*sync=*/true);
    if (!written.ok()) return written;
    RemoveWhatIsNotIn(manifest_);
    return Report();
  }

 private:
  // Takes the lock, and reads the former manifest.
  absl::Status Open();
  void RemoveWhatIsNotIn(const BackupManifest& manifest) const;
  BackupReport Report() const;

  absl::Status CopyStore();
  absl::Status CopyStoreFile(const std::string& stored);
  // Writes the replays of the matches that are over and still in the log.
  absl::Status CopyOver();
  absl::Status CopyPacks();
  absl::Status CopyPack(replay::PackName name);
  // Those from the byte `from` on.
  absl::StatusOr<KnownEntries> FindKnown(int fd, const std::string& path, replay::PackName name,
                                         uint64_t from);
  bool Knows(int fd, const std::string& path, const replay::PackedReplay& entry) const;
  // Replays that are files, but for those that CopyOver has written.
  absl::Status CopyFolders();
  // Keys, and what was set aside.
  absl::Status CopySmall();

  // The former part that was copied of this file.
  const BackupPart* Former(const std::string& path) const;
  // A new part, whose file is to be made; its folder is there.
  absl::StatusOr<BackupPart> NewPart(const std::string& path, bool is_public,
                                     absl::string_view suffix = "") const;
  std::string StorePath() const { return data_dir_ + "/store.db"; }
  std::string StoredPath(const BackupPart& part) const {
    return absl::StrCat(to_, "/", part.stored);
  }
  // Writes the file of a new part, and adds it.
  absl::Status AddWhole(BackupPart part, absl::string_view bytes);
  // Copies a file, unless it is gone.
  absl::Status AddFile(const std::string& path, bool is_public);
  void Add(BackupPart part) { manifest_.parts.push_back(std::move(part)); }

  const std::string data_dir_;
  const std::string to_;
  const absl::Time now_;
  replay::File lock_;
  BackupManifest former_;
  BackupManifest manifest_;
  KnownBlocks known_;
  std::set<std::string> over_;  // paths of what CopyOver has written
  uint64_t copied_ = 0;
  std::vector<absl::Status> problems_;
};

absl::Status BackupWork::Open() {
  const absl::StatusOr<std::string> elsewhere = Elsewhere(data_dir_);
  if (!elsewhere.ok()) return elsewhere.status();
  if (!elsewhere->empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(data_dir_, ": its store is ", *elsewhere,
                     ", and a backup is of a data directory with its store; save the database with "
                     "pg_dump first, "
                     "then copy the directory"));
  }
  // Of a data directory that is none, nothing is made.
  const absl::StatusOr<sqlite::Reader> store = sqlite::Reader::Open(StorePath(), kBusyLimit);
  if (absl::IsNotFound(store.status())) return store.status();
  struct stat info;
  const std::string lock_path = absl::StrCat(to_, "/", kBackupLock);
  if (stat(lock_path.c_str(), &info) != 0) {
    std::error_code error;
    const bool empty = !fs::exists(to_, error) || fs::is_empty(to_, error);
    if (!empty) {
      return absl::FailedPreconditionError(
          absl::StrCat(to_, ": has files, and no 'manifest' of a backup; name an empty directory"));
    }
  }
  if (absl::Status s = replay::MakeDirectories(to_, 0700, /*sync=*/true); !s.ok()) return s;
  absl::StatusOr<replay::File> lock = replay::OpenFile(lock_path, O_RDWR | O_CREAT, 0600);
  if (!lock.ok()) return lock.status();
  if (flock(lock->fd(), LOCK_EX | LOCK_NB) != 0) return BackupInUse(to_);
  lock_ = *std::move(lock);
  const std::string path = absl::StrCat(to_, "/", kBackupManifest);
  const absl::StatusOr<std::string> bytes = replay::ReadWholeFile(path, kMaxManifestBytes);
  if (bytes.ok()) {
    absl::StatusOr<BackupManifest> former = ParseManifest(*bytes);
    if (!former.ok()) return At(path, former.status());
    former_ = *std::move(former);
  } else if (!absl::IsNotFound(bytes.status())) {
    return bytes.status();
  }
  manifest_.number = former_.number + 1;
  manifest_.time = now_;
  RemoveWhatIsNotIn(former_);  // an interrupted call may have left something
  return absl::OkStatus();
}

void BackupWork::RemoveWhatIsNotIn(const BackupManifest& manifest) const {
  std::set<std::string> kept;
  for (const BackupPart& part : manifest.parts) kept.insert(StoredPath(part));
  std::error_code error;
  for (fs::directory_iterator top(to_, error), end; !error && top != end; top.increment(error)) {
    int64_t number;
    if (!absl::SimpleAtoi(top->path().filename().string(), &number)) continue;
    std::vector<fs::path> folders = {top->path()};
    std::vector<fs::path> files;
    for (fs::recursive_directory_iterator i(top->path(), error), last; !error && i != last;
         i.increment(error)) {
      (i->is_directory(error) ? folders : files).push_back(i->path());
    }
    for (const fs::path& file : files) {
      if (kept.count(file.string()) == 0) fs::remove(file, error);
    }
    // Those below come after those above; one that is not empty stays.
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
      rmdir(folder->c_str());
    }
    error.clear();
  }
}

BackupReport BackupWork::Report() const {
  BackupReport report;
  report.number = manifest_.number;
  std::set<std::string> paths;
  for (const BackupPart& part : manifest_.parts) {
    paths.insert(part.path);
    report.bytes += part.size;
  }
  report.files = static_cast<int64_t>(paths.size());
  report.copied = copied_;
  report.problems = problems_;
  return report;
}

// --- Parts ---

const BackupPart* BackupWork::Former(const std::string& path) const {
  const auto same = [&](const BackupPart& part) { return part.path == path; };
  const auto part = std::find_if(former_.parts.begin(), former_.parts.end(), same);
  return part == former_.parts.end() ? nullptr : &*part;
}

absl::StatusOr<BackupPart> BackupWork::NewPart(const std::string& path, bool is_public,
                                               absl::string_view suffix) const {
  BackupPart part;
  part.path = path;
  part.stored = absl::StrCat(manifest_.number, "/", path, suffix);
  part.is_public = is_public;
  const std::string stored = StoredPath(part);
  const absl::Status made =
      replay::MakeDirectories(stored.substr(0, stored.rfind('/')), 0700, /*sync=*/true);
  if (!made.ok()) return made;
  return part;
}

absl::Status BackupWork::AddWhole(BackupPart part, absl::string_view bytes) {
  const absl::Status written = replay::WriteFileWhole(StoredPath(part), bytes, 0600, /*sync=*/true);
  if (!written.ok()) return written;
  Checksum sum;
  sum.Add(bytes);
  part.size = bytes.size();
  part.checksum = sum.Text();
  copied_ += part.size;
  Add(std::move(part));
  return absl::OkStatus();
}

absl::Status BackupWork::AddFile(const std::string& path, bool is_public) {
  const absl::StatusOr<std::string> bytes =
      replay::ReadWholeFile(absl::StrCat(data_dir_, "/", path), limits::kMaxReplayBytes);
  if (absl::IsNotFound(bytes.status())) return absl::OkStatus();
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<BackupPart> part = NewPart(path, is_public);
  return part.ok() ? AddWhole(*std::move(part), *bytes) : part.status();
}

// --- The store ---

namespace {

// Nobody plays what a copy of a store says is being played.
absl::Status EndLeases(const std::string& copy) {
  absl::StatusOr<std::unique_ptr<Connection>> db = Connection::Open(copy, false, kBusyLimit);
  return db.ok() ? (*db)->Run("DELETE FROM lease") : db.status();
}

}  // namespace

absl::Status BackupWork::CopyStoreFile(const std::string& stored) {
  const std::string path = StorePath();
  for (int i = 0; i < kCopyTries; ++i) {
    // SQLite fills a file that is empty, and leaves its mode as it is.
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
  absl::StatusOr<BackupPart> part = NewPart("store.db", /*is_public=*/false);
  if (!part.ok()) return part.status();
  const std::string stored = StoredPath(*part);
  if (absl::Status s = CopyStoreFile(stored); !s.ok()) return s;
  const absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStoreToRead(stored);
  if (!store.ok()) return store.status();
  absl::StatusOr<KnownBlocks> known = KnownBlocks::Read(store->get(), now_);
  if (!known.ok()) return known.status();
  known_ = *std::move(known);
  const absl::StatusOr<replay::File> file = replay::OpenFile(stored, O_RDONLY);
  if (!file.ok()) return file.status();
  Checksum sum;
  const absl::StatusOr<uint64_t> size =
      CopyBytes(file->fd(), stored, 0, UINT64_MAX, nullptr, "", &sum);
  if (!size.ok()) return size.status();
  part->size = *size;
  part->checksum = sum.Text();
  copied_ += *size;
  Add(*std::move(part));
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
    absl::StatusOr<BackupPart> part = NewPart(path, /*is_public=*/true);
    if (!part.ok()) return part.status();
    const absl::Status added = AddWhole(*std::move(part), replay::ReplayOf(records, *signer));
    if (!added.ok()) return added;
    over_.insert(path);
  }
  return absl::OkStatus();
}

// --- The archive ---

bool BackupWork::Knows(int fd, const std::string& path, const replay::PackedReplay& entry) const {
  if (entry.id.created() < now_ - kSurelyKnown) return true;
  const absl::StatusOr<std::string> bytes = replay::ReadPackEntry(fd, path, entry);
  if (!bytes.ok()) return true;  // whatever it is, the archive has it
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
  // What goes from a pack that is removed is in one that may have been made meanwhile.
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
  if (absl::IsNotFound(file.status())) return absl::OkStatus();  // it went meanwhile
  if (!file.ok()) return file.status();
  struct stat info;
  if (fstat(file->fd(), &info) != 0) return FileError("cannot read", full, errno);
  const BackupPart* former = Former(path);
  struct stat stored_info;
  if (former != nullptr && (stat(StoredPath(*former).c_str(), &stored_info) != 0 ||
                            static_cast<uint64_t>(stored_info.st_size) < former->size)) {
    former = nullptr;
  }
  if (former != nullptr && former->seen == Seen(info)) {
    Add(*former);
    return absl::OkStatus();
  }
  // A pack that was cut off, or is another one, does not begin as the copy does.
  Checksum sum;
  uint64_t from = 0;
  if (former != nullptr) {
    const absl::StatusOr<uint64_t> same =
        CopyBytes(file->fd(), full, 0, former->size, nullptr, "", &sum);
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
  if (known->end == 0) return absl::OkStatus();  // it is no pack

  absl::StatusOr<BackupPart> part =
      former != nullptr ? absl::StatusOr<BackupPart>(*former) : NewPart(path, /*is_public=*/true);
  if (!part.ok()) return part.status();
  const std::string stored = StoredPath(*part);
  const absl::StatusOr<replay::File> to =
      replay::OpenFile(stored, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (!to.ok()) return to.status();
  // What an interrupted call has left after it.
  if (ftruncate(to->fd(), static_cast<off_t>(from)) != 0) {
    return FileError("cannot write", stored, errno);
  }
  const absl::StatusOr<uint64_t> size =
      CopyBytes(file->fd(), full, from, known->end, &*to, stored, &sum);
  if (!size.ok()) return size.status();
  if (absl::Status s = replay::SyncData(to->fd(), stored); !s.ok()) return s;
  if (absl::Status s = replay::SyncFolderOf(stored); !s.ok()) return s;
  copied_ += *size;
  part->size = from + *size;
  part->checksum = sum.Text();
  // What could not be copied is looked at, and reported, again.
  const bool whole = known->more.empty() && problems_.size() == problems_before;
  part->seen = whole ? Seen(info) : FileSeen();
  Add(*std::move(part));
  if (known->more.empty()) return absl::OkStatus();
  absl::StatusOr<BackupPart> more = NewPart(path, /*is_public=*/true, ".more");
  return more.ok() ? AddWhole(*std::move(more), known->more) : more.status();
}

absl::Status BackupWork::CopyFolders() {
  const replay::Folders folders(data_dir_);
  for (const MatchId& id : folders.Ids()) {
    const std::string full = folders.PathOf(id);
    const std::string path = full.substr(data_dir_.size() + 1);
    if (over_.count(path) > 0) continue;  // it came here meanwhile
    struct stat info;
    if (stat(full.c_str(), &info) != 0) continue;  // it is in a pack by now
    const BackupPart* const former = Former(path);
    if (former != nullptr && former->seen == Seen(info) &&
        access(StoredPath(*former).c_str(), F_OK) == 0) {
      Add(*former);
      continue;
    }
    const size_t before = manifest_.parts.size();
    if (absl::Status s = AddFile(path, /*is_public=*/true); !s.ok()) return s;
    if (manifest_.parts.size() > before) manifest_.parts.back().seen = Seen(info);
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
  // After the packs: what has gone of them by then is on record.
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
