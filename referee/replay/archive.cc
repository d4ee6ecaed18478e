#include "referee/replay/archive.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/replay/errors.h"

namespace referee::replay {

Archive::Archive(const std::string& data_dir)
    : Archive(data_dir, std::make_shared<Packs>(data_dir, Packs::Writer::kElsewhere)) {}

Archive::Archive(const std::string& data_dir, std::shared_ptr<Packs> packs)
    : data_dir_(data_dir), folders_(data_dir), packs_(std::move(packs)) {}

size_t Archive::ClampPageSize(int page_size) {
  if (page_size == 0) page_size = limits::kDefaultPageSize;
  return static_cast<size_t>(std::clamp(page_size, 1, limits::kMaxPageSize));
}

ArchivedReplay Archive::Describe(const PackedReplay& packed) const {
  return {packed.id, packed.id.created(), packed.size, PackPath(data_dir_, packed.pack)};
}

absl::StatusOr<ArchivePage> Archive::List(int page_size, absl::string_view page_token) const {
  return PageOf(page_size, page_token, [this](const absl::optional<MatchId>& before, size_t count) {
    return folders_.Below(before, count);
  });
}

absl::StatusOr<ArchivePage> Archive::PageOf(
    int page_size, absl::string_view page_token,
    absl::FunctionRef<std::vector<ArchivedReplay>(const absl::optional<MatchId>&, size_t)>
        in_folders) const {
  absl::optional<MatchId> before;
  if (!page_token.empty()) {
    absl::StatusOr<MatchId> last = MatchId::Parse(page_token);
    if (!last.ok()) return BadPageToken(page_token);
    before = *std::move(last);
  }
  const size_t wanted = ClampPageSize(page_size);
  // One more than fits tells whether there is a next page.
  const absl::StatusOr<std::vector<PackedReplay>> packed = packs_->Below(page_token, wanted + 1);
  if (!packed.ok()) return packed.status();
  ArchivePage page;
  for (const PackedReplay& replay : *packed) page.replays.push_back(Describe(replay));
  std::vector<ArchivedReplay> files = in_folders(before, wanted + 1);
  std::move(files.begin(), files.end(), std::back_inserter(page.replays));
  std::stable_sort(page.replays.begin(), page.replays.end(),
                   [](const ArchivedReplay& a, const ArchivedReplay& b) { return b.id < a.id; });
  const auto same = [](const ArchivedReplay& a, const ArchivedReplay& b) { return a.id == b.id; };
  page.replays.erase(std::unique(page.replays.begin(), page.replays.end(), same),
                     page.replays.end());
  if (page.replays.size() > wanted) {
    page.replays.resize(wanted);
    page.next_page_token = page.replays.back().id.text();
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

bool Archive::Has(const MatchId& id) const { return Find(id).ok(); }

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
