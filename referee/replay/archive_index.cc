#include "referee/replay/archive_index.h"

#include <algorithm>
#include <utility>

#include "referee/replay/errors.h"
#include "referee/replay/whole_index.h"

namespace referee::replay {
namespace {

// So many replays that are not in the index yet are read for a question: what was put in the last
// moments.
constexpr size_t kMostBeyond = 2'000;

}  // namespace

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

absl::StatusOr<std::vector<FoundReplay>> ArchiveIndex::InIndex(const ReplayFilter& filter,
                                                               size_t count) const {
  const absl::StatusOr<WholeIndex> whole = WholeIndex::Look(archive_.data_dir(), kMostBeyond);
  if (absl::IsNotFound(whole.status())) return std::vector<FoundReplay>();
  if (!whole.ok()) return whole.status();
  return whole->Ask(
      [&](PackIndex* index) { return FindReplays(index, filter, static_cast<int64_t>(count)); });
}

absl::StatusOr<FoundPage> ArchiveIndex::ListWithSummaries(int page_size,
                                                          absl::string_view page_token) {
  absl::StatusOr<ArchivePage> page = List(page_size, page_token);
  if (!page.ok()) return page.status();
  ReplayFilter filter;
  if (!page_token.empty()) filter.before = MatchId::Parse(page_token).value();
  const absl::StatusOr<std::vector<FoundReplay>> found = InIndex(filter, page->replays.size());
  if (!found.ok()) return found.status();
  FoundPage with;
  with.next_page_token = page->next_page_token;
  auto summary = found->begin();  // both are newest first
  for (ArchivedReplay& replay : page->replays) {
    while (summary != found->end() && replay.id < summary->summary.id) ++summary;
    const bool has = summary != found->end() && summary->summary.id == replay.id;
    with.entries.push_back({std::move(replay), absl::nullopt});
    if (has) with.entries.back().summary = summary->summary;
  }
  return with;
}

absl::StatusOr<FoundPage> ArchiveIndex::Find(ReplayFilter filter, int page_size,
                                             absl::string_view page_token) {
  if (filter.IsAll()) return ListWithSummaries(page_size, page_token);
  filter.before.reset();
  if (!page_token.empty()) {
    absl::StatusOr<MatchId> last = MatchId::Parse(page_token);
    if (!last.ok()) return BadPageToken(page_token);
    filter.before = *std::move(last);
  }
  const size_t wanted = Archive::ClampPageSize(page_size);
  // One more than fits tells whether there is a next page.
  const absl::StatusOr<std::vector<FoundReplay>> found = InIndex(filter, wanted + 1);
  if (!found.ok()) return found.status();
  FoundPage page;
  for (const FoundReplay& one : *found) {
    if (page.entries.size() == wanted) {
      page.next_page_token = page.entries.back().replay.id.text();
      break;
    }
    page.entries.push_back({archive_.Describe(one.place), one.summary});
  }
  return page;
}

}  // namespace referee::replay
