#include "referee/node/archive_keeper.h"

#include <sys/stat.h>

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "referee/replay/pack.h"

namespace referee::node {

ArchiveKeeper::ArchiveKeeper(Options options) : options_(std::move(options)) {
  thread_ = std::thread([this] { Work(); });
}

ArchiveKeeper::~ArchiveKeeper() {
  {
    const MutexLock lock(&mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

bool ArchiveKeeper::Stopping() {
  const MutexLock lock(&mutex_);
  return stopping_;
}

void ArchiveKeeper::Work() {
  while (!Stopping()) {
    const absl::Status removed = RemoveOld();
    const std::string failed(removed.message());
    if (!failed.empty() && failed != failed_) {
      log::Tell(options_.log, {log::Level::kWarning, "archive_not_trimmed",
                               absl::StrCat("archive: what is too old stays for now: ", failed)});
    }
    failed_ = failed;
    const MutexLock lock(&mutex_);
    if (!stopping_) changed_.WaitFor(&mutex_, kPeriod);
  }
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

absl::Status ArchiveKeeper::RemoveOld() {
  const absl::Time now = options_.clock->WallNow();
  // What kept a pack may have changed by the next day.
  const replay::PackName today = replay::PackName::OfDay(now);
  if (today != held_on_) held_.clear();
  held_on_ = today;
  const std::vector<replay::PackSize> packs = Packs();
  const std::vector<replay::PackName> go = replay::PacksToGo(packs, options_.retention, now);
  if (go.empty()) return absl::OkStatus();
  const absl::StatusOr<store::KeptReplays> kept =
      store::KeptReplays::Read(options_.store, options_.kept_competitions);
  if (!kept.ok()) return kept.status();
  const replay::PackShelf::RemovalRules rules = {
      [&](absl::string_view request_id) { return kept->Keep(request_id); }, options_.on_removing};
  absl::Status first_error;
  for (const replay::PackName name : go) {
    if (Stopping()) break;
    const absl::StatusOr<replay::PackShelf::Removal> removal =
        options_.shelf->RemovePack(name, now, rules);
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
