#include "referee/replay/archive_index.h"

#include <algorithm>
#include <utility>

#include "absl/types/optional.h"
#include "referee/replay/errors.h"

namespace referee::replay {

ArchiveIndex::Key ArchiveIndex::KeyOf(absl::string_view id) {
  Key key{};
  std::copy_n(id.begin(), std::min(id.size(), key.size()), key.begin());
  return key;
}

void ArchiveIndex::Note(const MatchId& id) {
  const Key key = KeyOf(id.text());
  MutexLock lock(&mutex_);
  // Matches end in nearly the order in which they were made, so that it belongs near the end.
  const auto at = std::lower_bound(keys_.begin(), keys_.end(), key);
  if (at == keys_.end() || *at != key) keys_.insert(at, key);
}

void ArchiveIndex::Build() {
  MutexLock building(&build_mutex_);
  if (built_) return;
  std::vector<Key> found;
  for (const MatchId& id : archive_.Ids()) found.push_back(KeyOf(id.text()));
  built_ = true;
  MutexLock lock(&mutex_);
  keys_.insert(keys_.end(), found.begin(), found.end());
  std::sort(keys_.begin(), keys_.end());
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
}

std::vector<ArchiveIndex::Key> ArchiveIndex::Below(absl::string_view before, size_t count) {
  MutexLock lock(&mutex_);
  const auto end =
      before.empty() ? keys_.end() : std::lower_bound(keys_.begin(), keys_.end(), KeyOf(before));
  count = std::min(count, static_cast<size_t>(end - keys_.begin()));
  return std::vector<Key>(std::make_reverse_iterator(end),
                          std::make_reverse_iterator(end - static_cast<ptrdiff_t>(count)));
}

absl::StatusOr<ArchivePage> ArchiveIndex::List(int page_size, absl::string_view page_token) {
  if (!page_token.empty() && !MatchId::Parse(page_token).ok()) return BadPageToken(page_token);
  Build();
  const size_t wanted = Archive::ClampPageSize(page_size);
  ArchivePage page;
  std::string before(page_token);
  // One more than fits tells whether there is a next page.
  while (page.replays.size() <= wanted) {
    const std::vector<Key> keys = Below(before, wanted + 1 - page.replays.size());
    if (keys.empty()) return page;
    for (const Key& key : keys) {
      before.assign(key.data(), key.size());
      absl::optional<ArchivedReplay> replay = archive_.Find(MatchId::Parse(before).value());
      if (replay) page.replays.push_back(*std::move(replay));
    }
  }
  page.replays.resize(wanted);
  page.next_page_token = page.replays.back().id.text();
  return page;
}

}  // namespace referee::replay
