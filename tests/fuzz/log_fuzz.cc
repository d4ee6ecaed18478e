// The reader of the log. A letter, then:
//   r  a segment as it lies on the disk
//   f  what happens to a few matches in a segment that is written, torn and damaged: a byte that
//      says where, one that says how, and then a byte for each frame
//   m  the records of a match in the log, each after its length
// Nothing is read that was not written; what is behind damage is read; a tear costs the last frame.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "google/protobuf/stubs/logging.h"
#include "referee/replay/framing.h"
#include "referee/replay/log_format.h"
#include "referee/replay/log_recorder.h"
#include "referee/replay/record_codec.h"
#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"
#include "tests/support/match_id.h"

namespace referee::fuzz {
namespace {

const replay::LogHead kHead = {3, false, 0x123456789abcdef0};

struct Written {
  std::string bytes;
  std::vector<size_t> starts;  // of frames
  std::vector<std::string> records;
};

// A segment with a frame for each byte, which says of which match, kind and size.
Written Write(FuzzedBytes* bytes) {
  Written written;
  written.bytes = replay::EncodeHead(kHead);
  written.bytes.resize(replay::kLogPageBytes);
  while (!bytes->empty() && written.starts.size() < 32) {
    const int choice = bytes->Byte();
    const std::string records(static_cast<size_t>(choice) * 7, static_cast<char>(choice));
    if (choice % 16 == 0) {
      // As after a sync: on to the next page.
      const size_t page = replay::kLogPageBytes;
      written.bytes.append(replay::kNoFrame.data(), replay::kNoFrame.size());
      written.bytes.resize((written.bytes.size() + page - 1) / page * page);
    }
    written.starts.push_back(written.bytes.size());
    written.records.push_back(records);
    const auto kind = static_cast<replay::LogFrame::Kind>(1 + choice % 4);
    replay::AppendLogFrame(
        kHead, {kind, testing::NumberedId(static_cast<uint64_t>(choice % 3)), 0, records},
        &written.bytes);
  }
  return written;
}

// All that was read was written, in order.
void ClaimWritten(const replay::LogContent& content, const Written& written) {
  size_t next = 0;
  for (const replay::LogFrame& frame : content.frames) {
    while (next < written.records.size() && written.records[next] != frame.records) ++next;
    Claim(next < written.records.size(), "what is read was written, in order");
    ++next;
  }
}

void Tear(const Written& written, size_t at) {
  const absl::string_view torn = absl::string_view(written.bytes).substr(0, at);
  const auto content = replay::ReadLogSegment(torn);
  if (at < replay::kLogHeadBytes) return;
  Claim(content.ok(), "a torn segment can be read");
  size_t whole = 0;
  for (size_t i = 0; i < written.starts.size(); ++i) {
    const size_t size = replay::LogFrameBytes(written.records[i].size());
    if (written.starts[i] + size <= at) ++whole;
  }
  Claim(content->frames.size() == whole, "a tear costs what was not whole, and nothing else");
  Claim(content->holes.empty(), "a tear is no damage");
}

void Damage(Written written, size_t at, uint8_t how) {
  if (how == 0) how = 1;
  written.bytes[at] = static_cast<char>(written.bytes[at] ^ how);
  const auto content = replay::ReadLogSegment(written.bytes);
  if (!content.ok() || at < replay::kLogHeadBytes) return;
  ClaimWritten(*content, written);
  Claim(content->frames.size() + 1 >= written.records.size(), "damage costs one frame at most");
}

// The records of a match as the log holds them.
std::string RecordsOf(const replay::MatchRead& match) {
  std::string records;
  replay::RecordEncoder encoder;
  std::string body;
  const auto append = [&] {
    replay::AppendSized(body, &records);
    body.clear();
  };
  encoder.AppendOpening(match.setup, &body);
  append();
  encoder.AppendSecret(match.secret, &body);
  append();
  for (const match::Record& record : match.records) {
    encoder.AppendRecord(*match.setup.game, record, &body);
    append();
  }
  return records;
}

void ReadRecords(absl::string_view records) {
  // Strings that are not UTF-8 are refused, and reported to stderr.
  const google::protobuf::LogSilencer silencer;
  const auto match = replay::ReadMatch(records);
  if (!match.ok()) {
    Claim(!match.status().message().empty(), "a refusal says why");
    return;
  }
  Claim(RecordsOf(*match) == records, "what is read is what was written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedBytes bytes(data, size);
  const uint8_t input = bytes.Byte();
  if (input == 'm') {
    ReadRecords(bytes.Rest());
    return 0;
  }
  if (input != 'f') {
    const std::string segment(bytes.Rest());
    const auto content = replay::ReadLogSegment(segment);
    Claim(content.ok() || !content.status().message().empty(), "a refusal says why");
    return 0;
  }
  const size_t where = static_cast<size_t>(bytes.Byte()) * 256 + bytes.Byte();
  const uint8_t how = bytes.Byte();
  const Written written = Write(&bytes);
  const auto whole = replay::ReadLogSegment(written.bytes);
  Claim(whole.ok() && whole->frames.size() == written.records.size(), "all that is whole is read");
  ClaimWritten(*whole, written);
  Claim(whole->torn == 0 && whole->holes.empty(), "what is whole is neither torn nor damaged");
  Tear(written, where * 3 % (written.bytes.size() + 1));
  Damage(written, where * 3 % written.bytes.size(), how);
  return 0;
}

}  // namespace referee::fuzz
