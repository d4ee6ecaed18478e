// A pack: the replay files of many matches in one file, one after another. It is only ever appended
// to. Format: FORMAT.md. Stateless functions; thread-safe.
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

// A pack that has so many bytes takes no more; the next of its day is begun.
inline constexpr uint64_t kPackBytes = 256 * 1024 * 1024;

// Which pack: the day (UTC) on which its matches were made, and the how manieth of that day. In
// order of days, then of parts.
class PackName {
 public:
  PackName() = default;
  // The first pack of the day. REQUIRES: after 1970.
  static PackName OfDay(absl::Time created);
  // Of a file's name, such as "2026-11-23.0.pack"; none if no pack has such a name.
  static absl::optional<PackName> Parse(absl::string_view file_name);
  // The other way round than number().
  static PackName OfNumber(int64_t number) { return PackName(number); }

  std::string text() const;
  // The next pack of the same day.
  PackName next() const { return PackName(number_ + 1); }
  // The first pack of the same day.
  PackName first() const;
  // Days since 1970, shifted by the bits of the part; next() of the last part is of the day after.
  int64_t number() const { return number_; }

  friend bool operator==(PackName a, PackName b) { return a.number_ == b.number_; }
  friend bool operator!=(PackName a, PackName b) { return a.number_ != b.number_; }
  friend bool operator<(PackName a, PackName b) { return a.number_ < b.number_; }

 private:
  explicit PackName(int64_t number) : number_(number) {}
  int64_t number_ = 0;
};

// Where a replay is.
struct PackedReplay {
  MatchId id;
  PackName pack;
  uint64_t offset = 0;  // of its first byte in the pack
  uint32_t size = 0;    // in bytes

  friend bool operator==(const PackedReplay& a, const PackedReplay& b) {
    return a.id == b.id && a.pack == b.pack && a.offset == b.offset && a.size == b.size;
  }
};

// <data_dir>/replays/packs, and a pack in it.
std::string PacksDir(const std::string& data_dir);
std::string PackPath(const std::string& data_dir, PackName name);
// All packs there are, in order; none if there is no such folder. Returns the file system's error.
absl::StatusOr<std::vector<PackName>> PacksIn(const std::string& data_dir);

// The bytes with which a pack begins.
std::string PackHeader();
// The bytes of an entry, whose last are those of `file`.
std::string EncodePackEntry(const MatchId& id, absl::string_view file);
// The bytes of the entry of a replay.
uint64_t PackEntrySize(const PackedReplay& replay);

// How a pack goes on after its last entry.
enum class PackTail {
  kNone,        // it ends with it
  kTorn,        // with the beginning of one more: its writer was killed
  kUnreadable,  // with bytes that are no entry
};

struct PackScan {
  uint64_t end = 0;            // of the last entry
  uint64_t damaged = 0;        // entries whose checksum is wrong; they are passed over
  uint64_t first_damaged = 0;  // the byte at which the first of them begins
  PackTail tail = PackTail::kNone;
  uint64_t missing = 0;    // bytes that a torn entry lacks, at least
  std::string torn_match;  // the match of a torn entry; empty if its id is not there
};

// Calls `take` with each entry from the byte `from` on, which is 0 or the end of an entry, and
// checks the checksum of each. An entry that another thread or process appends meanwhile is not
// there yet (PackWriting). Returns FailedPrecondition for a version that is not known here, or the
// file system's error. A file that does not begin as a pack is kUnreadable.
absl::StatusOr<PackScan> ScanPack(const std::string& path, PackName name, uint64_t from,
                                  absl::FunctionRef<void(PackedReplay)> take);

// Returns DataLoss that names the file, the byte and what is missing or damaged there; OK if the
// scan has read the pack whole.
absl::Status PackProblem(const std::string& path, const PackScan& scan);

// Exists while an entry is appended to a pack, so that readers can tell an entry that is being
// written from a torn one: a lock on the file that keeps nobody waiting, and ends with the process.
class PackWriting {
 public:
  // REQUIRES: `fd` is open to be written, and stays open.
  explicit PackWriting(int fd);
  ~PackWriting();
  PackWriting(const PackWriting&) = delete;
  PackWriting& operator=(const PackWriting&) = delete;

 private:
  const int fd_;
};

// Checks that the bytes of an entry, from its size on, are those of `replay`, and returns the
// replay file in them. Returns DataLoss that names the place when they are not.
absl::StatusOr<std::string> ReadPackEntry(int fd, const std::string& path,
                                          const PackedReplay& replay);

// Checks only that the size and the match of the entry are those of `replay`. Returns DataLoss as
// ReadPackEntry.
absl::Status CheckPackEntry(int fd, const std::string& path, const PackedReplay& replay);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_PACK_H_
