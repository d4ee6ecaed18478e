// A pack: the replay files of many matches, one after another in one append-only file.
//
// FORMAT.md has the format. Stateless functions; thread-safe.
#ifndef REFEREE_REPLAY_PACK_H_
#define REFEREE_REPLAY_PACK_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"

namespace referee::replay {

// Size at which a pack takes no more; the next pack of its day is begun.
inline constexpr uint64_t kPackBytes = 256 * 1024 * 1024;

// The name of a pack: the day (UTC) on which its matches were created, and a part number within the
// day. Ordered by day, then by part.
class PackName {
 public:
  PackName() = default;
  // The first pack of a day. REQUIRES: after 1970.
  static PackName OfDay(absl::Time created);
  // Parses a file name such as "2026-11-23.0.pack"; none if it is not that of a pack.
  static absl::optional<PackName> Parse(absl::string_view file_name);
  // The inverse of number().
  static PackName OfNumber(int64_t number) { return PackName(number); }

  std::string text() const;
  // The next pack of the same day.
  PackName next() const { return PackName(number_ + 1); }
  // The first pack of the same day.
  PackName first() const;
  // Days since 1970, shifted by the bits of the part. next() of the last part is of the next day.
  int64_t number() const { return number_; }

  friend bool operator==(PackName a, PackName b) { return a.number_ == b.number_; }
  friend bool operator!=(PackName a, PackName b) { return a.number_ != b.number_; }
  friend bool operator<(PackName a, PackName b) { return a.number_ < b.number_; }

 private:
  explicit PackName(int64_t number) : number_(number) {}
  int64_t number_ = 0;
};

// The location of a replay in a pack.
struct PackedReplay {
  MatchId id;
  PackName pack;
  uint64_t offset = 0;  // of its first byte in the pack
  uint32_t size = 0;    // in bytes

  friend bool operator==(const PackedReplay& a, const PackedReplay& b) {
    return a.id == b.id && a.pack == b.pack && a.offset == b.offset && a.size == b.size;
  }
};

// Return <data_dir>/replays/packs, and the path of a pack in it.
std::string PacksDir(const std::string& data_dir);
std::string PackPath(const std::string& data_dir, PackName name);
// Returns all packs, in order; none if the folder does not exist. Returns the file system's error.
absl::StatusOr<std::vector<PackName>> PacksIn(const std::string& data_dir);

// Returns the first bytes of a pack.
std::string PackHeader();
// Returns the bytes of an entry, which end with `file`.
std::string EncodePackEntry(const MatchId& id, absl::string_view file);
// Returns the size of the entry of a replay, in bytes.
uint64_t PackEntrySize(const PackedReplay& replay);

// What follows the last entry of a pack.
enum class PackTail {
  kNone,        // nothing
  kTorn,        // the beginning of another entry, whose writer was killed
  kUnreadable,  // bytes that are not an entry
};

struct PackScan {
  uint64_t end = 0;            // of the last entry
  uint64_t damaged = 0;        // entries with a wrong checksum, which are skipped
  uint64_t first_damaged = 0;  // the first byte of the first of them
  PackTail tail = PackTail::kNone;
  uint64_t missing = 0;    // the least number of bytes that a torn entry lacks
  std::string torn_match;  // match id of a torn entry; empty if the id is missing
};

// Calls `take` with each valid entry from byte `from` on, which is 0 or the end of an entry; checks
// the checksums. Does not see an entry that another thread or process is still appending
// (PackWriting). Returns FailedPrecondition for an unknown version, or the file system's error. A
// file without the header of a pack is kUnreadable.
absl::StatusOr<PackScan> ScanPack(const std::string& path, PackName name, uint64_t from,
                                  absl::FunctionRef<void(PackedReplay)> take);

// Returns DataLoss that names the file, the byte and what is missing or damaged; OK if the scan has
// read the whole pack.
absl::Status PackProblem(const std::string& path, const PackScan& scan);

// A lock on a pack while an entry is appended, so that readers can tell an unfinished entry from a
// torn one. The lock blocks no one, and ends with the process.
class PackWriting {
 public:
  // REQUIRES: `fd` is open for writing, and stays open.
  explicit PackWriting(int fd);
  ~PackWriting();
  PackWriting(const PackWriting&) = delete;
  PackWriting& operator=(const PackWriting&) = delete;

 private:
  const int fd_;
};

// Checks that the entry at the place of `replay` is its own, and returns the replay file in it.
// Returns DataLoss that names the place if it is not.
absl::StatusOr<std::string> ReadPackEntry(int fd, const std::string& path,
                                          const PackedReplay& replay);

// Checks only the size and the match id of the entry. Returns DataLoss as ReadPackEntry.
absl::Status CheckPackEntry(int fd, const std::string& path, const PackedReplay& replay);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_PACK_H_
