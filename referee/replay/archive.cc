#include "referee/replay/archive.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/replay/errors.h"

namespace referee::replay {
namespace {

// The most replays not in the index yet that a search reads.
constexpr size_t kMostBeyond = 2'000;

size_t ClampPageSize(int page_size) {
  if (page_size == 0) page_size = limits::kDefaultPageSize;
  return static_cast<size_t>(std::clamp(page_size, 1, limits::kMaxPageSize));
}

absl::StatusOr<absl::optional<MatchId>> ReadPageToken(absl::string_view text) {
  if (text.empty()) return absl::optional<MatchId>();
  absl::StatusOr<MatchId> last = MatchId::Parse(text);
  if (!last.ok()) return BadPageToken(text);
  return absl::make_optional(*std::move(last));
}

}  // namespace

Archive::Archive(const std::string& data_dir)
    : Archive(data_dir, std::make_shared<Packs>(data_dir, Packs::Writer::kElsewhere)) {}

Archive::Archive(const std::string& data_dir, std::shared_ptr<Packs> packs)
    : data_dir_(data_dir), folders_(data_dir), packs_(std::move(packs)) {}

ArchivedReplay Archive::Describe(const PackedReplay& packed) const {
  return {packed.id, packed.size, PackPath(data_dir_, packed.pack)};
}

absl::StatusOr<ArchivePage> Archive::List(int page_size, absl::string_view page_token) const {
  const absl::StatusOr<absl::optional<MatchId>> before = ReadPageToken(page_token);
  if (!before.ok()) return before.status();
  const size_t wanted = ClampPageSize(page_size);
  // One replay more than the page holds shows whether there is a next page.
  const absl::StatusOr<std::vector<PackedReplay>> packed = packs_->Below(page_token, wanted + 1);
  if (!packed.ok()) return packed.status();
  ArchivePage page;
  for (const PackedReplay& replay : *packed) page.replays.push_back(Describe(replay));
  page.replays =
      MergeNewestFirst(std::move(page.replays), folders_.Below(*before, wanted + 1), wanted + 1);
  if (page.replays.size() > wanted) {
    page.replays.pop_back();
    page.next_page_token = page.replays.back().id.text();
  }
  return page;
}

absl::StatusOr<std::vector<FoundReplay>> Archive::InIndex(const ReplayFilter& filter,
                                                          size_t count) const {
  const absl::StatusOr<WholeIndex> whole = WholeIndex::Look(data_dir_, kMostBeyond);
  if (absl::IsNotFound(whole.status())) return std::vector<FoundReplay>();
  if (!whole.ok()) return whole.status();
  return whole->Ask(
      [&](PackIndex* index) { return FindReplays(index, filter, static_cast<int64_t>(count)); });
}

absl::StatusOr<FoundPage> Archive::ListWithSummaries(int page_size,
                                                     absl::string_view page_token) const {
  absl::StatusOr<ArchivePage> all = List(page_size, page_token);
  if (!all.ok()) return all.status();
  ReplayFilter filter;
  filter.before = *ReadPageToken(page_token);
  const absl::StatusOr<std::vector<FoundReplay>> found = InIndex(filter, all->replays.size());
  if (!found.ok()) return found.status();
  FoundPage page;
  page.next_page_token = std::move(all->next_page_token);
  auto summary = found->begin();  // both are newest first
  for (ArchivedReplay& replay : all->replays) {
    while (summary != found->end() && replay.id < summary->summary.id) ++summary;
    const bool has = summary != found->end() && summary->summary.id == replay.id;
    page.entries.push_back({std::move(replay), absl::nullopt});
    if (has) page.entries.back().summary = summary->summary;
  }
  return page;
}

absl::StatusOr<FoundPage> Archive::Search(ReplayFilter filter, int page_size,
                                          absl::string_view page_token) const {
  if (filter.IsAll()) return ListWithSummaries(page_size, page_token);
  absl::StatusOr<absl::optional<MatchId>> before = ReadPageToken(page_token);
  if (!before.ok()) return before.status();
  filter.before = *std::move(before);
  const size_t wanted = ClampPageSize(page_size);
  const absl::StatusOr<std::vector<FoundReplay>> found = InIndex(filter, wanted + 1);
  if (!found.ok()) return found.status();
  FoundPage page;
  for (const FoundReplay& one : *found) page.entries.push_back({Describe(one.place), one.summary});
  if (page.entries.size() > wanted) {
    page.entries.pop_back();
    page.next_page_token = page.entries.back().replay.id.text();
  }
  return page;
}

absl::StatusOr<ArchivedReplay> Archive::Find(const MatchId& id) const {
  const absl::StatusOr<absl::optional<PackedReplay>> packed = packs_->Find(id);
  if (!packed.ok()) return packed.status();
  if (packed->has_value()) return Describe(**packed);
  absl::optional<ArchivedReplay> file = folders_.Find(id);
  if (!file) return Missing(id);
  return *std::move(file);
}

absl::Status Archive::Missing(const MatchId& id) const {
  const absl::Status missing = NoReplay(id.text());
  const std::vector<absl::Status> problems = packs_->Problems();
  if (problems.empty()) return missing;
  return absl::Status(missing.code(),
                      absl::StrCat(missing.message(),
                                   ", of which not all can be read: ", problems.front().message()));
}

std::vector<absl::Status> Archive::ProblemsOfAll() const {
  packs_->LookAtAll();
  std::vector<absl::Status> problems = packs_->Problems();
  for (absl::Status& problem : folders_.Problems()) problems.push_back(std::move(problem));
  return problems;
}

absl::StatusOr<std::string> Archive::ReadPacked(
    const PackedReplay& packed,
    absl::FunctionRef<absl::StatusOr<std::string>(const PackedReplay&)> read) const {
  absl::StatusOr<std::string> bytes = read(packed);
  if (!absl::IsNotFound(bytes.status())) return bytes;
  packs_->ForgetPack(packed.pack);
  const absl::StatusOr<absl::optional<PackedReplay>> now = packs_->Find(packed.id);
  const bool moved = now.ok() && now->has_value() && !(**now == packed);
  return moved ? read(**now) : bytes;
}

absl::StatusOr<std::string> Archive::Read(const MatchId& id) const {
  const absl::StatusOr<absl::optional<PackedReplay>> packed = packs_->Find(id);
  if (!packed.ok()) return packed.status();
  if (!packed->has_value()) {
    absl::StatusOr<std::string> file = folders_.Read(id);
    return absl::IsNotFound(file.status()) ? Missing(id) : file;
  }
  return ReadPacked(**packed, [&](const PackedReplay& at) { return packs_->Read(at); });
}

absl::StatusOr<ReplayPart> Archive::ReadPart(const MatchId& id, uint64_t offset,
                                             size_t size) const {
  const absl::StatusOr<absl::optional<PackedReplay>> packed = packs_->Find(id);
  if (!packed.ok()) return packed.status();
  if (!packed->has_value()) {
    absl::StatusOr<ReplayPart> part = folders_.ReadPart(id, offset, size);
    return absl::IsNotFound(part.status()) ? Missing(id) : part;
  }
  absl::StatusOr<std::string> bytes = ReadPacked(
      **packed, [&](const PackedReplay& at) { return packs_->ReadPart(at, offset, size); });
  if (!bytes.ok()) return bytes.status();
  return ReplayPart{*std::move(bytes), (*packed)->size};
}

}  // namespace referee::replay
