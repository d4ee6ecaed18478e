// A match in a file of its own, with its secret seed: what former referees wrote while a match was
// running, and what is kept of a match that was given up. Its mode is 0600. Format: FORMAT.md. Pure
// functions.
#ifndef REFEREE_REPLAY_JOURNAL_H_
#define REFEREE_REPLAY_JOURNAL_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/dice/dice.h"
#include "referee/match/record.h"

namespace referee::replay {

// How the name of a journal ends, after the id of its match.
inline constexpr absl::string_view kJournalSuffix = ".jnl";

// The journal of records: Record messages, the secret among them, each after its length as a
// varint. It ends before the first that is not whole.
std::string JournalOf(absl::string_view records);

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

// The records of a journal, as JournalOf takes them. Returns InvalidArgument that names the byte
// when a frame is not whole.
absl::StatusOr<std::string> RecordsOfJournal(absl::string_view bytes);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_JOURNAL_H_
