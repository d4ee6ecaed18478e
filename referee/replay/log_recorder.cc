#include "referee/replay/log_recorder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/errors.h"
#include "referee/replay/framing.h"
#include "referee/replay/record_codec.h"

namespace referee::replay {
namespace {

absl::Status RecordingBroken(absl::string_view path, const absl::Status& cause) {
  return absl::Status(cause.code(),
                      absl::StrCat(path, ": takes no more records since ", cause.message()));
}

constexpr uint32_t kOpeningRecords = 2;  // opening and secret
// The share of time spent in syncs is at most one twentieth, because each sync disturbs other
// processes on the disk. Matches still wait for no longer than limits::kLogGather.
constexpr int kGatherSyncs = 20;
constexpr absl::Duration kLeastGather = absl::Milliseconds(1);

Recovered::Over OverOf(const Replay& replay) {
  return {replay.setup, *replay.ended(), replay.turns()};
}

// Returns the records without the second one, the secret, as in a replay file. REQUIRES: they are
// complete.
std::string WithoutSecret(absl::string_view records) {
  absl::string_view rest = records;
  absl::string_view opening;
  absl::string_view secret;
  TakeSized(&rest, &opening);
  const absl::string_view before = records.substr(0, records.size() - rest.size());
  TakeSized(&rest, &secret);
  return absl::StrCat(before, rest);
}

}  // namespace

absl::Duration GatherAfter(absl::Duration sync) {
  return std::clamp(kGatherSyncs * sync, kLeastGather, limits::kLogGather);
}

absl::StatusOr<MatchRead> ReadMatch(absl::string_view records) {
  RecordDecoder decoder(RecordDecoder::Source::kLog);
  absl::string_view rest = records;
  while (!rest.empty()) {
    absl::string_view record;
    if (!TakeSized(&rest, &record)) {
      return BadAtByte(records.size() - rest.size(), "a record is not whole");
    }
    if (absl::Status s = decoder.Take(record); !s.ok()) {
      return At(absl::StrCat("record ", decoder.taken() + 1), s);
    }
  }
  if (!decoder.opened()) return BadAtByte(records.size(), "it ends before the match was opened");
  return MatchRead{std::move(decoder.setup()), decoder.secret(), std::move(decoder.records()),
                   decoder.ended()};
}

std::string ReplayOf(absl::string_view records, const Signer& signer) {
  return EncodeRecords(WithoutSecret(records), signer);
}

class LogRecorder::LogRecording final : public Recording {
 public:
  // Continues after `records`. `due`: the log position that must be on the disk before the match is
  // published.
  LogRecording(std::shared_ptr<Log::Line> line, const match::Setup& setup,
               absl::Span<const match::Record> records, LogRecorder* recorder, uint64_t due)
      : line_(std::move(line)),
        game_(setup.game),
        recorder_(recorder),
        summariser_(setup),
        due_(due) {
    for (const match::Record& record : records) summariser_.Add(record);
  }

  void Add(const match::Record& record) override {
    if (!broken_.ok()) return;
    scratch_.clear();
    encoder_.AppendRecord(*game_, record, &scratch_);
    AppendSized(scratch_, &pending_);
    summariser_.Add(record);
    ++count_;
    ended_ = std::holds_alternative<match::Ended>(record);
  }

  absl::Status Flush() override {
    if (!broken_.ok()) return broken_;
    if (count_ == 0) return absl::OkStatus();
    const absl::Status written = recorder_->log_->Append(line_.get(), pending_, count_);
    if (!written.ok()) {
      broken_ = RecordingBroken(absl::StrCat("match ", line_->id().text()), written);
      return written;
    }
    pending_.clear();
    count_ = 0;
    const Durability durability = recorder_->options_.durability;
    if (durability == Durability::kTurn || (durability == Durability::kMatch && ended_)) {
      due_ = recorder_->log_->written();
    }
    return absl::OkStatus();
  }

  bool Lasts() override { return recorder_->log_->Lasts(due_); }

  void WhenLasting(std::function<void(const absl::Status&)> then) override {
    recorder_->log_->WhenLasting(std::move(then));
  }

  absl::StatusOr<std::vector<match::Record>> Records() const override {
    absl::StatusOr<MatchRead> read = ReadMatch(recorder_->log_->RecordsOf(*line_));
    if (!read.ok()) return read.status();
    return std::move(read->records);
  }

  absl::Status Seal() override { return recorder_->Seal(line_.get(), summariser_.summary()); }

  absl::Status SetAside(absl::string_view why) override {
    broken_ = RecordingBroken(absl::StrCat("match ", line_->id().text()),
                              absl::FailedPreconditionError(why));
    // Bots were told that the match is over. So it must not resume at the next start, even if
    // Quarantine fails.
    const absl::Status kept = recorder_->Quarantine(*line_, why);
    const absl::Status closed = recorder_->log_->Close(line_.get(), LogFrame::Kind::kSetAside);
    return kept.ok() ? closed : kept;
  }

