// The directory of a backup while a backup is made: it has the files of the former one, and takes
// new ones, which count once Commit has written the manifest. Thread-compatible. Format: STORE.md.
#ifndef REFEREE_STORE_BACKUP_FOLDER_H_
#define REFEREE_STORE_BACKUP_FOLDER_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/replay/files.h"
#include "referee/store/backup.h"
#include "referee/store/backup_manifest.h"

namespace referee::store {

// Copies the bytes from `begin` to `end` of a file, or fewer if it ends before, to the end of `to`,
// unless that is null, and adds them to `sum`. Returns how many there were.
absl::StatusOr<uint64_t> CopyBytes(const replay::File& from, const std::string& path,
                                   uint64_t begin, uint64_t end, const replay::File* to,
                                   const std::string& to_path, Checksum* sum);

// What the manifest says of the files of a backup.
BackupReport ReportOf(const BackupManifest& manifest);

class BackupFolder {
 public:
  explicit BackupFolder(std::string path) : path_(std::move(path)) {}

  // Locks the directory, which it makes if need be, reads the former manifest, and removes what an
  // interrupted backup left. Returns FailedPrecondition when something else is in the directory, or
  // another call works on it; or an error that names the file.
  absl::Status Open(absl::Time now);

  // The former part that was copied of this file, if its copy is there; null: none.
  const BackupPart* Former(const std::string& path) const;
  std::string StoredPath(const BackupPart& part) const {
    return absl::StrCat(path_, "/", part.stored);
  }
  // A new part, whose file is to be made; its folder is there.
  absl::StatusOr<BackupPart> NewPart(const std::string& path, bool is_public,
                                     absl::string_view suffix = "") const;
  // Adds a part whose file is there, of which so many bytes are new.
  void Add(BackupPart part, uint64_t copied);
  // Writes the file of a new part, and adds it.
  absl::Status AddWhole(BackupPart part, absl::string_view bytes);

  // Writes the manifest: from now on this backup counts. Removes what only the former one needed.
  absl::StatusOr<BackupReport> Commit();

 private:
  void RemoveWhatIsNotIn(const BackupManifest& manifest) const;

  const std::string path_;
  replay::File lock_;
  BackupManifest former_;
  BackupManifest manifest_;
  uint64_t copied_ = 0;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_BACKUP_FOLDER_H_
