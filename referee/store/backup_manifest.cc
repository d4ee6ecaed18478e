#include "referee/store/backup_manifest.h"

#include <initializer_list>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "nlohmann/json.hpp"
#include "referee/store/errors.h"

namespace referee::store {
namespace {

absl::Status NotAManifest(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("not the manifest of a backup: ", why,
                   "; take another copy of the backup, or make a new one in another directory"));
}

using Json = nlohmann::ordered_json;

constexpr size_t kChecksumBytes = 32;

bool StaysBelow(absl::string_view path) {
  if (path.empty()) return false;
  for (const absl::string_view name : absl::StrSplit(path, '/')) {
    if (name.empty() || name == "." || name == "..") return false;
  }
  return path.find('\0') == absl::string_view::npos;
}

// Reads typed members of an object. `ok` becomes false if one is missing or of another type.
class Members {
 public:
  explicit Members(const Json& object) : object_(object), ok_(object.is_object()) {}

  std::string Text(const char* name) {
    const Json* const found = Find(name, &Json::is_string);
    return found == nullptr ? "" : found->get<std::string>();
  }
  int64_t Int(const char* name) {
    const Json* const found = Find(name, &Json::is_number_integer);
    return found == nullptr ? 0 : found->get<int64_t>();
  }
  uint64_t Size(const char* name) {
    const Json* const found = Find(name, &Json::is_number_unsigned);
    return found == nullptr ? 0 : found->get<uint64_t>();
  }
  bool Flag(const char* name) {
    const Json* const found = Find(name, &Json::is_boolean);
    return found != nullptr && found->get<bool>();
  }
  const Json* List(const char* name) { return Find(name, &Json::is_array); }
  bool ok() const { return ok_; }

 private:
  const Json* Find(const char* name, bool (Json::*of_type)() const noexcept) {
    const auto found = ok_ ? object_.find(name) : object_.end();
    if (!ok_ || found == object_.end() || !((*found).*of_type)()) {
      ok_ = false;
      return nullptr;
    }
    return &*found;
  }

  const Json& object_;
  bool ok_;
};

}  // namespace

Checksum::Checksum() { crypto_generichash_init(&state_, nullptr, 0, kChecksumBytes); }

void Checksum::Add(absl::string_view bytes) {
  crypto_generichash_update(&state_, reinterpret_cast<const unsigned char*>(bytes.data()),
                            bytes.size());
}

std::string Checksum::Text() const {
  crypto_generichash_state state = state_;
  unsigned char sum[kChecksumBytes];
  crypto_generichash_final(&state, sum, sizeof(sum));
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(sum), sizeof(sum)));
}

std::string EncodeManifest(const BackupManifest& manifest) {
  Json parts = Json::array();
  for (const BackupPart& part : manifest.parts) {
    parts.push_back({{"path", part.path},
                     {"stored", part.stored},
                     {"size", part.size},
                     {"blake2b", part.checksum},
                     {"public", part.is_public},
                     {"inode", part.seen.inode},
                     {"seen_size", part.seen.size},
                     {"changed_ns", part.seen.changed_ns}});
  }
  const Json json = {{"referee_backup", kManifestVersion},
                     {"number", manifest.number},
                     {"time_ns", absl::ToUnixNanos(manifest.time)},
                     {"parts", std::move(parts)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

absl::StatusOr<BackupManifest> ParseManifest(absl::string_view text) {
  const Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  Members top(json);
  const int64_t version = top.Int("referee_backup");
  if (!top.ok()) return NotAManifest("it has no 'referee_backup'");
  if (version != kManifestVersion) {
    return absl::FailedPreconditionError(
        absl::StrCat("a backup of version ", version, ", and this program knows ", kManifestVersion,
                     "; take the refctl that made it, or a later"));
  }
  BackupManifest manifest;
  manifest.number = top.Int("number");
  manifest.time = absl::FromUnixNanos(top.Int("time_ns"));
  const Json* const parts = top.List("parts");
  if (!top.ok()) return NotAManifest("'number', 'time_ns' or 'parts' is missing");
  for (const Json& entry : *parts) {
    Members members(entry);
    BackupPart part;
    part.path = members.Text("path");
    part.stored = members.Text("stored");
    part.size = members.Size("size");
    part.checksum = members.Text("blake2b");
    part.is_public = members.Flag("public");
    part.seen = {members.Size("inode"), members.Size("seen_size"), members.Int("changed_ns")};
    if (!members.ok() || !StaysBelow(part.path) || !StaysBelow(part.stored)) {
      return NotAManifest(absl::StrCat("part ", manifest.parts.size(), " is none"));
    }
    manifest.parts.push_back(std::move(part));
  }
  return manifest;
}

}  // namespace referee::store
