#include "referee/replay/file_recorder.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/archive.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/journal.h"
#include "referee/replay/replay.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kSparePrefix = "spare.";
constexpr size_t kMaxSpares = 256;  // more are removed

constexpr size_t kCheckedBytes = 4096;  // a block, of which a full disk has none

Recovered::Over OverOf(const Replay& replay) {
  return {replay.setup, *replay.ended(), replay.turns()};
}

std::string BrokenDir(const std::string& data_dir) { return data_dir + "/journals/broken"; }

// A caller who asks for a match is not the one who lacks a permission or misnamed a path.
absl::Status AsTrouble(const absl::Status& status) {
  if (status.ok() || absl::IsResourceExhausted(status)) return status;
  return absl::UnavailableError(status.message());
}

// Moves a journal that is of no use out of the way, with the reason beside it.
absl::Status MoveAside(const std::string& data_dir, const std::string& name,
                       absl::string_view reason) {
  const std::string target = absl::StrCat(BrokenDir(data_dir), "/", name);
  if (absl::Status s = MakeDirectories(BrokenDir(data_dir), 0700); !s.ok()) return s;
  const std::string path = JournalPath(data_dir, name);
  if (rename(path.c_str(), target.c_str()) != 0) return FileError("cannot move", path, errno);
  return WriteFileWhole(target + ".reason", absl::StrCat(reason, "\n"), 0600, /*sync=*/false);
}

}  // namespace

absl::StatusOr<std::unique_ptr<FileRecorder>> FileRecorder::Make(const Options& options,
                                                                 Signer signer) {
  absl::StatusOr<File> lock = LockDataDir(options.data_dir);
  if (!lock.ok()) return lock.status();
  return Make(options, std::move(signer), *std::move(lock));
}

absl::StatusOr<std::unique_ptr<FileRecorder>> FileRecorder::Make(const Options& options,
                                                                 Signer signer, File lock) {
  if (absl::Status s = MakeDirectories(options.data_dir + "/replays", 0755); !s.ok()) return s;
  std::unique_ptr<FileRecorder> recorder(
      new FileRecorder(options, std::move(signer), std::move(lock)));
  recorder->FindSpares();
  if (absl::Status s = recorder->UseLedger(); !s.ok()) return s;
  return recorder;
}

FileRecorder::FileRecorder(const Options& options, Signer signer, File lock)
    : on_archived_(options.on_archived),
      data_dir_(options.data_dir),
      set_aside_unknown_(options.set_aside_unknown),
      disk_(options.durability, options.at_write),
      signer_(std::move(signer)),
      lock_(std::move(lock)) {}

absl::Status FileRecorder::UseLedger() {
  for (const std::string& folder : {JournalsDir(data_dir_), data_dir_ + "/replays"}) {
    absl::StatusOr<File> open = OpenFile(folder, O_RDONLY | O_DIRECTORY);
    if (!open.ok()) return open.status();
    synced_folders_.push_back(*std::move(open));
  }
  absl::StatusOr<std::vector<Ledger::Entry>> entries = Ledger::Read(JournalsDir(data_dir_));
  if (IsUnknownHere(entries.status()) && set_aside_unknown_) {
    if (absl::Status s = MakeDirectories(BrokenDir(data_dir_), 0700); !s.ok()) return s;
    const absl::Status moved = Ledger::MoveTo(JournalsDir(data_dir_), BrokenDir(data_dir_));
    if (!moved.ok()) return moved;
    entries = std::vector<Ledger::Entry>();
  }
  if (!entries.ok()) return entries.status();
  // An opening is of no use where there is a replay.
  for (const Ledger::Kind kind : {Ledger::Kind::kReplay, Ledger::Kind::kOpening}) {
    for (const Ledger::Entry& entry : *entries) {
      if (entry.kind != kind) continue;
      if (absl::Status s = PutBack(entry); !s.ok()) return s;
    }
  }
  if (!entries->empty()) {
    if (absl::Status s = SyncAll(); !s.ok()) return s;
  }
  if (disk_.durability() != Durability::kMatch) return Ledger::Remove(JournalsDir(data_dir_));
  auto ledger = Ledger::Start({JournalsDir(data_dir_), [this] { return SyncAll(); }});
  if (!ledger.ok()) return ledger.status();
  ledger_ = *std::move(ledger);
  return absl::OkStatus();
}

