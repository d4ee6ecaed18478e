#include "tests/simulation/disk.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/replay/framing.h"
#include "referee/replay/log.h"
#include "referee/replay/log_format.h"
#include "referee/replay/replay.h"

namespace referee::simulation {
namespace {

// So small that segments are used again, and matches that run for long are copied on.
constexpr size_t kSegmentBytes = 16 * replay::kLogPageBytes;

// Where a frame has its kind and its match.
constexpr size_t kKindAt = 16;
constexpr size_t kIdAt = 21;
constexpr size_t kIdBytes = 26;
constexpr size_t kBeforeBody = 8;

}  // namespace

Disk::Disk() {
  log_.on_write = [this](uint32_t, size_t offset, absl::string_view bytes) {
    return OnLogWrite(offset, bytes);
  };
}

absl::optional<size_t> Disk::OnLogWrite(size_t offset, absl::string_view bytes) {
  if (!in_use()) return 0;
  const bool frame = offset >= replay::kLogPageBytes && bytes.size() > replay::kNoFrame.size();
  if (!frame) return absl::nullopt;
  const auto kind = static_cast<replay::LogFrame::Kind>(bytes[kKindAt]);
  const std::string match_id(bytes.substr(kIdAt, kIdBytes));
  // What is copied on was written before.
  const bool opens = kind == replay::LogFrame::Kind::kMatch;
  if (opens && opened_.count(match_id) > 0) return absl::nullopt;
  const size_t size = kBeforeBody + replay::GetU32(bytes);
  const bool records = opens || kind == replay::LogFrame::Kind::kMore;
  const Verdict verdict = on_write(match_id, size, records);
  if (opens && (verdict.end == WriteEnd::kDone || verdict.written == size)) {
    opened_.insert(match_id);
  }
  switch (verdict.end) {
    case WriteEnd::kDone:
      return absl::nullopt;
    case WriteEnd::kRefused:
      return 0;
    case WriteEnd::kTorn:
      return verdict.written;
  }
  return absl::nullopt;
}

absl::Status Disk::Put(const replay::ReplaySummary& summary, absl::string_view file) {
  absl::StatusOr<replay::Replay> replay = replay::Parse(file);
  if (!replay.ok()) return replay.status();
  if (!(replay::Summarise(*replay) == summary)) {
    return absl::InternalError("the index is told other things than the replay says");
  }
  const std::string& id = summary.id.text();
  if (!on_archive(id)) return absl::ResourceExhaustedError("no space left in the archive");
  const auto [kept, is_new] =
      archive_.try_emplace(id, Archived{std::string(file), *std::move(replay)});
  if (!is_new && kept->second.file != file) return absl::InternalError("another replay is there");
  if (is_new) on_archived(kept->second);
  return absl::OkStatus();
}

absl::StatusOr<std::string> Disk::Read(const MatchId& id) const {
  const auto found = archive_.find(id.text());
  if (found == archive_.end()) return absl::NotFoundError("not in the archive");
  return found->second.file;
}

absl::Status Disk::Quarantine(const MatchId& id, absl::string_view records) {
  if (!in_use()) return absl::UnavailableError("the process is no more");
  quarantine_[id.text()] = std::string(records);
  return absl::OkStatus();
}

const std::map<std::string, std::string>& Disk::logged() const {
  if (logged_as_of_ != log_.changes()) {
    logged_as_of_ = log_.changes();
    logged_ = ReadLog();
  }
  return logged_;
}

std::map<std::string, std::string> Disk::ReadLog() const {
  std::map<std::string, std::string> logged;
  const absl::StatusOr<replay::Log::Contents> contents = replay::Log::Read(log_);
  if (!contents.ok()) return {{"the log", std::string(contents.status().message())}};
  for (const replay::Log::Left& left : contents->left) {
    logged[left.line->id().text()] = left.line->records_read();
  }
  return logged;
}

class DiskRecorder::DiskRecording final : public replay::Recording {
 public:
  DiskRecording(std::unique_ptr<replay::Recording> recording, match::Setup setup,
                DiskRecorder* recorder)
      : recording_(std::move(recording)), setup_(std::move(setup)), recorder_(recorder) {}

