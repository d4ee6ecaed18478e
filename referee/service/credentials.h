// Who may do what: bots and organisers by token. A token is known only by its SHA-256.
//
// A bots file is text, one token a line: `<name> <SHA-256 of the token, 64 hex digits>
// [organiser]`; empty lines and lines that begin with # say nothing. The name is the first word.
#ifndef REFEREE_SERVICE_CREDENTIALS_H_
#define REFEREE_SERVICE_CREDENTIALS_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/dice/dice.h"

namespace referee::service {

enum class Role { kBot, kOrganiser };

struct Identity {
  std::string name;
  Role role = Role::kBot;
};

// Immutable once filled; then thread-safe.
class Credentials {
 public:
  // Returns InvalidArgument that names the line when `text` is not a bots file: a malformed line, a
  // name or a token that stands there twice.
  static absl::StatusOr<Credentials> Parse(absl::string_view text);

  // Returns AlreadyExists when the name or the token is known.
  absl::Status Add(absl::string_view token, Identity identity);

  // Null if nobody has this token. Tokens are looked up by hash, so that the time it takes says
  // nothing of how much of a guess was right.
  const Identity* Find(absl::string_view token) const;

  bool knows_bot(absl::string_view name) const;
  bool has_organiser() const;

 private:
  absl::Status AddHash(const dice::Bytes32& hash, Identity identity);

  absl::flat_hash_map<std::string, Identity> by_hash_;  // SHA-256, 32 bytes
  absl::flat_hash_map<std::string, Role> by_name_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_CREDENTIALS_H_