absl::Status FileRecorder::PutBack(const Ledger::Entry& entry) {
  const std::string replay = Archive(data_dir_).PathOf(entry.id);
  const bool archived = access(replay.c_str(), F_OK) == 0;
  if (entry.kind == Ledger::Kind::kOpening) {
    return archived ? absl::OkStatus() : PutBackOpening(entry);
  }
  if (archived) {
    const absl::StatusOr<std::string> bytes = ReadWholeFile(replay, limits::kMaxReplayBytes);
    if (bytes.ok() && *bytes == entry.bytes) return absl::OkStatus();
  }
  const std::string folder = replay.substr(0, replay.rfind('/'));
  if (absl::Status s = MakeDirectories(folder, 0755, /*sync=*/true); !s.ok()) return s;
  return WriteFileWhole(replay, entry.bytes, 0644, /*sync=*/true);
}

absl::Status FileRecorder::PutBackOpening(const Ledger::Entry& entry) {
  const std::string name = absl::StrCat(entry.id.text(), kJournalSuffix);
  const std::string path = JournalPath(data_dir_, name);
  if (access(absl::StrCat(BrokenDir(data_dir_), "/", name).c_str(), F_OK) == 0) {
    return absl::OkStatus();  // dealt with
  }
  if (access(path.c_str(), F_OK) == 0) {
    const absl::StatusOr<std::string> bytes = ReadWholeFile(path, limits::kMaxReplayBytes);
    if (bytes.ok() && absl::StartsWith(*bytes, entry.bytes)) return absl::OkStatus();
    const absl::Status moved = MoveAside(data_dir_, name, "it does not begin as its match did");
    if (!moved.ok()) return moved;
  }
  return WriteFileWhole(path, entry.bytes, 0600, /*sync=*/true);
}

absl::Status FileRecorder::SyncAll() const {
  for (const File& folder : synced_folders_) {
    if (syncfs(folder.fd()) != 0) return FileError("cannot write", data_dir_, errno);
  }
  return absl::OkStatus();
}

class FileRecorder::FileRecording final : public Recording {
 public:
  FileRecording(std::unique_ptr<JournalWriter> writer, MatchId id, FileRecorder* recorder)
      : writer_(std::move(writer)), id_(std::move(id)), recorder_(recorder) {}

  void Add(const match::Record& record) override { writer_->Add(record); }
  absl::Status Flush() override { return writer_->Flush(); }
  absl::Status Seal() override { return recorder_->SealJournal(writer_->path(), id_); }
  absl::Status SetAside(absl::string_view why) override {
    writer_->Close(why);
    return MoveAside(recorder_->data_dir(), absl::StrCat(id_.text(), kJournalSuffix), why);
  }

 private:
  const std::unique_ptr<JournalWriter> writer_;
  const MatchId id_;
  FileRecorder* const recorder_;
};

absl::StatusOr<std::unique_ptr<Recording>> FileRecorder::Open(const match::Setup& setup,
                                                              const dice::Seed& seed) {
  const std::string path = JournalPath(data_dir_, absl::StrCat(setup.id.text(), kJournalSuffix));
  absl::StatusOr<std::unique_ptr<JournalWriter>> writer =
      JournalWriter::Create(&disk_, path, TakeSpare(), setup, seed);
  if (!writer.ok()) return AsTrouble(writer.status());
  if (ledger_ != nullptr) {
    const absl::Status lasts =
        ledger_->Append(Ledger::Kind::kOpening, setup.id, EncodeOpening(setup, seed));
    if (!lasts.ok()) {
      unlink(path.c_str());
      return AsTrouble(lasts);
    }
  }
  return std::make_unique<FileRecording>(*std::move(writer), setup.id, this);
}

