#include "referee/replay/replay.h"

#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/text.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/framing.h"
#include "referee/replay/record_codec.h"
#include "referee/replay/versions.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kReplayMagic = "refrepl";
constexpr size_t kHeaderBytes = 16;  // magic, version, two sizes
constexpr size_t kTrailerBytes = sizeof(PublicKey) + sizeof(Signature);
constexpr int kCompressionLevel = 3;

// Limits of the decompressed size. The options of the opening, which may be files, compress to
// almost nothing. Each later record has a unique number or time, and is smaller than this.
constexpr size_t kMaxOpeningBytes = 8 * 1024 * 1024;
constexpr size_t kMaxRecordBytesPerByte = 1024;
static_assert(kMaxOpeningBytes > limits::kMaxOptions * limits::kMaxOptionBytes,
              "an honest opening must fit");

// The zstd frame header descriptor and its checksum flag (RFC 8878, 3.1.1.1.1). The zstd API to
// read them is not stable.
constexpr size_t kFrameDescriptor = 4;
constexpr unsigned char kHasChecksum = 0x04;

// zstd contexts are large, so each thread reuses its own.
ZSTD_CCtx* CompressionContext() {
  thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                                  &ZSTD_freeCCtx);
  if (context == nullptr) std::abort();  // out of memory
  return context.get();
}

ZSTD_DCtx* DecompressionContext() {
  thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                                  &ZSTD_freeDCtx);
  if (context == nullptr) std::abort();  // out of memory
  return context.get();
}

void AppendCompressed(absl::string_view records, std::string* out) {
  ZSTD_CCtx* const context = CompressionContext();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kCompressionLevel);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  const size_t start = out->size();
  out->resize(start + ZSTD_compressBound(records.size()));
  const size_t size =
      ZSTD_compress2(context, &(*out)[start], out->size() - start, records.data(), records.size());
  if (ZSTD_isError(size)) std::abort();  // the buffer is large enough: out of memory
  out->resize(start + size);
}

// Memory of a size that a file states. Costs nothing until it is written.
using Buffer = std::unique_ptr<char[]>;

// Decompresses into exactly parts.records_size bytes.
absl::StatusOr<Buffer> Decompress(const Parts& parts) {
  const absl::string_view frame = parts.frame;
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size() ||
      ZSTD_getFrameContentSize(frame.data(), frame.size()) != parts.records_size) {
    return BadAtByte(kHeaderBytes, "the records are not one zstd frame of the size stated");
  }
  if ((static_cast<unsigned char>(frame[kFrameDescriptor]) & kHasChecksum) == 0) {
    return BadAtByte(kHeaderBytes + kFrameDescriptor,
                     "the zstd frame of the records has no checksum");
  }
  Buffer records(new char[parts.records_size]);
  const size_t size = ZSTD_decompressDCtx(DecompressionContext(), records.get(), parts.records_size,
                                          frame.data(), frame.size());
  if (ZSTD_isError(size)) {
    return BadAtByte(kHeaderBytes,
                     absl::StrCat("the records cannot be decompressed: ", ZSTD_getErrorName(size)));
  }
  if (size != parts.records_size) return BadAtByte(kHeaderBytes, "the records end early");
  return records;
}

// Each turn has a unique digest, each later record a time. So an honest frame has more bytes than
// records, except for draws. Repeated records, which compress to almost nothing, are refused.
absl::Status DecodeRecords(absl::string_view records, size_t frame_size, RecordDecoder* decoder) {
  const size_t most = kMaxDraws + frame_size;
  absl::string_view rest = records;
  while (!rest.empty()) {
    const auto place = [&] {
      return absl::StrCat("record ", decoder->taken() + 1, " (byte ", records.size() - rest.size(),
                          " of the records)");
    };
    if (static_cast<size_t>(decoder->taken()) == most) {
      return At(place(), BadRecord(absl::StrCat("a frame of ", frame_size,
                                                " bytes cannot hold so many records")));
    }
    absl::string_view after = rest;
    absl::string_view record;
    if (!TakeSized(&after, &record)) return At(place(), BadRecord("its length is wrong"));
    if (absl::Status s = decoder->Take(record); !s.ok()) return At(place(), s);
    rest = after;
  }
  if (decoder->ended()) return absl::OkStatus();
  return At(absl::StrCat("record ", decoder->taken() + 1),
            BadRecord("it is missing: a replay ends with an end"));
}

}  // namespace

const match::Started* Replay::started() const {
  // Skip restarts before the match started.
  for (const match::Record& record : records) {
    if (!std::holds_alternative<match::Resumed>(record)) {
      return std::get_if<match::Started>(&record);
    }
  }
  return nullptr;
}

const match::Ended* Replay::ended() const {
  return records.empty() ? nullptr : std::get_if<match::Ended>(&records.back());
}

uint32_t Replay::turns() const {
  return static_cast<uint32_t>(std::count_if(
      records.begin(), records.end(),
      [](const match::Record& record) { return std::holds_alternative<match::Played>(record); }));
}

absl::optional<dice::Key> MatchKey(const Replay& replay) {
  const match::Ended* ended = replay.ended();
  if (ended == nullptr) return absl::nullopt;
  if (replay.setup.dice_source.pinned()) return dice::PinnedKey(ended->seed);
  const match::Started* started = replay.started();
  if (started == nullptr) return absl::nullopt;
  return dice::CommittedKey(ended->seed, started->nonces);
}

