// The record of a match that is over, as a value and as the bytes of a replay file. Format of the
// file: FORMAT.md. Reading is bounded and trusts no byte; verifier.h checks whether the content is
// true. Values and pure functions: thread-compatible.
#ifndef REFEREE_REPLAY_REPLAY_H_
#define REFEREE_REPLAY_REPLAY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/dice/dice.h"
#include "referee/match/record.h"
#include "referee/replay/signer.h"

namespace referee::replay {

// A match from its setup to its end. Can be made without a file, by whoever has the records.
struct Replay {
  match::Setup setup;
  std::vector<match::Record> records;  // Started, Drawn, Played and Forfeited, Ended

  // The records of these kinds; null if the match has none.
  const match::Started* started() const;
  const match::Ended* ended() const;
  // How many turns were played.
  uint32_t turns() const;
};

// The match key: from the seed that `replay` reveals and, in a committed match, the nonces.
// None if the match did not end, or was committed and did not start.
absl::optional<dice::Key> MatchKey(const Replay& replay);

// Returns the bytes of the file, signed. REQUIRES: replay.ended().
std::string Encode(const Replay& replay, const Signer& signer);

// The same from encoded records: Record messages, each after its length as a varint, as a replay
// file holds them.
std::string EncodeRecords(absl::string_view records, const Signer& signer);

// The parts of a replay file, none of them judged but for their sizes.
struct Parts {
  absl::string_view signed_bytes;  // all but the signature
  absl::string_view frame;         // zstd
  size_t records_size = 0;         // decompressed
  PublicKey public_key{};
  Signature signature{};
};

// How many bytes at the beginning of a file say that it is a replay, and of which version.
inline constexpr size_t kVersionedBytes = 8;

// Checks the beginning of a replay file. Returns FailedPrecondition for a version that is not known
// here, InvalidArgument for what is no replay file.
absl::Status CheckReplayVersion(absl::string_view head);

// Cuts a file into its parts, which point into `bytes`. Returns InvalidArgument that names the
// place when `bytes` cannot be a replay file, FailedPrecondition for a version that is not known.
absl::StatusOr<Parts> Split(absl::string_view bytes);

// ParseAnyGame of the parts of a file; if it fails, sets `turn` to the turn whose record is wrong,
// or 0.
absl::StatusOr<Replay> ParseRecords(const Parts& parts, uint32_t* turn);

// Reads the match in a file. The signature is not looked at. Returns InvalidArgument that names the
// byte, the record and the turn when anything in it is not as FORMAT.md says, or the game is not in
// the catalogue; ResourceExhausted when it is larger than limits::kMaxReplayBytes.
absl::StatusOr<Replay> Parse(absl::string_view bytes);

// The same of a match of any game, whether its rules are here or not (unknown_game.h).
absl::StatusOr<Replay> ParseAnyGame(absl::string_view bytes);

// Reads a whole file, "-" being the standard input. Returns NotFound, PermissionDenied or
// ResourceExhausted (larger than limits::kMaxReplayBytes) that name the file.
absl::StatusOr<std::string> ReadFile(const std::string& path);
// The same of a file that people edit, such as a list or a certificate: drops a byte order mark.
// Returns InvalidArgument that names a file in UTF-16.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_REPLAY_H_
