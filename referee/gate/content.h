// An immutable answer shared by many requests: plain and compressed bytes, and an ETag.
#ifndef REFEREE_GATE_CONTENT_H_
#define REFEREE_GATE_CONTENT_H_

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "absl/strings/string_view.h"
#include "referee/base/clock.h"
#include "referee/gate/message.h"

namespace referee::gate {

inline constexpr char kJsonType[] = "application/json";
inline constexpr char kHtmlType[] = "text/html; charset=utf-8";
inline constexpr char kTextType[] = "text/plain; charset=utf-8";
inline constexpr char kFileType[] = "application/octet-stream";

struct Content {
  const char* type = kJsonType;
  Message plain;
  Bytes gzip;        // null: compression is not worth it
  std::string etag;  // with its quotes; empty: the content may change
  size_t bytes() const { return plain.size() + (gzip == nullptr ? 0 : gzip->size()); }
};
using SharedContent = std::shared_ptr<const Content>;

// A digest of 16 hexadecimal digits.
std::string DigestOf(absl::string_view text);

// Makes a content, also compressed if that is smaller. `etag`: see Content. Thread-safe.
SharedContent MakeContent(const char* type, std::string text, std::string etag = "",
                          bool compress = true);

// A cache of contents by key, limited in bytes, which drops the least recently used ones.
// Thread-compatible.
class ContentCache {
 public:
  explicit ContentCache(size_t max_bytes) : max_bytes_(max_bytes) {}

  // Returns null if the key is not cached or has expired at `now`.
  SharedContent Find(const std::string& key, Instant now);
  // Caches `content` until `until`. Does nothing if it is larger than the whole cache.
  void Add(const std::string& key, SharedContent content, Instant until);
  size_t bytes() const { return bytes_; }

 private:
  struct Kept {
    std::string key;
    SharedContent content;
    Instant until;
  };
  using Entries = std::list<Kept>;

  void Remove(Entries::iterator entry);

  const size_t max_bytes_;
  size_t bytes_ = 0;
  Entries entries_;  // the most recently used first
  std::unordered_map<std::string, Entries::iterator> by_key_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_CONTENT_H_
