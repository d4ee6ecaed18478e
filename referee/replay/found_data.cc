#include "referee/replay/found_data.h"

#include <fcntl.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/replay/archive.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/files.h"
#include "referee/replay/log.h"
#include "referee/replay/log_folder.h"
#include "referee/replay/log_recorder.h"
#include "referee/replay/pack.h"
#include "referee/replay/replay.h"

namespace referee::replay {
namespace {

// Every format has its version there. A segment of the log without one is free.
constexpr size_t kVersionAt = 7;

void Note(absl::string_view head, FoundFormat* format) {
  ++format->files;
  if (head.size() <= kVersionAt) return;
  format->version =
      std::max(format->version, static_cast<int>(static_cast<uint8_t>(head[kVersionAt])));
}

void NoteFile(const std::string& path, FoundFormat* format) {
  const absl::StatusOr<File> file = OpenFile(path, O_RDONLY);
  if (!file.ok()) return;
  Note(ReadAt(file->fd(), path, 0, kVersionAt + 1).value_or(""), format);
}

void CountMatch(const absl::StatusOr<MatchRead>& read, FoundData* found) {
  if (!read.ok()) {
    ++found->damaged_matches;
  } else {
    ++(read->ended ? found->over_matches : found->open_matches);
  }
}

void FindLog(const std::string& data_dir, FoundData* found) {
  const LogFolder log = LogFolder::Of(data_dir);
  const absl::StatusOr<std::vector<uint32_t>> slots = log.Slots();
  if (!slots.ok()) {
    found->log_known = slots.status();
    return;
  }
  for (const uint32_t slot : *slots) NoteFile(log.NameOf(slot), &found->log);
  found->log_known = CheckLogVersions(data_dir);
  if (!found->log_known.ok()) return;
  const absl::StatusOr<Log::Contents> contents = Log::ReadRunning(log);
  if (!contents.ok()) {
    found->log_known = contents.status();
    return;
  }
  for (const Log::Left& left : contents->left) {
    CountMatch(left.damage.empty() ? ReadMatch(left.line->records_read())
                                   : absl::StatusOr<MatchRead>(absl::DataLossError(left.damage)),
               found);
  }
}

void FindArchive(const std::string& data_dir, FoundData* found) {
  for (const PackName name : PacksIn(data_dir).value_or(std::vector<PackName>())) {
    NoteFile(PackPath(data_dir, name), &found->packs);
  }
  found->archive_known = CheckArchiveVersions(data_dir);
  const Archive archive(data_dir);
  const absl::StatusOr<ArchivePage> page = archive.List(limits::kMaxRememberedMatches, "");
  if (!page.ok()) return;
  found->archive_problems = archive.Problems();
  for (const ArchivedReplay& replay : page->replays) {
    const absl::StatusOr<ReplayPart> head = archive.ReadPart(replay.id, 0, kVersionedBytes);
    if (head.ok()) Note(head->bytes, &found->replays);
  }
}

}  // namespace

FoundData FindData(const std::string& data_dir) {
  FoundData found;
  FindLog(data_dir, &found);
  FindArchive(data_dir, &found);
  return found;
}

}  // namespace referee::replay
