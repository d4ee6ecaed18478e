#include "referee/service/access/credentials.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

absl::string_view AsText(const TokenHash& bytes) {
  return absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// The role that the words of a line give; nothing when it is none.
absl::optional<Role> RoleIn(const std::vector<absl::string_view>& words) {
  if (words.size() == 2) return Role::kBot;
  if (words.size() != 3) return absl::nullopt;
  for (const Role role : {Role::kOrganiser, Role::kObserver}) {
    if (words[2] == RoleName(role)) return role;
  }
  return absl::nullopt;
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
    const absl::optional<Role> role = RoleIn(words);
    if (!role) return At(where, BadBotsLine(line));
    const absl::StatusOr<TokenHash> hash = dice::ParseHex32(words[1]);
    if (!hash.ok()) return At(where, BadBotsLine(line));
    const absl::Status added = credentials.AddHash(*hash, {std::string(words[0]), *role});
    if (!added.ok()) return At(where, added);
  }
  return credentials;
}

absl::Status Credentials::Add(absl::string_view token, Identity identity) {
  return AddHash(HashToken(token), std::move(identity));
}

absl::Status Credentials::AddHash(const TokenHash& hash, Identity identity) {
  if (!IsName(identity.name)) return BadName("bot", identity.name);
  if (by_name_.contains(identity.name)) return NameTwice(identity.name);
  if (by_hash_.contains(AsText(hash))) return TokenTwice(identity.name);
  by_name_.emplace(identity.name, identity.role);
  by_hash_.emplace(AsText(hash), std::move(identity));
  return absl::OkStatus();
}

std::vector<std::string> Credentials::names() const {
  std::vector<std::string> names;
  for (const auto& [name, role] : by_name_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<Identity> Credentials::Find(const TokenHash& hash) const {
  const auto it = by_hash_.find(AsText(hash));
  if (it == by_hash_.end()) return UnknownToken();
  return it->second;
}

absl::Status Credentials::Recheck(absl::string_view, const TokenHash&) const {
  return absl::OkStatus();
}

absl::StatusOr<bool> Credentials::KnowsBot(absl::string_view name) const {
  const auto it = by_name_.find(name);
  return it != by_name_.end() && it->second == Role::kBot;
}

absl::StatusOr<bool> Credentials::HasOrganiser() const {
  return std::any_of(by_name_.begin(), by_name_.end(),
                     [](const auto& known) { return known.second == Role::kOrganiser; });
}

}  // namespace referee::service
