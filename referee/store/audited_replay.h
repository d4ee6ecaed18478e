// A verified replay of the archive: the parts of it that an audit compares. Pure functions of the
// files; thread-safe.
#ifndef REFEREE_STORE_AUDITED_REPLAY_H_
#define REFEREE_STORE_AUDITED_REPLAY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/match/record.h"
#include "referee/replay/archive.h"
#include "referee/replay/signer.h"
#include "referee/store/store.h"

namespace referee::store {

struct AuditedReplay {
  bool found = false;  // whether there is a file
  // Why it does not verify; empty: it verifies, and the rest is set.
  std::string problem;
  absl::optional<match::BlockPlace> block;
  std::string game;
  std::vector<std::string> bots;  // by seat
  match::DiceSource dice;
  match::Verdict verdict;
};

// Reads and verifies the replay of a match. Returns the file system's error when the file is there
// but cannot be read.
absl::StatusOr<AuditedReplay> ReadAudited(const replay::Archive& archive, const MatchId& id,
                                          const absl::optional<replay::PublicKey>& key);

// How it disagrees with the store's match in `rotation` of `block` of `competition`; empty if it
// does not. A match of a forfeited block may have no result. REQUIRES: replay.problem is empty; the
// bots of the block are entrants.
std::string Disagreement(const AuditedReplay& replay, const Competition& competition,
                         const Block& block, size_t rotation);

}  // namespace referee::store

#endif  // REFEREE_STORE_AUDITED_REPLAY_H_
