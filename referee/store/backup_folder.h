// The directory of a backup while a backup is made.
//
// It has the files of the former backup, and receives new ones. The new backup counts once Commit
// has written the manifest. Thread-compatible. STORE.md has the format.
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

// Copies bytes `begin` to `end` of a file, or fewer if it ends before, to the end of `to`, and adds
// them to `sum`. A null `to` only adds them. Returns the number of bytes.
absl::StatusOr<uint64_t> CopyBytes(const replay::File& from, const std::string& path,
                                   uint64_t begin, uint64_t end, const replay::File* to,
                                   const std::string& to_path, Checksum* sum);

// Summarises a manifest.
BackupReport ReportOf(const BackupManifest& manifest);

class BackupFolder {
 public:
  explicit BackupFolder(std::string path) : path_(std::move(path)) {}

  // Locks the directory, and makes it if needed. Reads the former manifest, and removes the remains
  // of an interrupted backup. Returns FailedPrecondition when the directory holds anything else, or
  // another call is working on it; or an error that names the file.
  absl::Status Open(absl::Time now);

  // Returns the part of this file in the former backup if its copy exists; else null.
  const BackupPart* Former(const std::string& path) const;
  std::string StoredPath(const BackupPart& part) const {
    return absl::StrCat(path_, "/", part.stored);
  }
  // Returns a new part. Makes its folder; the caller makes the file.
  absl::StatusOr<BackupPart> NewPart(const std::string& path, bool is_public,
                                     absl::string_view suffix = "") const;
  // Adds a part whose file exists. `copied`: how many of its bytes are new.
  void Add(BackupPart part, uint64_t copied);
  // Writes the file of a new part, and adds it.
  absl::Status AddWhole(BackupPart part, absl::string_view bytes);

  // Writes the manifest, which makes this backup the current one. Removes files that only the
  // former backup needed.
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
