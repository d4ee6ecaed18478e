#include "referee/replay/journal.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/errors.h"
#include "referee/replay/framing.h"
#include "referee/replay/record_codec.h"
#include "referee/replay/versions.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kJournalKind = "refjrnl";
constexpr absl::string_view kJournalMagic("refjrnl\x01", 8);  // with the version
constexpr size_t kFrameHeaderBytes = 8;                       // length, checksum

enum class Frame { kWhole, kTorn, kDamaged };

// Takes the frame off the front of `*rest`, which is not empty. A frame that is not whole is torn
// if nothing can have been written after it, or nothing but the zeros of a file that grew without
// its data.
Frame TakeFrame(absl::string_view* rest, absl::string_view* body) {
  if (rest->size() < kFrameHeaderBytes) return Frame::kTorn;
  const size_t size = GetU32(*rest);
  const uint32_t checksum = GetU32(rest->substr(4));
  const absl::string_view after = rest->substr(kFrameHeaderBytes);
  if (size > after.size()) return Frame::kTorn;
  *body = after.substr(0, size);
  if (size > 0 && Crc32c(*body) == checksum) {
    *rest = after.substr(size);
    return Frame::kWhole;
  }
  const bool last = size > 0 && size == after.size();
  const bool zeros = std::all_of(rest->begin(), rest->end(), [](char c) { return c == 0; });
  return last || zeros ? Frame::kTorn : Frame::kDamaged;
}

absl::Status CheckMagic(absl::string_view bytes) {
  if (bytes.substr(0, kJournalMagic.size()) == kJournalMagic) return absl::OkStatus();
  if (bytes.substr(0, kJournalKind.size()) != kJournalKind || bytes.size() < kJournalMagic.size()) {
    return NotAJournal(0, "this is not a journal");
  }
  const auto version = static_cast<uint8_t>(bytes[kJournalKind.size()]);
  return UnknownVersion(kJournalKind.size(), "a journal", version, kJournalVersion);
}

}  // namespace

std::string JournalOf(absl::string_view records) {
  std::string bytes(kJournalMagic);
  uint32_t size = 0;
  while (TakeVarint(&records, &size) && size > 0 && size <= records.size()) {
    const absl::string_view record = records.substr(0, size);
    AppendU32(size, &bytes);
    AppendU32(Crc32c(record), &bytes);
    bytes.append(record.data(), record.size());
    records.remove_prefix(size);
  }
  return bytes;
}

absl::StatusOr<Journal> ReadJournal(absl::string_view bytes) {
  if (absl::Status s = CheckMagic(bytes); !s.ok()) return s;
  RecordDecoder decoder(RecordDecoder::Source::kJournal);
  absl::string_view rest = bytes.substr(kJournalMagic.size());
  while (!rest.empty()) {
    const size_t offset = bytes.size() - rest.size();
    absl::string_view body;
    const Frame frame = TakeFrame(&rest, &body);
    if (frame == Frame::kDamaged) return NotAJournal(offset, "a frame is damaged");
    if (frame == Frame::kTorn) break;
    if (absl::Status s = decoder.Take(body); !s.ok()) {
      return At(absl::StrCat("byte ", offset, ": record ", decoder.taken() + 1), s);
    }
  }
  if (!decoder.opened()) {
    return NotAJournal(bytes.size() - rest.size(), "it ends before the match was opened");
  }
  Journal journal;
  journal.setup = std::move(decoder.setup());
  journal.secret = decoder.secret();
  journal.records = std::move(decoder.records());
  journal.ended = decoder.ended();
  journal.size = bytes.size() - rest.size();
  journal.torn = rest.size();
  return journal;
}

absl::StatusOr<std::string> RecordsOfJournal(absl::string_view bytes) {
  if (absl::Status s = CheckMagic(bytes); !s.ok()) return s;
  std::string records;
  records.reserve(bytes.size());
  absl::string_view rest = bytes.substr(kJournalMagic.size());
  while (!rest.empty()) {
    const size_t offset = bytes.size() - rest.size();
    absl::string_view body;
    if (TakeFrame(&rest, &body) != Frame::kWhole) {
      return NotAJournal(offset, "a frame is not whole");
    }
    AppendVarint(static_cast<uint32_t>(body.size()), &records);
    records.append(body.data(), body.size());
  }
  return records;
}

}  // namespace referee::replay
