// The reader of packs. A letter, then:
//   r  a pack as it lies on the disk
//   f  what happens to a few entries that are torn and damaged: a byte that says where, twice, one
//      that says how, and then a byte for each entry
// Nothing is read that was not written; a tear costs the last entry, damage one of them or, where
// it is in a size, those behind it.
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/replay/pack.h"
#include "tests/fuzz/claim.h"
#include "tests/fuzz/fuzzed_bytes.h"
#include "tests/support/match_id.h"

namespace referee::fuzz {
namespace {

constexpr char kBeginning[] = "refrepl";  // of a replay file

// A file in memory.
class MemoryFile {
 public:
  explicit MemoryFile(absl::string_view bytes) : fd_(memfd_create("pack", MFD_CLOEXEC)) {
    Claim(write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
          "memory can be written");
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int fd() const { return fd_; }
  std::string path() const { return absl::StrCat("/proc/self/fd/", fd_); }

 private:
  const int fd_;
};

struct Scanned {
  absl::StatusOr<replay::PackScan> scan;
  std::vector<std::string> files;
};

// Scans a pack, and reads again all that the scan has found.
Scanned Scan(absl::string_view bytes, uint64_t from = 0) {
  const MemoryFile file(bytes);
  const replay::PackName name = replay::PackName::OfDay(testing::kMadeAt);
  std::vector<replay::PackedReplay> found;
  Scanned scanned;
  scanned.scan = replay::ScanPack(file.path(), name, from, [&](replay::PackedReplay replay) {
    found.push_back(std::move(replay));
  });
  if (scanned.scan.ok()) Claim(scanned.scan->end <= bytes.size(), "the end is in the file");
  for (const replay::PackedReplay& replay : found) {
    const auto read = replay::ReadPackEntry(file.fd(), file.path(), replay);
    Claim(read.ok() && read->size() == replay.size, "what a scan finds can be read");
    Claim(replay::CheckPackEntry(file.fd(), file.path(), replay).ok(), "and is what it says");
    scanned.files.push_back(*read);
  }
  return scanned;
}

struct Written {
  std::string bytes = replay::PackHeader();
  std::vector<size_t> ends;  // of entries
  std::vector<std::string> files;
};

Written Write(FuzzedBytes* bytes) {
  Written written;
  while (!bytes->empty() && written.files.size() < 16) {
    const int choice = bytes->Byte();
    written.files.push_back(absl::StrCat(
        kBeginning, std::string(static_cast<size_t>(choice) * 5 + 1, static_cast<char>(choice))));
    written.bytes += replay::EncodePackEntry(testing::NumberedId(static_cast<uint64_t>(choice % 3)),
                                             written.files.back());
    written.ends.push_back(written.bytes.size());
  }
  return written;
}

// All that was read was written, in order.
void ClaimWritten(const Scanned& scanned, const Written& written) {
  size_t next = 0;
  for (const std::string& file : scanned.files) {
    while (next < written.files.size() && written.files[next] != file) ++next;
    Claim(next < written.files.size(), "what is read was written, in order");
    ++next;
  }
}

void Tear(const Written& written, size_t at) {
  const Scanned scanned = Scan(absl::string_view(written.bytes).substr(0, at));
  if (at < replay::PackHeader().size()) return;
  Claim(scanned.scan.ok(), "a torn pack can be read");
  size_t whole = 0;
  while (whole < written.ends.size() && written.ends[whole] <= at) ++whole;
  Claim(scanned.files.size() == whole, "a tear costs what was not whole, and nothing else");
  const size_t end = whole == 0 ? replay::PackHeader().size() : written.ends[whole - 1];
  Claim(scanned.scan->end == end, "the next entry comes after the last whole one");
  Claim(scanned.scan->tail == (end == at ? replay::PackTail::kNone : replay::PackTail::kTorn),
        "a tear is known as one");
}

void Damage(Written written, size_t at, uint8_t how) {
  if (how == 0) how = 1;
  written.bytes[at] = static_cast<char>(written.bytes[at] ^ how);
  const Scanned scanned = Scan(written.bytes);
  if (!scanned.scan.ok()) return;
  ClaimWritten(scanned, written);
  Claim(scanned.files.size() < written.files.size() || written.files.empty() ||
            at < replay::PackHeader().size(),
        "damage is found");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedBytes bytes(data, size);
  if (bytes.Byte() != 'f') {
    const Scanned scanned = Scan(bytes.Rest());
    Claim(scanned.scan.ok() || !scanned.scan.status().message().empty(), "a refusal says why");
    return 0;
  }
  const size_t where = static_cast<size_t>(bytes.Byte()) * 256 + bytes.Byte();
  const uint8_t how = bytes.Byte();
  const Written written = Write(&bytes);
  const Scanned whole = Scan(written.bytes);
  Claim(whole.scan.ok() && whole.files == written.files, "all that is whole is read");
  Claim(whole.scan->tail == replay::PackTail::kNone && whole.scan->damaged == 0,
        "what is whole is neither torn nor damaged");
  if (!written.ends.empty()) {
    Claim(Scan(written.bytes, written.ends[0]).files.size() == written.files.size() - 1,
          "a scan goes on from where one ended");
  }
  Tear(written, where % (written.bytes.size() + 1));
  Damage(written, where % written.bytes.size(), how);
  return 0;
}

}  // namespace referee::fuzz
