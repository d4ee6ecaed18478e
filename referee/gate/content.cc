#include "referee/gate/content.h"

#include <sodium.h>

#include <iterator>

#include "absl/strings/escaping.h"
#include "referee/view/deflate.h"

namespace referee::gate {
namespace {

// The overhead of a cache entry beside its bytes.
constexpr size_t kEntryBytes = 256;
constexpr int kLevel = 6;
constexpr size_t kWorthIt = 256;
constexpr size_t kDigestBytes = 8;

}  // namespace

std::string DigestOf(absl::string_view text) {
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(digest, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  return absl::BytesToHexString({reinterpret_cast<const char*>(digest), kDigestBytes});
}

SharedContent MakeContent(const char* type, std::string text, std::string etag, bool compress) {
  const auto content = std::make_shared<Content>();
  content->type = type;
  content->etag = std::move(etag);
  if (compress && text.size() >= kWorthIt) {
    std::string gzip = view::Deflate(text, view::Deflated::kGzip, kLevel);
    if (gzip.size() < text.size()) content->gzip = MakeBytes(std::move(gzip));
  }
  content->plain.Add(std::move(text));
  return content;
}

SharedContent ContentCache::Find(const std::string& key, Instant now) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  if (found->second->until <= now) {
    Remove(found->second);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, found->second);
  return entries_.front().content;
}

void ContentCache::Add(const std::string& key, SharedContent content, Instant until) {
  const auto found = by_key_.find(key);
  if (found != by_key_.end()) Remove(found->second);
  const size_t bytes = content->bytes() + kEntryBytes;
  if (bytes > max_bytes_) return;
  bytes_ += bytes;
  entries_.push_front({key, std::move(content), until});
  by_key_[key] = entries_.begin();
  while (bytes_ > max_bytes_) Remove(std::prev(entries_.end()));
}

void ContentCache::Remove(Entries::iterator entry) {
  bytes_ -= entry->content->bytes() + kEntryBytes;
  by_key_.erase(entry->key);
  entries_.erase(entry);
}

}  // namespace referee::gate
