// The manifest of a backup (backup.h): which files are in it, and what is in them. Values and pure
// functions, but for Checksum, which is thread-compatible. Format: STORE.md.
#ifndef REFEREE_STORE_BACKUP_MANIFEST_H_
#define REFEREE_STORE_BACKUP_MANIFEST_H_

#include <sodium.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::store {

// Of the format; other programs' are refused.
inline constexpr int kManifestVersion = 1;
// Of some hundred bytes a pack, and a replay in a folder.
inline constexpr size_t kMaxManifestBytes = 512 * 1024 * 1024;

// BLAKE2b of 32 bytes of what was added. A copy goes on by itself.
class Checksum {
 public:
  Checksum();
  void Add(absl::string_view bytes);
  // In hex. What was added stays.
  std::string Text() const;

 private:
  crypto_generichash_state state_;
};

// By what it is seen that a file has not changed.
struct FileSeen {
  uint64_t inode = 0;
  uint64_t size = 0;
  int64_t changed_ns = 0;  // since 1970

  friend bool operator==(const FileSeen& a, const FileSeen& b) {
    return a.inode == b.inode && a.size == b.size && a.changed_ns == b.changed_ns;
  }
};

// A file of the data directory, or a part of one.
struct BackupPart {
  std::string path;        // below the data directory; parts of one path follow each other
  std::string stored;      // below the backup's directory
  uint64_t size = 0;       // of the first bytes of `stored`, which are the part
  std::string checksum;    // of these
  bool is_public = false;  // others may read it
  FileSeen seen;           // all zeros: it is copied anew each time
};

struct BackupManifest {
  int64_t number = 0;  // of the backup, from 1
  absl::Time time;     // at which it was begun
  std::vector<BackupPart> parts;
};

std::string EncodeManifest(const BackupManifest& manifest);
// Returns InvalidArgument that says what is wrong, FailedPrecondition for a version that is not
// known here. Paths in what it returns lead nowhere but below the directories.
absl::StatusOr<BackupManifest> ParseManifest(absl::string_view text);

}  // namespace referee::store

#endif  // REFEREE_STORE_BACKUP_MANIFEST_H_
