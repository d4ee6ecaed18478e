#include "referee/node/start_check.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/host/paused_games.h"
#include "referee/node/instances.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/key_files.h"
#include "referee/replay/log_folder.h"
#include "referee/replay/log_origin.h"
#include "referee/replay/pack.h"
#include "referee/replay/versions.h"
#include "referee/store/found_store.h"
#include "referee/store/schema.h"

namespace referee::node {
namespace {

using Part = StartCheck::Part;
using Would = StartCheck::Would;

bool IsThere(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

void Refuse(const absl::Status& why, Part* part) {
  if (why.ok()) return;
  part->would = Would::kRefuse;
  part->detail = std::string(why.message());
}

// Checks write access: a program once run as root leaves files that the referee's user cannot
// write.
Part FolderOf(const std::string& data_dir) {
  Part part;
  part.name = "directory";
  part.where = data_dir;
  if (!IsThere(data_dir)) {
    part.would = Would::kMake;
    return part;
  }
  struct stat folder {};
  if (stat(data_dir.c_str(), &folder) == 0 && !S_ISDIR(folder.st_mode)) {
    Refuse(FileError("cannot use", data_dir, ENOTDIR), &part);
    return part;
  }
  for (const char* name : {"", "/lock", "/store.db", "/log", "/quarantine", "/replays",
                           "/replays/packs", "/instances"}) {
    const std::string path = data_dir + name;
    if (IsThere(path) && access(path.c_str(), W_OK) != 0) {
      Refuse(FileError("cannot write", path, errno), &part);
    }
  }
  return part;
}

Part KeysOf(const std::string& data_dir) {
  Part part;
  part.name = "keys";
  part.where = data_dir + "/key";
  const absl::StatusOr<absl::optional<replay::Signer>> key = replay::FindKey(data_dir);
  if (!key.ok()) {
    Refuse(key.status(), &part);
  } else if (key->has_value()) {
    part.files = 1;
  } else {
    part.would = Would::kMake;
  }
  return part;
}

// A part with a format. Unknown formats are quarantined if `set_aside` is true.
Part FormatOf(std::string name, std::string where, const replay::FoundFormat& found, int known,
              const absl::Status& is_known, bool set_aside) {
  Part part;
  part.name = std::move(name);
  part.where = std::move(where);
  part.files = found.files;
  part.found = found.version;
  part.known = known;
  if (found.files == 0) part.would = Would::kMake;
  Refuse(is_known, &part);
  if (part.would == Would::kRefuse && set_aside && absl::IsFailedPrecondition(is_known)) {
    part.would = Would::kSetAside;
  }
  return part;
}

void AddArchive(const std::string& data_dir, const replay::FoundData& found, bool set_aside,
                StartCheck* check) {
  const absl::Status& status = found.archive_known;
  const bool packs = found.packs.version > replay::kPackVersion;
  check->parts.push_back(FormatOf("replays", data_dir + "/replays", found.replays,
                                  replay::kReplayVersion, packs ? absl::OkStatus() : status,
                                  set_aside));
  check->parts.push_back(FormatOf("packs", replay::PacksDir(data_dir), found.packs,
                                  replay::kPackVersion, packs ? status : absl::OkStatus(),
                                  set_aside));
}

// Adds a part that is reported only if it is refused.
void AddRefused(const char* name, std::string where, const absl::Status& why, StartCheck* check) {
  if (why.ok()) return;
  Part part;
  part.name = name;
  part.where = std::move(where);
  Refuse(why, &part);
  check->parts.push_back(std::move(part));
}

void NoteCopiedLog(StartCheck* check) {
  for (Part& part : check->parts) {
    if (part.name != "log" || part.would == Would::kRefuse) continue;
    part.would = Would::kSetAside;
    part.detail =
        "the data directory is a copy: its matches and blocks are those of the original's referee";
  }
}

void AddStore(const store::Place& place, const std::vector<std::string>& own, StartCheck* check) {
  const store::FoundStore found = store::FindStore(place);
  Part part;
  part.name = "store";
  part.where = found.where;
  part.files = found.version > 0 ? 1 : 0;
  part.found = found.version;
  part.known = store::kStoreVersion;
  if (found.version == 0) part.would = Would::kMake;
  Refuse(found.refusal, &part);
  check->parts.push_back(std::move(part));
  for (const auto& [owner, blocks] : found.open_blocks) {
    const bool is_own = std::find(own.begin(), own.end(), owner) != own.end();
    (is_own ? check->open_blocks : check->blocks_of_others) += blocks;
  }
}

}  // namespace

bool StartCheck::ready() const {
  return std::none_of(parts.begin(), parts.end(),
                      [](const Part& part) { return part.would == Would::kRefuse; });
}

std::string WouldText(StartCheck::Would would) {
  switch (would) {
    case Would::kUse:
      return "use";
    case Would::kMake:
      return "make";
    case Would::kSetAside:
      return "set aside";
    case Would::kRefuse:
      return "refuse";
  }
  return "";
}

StartCheck CheckStart(const store::Place& place, bool set_aside_unknown) {
  const std::string& data_dir = place.data_dir;
  StartCheck check;
  check.parts.push_back(FolderOf(data_dir));
  check.in_use = replay::IsDataDirLocked(data_dir);
  check.parts.push_back(KeysOf(data_dir));

  const replay::FoundData found = replay::FindData(data_dir);
  check.parts.push_back(FormatOf("log", replay::LogDir(data_dir), found.log, replay::kLogVersion,
                                 found.log_known, set_aside_unknown));
  AddArchive(data_dir, found, set_aside_unknown, &check);
  for (const absl::Status& problem : found.archive_problems) {
    check.archive_problems.emplace_back(problem.message());
  }
  absl::StatusOr<std::vector<std::string>> names = Instances::Find(data_dir);
  const absl::StatusOr<bool> copied = replay::IsCopiedLog(data_dir, names.ok() && !names->empty());
  const bool is_copy = copied.ok() && *copied;
  if (is_copy) {
    NoteCopiedLog(&check);
  } else {
    check.open_matches = found.open_matches;
    check.over_matches = found.over_matches;
    check.damaged_matches = found.damaged_matches;
  }

  if (is_copy) names = std::vector<std::string>();
  const std::string paused = host::PausedGames::PathIn(data_dir);
  AddRefused("names", data_dir + "/instances", names.status(), &check);
  AddRefused("paused", paused, host::PausedGames::Read(paused).status(), &check);
  AddStore(place, names.value_or(std::vector<std::string>()), &check);
  return check;
}

}  // namespace referee::node
