// The manifest of a backup (backup.h): its files and their checksums.
//
// Values and pure functions, except Checksum, which is thread-compatible. STORE.md has the format.
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

// Version of the format; other versions are refused.
inline constexpr int kManifestVersion = 1;
// A pack, and a replay that is a file, need some hundred bytes each.
inline constexpr size_t kMaxManifestBytes = 512 * 1024 * 1024;

// BLAKE2b (32 bytes) of the bytes added so far. A copy continues independently.
class Checksum {
 public:
  Checksum();
  void Add(absl::string_view bytes);
  // Returns the checksum in hex; more bytes may follow.
  std::string Text() const;

 private:
  crypto_generichash_state state_;
};

// Identifies an unchanged file.
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
  std::string path;        // relative to the data directory; parts of one file are adjacent
  std::string stored;      // relative to the backup's directory
  uint64_t size = 0;       // of the part: the first bytes of `stored`
  std::string checksum;    // of the part
  bool is_public = false;  // other users may read it
  FileSeen seen;           // all zeros: copy it again each time
};

struct BackupManifest {
  int64_t number = 0;  // number of the backup, from 1
  absl::Time time;     // when the backup was begun
  std::vector<BackupPart> parts;
};

std::string EncodeManifest(const BackupManifest& manifest);
// Returns InvalidArgument that says what is wrong, FailedPrecondition for an unknown version. Paths
// in the result never lead outside of the directories.
absl::StatusOr<BackupManifest> ParseManifest(absl::string_view text);

}  // namespace referee::store

#endif  // REFEREE_STORE_BACKUP_MANIFEST_H_
