#include "referee/node/storage.h"

#include <sys/statvfs.h>

#include <cerrno>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/node/instances.h"
#include "referee/node/node.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/key_files.h"
#include "referee/replay/log_origin.h"

namespace referee::node {
namespace {

// Stores nothing. Thread-safe.
class NullRecorder final : public replay::Recorder {
 public:
  absl::StatusOr<std::unique_ptr<replay::Recording>> Open(const match::Setup& /*setup*/,
                                                          const dice::Seed& /*seed*/) override {
    return std::make_unique<NullRecording>();
  }
  absl::Status Check() override { return absl::OkStatus(); }

 private:
  class NullRecording final : public replay::Recording {
   public:
    void Add(const match::Record& /*record*/) override {}
    absl::Status Flush() override { return absl::OkStatus(); }
    absl::Status Seal() override { return absl::OkStatus(); }
  };
};

}  // namespace

Storage::Storage(const NodeOptions& options, const Clock& clock, const Meter* meter)
    : options_(options),
      clock_(clock),
      meter_(meter),
      archive_(std::make_unique<const replay::Archive>(options.data_dir)) {}

absl::Status Storage::Open(absl::FunctionRef<absl::Status()> begin_life) {
  return options_.data_dir.empty() ? absl::OkStatus() : OpenFiles(begin_life);
}

replay::Recorder* Storage::recorder() const {
  static NullRecorder* const null = new NullRecorder;
  return files_ != nullptr ? static_cast<replay::Recorder*>(files_.get()) : null;
}

absl::Status Storage::GiveUpCopiedLog(absl::FunctionRef<absl::Status()> begin_life) const {
  const std::string& data_dir = options_.data_dir;
  const absl::StatusOr<std::vector<std::string>> names = Instances::Find(data_dir);
  if (!names.ok()) return names.status();
  const absl::StatusOr<bool> copied = replay::IsCopiedLog(data_dir, !names->empty());
  if (!copied.ok() || !*copied) return copied.status();
  const int64_t open_matches = replay::FindData(data_dir).open_matches;
  // Removes the names last: while they exist, a directory without a log is known to be a copy.
  const absl::StatusOr<std::string> folder = replay::MoveCopiedLog(data_dir);
  if (!folder.ok()) return folder.status();
  if (absl::Status s = begin_life(); !s.ok()) return s;
  if (absl::Status s = Instances::Disown(data_dir); !s.ok()) return s;
  log::Tell(
      options_.log,
      {log::Level::kWarning, "data_dir_copied",
       absl::StrCat("data directory ", data_dir,
                    " is a copy, or has lost its log: nothing of the referee before is taken over. "
                    "Matches in the log, which are void here: ",
                    open_matches, ". The log is kept in ", *folder)});
  return absl::OkStatus();
}

absl::Status Storage::OpenFiles(absl::FunctionRef<absl::Status()> begin_life) {
  absl::StatusOr<replay::File> lock = replay::LockDataDir(options_.data_dir);
  if (!lock.ok()) return lock.status();
  lock_identity_ = replay::IdentityOf(*lock);
  absl::StatusOr<replay::RefereeKeys> keys =
      replay::LoadOrMakeKeys(options_.data_dir, clock_.WallNow());
  if (!keys.ok()) return keys.status();
  absl::Status own = GiveUpCopiedLog(begin_life);
  if (own.ok()) own = replay::MarkLog(options_.data_dir);
  if (!own.ok()) return own;
  keys_ = std::move(keys->ring);
  key_fingerprint_ = replay::Fingerprint(keys->signer.public_key());
  replay::FileRecorder::Options recorder;
  recorder.data_dir = options_.data_dir;
  recorder.durability = options_.durability;
  recorder.at_write = options_.at_write;
  recorder.at_sync = options_.at_sync;
  if (meter_ != nullptr) {
    recorder.on_synced = [this](absl::Duration took) { meter_->OnLogSynced(took); };
  }
  recorder.set_aside_unknown = options_.set_aside_unknown;
  recorder.memory = options_.log_memory;
  recorder.segment_bytes = options_.log_segment_bytes;
  if (absl::Status s = OpenArchive(&recorder); !s.ok()) return s;
  absl::StatusOr<std::unique_ptr<replay::FileRecorder>> files =
      replay::FileRecorder::Make(recorder, std::move(keys->signer), *std::move(lock));
  if (!files.ok()) return files.status();
  files_ = *std::move(files);
  return absl::OkStatus();
}

absl::Status Storage::OpenArchive(replay::FileRecorder::Options* recorder) {
  if (!options_.pack_replays) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<replay::PackShelf>> shelf = replay::PackShelf::Open(
      {options_.data_dir, [this](absl::string_view line) {
         log::Tell(options_.log, {log::Level::kWarning, "archive_mended", line});
       }});
  if (!shelf.ok()) return shelf.status();
  archive_ = std::make_unique<const replay::Archive>((*shelf)->archive());
  packs_ = shelf->get();
  recorder->shelf = *std::move(shelf);
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> Storage::FreeBytes() const {
  const std::string& path = options_.data_dir;
  struct statvfs info;
  if (statvfs(path.c_str(), &info) != 0) return FileError("cannot look at", path, errno);
  if (info.f_blocks == 0) {
    return absl::UnavailableError(absl::StrCat(path, ": its file system does not tell its size"));
  }
  return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
}

}  // namespace referee::node