  void Add(const match::Record& record) override {
    recording_->Add(record);
    if (!failed_) records_.push_back(record);
  }

  absl::Status Flush() override {
    absl::Status flushed = recording_->Flush();
    if (!flushed.ok()) {
      if (!std::exchange(failed_, true)) recorder_->watcher_->OnRecordingFailed(setup_);
      return flushed;
    }
    for (const match::Record& record : records_) recorder_->watcher_->OnFlushed(setup_, record);
    records_.clear();
    return flushed;
  }

  absl::Status Seal() override { return recording_->Seal(); }

  absl::Status SetAside(absl::string_view why) override {
    if (!recorder_->disk_->in_use()) return absl::UnavailableError("the process is no more");
    const absl::Status aside = recording_->SetAside(why);
    // The write that says so may have failed when all of it was done.
    const bool is_there = recorder_->disk_->logged().count(setup_.id.text()) > 0;
    if (aside.ok() || !is_there) recorder_->watcher_->OnSetAside(setup_, why);
    return aside;
  }

 private:
  const std::unique_ptr<replay::Recording> recording_;
  const match::Setup setup_;
  DiskRecorder* const recorder_;
  std::vector<match::Record> records_;
  bool failed_ = false;
};

DiskRecorder::DiskRecorder(Disk* disk, const replay::Signer* signer, RecordWatcher* watcher)
    : disk_(disk), watcher_(watcher) {
  disk_->on_archived = [watcher](const Disk::Archived& archived) {
    watcher->OnArchived(archived.replay, archived.file);
  };
  replay::LogRecorder::Options options;
  options.disk = disk_->log();
  options.shelf = std::shared_ptr<replay::Shelf>(std::shared_ptr<void>(), disk_);
  options.segment_bytes = kSegmentBytes;
  options.own_threads = false;
  options.quarantine = [disk](const MatchId& id, absl::string_view records, absl::string_view) {
    return disk->Quarantine(id, records);
  };
  recorder_ = replay::LogRecorder::Make(std::move(options), *signer).value();
}

absl::StatusOr<std::unique_ptr<replay::Recording>> DiskRecorder::Open(const match::Setup& setup,
                                                                      const dice::Seed& seed) {
  absl::StatusOr<std::unique_ptr<replay::Recording>> opened = recorder_->Open(setup, seed);
  if (!opened.ok()) return opened.status();
  watcher_->OnOpened(setup);
  return std::make_unique<DiskRecording>(*std::move(opened), setup, this);
}

absl::Status DiskRecorder::Check() {
  if (!disk_->in_use()) return absl::UnavailableError("the process is no more");
  return recorder_->Check();
}

absl::Status DiskRecorder::Recover(std::vector<replay::Unfinished>* unfinished) {
  for (const auto& [match_id, records] : disk_->logged()) {
    const absl::StatusOr<replay::MatchRead> match = replay::ReadMatch(records);
    if (!match.ok()) {
      return absl::Status(match.status().code(),
                          absl::StrCat("match ", match_id, ": ", match.status().message()));
    }
    watcher_->OnRecovered(*match);
  }
  for (replay::Recovered& recovered : recorder_->Recover()) {
    if (recovered.action == replay::Recovered::Action::kBroken) {
      return absl::DataLossError(absl::StrCat(recovered.what, ": ", recovered.detail));
    }
    if (!recovered.unfinished) continue;
    replay::Unfinished& one = *recovered.unfinished;
    one.recording = std::make_unique<DiskRecording>(std::move(one.recording), one.setup, this);
    unfinished->push_back(std::move(one));
  }
  return absl::OkStatus();
}

}  // namespace referee::simulation