absl::Status FileRecorder::SealJournal(const std::string& path, const MatchId& id) {
  const absl::StatusOr<std::string> journal = ReadWholeFile(path, limits::kMaxReplayBytes);
  if (!journal.ok()) return journal.status();
  const absl::StatusOr<std::string> records = RecordsOfJournal(*journal);
  if (!records.ok()) return At(path, records.status());

  const std::string target = Archive(data_dir_).PathOf(id);
  const std::string folder = target.substr(0, target.rfind('/'));
  const bool sync = disk_.durability() == Durability::kTurn;
  if (absl::Status s = MakeDirectories(folder, 0755, sync); !s.ok()) return s;
  const std::string file = EncodeRecords(*records, signer_);
  if (absl::Status s = WriteFileWhole(target, file, 0644, sync); !s.ok()) return s;
  if (on_archived_) on_archived_(id);
  if (ledger_ != nullptr) {
    if (absl::Status s = ledger_->Append(Ledger::Kind::kReplay, id, file); !s.ok()) return s;
  }
  return GiveSpare(path);
}

std::string FileRecorder::TakeSpare() {
  MutexLock lock(&mutex_);
  if (spares_.empty()) {
    return absl::StrCat(JournalsDir(data_dir_), "/", kSparePrefix, next_spare_++);
  }
  std::string spare = std::move(spares_.back());
  spares_.pop_back();
  return spare;
}

absl::Status FileRecorder::GiveSpare(const std::string& path) {
  std::string spare;
  {
    MutexLock lock(&mutex_);
    if (spares_.size() < kMaxSpares) {
      spare = absl::StrCat(JournalsDir(data_dir_), "/", kSparePrefix, next_spare_++);
    }
  }
  if (spare.empty()) {
    return unlink(path.c_str()) == 0 ? absl::OkStatus() : FileError("cannot remove", path, errno);
  }
  if (rename(path.c_str(), spare.c_str()) != 0) return FileError("cannot move", path, errno);
  MutexLock lock(&mutex_);
  spares_.push_back(std::move(spare));
  return absl::OkStatus();
}

void FileRecorder::FindSpares() {
  DIR* const dir = opendir(JournalsDir(data_dir_).c_str());
  if (dir == nullptr) return;
  MutexLock lock(&mutex_);
  while (const dirent* const entry = readdir(dir)) {
    absl::string_view number_text = entry->d_name;
    uint64_t number;
    if (!absl::ConsumePrefix(&number_text, kSparePrefix)) continue;
    if (!absl::SimpleAtoi(number_text, &number)) continue;
    next_spare_ = std::max(next_spare_, number + 1);
    spares_.push_back(JournalPath(data_dir_, entry->d_name));
  }
  closedir(dir);
}

absl::Status FileRecorder::Check() {
  const std::string path = absl::StrCat(JournalsDir(data_dir_), "/check.",
                                        checks_.fetch_add(1, std::memory_order_relaxed));
  const std::string block(kCheckedBytes, '\0');
  absl::StatusOr<File> file = OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!file.ok()) return AsTrouble(file.status());
  const absl::Status written = WriteAll(file->fd(), block, path);
  unlink(path.c_str());
  return AsTrouble(written);
}

std::vector<Recovered> FileRecorder::Recover() {
  std::vector<Recovered> all;
  for (const std::string& name : JournalsIn(data_dir_)) all.push_back(RecoverJournal(name));
  return all;
}

