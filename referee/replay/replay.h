// The record of a finished match, as a value and as the bytes of a replay file.
//
// FORMAT.md has the format of the file. Decoding is bounded and safe on arbitrary bytes; verifier.h
// checks whether the content is true. Values and pure functions: thread-compatible.
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

// A match from its setup to its end. Can be made from records, without a file.
struct Replay {
  match::Setup setup;
  std::vector<match::Record> records;  // Started, Drawn, Played and Forfeited, Ended

  // Return the record of this kind; null if the match has none.
  const match::Started* started() const;
  const match::Ended* ended() const;
  // Returns the number of turns played.
  uint32_t turns() const;
};

// Returns the match key, from the revealed seed and, in a committed match, the nonces. Returns none
// if the match did not end, or was committed and did not start.
absl::optional<dice::Key> MatchKey(const Replay& replay);

// Returns the bytes of the signed file. REQUIRES: replay.ended().
std::string Encode(const Replay& replay, const Signer& signer);

// The same from encoded records: Record messages, each after its length as a varint.
std::string EncodeRecords(absl::string_view records, const Signer& signer);

// The parts of a replay file. Only their sizes were checked.
struct Parts {
  absl::string_view signed_bytes;  // all bytes before the signature
  absl::string_view frame;         // zstd
  size_t records_size = 0;         // decompressed, in bytes
  PublicKey public_key{};
  Signature signature{};
};

// Length of the magic and version at the beginning of a file.
inline constexpr size_t kVersionedBytes = 8;

// Checks the beginning of a replay file. Returns FailedPrecondition for an unknown version,
// InvalidArgument for anything that is not a replay file.
absl::Status CheckReplayVersion(absl::string_view head);

// Splits a file into its parts, which point into `bytes`. Returns InvalidArgument that names the
// place when `bytes` cannot be a replay file, FailedPrecondition for an unknown version.
absl::StatusOr<Parts> Split(absl::string_view bytes);

// ParseAnyGame for the parts of a file. On failure sets `turn` to the turn of the wrong record, or
// 0.
absl::StatusOr<Replay> ParseRecords(const Parts& parts, uint32_t* turn);

// Decodes the match in a file; ignores the signature. Returns InvalidArgument that names the byte,
// the record and the turn when the file does not match FORMAT.md, or its game is not in the
// catalogue. Returns ResourceExhausted when it is larger than limits::kMaxReplayBytes.
absl::StatusOr<Replay> Parse(absl::string_view bytes);

// Like Parse, for any game: without rules it uses UnknownGame (unknown_game.h).
absl::StatusOr<Replay> ParseAnyGame(absl::string_view bytes);

// Reads a whole file; "-" is the standard input. Returns NotFound, PermissionDenied or
// ResourceExhausted (larger than limits::kMaxReplayBytes). Errors name the file.
absl::StatusOr<std::string> ReadFile(const std::string& path);
// Like ReadFile, for a file that people edit, such as a list or a certificate: drops a byte order
// mark. Returns InvalidArgument that names a file in UTF-16.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_REPLAY_H_
