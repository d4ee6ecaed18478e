#include "tests/simulation/disk.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/replay/framing.h"
#include "referee/replay/journal.h"
#include "referee/replay/record_codec.h"
#include "referee/replay/replay.h"

namespace referee::simulation {
namespace {

constexpr absl::string_view kJournalMagic("refjrnl\x01", 8);
constexpr size_t kFrameHeaderBytes = 8;

template <typename AppendBody>
void AppendFrame(std::string* out, AppendBody append_body) {
  const size_t start = out->size();
  out->append(kFrameHeaderBytes, '\0');
  append_body(out);
  const absl::string_view body = absl::string_view(*out).substr(start + kFrameHeaderBytes);
  const uint32_t checksum = replay::Crc32c(body);
  replay::PutU32(static_cast<uint32_t>(body.size()), &(*out)[start]);
  replay::PutU32(checksum, &(*out)[start + 4]);
}

}  // namespace

absl::Status Disk::Append(const std::string& match_id, absl::string_view bytes) {
  const Verdict verdict = on_write(match_id, bytes.size());
  switch (verdict.end) {
    case WriteEnd::kDone:
      journals_[match_id].append(bytes.data(), bytes.size());
      return absl::OkStatus();
    case WriteEnd::kRefused:
      break;
    case WriteEnd::kTorn:
      journals_[match_id].append(bytes.data(), verdict.written);
      break;
  }
  return absl::ResourceExhaustedError("no space left on the simulated disk");
}

absl::Status Disk::Archive(const std::string& match_id, std::string bytes) {
  if (!on_archive(match_id)) return absl::ResourceExhaustedError("no space left in the archive");
  archive_[match_id] = std::move(bytes);
  return absl::OkStatus();
}

void Disk::SetAside(const std::string& match_id) {
  set_aside_[match_id] = std::move(journals_[match_id]);
  journals_.erase(match_id);
}

void Disk::CutJournal(const std::string& match_id, size_t size) {
  journals_[match_id].resize(size);
}

class DiskRecorder::DiskRecording final : public replay::Recording {
 public:
  DiskRecording(match::Setup setup, DiskRecorder* recorder)
      : setup_(std::move(setup)), recorder_(recorder) {}

  absl::Status Open(const dice::Seed& seed) {
    pending_.append(kJournalMagic.data(), kJournalMagic.size());
    AppendFrame(&pending_, [&](std::string* out) { encoder_.AppendOpening(setup_, out); });
    AppendFrame(&pending_, [&](std::string* out) { encoder_.AppendSecret(seed, out); });
    return Write();
  }

  void Add(const match::Record& record) override {
    if (!broken_.ok()) return;
    AppendFrame(&pending_,
                [&](std::string* out) { encoder_.AppendRecord(*setup_.game, record, out); });
    records_.push_back(record);
  }

  absl::Status Flush() override {
    if (!broken_.ok()) return broken_;
    broken_ = Write();
    if (!broken_.ok()) {
      recorder_->watcher_->OnRecordingFailed(setup_);
      return broken_;
    }
    for (const match::Record& record : records_) recorder_->watcher_->OnFlushed(setup_, record);
    records_.clear();
    return absl::OkStatus();
  }

  absl::Status Seal() override { return recorder_->Seal(setup_); }

  absl::Status SetAside(absl::string_view why) override {
    if (!recorder_->disk_->in_use()) return absl::UnavailableError("the process is no more");
    if (recorder_->disk_->journals().count(setup_.id.text()) == 0) {
      return absl::NotFoundError("there is no such journal");
    }
    recorder_->disk_->SetAside(setup_.id.text());
    recorder_->watcher_->OnSetAside(setup_, why);
    return absl::OkStatus();
  }

 private:
  absl::Status Write() {
    absl::Status written = recorder_->disk_->Append(setup_.id.text(), pending_);
    pending_.clear();
    return written;
  }

  const match::Setup setup_;
  DiskRecorder* const recorder_;
  replay::RecordEncoder encoder_;
  std::string pending_;
  std::vector<match::Record> records_;
  absl::Status broken_;
};

absl::StatusOr<std::unique_ptr<replay::Recording>> DiskRecorder::Open(const match::Setup& setup,
                                                                      const dice::Seed& seed) {
  auto recording = std::make_unique<DiskRecording>(setup, this);
  if (absl::Status opened = recording->Open(seed); !opened.ok()) {
    disk_->RemoveJournal(setup.id.text());
    return opened;
  }
  watcher_->OnOpened(setup);
  return std::unique_ptr<replay::Recording>(std::move(recording));
}

absl::Status DiskRecorder::Check() {
  const std::string name = "check";
  absl::Status written = disk_->Append(name, "block");
  disk_->RemoveJournal(name);
  return written;
}

absl::Status DiskRecorder::Seal(const match::Setup& setup) {
  const std::string& id = setup.id.text();
  const absl::StatusOr<std::string> records = replay::RecordsOfJournal(disk_->journals().at(id));
  if (!records.ok()) return records.status();
  std::string file = replay::EncodeRecords(*records, *signer_);
  if (absl::Status s = disk_->Archive(id, file); !s.ok()) return s;
  disk_->RemoveJournal(id);
  watcher_->OnArchived(setup, file);
  return absl::OkStatus();
}

absl::Status DiskRecorder::Recover(std::vector<replay::Unfinished>* unfinished) {
  const std::map<std::string, std::string> left = disk_->journals();
  for (const auto& [match_id, bytes] : left) {
    if (absl::Status s = RecoverJournal(match_id, bytes, unfinished); !s.ok()) {
      return absl::Status(s.code(), absl::StrCat("journal ", match_id, ": ", s.message()));
    }
  }
  return absl::OkStatus();
}

absl::Status DiskRecorder::RecoverJournal(const std::string& match_id, const std::string& bytes,
                                          std::vector<replay::Unfinished>* unfinished) {
  absl::StatusOr<replay::Journal> journal = replay::ReadJournal(bytes);
  if (!journal.ok()) return journal.status();
  watcher_->OnRecovered(*journal);
  disk_->CutJournal(match_id, journal->size);
  if (journal->ended) {
    static_cast<void>(Seal(journal->setup));
    return absl::OkStatus();
  }
  auto recording = std::make_unique<DiskRecording>(journal->setup, this);
  unfinished->push_back({std::move(journal->setup), journal->secret, std::move(journal->records),
                         std::move(recording)});
  return absl::OkStatus();
}

}  // namespace referee::simulation
