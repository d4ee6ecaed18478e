#include "referee/node/archive_keeper.h"

#include <sys/stat.h>

#include <chrono>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "referee/replay/pack.h"

namespace referee::node {
namespace {

constexpr std::chrono::minutes kPeriod{10};

absl::Status KeptByNow(replay::PackName name) {
  return absl::AbortedError(
      absl::StrCat(name.text(), ": replays in it are to be kept since a moment ago"));
}

}  // namespace

ArchiveKeeper::ArchiveKeeper(Options options)
    : options_(std::move(options)), repeater_(kPeriod, [this] { Work(); }) {}

void ArchiveKeeper::Work() {
  const absl::Status removed = RemoveOld();
  const std::string failed(removed.message());
  if (!failed.empty() && failed != failed_) {
    log::Tell(options_.log, {log::Level::kWarning, "archive_not_trimmed",
                             absl::StrCat("archive: what is too old stays for now: ", failed)});
  }
  failed_ = failed;
}

std::vector<replay::PackSize> ArchiveKeeper::Packs() const {
  std::vector<replay::PackSize> packs;
  const auto names = replay::PacksIn(options_.data_dir);
  for (const replay::PackName name : names.value_or(std::vector<replay::PackName>())) {
    struct stat info;
    if (stat(replay::PackPath(options_.data_dir, name).c_str(), &info) != 0) continue;
    const auto size = static_cast<uint64_t>(info.st_size);
    const auto held = held_.find(name);
    packs.push_back({name, size, held != held_.end() && held->second == size});
  }
  return packs;
}

absl::StatusOr<replay::PackShelf::Removal> ArchiveKeeper::Remove(replay::PackName name,
                                                                 absl::Time now) const {
  const absl::StatusOr<store::KeptReplays> kept = store::KeptReplays::Read(options_.store);
  if (!kept.ok()) return kept.status();
  std::set<std::string> going;  // request ids
  replay::PackShelf::RemovalRules rules;
  rules.keep = [&](absl::string_view request_id) {
    const bool keep = kept->Keep(request_id);
    if (!keep) going.emplace(request_id);
    return keep;
  };
  rules.on_removing = [&](const absl::flat_hash_set<std::string>& match_ids) -> absl::Status {
    // Scanning a pack takes a while, during which organisers may change what is kept.
    const absl::StatusOr<store::KeptReplays> by_now = store::KeptReplays::Read(options_.store);
    if (!by_now.ok()) return by_now.status();
    for (const std::string& request_id : going) {
      if (by_now->Keep(request_id)) return KeptByNow(name);
    }
    options_.on_removing(match_ids);
    return absl::OkStatus();
  };
  return options_.shelf->RemovePack(name, now, rules);
}

absl::Status ArchiveKeeper::RemoveOld() {
  const absl::Time now = options_.clock->WallNow();
  // The reasons to keep a pack may have changed by the next day.
  const replay::PackName today = replay::PackName::OfDay(now);
  if (today != held_on_) held_.clear();
  held_on_ = today;
  const std::vector<replay::PackSize> packs = Packs();
  const std::vector<replay::PackName> go = replay::PacksToGo(packs, options_.retention, now);
  if (go.empty()) return absl::OkStatus();
  absl::Status first_error;
  for (const replay::PackName name : go) {
    if (repeater_.stopping()) break;
    const absl::StatusOr<replay::PackShelf::Removal> removal = Remove(name, now);
    first_error.Update(removal.status());
    if (!removal.ok()) continue;
    Tell(*removal, name);
    if (!removal->held) continue;
    for (const replay::PackSize& pack : packs) {
      if (pack.name == name) held_[name] = pack.bytes;
    }
  }
  return first_error;
}

void ArchiveKeeper::Tell(const replay::PackShelf::Removal& removal, replay::PackName name) const {
  const std::string line =
      removal.held
          ? absl::StrCat(name.text(), " stays: all of it is kept, or it cannot be read here")
          : absl::StrCat("removed ", name.text(), ", with ", removal.gone,
                         " replays; kept of it: ", removal.moved);
  log::Tell(options_.log, {log::Level::kInfo, removal.held ? "pack_kept" : "pack_removed",
                           absl::StrCat("archive: ", line)});
}

}  // namespace referee::node
