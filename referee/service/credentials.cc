#include "referee/service/credentials.h"

#include <sodium.h>

#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::service {
namespace {

dice::Bytes32 HashOf(absl::string_view token) {
  dice::Bytes32 hash;
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(token.data()),
                     token.size());
  return hash;
}

absl::string_view AsText(const dice::Bytes32& bytes) {
  return absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

bool IsName(absl::string_view text) {
  return !text.empty() && text.size() <= limits::kMaxNameBytes && IsPlainText(text);
}

}  // namespace

absl::StatusOr<Credentials> Credentials::Parse(absl::string_view text) {
  Credentials credentials;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#') continue;
    const std::string where = absl::StrCat("line ", number);
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    const bool organiser = words.size() == 3 && words[2] == "organiser";
    if (words.size() != 2 && !organiser) return At(where, BadBotsLine(line));
    const absl::StatusOr<dice::Bytes32> hash = dice::ParseHex32(words[1]);
    if (!hash.ok()) return At(where, BadBotsLine(line));
    const absl::Status added = credentials.AddHash(
        *hash, {std::string(words[0]), organiser ? Role::kOrganiser : Role::kBot});
    if (!added.ok()) return At(where, added);
  }
  return credentials;
}

absl::Status Credentials::Add(absl::string_view token, Identity identity) {
  return AddHash(HashOf(token), std::move(identity));
}

absl::Status Credentials::AddHash(const dice::Bytes32& hash, Identity identity) {
  if (!IsName(identity.name)) return BadName("bot", identity.name);
  if (by_name_.contains(identity.name)) return NameTwice(identity.name);
  if (by_hash_.contains(AsText(hash))) return TokenTwice(identity.name);
  by_name_.emplace(identity.name, identity.role);
  by_hash_.emplace(AsText(hash), std::move(identity));
  return absl::OkStatus();
}

const Identity* Credentials::Find(absl::string_view token) const {
  const auto it = by_hash_.find(AsText(HashOf(token)));
  return it == by_hash_.end() ? nullptr : &it->second;
}

bool Credentials::knows_bot(absl::string_view name) const {
  const auto it = by_name_.find(name);
  return it != by_name_.end() && it->second == Role::kBot;
}

bool Credentials::has_organiser() const {
  for (const auto& [name, role] : by_name_) {
    if (role == Role::kOrganiser) return true;
  }
  return false;
}

}  // namespace referee::service
