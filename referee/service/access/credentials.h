// Who may do what, by a file that somebody wrote.
//
// A bots file is text, one token a line: `<name> <SHA-256 of the token, 64 hex digits>
// [organiser|observer]`; empty lines and lines that begin with # say nothing. The name is the first
// word.
#ifndef REFEREE_SERVICE_ACCESS_CREDENTIALS_H_
#define REFEREE_SERVICE_ACCESS_CREDENTIALS_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/service/access/authenticator.h"

namespace referee::service {

// Immutable once filled; then thread-safe.
class Credentials final : public Authenticator {
 public:
  // Returns InvalidArgument that names the line when `text` is not a bots file: a malformed line, a
  // name or a token that stands there twice.
  static absl::StatusOr<Credentials> Parse(absl::string_view text);

  // Returns AlreadyExists when the name or the token is known.
  absl::Status Add(absl::string_view token, Identity identity);

  // Whether anybody has this name.
  bool contains(absl::string_view name) const { return by_name_.contains(name); }
  // Sorted.
  std::vector<std::string> names() const;

  // Authenticator. What was once right stays so.
  absl::StatusOr<Identity> Find(const TokenHash& hash) const override;
  absl::Status Recheck(absl::string_view name, const TokenHash& hash) const override;
  absl::StatusOr<bool> KnowsBot(absl::string_view name) const override;
  absl::StatusOr<bool> HasOrganiser() const override;

 private:
  absl::Status AddHash(const TokenHash& hash, Identity identity);

  absl::flat_hash_map<std::string, Identity> by_hash_;  // SHA-256, 32 bytes
  absl::flat_hash_map<std::string, Role> by_name_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_CREDENTIALS_H_
