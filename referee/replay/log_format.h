// The segments of the log (log.h) as bytes: a head, and frames of the records of all matches.
// Format: FORMAT.md. Reading trusts no byte. Pure functions.
#ifndef REFEREE_REPLAY_LOG_FORMAT_H_
#define REFEREE_REPLAY_LOG_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"

namespace referee::replay {

// What a disk writes at once. The head has a page of its own.
inline constexpr size_t kLogPageBytes = 4096;
// A match has to fit in a segment, with what is around it.
inline constexpr size_t kMaxLogSegmentBytes = limits::kMaxReplayBytes + 4 * kLogPageBytes;
// A size of zero, where the next frame would be.
inline constexpr absl::string_view kNoFrame("\0\0\0\0", 4);

struct LogHead {
  uint64_t number = 0;   // of the segment, from 1; a later one has a higher number
  bool lasting = false;  // frames are synced before what follows from them is told
  // Drawn when the segment is begun, and in the checksums of its frames: bytes that an earlier life
  // of the segment has left, or that somebody had written into a record, are no frame of this one.
  uint64_t salt = 0;
};

// Reads it from the front of a segment. Number 0: there is none; then `damaged` says whether there
// was one. Returns FailedPrecondition (IsUnknownHere) when it is of a version that is not known
// here.
absl::StatusOr<LogHead> ReadLogHead(absl::string_view bytes, bool* damaged);
// What the head page of a segment begins with.
std::string EncodeHead(const LogHead& head);
inline constexpr size_t kLogHeadBytes = 32;
// Of these, at the front, with zeros for these there is no head.
inline constexpr size_t kLogMagicBytes = 8;
// In its place, of a segment that holds nothing.
std::string EncodeNoHead();

struct LogFrame {
  enum class Kind : uint8_t {
    kMatch = 1,     // a match from its beginning: opening, secret, and what there is beyond
    kMore = 2,      // its next records
    kSealed = 3,    // its replay is in the archive
    kSetAside = 4,  // it was given up; of a sealed one, its replay was removed
  };
  Kind kind = Kind::kMore;
  MatchId id;
  // How many records of the match come before these; of kMatch, 0.
  uint32_t index = 0;
  // Record messages, each after its length as a varint; of kSealed and kSetAside, none.
  absl::string_view records;
};

// How many bytes a frame takes that has so many bytes of records.
size_t LogFrameBytes(size_t records);
// Appends a frame of the segment with that head.
void AppendLogFrame(const LogHead& head, const LogFrame& frame, std::string* out);

// What a segment holds. Points into the bytes that were read.
struct LogContent {
  LogHead head;  // number 0: it holds nothing, or
  bool head_damaged = false;
  std::vector<LogFrame> frames;
  // The byte at which there is something that is no frame, and no frame behind it: a write that was
  // not finished; 0: nothing.
  size_t torn = 0;
  // Bytes at which there is something that is no frame, though there are frames behind it.
  std::vector<size_t> holes;
};

// Returns FailedPrecondition (IsUnknownHere) when it is of a version that is not known here.
absl::StatusOr<LogContent> ReadLogSegment(absl::string_view bytes);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_FORMAT_H_
