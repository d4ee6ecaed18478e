#include "referee/gate/content.h"

#include <zlib.h>

#include <iterator>

namespace referee::gate {
namespace {

// What an entry costs beside its bytes.
constexpr size_t kEntryBytes = 256;
// Windows of 32 KiB, with a header and a checksum of gzip.
constexpr int kGzipWindow = 15 + 16;
constexpr int kLevel = 6;
constexpr size_t kWorthIt = 256;

}  // namespace

std::string Gzip(absl::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(&out[0]);
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  out.shrink_to_fit();
  return out;
}

SharedContent MakeContent(const char* type, std::string text, std::string etag, bool compress) {
  const auto content = std::make_shared<Content>();
  content->type = type;
  content->etag = std::move(etag);
  if (compress && text.size() >= kWorthIt) {
    std::string gzip = Gzip(text);
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
