#include "referee/replay/file_recorder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/errors.h"
#include "referee/replay/folders.h"
#include "referee/replay/log_format.h"

namespace referee::replay {
namespace {

constexpr size_t kCheckedBytes = 4096;  // one block, which a full disk cannot allocate

}  // namespace

absl::StatusOr<std::unique_ptr<FileRecorder>> FileRecorder::Make(const Options& options,
                                                                 Signer signer,
                                                                 absl::optional<File> lock) {
  if (!lock) {
    absl::StatusOr<File> taken = LockDataDir(options.data_dir);
    if (!taken.ok()) return taken.status();
    lock = *std::move(taken);
  }
  std::shared_ptr<Shelf> shelf = options.shelf;
  if (shelf == nullptr) {
    absl::StatusOr<std::unique_ptr<DayFolders>> made = DayFolders::Make(options.data_dir);
    if (!made.ok()) return made.status();
    shelf = *std::move(made);
  }
  std::unique_ptr<FileRecorder> files(new FileRecorder(options, *std::move(lock)));
  if (absl::Status s = files->folder_.Make(); !s.ok()) return s;
  if (options.set_aside_unknown) {
    if (absl::Status s = files->SetAsideUnknownSegments(); !s.ok()) return s;
  }
  LogRecorder::Options recorder;
  recorder.disk = &files->folder_;
  recorder.shelf = shelf;
  recorder.durability = options.durability;
  recorder.segment_bytes = options.segment_bytes;
  recorder.quarantine = [dir = options.data_dir](const MatchId& id, absl::string_view records,
                                                 absl::string_view why) {
    return Quarantine(dir, absl::StrCat(id.text(), ".records"), records, why);
  };
  recorder.set_aside_unknown = options.set_aside_unknown;
  absl::StatusOr<std::unique_ptr<LogRecorder>> made =
      LogRecorder::Make(std::move(recorder), std::move(signer));
  if (!made.ok()) return made.status();
  files->recorder_ = *std::move(made);
  return files;
}

FileRecorder::FileRecorder(const Options& options, File lock)
    : options_(options),
      lock_(std::move(lock)),
      folder_(options.data_dir, LogMemory(options.data_dir, options.memory), options.at_write,
              options.at_sync, options.on_synced) {}

FileRecorder::~FileRecorder() {
  recorder_ = nullptr;
  folder_.Leave();
}

absl::Status FileRecorder::SetAsideUnknownSegments() const {
  const absl::StatusOr<std::vector<uint32_t>> slots = folder_.Slots();
  if (!slots.ok()) return slots.status();
  for (const uint32_t slot : *slots) {
    const absl::StatusOr<std::string> bytes = folder_.Read(slot);
    if (!bytes.ok()) return bytes.status();
    if (!IsUnknownHere(ReadLogSegment(*bytes).status())) continue;
    if (absl::Status s = MakeDirectories(QuarantineDir(data_dir()), 0700); !s.ok()) return s;
    const std::string path = folder_.NameOf(slot);
    const std::string target =
        absl::StrCat(QuarantineDir(data_dir()), path.substr(path.rfind('/')));
    if (rename(path.c_str(), target.c_str()) != 0) return FileError("cannot move", path, errno);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Recording>> FileRecorder::Open(const match::Setup& setup,
                                                              const dice::Seed& seed) {
  return recorder_->Open(setup, seed);
}

absl::Status FileRecorder::Check() {
  const std::string path =
      absl::StrCat(LogDir(data_dir()), "/check.", checks_.fetch_add(1, std::memory_order_relaxed));
  const std::string block(kCheckedBytes, '\0');
  absl::StatusOr<File> file = OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!file.ok()) return OfTheDisk(file.status());
  const absl::Status written = WriteAll(file->fd(), block, path);
  unlink(path.c_str());
  return written.ok() ? recorder_->Check() : OfTheDisk(written);
}

}  // namespace referee::replay
