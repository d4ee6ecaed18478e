#include "referee/replay/packing.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/errors.h"
#include "referee/replay/folders.h"
#include "referee/replay/replay.h"

namespace referee::replay {
namespace {

absl::Status OtherReplayArchived(absl::string_view match_id) {
  return absl::AlreadyExistsError(
      absl::StrCat("match ", match_id,
                   ": the archive has another replay of it; 'refctl replay verify' tells "
                   "which is true"));
}

constexpr size_t kPackedAtOnce = 256;  // replays that share a sync

struct PackedFile {
  MatchId id;
  std::string bytes;
};

// Puts the replay of a file. Returns InvalidArgument or AlreadyExists when this file cannot be
// packed. Any other error would affect all files.
absl::StatusOr<PackedFile> PackFile(const Folders& folders, const MatchId& id, PackShelf* shelf) {
  const std::string path = folders.PathOf(id);
  const auto bad = [&](const absl::Status& why) {
    return At(path, absl::InvalidArgumentError(why.message()));
  };
  // The file may be in the folder of another day, or not be a regular file.
  if (!folders.Find(id)) return bad(NoReplay(id.text()));
  absl::StatusOr<std::string> bytes = folders.Read(id);
  if (absl::IsResourceExhausted(bytes.status()) || absl::IsNotFound(bytes.status())) {
    return bad(bytes.status());
  }
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<Replay> replay = ParseAnyGame(*bytes);
  if (!replay.ok()) return bad(replay.status());
  if (replay->setup.id != id) {
    return bad(BadValue("its match", replay->setup.id.text(), id.text()));
  }
  // If the match has no packed replay yet, this reads the file itself.
  const absl::StatusOr<std::string> kept = shelf->Read(id);
  if (kept.ok() && *kept != *bytes) return At(path, OtherReplayArchived(id.text()));
  if (absl::Status s = shelf->Repack(Summarise(*replay), *bytes); !s.ok()) return s;
  return PackedFile{id, *std::move(bytes)};
}

bool StaysWhereItIs(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsAlreadyExists(status);
}

// Reads each replay back from its pack, and removes its file. REQUIRES: the replays were put and
// synced.
absl::Status RemoveFiles(const std::vector<PackedFile>& files, const Folders& folders,
                         PackShelf* shelf) {
  for (const PackedFile& file : files) {
    const absl::StatusOr<std::string> packed = shelf->ReadPacked(file.id);
    if (!packed.ok()) return packed.status();
    if (*packed != file.bytes) return OtherReplayArchived(file.id.text());
    const std::string path = folders.PathOf(file.id);
    if (unlink(path.c_str()) != 0) return FileError("cannot remove", path, errno);
  }
  return absl::OkStatus();
}

// Removes the empty folders of a day, month and year.
void RemoveEmptyFolders(const std::string& path) {
  std::string folder = path;
  for (int depth = 0; depth < 3; ++depth) {
    folder.resize(folder.rfind('/'));
    if (rmdir(folder.c_str()) != 0) return;
  }
}

}  // namespace

absl::StatusOr<PackingReport> PackFolders(
    const std::string& data_dir, PackShelf* shelf,
    const std::function<void(int64_t done, int64_t total)>& progress) {
  const Folders folders(data_dir);
  std::vector<MatchId> ids = folders.Ids();
  std::sort(ids.begin(), ids.end());
  PackingReport report;
  for (size_t begin = 0; begin < ids.size(); begin += kPackedAtOnce) {
    const size_t end = std::min(ids.size(), begin + kPackedAtOnce);
    std::vector<PackedFile> files;
    for (size_t i = begin; i < end; ++i) {
      absl::StatusOr<PackedFile> file = PackFile(folders, ids[i], shelf);
      if (file.ok()) {
        files.push_back(*std::move(file));
      } else if (StaysWhereItIs(file.status())) {
        report.left.push_back(file.status());
      } else {
        return file.status();
      }
    }
    if (absl::Status s = shelf->Sync(); !s.ok()) return s;
    if (absl::Status s = RemoveFiles(files, folders, shelf); !s.ok()) return s;
    for (const PackedFile& file : files) RemoveEmptyFolders(folders.PathOf(file.id));
    report.packed += static_cast<int64_t>(files.size());
    if (progress) progress(static_cast<int64_t>(end), static_cast<int64_t>(ids.size()));
  }
  return report;
}

}  // namespace referee::replay
