#include "referee/replay/log_format.h"

#include <algorithm>
#include <utility>

#include "referee/replay/errors.h"
#include "referee/replay/framing.h"
#include "referee/replay/versions.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kLogKind = "reflogs";
constexpr absl::string_view kLogMagic("reflogs\x01", kLogMagicBytes);  // with the version
constexpr size_t kSignedHeadBytes = 28;  // magic, number, lasting, salt
constexpr size_t kSizeBytes = 4;
constexpr size_t kBeforeBody = 8;                        // size, checksum
constexpr size_t kBodyHead = 8 + 1 + 4 + kMatchIdBytes;  // number, kind, index, match

void AppendU64(uint64_t value, std::string* out) {
  AppendU32(static_cast<uint32_t>(value), out);
  AppendU32(static_cast<uint32_t>(value >> 32), out);
}

uint64_t GetU64(absl::string_view bytes) {
  return GetU32(bytes) | static_cast<uint64_t>(GetU32(bytes.substr(4))) << 32;
}

size_t PageAfter(size_t offset) {
  return (offset + kLogPageBytes - 1) / kLogPageBytes * kLogPageBytes;
}

uint32_t ChecksumOf(const LogHead& head, absl::string_view body) {
  char salt[8];
  PutU32(static_cast<uint32_t>(head.salt), salt);
  PutU32(static_cast<uint32_t>(head.salt >> 32), salt + 4);
  return Crc32c(body, Crc32c(absl::string_view(salt, sizeof(salt))));
}

// Reads the frame at the front of `bytes` in a segment with this head. Returns its size; 0: no
// frame.
size_t ReadFrame(const LogHead& head, absl::string_view bytes, LogFrame* frame) {
  if (bytes.size() < kBeforeBody + kBodyHead) return 0;
  const size_t size = GetU32(bytes);
  if (size < kBodyHead || size > bytes.size() - kBeforeBody) return 0;
  const absl::string_view body = bytes.substr(kBeforeBody, size);
  if (GetU64(body) != head.number) return 0;
  if (ChecksumOf(head, body) != GetU32(bytes.substr(kSizeBytes))) return 0;
  const auto kind = static_cast<uint8_t>(body[8]);
  absl::StatusOr<MatchId> id =
      MatchId::Parse(body.substr(kBodyHead - kMatchIdBytes, kMatchIdBytes));
  if (!id.ok() || kind < 1 || kind > 4) return 0;
  frame->kind = static_cast<LogFrame::Kind>(kind);
  frame->index = GetU32(body.substr(9));
  frame->id = *std::move(id);
  frame->records = body.substr(kBodyHead);
  return kBeforeBody + size;
}

// Returns the offset of the next frame from `offset` on, or the end.
size_t FindFrame(const LogHead& head, absl::string_view bytes, size_t offset) {
  std::string wanted;
  AppendU64(head.number, &wanted);
  LogFrame frame;
  for (size_t at = offset + kBeforeBody; (at = bytes.find(wanted, at)) != bytes.npos; ++at) {
    if (ReadFrame(head, bytes.substr(at - kBeforeBody), &frame) > 0) return at - kBeforeBody;
  }
  return bytes.size();
}

}  // namespace

absl::StatusOr<LogHead> ReadLogHead(absl::string_view bytes, bool* damaged) {
  LogHead none;
  if (bytes.size() < kLogHeadBytes || bytes.substr(0, kLogKind.size()) != kLogKind) return none;
  const auto version = static_cast<uint8_t>(bytes[kLogKind.size()]);
  if (version == 0) return none;  // torn write of the magic
  if (version != kLogVersion) return UnknownVersion(kLogKind.size(), "a log", version, kLogVersion);
  const uint32_t checksum = GetU32(bytes.substr(kSignedHeadBytes));
  *damaged = Crc32c(bytes.substr(0, kSignedHeadBytes)) != checksum;
  if (*damaged) return none;
  LogHead head;
  head.number = GetU64(bytes.substr(kLogMagic.size()));
  head.lasting = GetU32(bytes.substr(kLogMagic.size() + 8)) != 0;
  head.salt = GetU64(bytes.substr(kLogMagic.size() + 12));
  return head;
}

std::string EncodeHead(const LogHead& head) {
  std::string bytes(kLogMagic);
  AppendU64(head.number, &bytes);
  AppendU32(head.lasting ? 1 : 0, &bytes);
  AppendU64(head.salt, &bytes);
  AppendU32(Crc32c(bytes), &bytes);
  return bytes;
}

std::string EncodeNoHead() { return std::string(kLogHeadBytes, '\0'); }

size_t LogFrameBytes(size_t records) { return kBeforeBody + kBodyHead + records; }

void AppendLogFrame(const LogHead& head, const LogFrame& frame, std::string* out) {
  const size_t start = out->size();
  out->append(kBeforeBody, '\0');
  AppendU64(head.number, out);
  out->push_back(static_cast<char>(frame.kind));
  AppendU32(frame.index, out);
  out->append(frame.id.text());
  out->append(frame.records.data(), frame.records.size());
  const absl::string_view body = absl::string_view(*out).substr(start + kBeforeBody);
  const uint32_t checksum = ChecksumOf(head, body);
  PutU32(static_cast<uint32_t>(body.size()), &(*out)[start]);
  PutU32(checksum, &(*out)[start + kSizeBytes]);
}

absl::StatusOr<LogContent> ReadLogSegment(absl::string_view bytes) {
  LogContent content;
  absl::StatusOr<LogHead> head = ReadLogHead(bytes, &content.head_damaged);
  if (!head.ok()) return head.status();
  content.head = *head;
  if (content.head.number == 0) return content;
  size_t offset = kLogPageBytes;
  bool left_page = false;  // if so, bytes of an earlier use may follow
  while (offset < bytes.size()) {
    if (bytes.size() - offset < kSizeBytes) break;  // too short for a frame
    LogFrame frame;
    const size_t size = ReadFrame(content.head, bytes.substr(offset), &frame);
    if (size > 0) {
      content.frames.push_back(std::move(frame));
      offset += size;
      left_page = false;
      continue;
    }
    const absl::string_view first = bytes.substr(offset, kSizeBytes);
    const bool none = std::all_of(first.begin(), first.end(), [](char c) { return c == 0; });
    if (none && offset % kLogPageBytes != 0) {
      offset = PageAfter(offset);
      left_page = true;
      continue;
    }
    const size_t next = FindFrame(content.head, bytes, offset);
    if (next < bytes.size()) {
      content.holes.push_back(offset);
    } else if (!none && !left_page) {
      content.torn = offset;
    }
    offset = next;
  }
  return content;
}

}  // namespace referee::replay
