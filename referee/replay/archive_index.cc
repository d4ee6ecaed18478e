#include "referee/replay/archive_index.h"

#include <algorithm>
#include <utility>

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
  for (const MatchId& id : archive_.folders().Ids()) found.push_back(KeyOf(id.text()));
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

std::vector<ArchivedReplay> ArchiveIndex::InFolders(const absl::optional<MatchId>& before,
                                                    size_t count) {
  std::vector<ArchivedReplay> found;
  std::string last = before ? before->text() : "";
  while (found.size() < count) {
    const std::vector<Key> keys = Below(last, count - found.size());
    if (keys.empty()) break;
    for (const Key& key : keys) {
      last.assign(key.data(), key.size());
      absl::optional<ArchivedReplay> replay = archive_.folders().Find(MatchId::Parse(last).value());
      if (replay) found.push_back(*std::move(replay));
    }
  }
  return found;
}

absl::StatusOr<ArchivePage> ArchiveIndex::List(int page_size, absl::string_view page_token) {
  Build();
  return archive_.PageOf(page_size, page_token,
                         [this](const absl::optional<MatchId>& before, size_t count) {
                           return InFolders(before, count);
                         });
}

}  // namespace referee::replay