std::string Encode(const Replay& replay, const Signer& signer) {
  RecordEncoder encoder;
  std::string records;
  std::string body;
  encoder.AppendOpening(replay.setup, &body);
  AppendSized(body, &records);
  for (const match::Record& record : replay.records) {
    body.clear();
    encoder.AppendRecord(*replay.setup.game, record, &body);
    AppendSized(body, &records);
  }
  return EncodeRecords(records, signer);
}

std::string EncodeRecords(absl::string_view records, const Signer& signer) {
  std::string file(kReplayMagic);
  file.push_back(kReplayVersion);
  file.resize(kHeaderBytes);
  AppendCompressed(records, &file);
  PutU32(static_cast<uint32_t>(file.size() - kHeaderBytes), &file[8]);
  PutU32(static_cast<uint32_t>(records.size()), &file[12]);
  const PublicKey& key = signer.public_key();
  file.append(reinterpret_cast<const char*>(key.data()), key.size());
  const Signature signature = signer.Sign(file);
  file.append(reinterpret_cast<const char*>(signature.data()), signature.size());
  return file;
}

absl::Status CheckReplayVersion(absl::string_view head) {
  if (head.size() < kVersionedBytes || head.substr(0, kReplayMagic.size()) != kReplayMagic) {
    return BadAtByte(0, "this is not a replay file");
  }
  const auto version = static_cast<uint8_t>(head[kReplayMagic.size()]);
  if (version == kReplayVersion) return absl::OkStatus();
  return UnknownVersion(kReplayMagic.size(), "a replay", version, kReplayVersion);
}

absl::StatusOr<Parts> Split(absl::string_view bytes) {
  if (bytes.size() > limits::kMaxReplayBytes) {
    return ReplayTooLarge(bytes.size(), limits::kMaxReplayBytes);
  }
  if (bytes.substr(0, kReplayMagic.size()) != kReplayMagic)
    return BadAtByte(0, "this is not a replay file");
  if (bytes.size() < kHeaderBytes + kTrailerBytes) {
    return BadAtByte(bytes.size(), "the file is cut: it ends too early");
  }
  if (absl::Status s = CheckReplayVersion(bytes); !s.ok()) return s;
  Parts parts;
  const size_t frame_size = GetU32(bytes.substr(8));
  parts.records_size = GetU32(bytes.substr(12));
  const size_t expected = kHeaderBytes + frame_size + kTrailerBytes;
  if (bytes.size() < expected) {
    return BadAtByte(bytes.size(),
                     absl::StrCat("the file is cut: it should have ", expected, " bytes"));
  }
  if (bytes.size() > expected) {
    return BadAtByte(expected, absl::StrCat("the file goes on after its end: it should have ",
                                            expected, " bytes"));
  }
  if (parts.records_size > limits::kMaxReplayBytes) {
    return ReplayTooLarge(parts.records_size, limits::kMaxReplayBytes);
  }
  if (parts.records_size > kMaxOpeningBytes + kMaxRecordBytesPerByte * frame_size) {
    return BadAtByte(12, absl::StrCat("a frame of ", frame_size, " bytes cannot hold records of ",
                                      parts.records_size));
  }
  parts.frame = bytes.substr(kHeaderBytes, frame_size);
  parts.signed_bytes = bytes.substr(0, expected - sizeof(Signature));
  const char* const key = parts.frame.data() + frame_size;
  std::copy(key, key + parts.public_key.size(), parts.public_key.begin());
  const char* const signature = key + parts.public_key.size();
  std::copy(signature, signature + parts.signature.size(), parts.signature.begin());
  return parts;
}

namespace {

absl::StatusOr<Replay> ParseRecordsFrom(RecordDecoder::Source source, const Parts& parts,
                                        uint32_t* turn) {
  *turn = 0;
  const absl::StatusOr<Buffer> records = Decompress(parts);
  if (!records.ok()) return records.status();
  RecordDecoder decoder(source);
  const absl::string_view bytes(records->get(), parts.records_size);
  if (absl::Status s = DecodeRecords(bytes, parts.frame.size(), &decoder); !s.ok()) {
    *turn = decoder.failed_turn();
    return s;
  }
  Replay replay;
  replay.setup = std::move(decoder.setup());
  replay.records = std::move(decoder.records());
  return replay;
}

absl::StatusOr<Replay> ParseFrom(RecordDecoder::Source source, absl::string_view bytes) {
  const absl::StatusOr<Parts> parts = Split(bytes);
  if (!parts.ok()) return parts.status();
  uint32_t turn;
  return ParseRecordsFrom(source, *parts, &turn);
}

}  // namespace

absl::StatusOr<Replay> ParseRecords(const Parts& parts, uint32_t* turn) {
  return ParseRecordsFrom(RecordDecoder::Source::kReplayOfAnyGame, parts, turn);
}

absl::StatusOr<Replay> Parse(absl::string_view bytes) {
  return ParseFrom(RecordDecoder::Source::kReplay, bytes);
}

absl::StatusOr<Replay> ParseAnyGame(absl::string_view bytes) {
  return ParseFrom(RecordDecoder::Source::kReplayOfAnyGame, bytes);
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (path == "-") return ReadAll(STDIN_FILENO, limits::kMaxReplayBytes, "standard input");
  return ReadWholeFile(path, limits::kMaxReplayBytes);
}

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  const absl::StatusOr<std::string> bytes = ReadFile(path);
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<absl::string_view> text = TextOfFile(*bytes);
  if (!text.ok()) return At(Quoted(path), text.status());
  return std::string(*text);
}

}  // namespace referee::replay