 private:
  const std::shared_ptr<Log::Line> line_;
  const std::shared_ptr<const games::Game> game_;
  LogRecorder* const recorder_;
  Summariser summariser_;
  RecordEncoder encoder_;
  std::string scratch_;
  std::string pending_;
  uint32_t count_ = 0;  // of pending records
  bool ended_ = false;
  uint64_t due_;  // position to be on disk before flushed records are published; 0: none
  absl::Status broken_;
};

absl::StatusOr<std::unique_ptr<LogRecorder>> LogRecorder::Make(Options options, Signer signer) {
  absl::StatusOr<Log::Contents> contents = Log::Read(*options.disk);
  if (!contents.ok()) return contents.status();
  std::unique_ptr<LogRecorder> recorder(new LogRecorder(std::move(options), std::move(signer)));
  Log::Options log_options;
  log_options.disk = recorder->options_.disk;
  log_options.durability = recorder->options_.durability;
  log_options.segment_bytes = recorder->options_.segment_bytes;
  // With kTurn a bot waits for each sync, so there is no pause. With kMatch only beginnings and
  // ends wait.
  if (log_options.durability == Durability::kMatch) log_options.gather = GatherAfter;
  log_options.own_threads = recorder->options_.own_threads;
  log_options.sync_sealed = [shelf = recorder->options_.shelf] { return shelf->Sync(); };
  absl::StatusOr<std::unique_ptr<Log>> log = Log::Start(std::move(log_options), *contents);
  if (!log.ok()) return log.status();
  recorder->log_ = *std::move(log);
  recorder->left_ = std::move(contents->left);
  recorder->sealed_ = std::move(contents->sealed);
  recorder->notes_ = std::move(contents->notes);
  return recorder;
}

absl::StatusOr<std::unique_ptr<Recording>> LogRecorder::Open(const match::Setup& setup,
                                                             const dice::Seed& seed) {
  RecordEncoder encoder;
  std::string opening;
  std::string secret;
  encoder.AppendOpening(setup, &opening);
  encoder.AppendSecret(seed, &secret);
  std::string records;
  AppendSized(opening, &records);
  AppendSized(secret, &records);
  absl::StatusOr<std::shared_ptr<Log::Line>> line = log_->Open(setup.id, records, kOpeningRecords);
  if (!line.ok()) return OfTheDisk(line.status());
  const uint64_t due = options_.durability == Durability::kNone ? 0 : log_->written();
  return std::make_unique<LogRecording>(*std::move(line), setup, absl::Span<const match::Record>(),
                                        this, due);
}

absl::Status LogRecorder::Check() { return OfTheDisk(log_->Check()); }

absl::Status LogRecorder::Seal(Log::Line* line, const ReplaySummary& summary) {
  const std::string file = ReplayOf(log_->RecordsOf(*line), signer_);
  if (absl::Status s = options_.shelf->Put(summary, file); !s.ok()) return s;
  return log_->Close(line, LogFrame::Kind::kSealed);
}

absl::Status LogRecorder::Quarantine(const Log::Line& line, absl::string_view why) const {
  return options_.quarantine(line.id(), log_->RecordsOf(line), why);
}

absl::Status LogRecorder::SetAside(Log::Line* line, absl::string_view why) {
  if (absl::Status s = Quarantine(*line, why); !s.ok()) return s;
  return log_->Close(line, LogFrame::Kind::kSetAside);
}

absl::StatusOr<Replay> LogRecorder::ReadKept(const MatchId& id) const {
  const std::shared_ptr<Log::Line> line = log_->Find(id);
  if (line == nullptr) return NoReplay(id.text());
  absl::StatusOr<MatchRead> match = ReadMatch(log_->RecordsOf(*line));
  if (!match.ok()) return match.status();
  if (!match->ended) return NoReplay(id.text());
  return Replay{std::move(match->setup), std::move(match->records)};
}

// --- What an earlier process left ---

absl::Status LogRecorder::Forget(const absl::flat_hash_set<std::string>& match_ids) {
  const absl::StatusOr<Log::Contents> contents = Log::ReadRunning(*options_.disk);
  if (!contents.ok()) return contents.status();
  for (const Log::Sealed& sealed : contents->sealed) {
    if (!match_ids.contains(sealed.id.text())) continue;
    if (absl::Status s = log_->Forget(sealed.id); !s.ok()) return s;
  }
  return log_->Last();
}

std::vector<Recovered> LogRecorder::Recover() {
  // From here on the effects of recovered records are published.
  if (absl::Status s = log_->Last(); !s.ok()) notes_.emplace_back(s.message());
  Mend();
  std::vector<Recovered> all;
  for (std::string& note : notes_) {
    Recovered noted;
    noted.action = Recovered::Action::kNoted;
    noted.what = "log";
    noted.detail = std::move(note);
    all.push_back(std::move(noted));
  }
  notes_.clear();
  std::sort(left_.begin(), left_.end(),
            [](const Log::Left& a, const Log::Left& b) { return a.line->id() < b.line->id(); });
  std::vector<Log::Left> kept;
  for (Log::Left& left : left_) {
    all.push_back(RecoverOne(left));
    if (all.back().action == Recovered::Action::kKept) kept.push_back(std::move(left));
  }
  left_ = std::move(kept);
  log_->TendSoon();
  return all;
}

Recovered LogRecorder::RecoverOne(const Log::Left& left) {
  Recovered result;
  result.what = absl::StrCat("match ", left.line->id().text());
  absl::StatusOr<MatchRead> match = ReadMatch(log_->RecordsOf(*left.line));
  if (!left.damage.empty()) match = BadAtByte(0, left.damage);
  if (match.ok() && match->setup.id != left.line->id()) {
    match = BadAtByte(0, absl::StrCat("they are of match ", match->setup.id.text()));
  }
  if (!match.ok()) {
    result.detail = std::string(match.status().message());
    if (IsUnknownHere(match.status()) && !options_.set_aside_unknown) return result;
    result.action = Recovered::Action::kBroken;
    const absl::Status aside = SetAside(left.line.get(), result.detail);
    result.detail = aside.ok()
                        ? absl::StrCat("its records were moved to quarantine/: ", result.detail)
                        : absl::StrCat(result.detail, "; ", aside.message());
    return result;
  }
  result.match_id = left.line->id();
  const bool ended = match->ended;
  GoOn(left.line,
       {std::move(match->setup), match->secret, std::move(match->records), /*recording=*/nullptr},
       ended, &result);
  return result;
}

void LogRecorder::GoOn(const std::shared_ptr<Log::Line>& line, Unfinished match, bool ended,
                       Recovered* result) {
  auto recording =
      std::make_unique<LogRecording>(line, match.setup, match.records, this, /*due=*/0);
  if (ended) {
    const Replay replay{std::move(match.setup), std::move(match.records)};
    result->over = OverOf(replay);
    const absl::Status sealed = Seal(line.get(), Summarise(replay));
    result->action = sealed.ok() ? Recovered::Action::kSealed : Recovered::Action::kKept;
    result->detail = sealed.ok() ? "archived" : std::string(sealed.message());
    if (!sealed.ok()) result->unsealed = std::move(recording);
    return;
  }
  if (IsArchived(line.get(), result)) return;
  result->action = Recovered::Action::kRunning;
  result->detail = absl::StrCat("the match was running, with ", match.records.size(),
                                match.records.size() == 1 ? " record" : " records");
  match.recording = std::move(recording);
  result->unfinished = std::move(match);
}

// Returns whether the match is archived although its records lack the end, which a loss of power
// destroyed.
bool LogRecorder::IsArchived(Log::Line* line, Recovered* result) {
  const absl::StatusOr<std::string> bytes = options_.shelf->Read(line->id());
  if (!bytes.ok()) return false;
  absl::StatusOr<Replay> replay = Parse(*bytes);
  if (!replay.ok() || !log_->Close(line, LogFrame::Kind::kSealed).ok()) return false;
  result->action = Recovered::Action::kSealed;
  result->over = OverOf(*replay);
  result->detail = "archived before";
  return true;
}

void LogRecorder::Mend() {
  for (const Log::Sealed& sealed : sealed_) {
    const absl::StatusOr<std::string> bytes = options_.shelf->Read(sealed.id);
    if (bytes.ok() ? !absl::IsInvalidArgument(Parse(*bytes).status())
                   : !absl::IsNotFound(bytes.status()) && !absl::IsDataLoss(bytes.status())) {
      continue;
    }
    absl::StatusOr<MatchRead> match = ReadMatch(sealed.records);
    if (!match.ok() || !match->ended) continue;
    const std::string file = ReplayOf(sealed.records, signer_);
    const Replay replay{std::move(match->setup), std::move(match->records)};
    const absl::Status put = options_.shelf->Put(Summarise(replay), file);
    notes_.push_back(absl::StrCat("match ", sealed.id.text(), ": its replay was lost, ",
                                  put.ok() ? "and put back" : put.message()));
    if (!put.ok()) Keep(sealed);
  }
  sealed_.clear();
}

// Reopens a match whose replay was lost, until it is archived again.
void LogRecorder::Keep(const Log::Sealed& sealed) {
  absl::StatusOr<std::shared_ptr<Log::Line>> line =
      log_->Reopen(sealed.id, sealed.records, CountSized(sealed.records).value_or(0));
  if (line.ok()) return left_.push_back({*std::move(line), ""});
  notes_.push_back(absl::StrCat("match ", sealed.id.text(), ": ", line.status().message()));
}

}  // namespace referee::replay
