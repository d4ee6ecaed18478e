#include "referee/service/access/credentials.h"

#include <algorithm>
#include <utility>

#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

absl::string_view AsText(const TokenHash& bytes) {
  return absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

bool IsName(absl::string_view text) {
  return !text.empty() && text.size() <= limits::kMaxNameBytes && IsPlainText(text);
}

}  // namespace

absl::Status Credentials::Add(absl::string_view token, Identity identity) {
  const TokenHash hash = HashToken(token);
  if (!IsName(identity.name)) return BadName("bot", identity.name);
  if (by_name_.contains(identity.name)) return NameTwice(identity.name);
  if (by_hash_.contains(AsText(hash))) return TokenTwice(identity.name);
  by_name_.emplace(identity.name, identity.role);
  by_hash_.emplace(AsText(hash), std::move(identity));
  return absl::OkStatus();
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