Recovered FileRecorder::RecoverJournal(const std::string& name) {
  Recovered result;
  result.journal = name;
  const std::string path = JournalPath(data_dir_, name);
  const absl::StatusOr<std::string> bytes = ReadWholeFile(path, limits::kMaxReplayBytes);
  if (!bytes.ok()) {
    result.detail = std::string(bytes.status().message());
    return result;
  }
  absl::StatusOr<Journal> journal = ReadJournal(*bytes);
  if (journal.ok() && journal->setup.id.text() != absl::StripSuffix(name, kJournalSuffix)) {
    journal = NotAJournal(0, absl::StrCat("it is the journal of match ", journal->setup.id.text()));
  }
  if (!journal.ok()) {
    result.detail = std::string(journal.status().message());
    if (IsUnknownHere(journal.status()) && !set_aside_unknown_) return result;
    result.action = Recovered::Action::kBroken;
    const absl::Status moved = MoveAside(data_dir_, name, result.detail);
    result.detail =
        moved.ok()
            ? absl::StrCat("set aside in journals/broken, and its match with it: ", result.detail)
            : absl::StrCat(result.detail, "; ", moved.message());
    return result;
  }
  result.match_id = journal->setup.id;
  if (journal->torn > 0) {
    absl::StrAppend(&result.detail, "cut off ", journal->torn,
                    " bytes of a write that was not finished; ");
  }
  const absl::Status dealt_with = GoOn(path, *std::move(journal), &result);
  if (!dealt_with.ok()) absl::StrAppend(&result.detail, dealt_with.message());
  return result;
}

bool FileRecorder::IsArchived(const std::string& path, Recovered* result) {
  const absl::StatusOr<std::string> bytes = Archive(data_dir_).Read(result->match_id);
  if (!bytes.ok()) return false;
  absl::StatusOr<Replay> replay = Parse(*bytes);
  if (!replay.ok() || !GiveSpare(path).ok()) return false;
  result->action = Recovered::Action::kSealed;
  result->over = OverOf(*replay);
  absl::StrAppend(&result->detail, "archived before");
  return true;
}

absl::Status FileRecorder::GoOn(const std::string& path, Journal journal, Recovered* result) {
  absl::StatusOr<std::unique_ptr<JournalWriter>> writer =
      JournalWriter::Continue(&disk_, path, journal.setup.game, journal.size);
  if (!writer.ok()) return writer.status();
  if (journal.ended) {
    result->over = OverOf({std::move(journal.setup), std::move(journal.records)});
    if (absl::Status s = SealJournal(path, result->match_id); !s.ok()) {
      result->unsealed =
          std::make_unique<FileRecording>(*std::move(writer), result->match_id, this);
      return s;
    }
    result->action = Recovered::Action::kSealed;
    absl::StrAppend(&result->detail, "archived");
    return absl::OkStatus();
  }
  if (IsArchived(path, result)) return absl::OkStatus();
  result->action = Recovered::Action::kRunning;
  absl::StrAppend(&result->detail, "the match was running, with ", journal.records.size(),
                  journal.records.size() == 1 ? " record" : " records");
  auto recording = std::make_unique<FileRecording>(*std::move(writer), journal.setup.id, this);
  result->unfinished = Unfinished{std::move(journal.setup), journal.secret,
                                  std::move(journal.records), std::move(recording)};
  return absl::OkStatus();
}

absl::StatusOr<Replay> ReadKept(const std::string& data_dir, const MatchId& id) {
  const std::string path = JournalPath(data_dir, absl::StrCat(id.text(), kJournalSuffix));
  const absl::StatusOr<std::string> bytes = ReadWholeFile(path, limits::kMaxReplayBytes);
  if (absl::IsNotFound(bytes.status())) return NoReplay(id.text());
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<Journal> journal = ReadJournal(*bytes);
  if (!journal.ok()) return journal.status();
  if (!journal->ended) return NoReplay(id.text());
  return Replay{std::move(journal->setup), std::move(journal->records)};
}

}  // namespace referee::replay
