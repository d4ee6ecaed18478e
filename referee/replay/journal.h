// The write-ahead journal of a running match: each record is written before its effects are told,
// so that the match can go on after the referee was killed. It holds the secret seed, so its mode
// is 0600. Format: FORMAT.md. Thread-compatible.
#ifndef REFEREE_REPLAY_JOURNAL_H_
#define REFEREE_REPLAY_JOURNAL_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/dice/dice.h"
#include "referee/match/record.h"
#include "referee/replay/files.h"
#include "referee/replay/record_codec.h"

namespace referee::replay {

// How the name of a journal ends, after the id of its match.
inline constexpr absl::string_view kJournalSuffix = ".jnl";

// Which records of a match survive which crash. In all cases a record is written before its effects
// are told, and a file gets its name only when it is whole.
enum class Durability {
  // All records survive a crash of the process, but not of the machine: nothing is synced.
  kNone,
  // The opening of a match and its replay also survive a crash of the machine: they are on the
  // disk, in a ledger (ledger.h), before anybody is told that the match was made or is over. Of a
  // running match, the records that the system has written out survive too.
  kMatch,
  // All records survive a crash of the machine: the journal is synced with each Flush.
  kTurn,
};

// "none", "match", "turn".
absl::string_view DurabilityName(Durability durability);

// A moment in the writing of a journal.
struct WritePoint {
  uint64_t write = 0;  // its number, from 1, over all journals of a disk
  size_t bytes = 0;    // of the whole write
  size_t written = 0;  // of these, so far
};

// For tests that end the process in the middle of a write. Called before each write; returns how
// many bytes to write before the next call (zero, or more than are left: all that are left). The
// last call finds all bytes written. Called on the threads that write.
using WriteHook = std::function<size_t(const WritePoint&)>;

// Writes the bytes of journals. Thread-safe; must outlive the writers that use it.
class JournalDisk {
 public:
  explicit JournalDisk(Durability durability, WriteHook hook = nullptr)
      : durability_(durability), hook_(std::move(hook)) {}

  Durability durability() const { return durability_; }
  // Writes at the file's offset: one write(2), if there is no hook.
  absl::Status Write(int fd, absl::string_view bytes, const std::string& path) const;

 private:
  const Durability durability_;
  const WriteHook hook_;
  mutable std::atomic<uint64_t> writes_{0};
};

// The bytes that a journal begins with: everything before the first record.
std::string EncodeOpening(const match::Setup& setup, const dice::Seed& seed);

// Writes one journal. A new writer does not hold its file open, since many matches may wait long
// for their first record; the first Flush opens it.
class JournalWriter {
 public:
  // Makes the file with the opening and the secret in it: writes them to `scratch`, a path in the
  // same folder, over the file that may be there, and renames it to `path`. So no journal is ever
  // without its opening, and files are used again. On failure neither file is left. REQUIRES: there
  // is no file at `path`.
  static absl::StatusOr<std::unique_ptr<JournalWriter>> Create(const JournalDisk* disk,
                                                               const std::string& path,
                                                               const std::string& scratch,
                                                               const match::Setup& setup,
                                                               const dice::Seed& seed);
  // Goes on with a file of which the first `size` bytes are good; the rest is cut off.
  static absl::StatusOr<std::unique_ptr<JournalWriter>> Continue(
      const JournalDisk* disk, const std::string& path, std::shared_ptr<const games::Game> game,
      size_t size);

  // Collects a record for the next Flush.
  void Add(const match::Record& record);
  // Writes what was collected with one write(2), and syncs it with Durability::kTurn. When that
  // fails, or writes only a part, the file is cut back to what it was, and this and every later
  // call return the error.
  absl::Status Flush();
  // Writes nothing more: every later Flush returns FailedPrecondition with `why`.
  void Close(absl::string_view why);

  const std::string& path() const { return path_; }
  // Bytes in the file.
  size_t size() const { return size_; }

 private:
  JournalWriter(const JournalDisk* disk, std::string path, std::shared_ptr<const games::Game> game,
                File file, size_t size);

  absl::Status Write();

  const JournalDisk* const disk_;
  const std::string path_;
  const std::shared_ptr<const games::Game> game_;
  File file_;  // opened by the first Flush
  size_t size_;
  std::string pending_;
  RecordEncoder encoder_;
  absl::Status broken_;
};

// What a journal holds.
struct Journal {
  match::Setup setup;
  dice::Seed secret;
  std::vector<match::Record> records;
  bool ended = false;
  size_t size = 0;  // bytes that are good
  size_t torn = 0;  // bytes after them: a last write that was not finished
};

// Reads a journal that may end in the middle of a write. Returns InvalidArgument that names the
// byte when it is damaged elsewhere, or ends before the match was opened; an error that
// IsUnknownHere (errors.h) when it is whole, but another program must read it.
absl::StatusOr<Journal> ReadJournal(absl::string_view bytes);

// Cuts a journal into what a replay file holds: its records without the secret, each after its
// length as a varint. Returns InvalidArgument that names the byte when a frame is not whole.
absl::StatusOr<std::string> RecordsOfJournal(absl::string_view bytes);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_JOURNAL_H_
