#include "referee/service/access/credentials.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/service/errors.h"

namespace referee::service {

absl::Status Credentials::Add(absl::string_view token, Identity identity) {
  const TokenHash hash = HashToken(token);
  if (!IsPlainName(identity.name)) return BadName("bot", identity.name);
  if (by_name_.contains(identity.name)) {
    return absl::AlreadyExistsError(absl::StrCat("the name ", Quoted(identity.name), " is taken"));
  }
  if (by_hash_.contains(BytesOf(hash))) {
    return absl::AlreadyExistsError(
        absl::StrCat("the token of ", Quoted(identity.name), " is also somebody else's"));
  }
  by_name_.emplace(identity.name, identity.role);
  by_hash_.emplace(BytesOf(hash), std::move(identity));
  return absl::OkStatus();
}

absl::StatusOr<Identity> Credentials::Find(const TokenHash& hash) const {
  const auto it = by_hash_.find(BytesOf(hash));
  if (it == by_hash_.end()) return UnknownToken();
  return it->second;
}

absl::Status Credentials::Recheck(absl::string_view, const TokenHash&) const {
  return absl::OkStatus();
}

bool Credentials::KnowsBot(absl::string_view name) const { return RoleOf(name) == Role::kBot; }

absl::optional<Role> Credentials::RoleOf(absl::string_view name) const {
  const auto it = by_name_.find(name);
  if (it == by_name_.end()) return absl::nullopt;
  return it->second;
}

bool Credentials::HasOrganiser() const {
  return std::any_of(by_name_.begin(), by_name_.end(),
                     [](const auto& known) { return known.second == Role::kOrganiser; });
}

}  // namespace referee::service
