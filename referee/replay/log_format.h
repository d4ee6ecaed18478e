// The encoding of log segments (log.h): a head, then frames with the records of all matches.
//
// FORMAT.md has the format. Decoding is safe on arbitrary bytes. Pure functions.
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

// The unit of disk writes. The head has a page of its own.
inline constexpr size_t kLogPageBytes = 4096;
// The largest segment: a match of the largest size fits, with its framing.
inline constexpr size_t kMaxLogSegmentBytes = limits::kMaxReplayBytes + 4 * kLogPageBytes;
// A frame size of zero, which ends the frames.
inline constexpr absl::string_view kNoFrame("\0\0\0\0", 4);

struct LogHead {
  uint64_t number = 0;   // from 1; later segments have higher numbers
  bool lasting = false;  // frames are synced before their effects are published
  // Random for each use of the segment, and part of the checksums of its frames. So frames of an
  // earlier use, or frame-like bytes inside a record, are not read as frames.
  uint64_t salt = 0;
};

// Reads the head from the front of a segment. Number 0: no valid head; `damaged` then says whether
// there was one. Returns FailedPrecondition (IsUnknownHere) for an unknown version.
absl::StatusOr<LogHead> ReadLogHead(absl::string_view bytes, bool* damaged);
// Returns the bytes at the start of the head page.
std::string EncodeHead(const LogHead& head);
inline constexpr size_t kLogHeadBytes = 32;
// The first of these bytes; zeros in them mark a segment without a head.
inline constexpr size_t kLogMagicBytes = 8;
// Returns the head bytes of an empty segment.
std::string EncodeNoHead();

struct LogFrame {
  enum class Kind : uint8_t {
    kMatch = 1,     // the first of a match: opening, secret, and perhaps more records
    kMore = 2,      // its next records
    kSealed = 3,    // its replay is in the archive
    kSetAside = 4,  // the match was given up; after kSealed: its replay was removed
  };
  Kind kind = Kind::kMore;
  MatchId id;
  // Number of records of the match before these; 0 in kMatch.
  uint32_t index = 0;
  // Record messages, each after its length as a varint. Empty in kSealed and kSetAside.
  absl::string_view records;
};

// Returns the size of a frame with this many bytes of records.
size_t LogFrameBytes(size_t records);
// Appends a frame for the segment with this head.
void AppendLogFrame(const LogHead& head, const LogFrame& frame, std::string* out);

// The contents of a segment. Points into the bytes that were read.
struct LogContent {
  LogHead head;  // number 0: no valid head
  bool head_damaged = false;
  std::vector<LogFrame> frames;
  // The byte at which an unfinished write begins: neither a frame, nor followed by one. 0: none.
  size_t torn = 0;
  // Bytes at which damage begins: no frame there, but frames follow.
  std::vector<size_t> holes;
};

// Returns FailedPrecondition (IsUnknownHere) for an unknown version.
absl::StatusOr<LogContent> ReadLogSegment(absl::string_view bytes);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_FORMAT_H_
