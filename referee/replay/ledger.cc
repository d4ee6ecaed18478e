#include "referee/replay/ledger.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/framing.h"
#include "referee/replay/versions.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kLedgerKind = "refldgr";
constexpr absl::string_view kLedgerMagic("refldgr\x01", 8);  // with the version
constexpr size_t kGenerationBytes = 8;
constexpr size_t kLedgerHeaderBytes = 16;                                   // magic, generation
constexpr size_t kLedgerFrameBytes = 8;                                     // size, checksum
constexpr size_t kEntryHeaderBytes = kGenerationBytes + 1 + kMatchIdBytes;  // generation, kind, id
constexpr size_t kFiles = 2;

std::string PathOf(const std::string& folder, size_t index) {
  return absl::StrCat(folder, "/ledger.", index);
}

uint64_t GetGeneration(absl::string_view bytes) {
  return GetU32(bytes) | static_cast<uint64_t>(GetU32(bytes.substr(4))) << 32;
}

// Takes an entry of `generation` off the front of `*rest`. Returns false if there is none: the end,
// a torn one, or one of an earlier generation, which was there before.
bool TakeEntry(uint64_t generation, absl::string_view* rest, LedgerEntry* entry) {
  if (rest->size() < kLedgerFrameBytes) return false;
  const size_t size = GetU32(*rest);
  const uint32_t checksum = GetU32(rest->substr(4));
  absl::string_view body = rest->substr(kLedgerFrameBytes);
  if (size < kEntryHeaderBytes || size > body.size()) return false;
  body = body.substr(0, size);
  if (Crc32c(body) != checksum || GetGeneration(body) != generation) return false;
  const auto kind = static_cast<LedgerEntry::Kind>(body[kGenerationBytes]);
  absl::StatusOr<MatchId> id = MatchId::Parse(body.substr(kGenerationBytes + 1, kMatchIdBytes));
  if (!id.ok() || (kind != LedgerEntry::Kind::kOpening && kind != LedgerEntry::Kind::kReplay))
    return false;
  *entry = {kind, *std::move(id), std::string(body.substr(kEntryHeaderBytes))};
  *rest = rest->substr(kLedgerFrameBytes + size);
  return true;
}

struct Found {
  uint64_t generation = 0;
  std::vector<LedgerEntry> entries;
};

// A file that is cut before its entries, as after a loss of power, has none.
absl::Status CheckVersion(absl::string_view bytes, const std::string& path) {
  if (bytes.size() < kLedgerHeaderBytes || bytes.substr(0, kLedgerKind.size()) != kLedgerKind) {
    return absl::OkStatus();
  }
  const auto version = static_cast<uint8_t>(bytes[kLedgerKind.size()]);
  if (version == kLedgerVersion) return absl::OkStatus();
  return UnknownJournal(path,
                        UnknownVersion(kLedgerKind.size(), "a ledger", version, kLedgerVersion));
}

Found ReadEntries(absl::string_view bytes) {
  Found found;
  if (bytes.size() < kLedgerHeaderBytes || bytes.substr(0, kLedgerMagic.size()) != kLedgerMagic)
    return found;
  found.generation = GetGeneration(bytes.substr(kLedgerMagic.size()));
  bytes.remove_prefix(kLedgerHeaderBytes);
  LedgerEntry entry;
  while (TakeEntry(found.generation, &bytes, &entry)) found.entries.push_back(std::move(entry));
  return found;
}

}  // namespace

absl::StatusOr<std::vector<LedgerEntry>> ReadLedger(const std::string& folder) {
  std::array<Found, kFiles> found;
  for (size_t i = 0; i < kFiles; ++i) {
    const absl::StatusOr<std::string> bytes =
        ReadWholeFile(PathOf(folder, i), std::numeric_limits<size_t>::max());
    if (absl::IsNotFound(bytes.status())) continue;
    if (!bytes.ok()) return bytes.status();
    if (absl::Status s = CheckVersion(*bytes, PathOf(folder, i)); !s.ok()) return s;
    found[i] = ReadEntries(*bytes);
  }
  if (found[1].generation < found[0].generation) std::swap(found[0], found[1]);
  std::vector<LedgerEntry> entries = std::move(found[0].entries);
  std::move(found[1].entries.begin(), found[1].entries.end(), std::back_inserter(entries));
  return entries;
}

absl::Status MoveLedger(const std::string& folder, const std::string& aside) {
  for (size_t i = 0; i < kFiles; ++i) {
    const std::string path = PathOf(folder, i);
    if (rename(path.c_str(), PathOf(aside, i).c_str()) != 0 && errno != ENOENT) {
      return FileError("cannot move", path, errno);
    }
  }
  return SyncFolderOf(PathOf(aside, 0));
}

absl::Status RemoveLedger(const std::string& folder) {
  for (size_t i = 0; i < kFiles; ++i) {
    const std::string path = PathOf(folder, i);
    if (unlink(path.c_str()) != 0 && errno != ENOENT) {
      return FileError("cannot remove", path, errno);
    }
  }
  return absl::OkStatus();
}

}  // namespace referee::replay
