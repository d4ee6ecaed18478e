// The journal reader. A letter, then:
//   r  a journal as it lies in its file
//   f  where to tear it (two bytes), then what its frames hold: records, each after its length
// What is read is what was written, to the byte; torn anywhere, the records before are still read.
#include <algorithm>
#include <memory>
#include <string>

#include "google/protobuf/stubs/logging.h"
#include "referee/replay/framing.h"
#include "referee/replay/journal.h"
#include "referee/replay/record_codec.h"
#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"

namespace referee::fuzz {
namespace {

constexpr absl::string_view kMagic("refjrnl\x01", 8);

void AppendFrame(absl::string_view body, std::string* out) {
  replay::AppendU32(static_cast<uint32_t>(body.size()), out);
  replay::AppendU32(replay::Crc32c(body), out);
  out->append(body.data(), body.size());
}

std::string Framed(absl::string_view records) {
  std::string journal(kMagic);
  uint32_t size = 0;
  while (replay::TakeVarint(&records, &size)) {
    AppendFrame(records.substr(0, size), &journal);
    records.remove_prefix(std::min<size_t>(size, records.size()));
  }
  return journal;
}

// The journal that holds what was read; sets `opened` to the bytes after which it is one.
std::string Written(const replay::Journal& journal, size_t* opened) {
  std::string out(kMagic);
  replay::RecordEncoder encoder;
  std::string body;
  const auto append = [&] {
    AppendFrame(body, &out);
    body.clear();
  };
  encoder.AppendOpening(journal.setup, &body);
  append();
  encoder.AppendSecret(journal.secret, &body);
  append();
  *opened = out.size();
  for (const match::Record& record : journal.records) {
    encoder.AppendRecord(*journal.setup.game, record, &body);
    append();
  }
  return out;
}

void ClaimTornIsRead(absl::string_view bytes, size_t opened, const replay::Journal& whole) {
  const auto torn = replay::ReadJournal(bytes);
  Claim(torn.ok() == (bytes.size() >= opened), "a journal that was opened can be read torn");
  if (!torn.ok()) return;
  Claim(torn->size + torn->torn == bytes.size(), "every byte is good or torn");
  Claim(torn->records.size() <= whole.records.size(), "a tear adds no record");
  Claim(replay::RecordsOfJournal(bytes.substr(0, torn->size)).ok(), "what is good has its records");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Strings that are not UTF-8 are refused, and reported to stderr.
  const google::protobuf::LogSilencer silencer;
  FuzzedBytes bytes(data, size);
  const bool framed = bytes.Byte() == 'f';
  const size_t tear = framed ? static_cast<size_t>(bytes.Byte()) * 256 + bytes.Byte() : size / 2;
  const std::string journal = framed ? Framed(bytes.Rest()) : std::string(bytes.Rest());
  const auto read = replay::ReadJournal(journal);
  const auto records = replay::RecordsOfJournal(journal);
  if (!read.ok()) {
    Claim(!read.status().message().empty(), "a refusal says why");
    return 0;
  }
  Claim(read->size + read->torn == journal.size(), "every byte is good or torn");
  Claim(records.ok() || read->torn > 0, "a whole journal has its records");
  size_t opened = 0;
  Claim(Written(*read, &opened) == journal.substr(0, read->size),
        "what is read is what was written");
  ClaimTornIsRead(absl::string_view(journal).substr(0, tear % (read->size + 1)), opened, *read);
  return 0;
}

}  // namespace referee::fuzz
