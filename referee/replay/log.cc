#include "referee/replay/log.h"

#include <sodium.h>

#include <algorithm>

#include "referee/replay/log_format.h"

namespace referee::replay {
namespace {

constexpr size_t kMostFree = 2;  // free segments; others are removed
constexpr size_t kLowByte = 0xff;

// Writes a head so that a kill at any moment leaves all of it or none.
absl::Status WriteHead(absl::string_view head, LogSegment* segment) {
  absl::Status s = segment->Write(0, EncodeNoHead().substr(0, kLogMagicBytes));
  if (s.ok()) s = segment->Write(kLogMagicBytes, head.substr(kLogMagicBytes));
  return s.ok() ? segment->Write(0, head.substr(0, kLogMagicBytes)) : s;
}

// Returns the next segment number. Its lowest byte is not zero, because FindFrame searches damaged
// segments for it, and zeros are everywhere.
uint64_t NumberFrom(uint64_t number) { return (number & kLowByte) == 0 ? number + 1 : number; }

// Must be unpredictable.
uint64_t DrawSalt() {
  uint64_t salt = 0;
  randombytes_buf(&salt, sizeof(salt));
  return salt;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Log>> Log::Start(Options options, const Contents& contents) {
  std::unique_ptr<Log> log(new Log(std::move(options)));
  if (absl::Status s = log->TakeOver(contents); !s.ok()) return s;
  if (log->options_.own_threads) {
    log->saves_ = std::thread([log = log.get()] { log->SaveLoop(); });
    log->tends_ = std::thread([log = log.get()] { log->TendLoop(); });
  }
  return log;
}

absl::Status Log::TakeOver(const Contents& contents) {
  MutexLock lock(&mutex_);
  for (const Contents::Segment& left : contents.segments) {
    next_slot_ = std::max(next_slot_, left.slot + 1);
    next_number_ = std::max(next_number_, left.head.number + 1);
    if (left.damaged) continue;  // stays for inspection
    absl::StatusOr<Segment> segment = Make(left.slot, options_.segment_bytes);
    if (!segment.ok()) return segment.status();
    if (left.head.number == 0 || left.empty) {
      const absl::Status held = segment->bytes->Hold();
      if (!held.ok() || !GiveBack(*segment)) options_.disk->Remove(left.slot).IgnoreError();
      continue;
    }
    if (left.torn > 0) {
      if (absl::Status s = segment->bytes->Write(left.torn, kNoFrame); !s.ok()) return s;
    }
    segment->head = left.head;
    segment->end = segment->bytes->size();
    segment->saved = 0;  // the earlier process may have ended before it saved
    used_.push_back(*std::move(segment));
  }
  // A loss of power may have destroyed the heads of some segments but not their frames. Skip
  // numbers, so that none is used twice.
  next_number_ += contents.segments.size();
  for (const Left& left : contents.left) {
    left.line->damaged_ = !left.damage.empty();
    open_.insert(left.line);
    open_bytes_ += left.line->records_.size();
  }
  if (free_.empty()) {
    absl::StatusOr<Segment> first = MakeHeld(next_slot_);
    if (!first.ok()) return first.status();
    ++next_slot_;
    free_.push_back(*std::move(first));
  }
  const absl::Status turned = TurnOver(/*bytes=*/0);
  tend_due_ = false;  // until the recovered matches were handled
  return turned;
}

Log::~Log() {
  {
    MutexLock lock(&mutex_);
    tending_stops_ = true;
  }
  tending_wanted_.NotifyAll();
  stops_.NotifyAll();
  if (tends_.joinable()) tends_.join();  // this thread may wait for the saving thread
  {
    MutexLock lock(&mutex_);
    saving_stops_ = true;
  }
  save_wanted_.NotifyAll();
  if (saves_.joinable()) saves_.join();
  if (!SaveAll(/*lasts=*/false).ok()) return;  // the next process finds the rest in memory
  MutexLock lock(&mutex_);
  for (const Segment& segment : used_) segment.bytes->Release();
  for (const Segment& segment : free_) segment.bytes->Release();
}

// --- Writing ---

absl::StatusOr<std::shared_ptr<Log::Line>> Log::Open(const MatchId& id, absl::string_view records,
                                                     uint32_t count) {
  absl::StatusOr<std::shared_ptr<Line>> line;
  bool tend = false;
  {
    MutexLock lock(&mutex_);
    if (absl::Status s = Reserve(); !s.ok()) return s;
    line = Begin(id, records, count);
    tend = tend_due_ && !options_.own_threads;
  }
  if (tend) Tend();
  return line;
}

absl::StatusOr<std::shared_ptr<Log::Line>> Log::Reopen(const MatchId& id, absl::string_view records,
                                                       uint32_t count) {
  MutexLock lock(&mutex_);
  return Begin(id, records, count);
}

absl::StatusOr<std::shared_ptr<Log::Line>> Log::Begin(const MatchId& id, absl::string_view records,
                                                      uint32_t count) {
  auto line = std::make_shared<Line>();
  line->id_ = id;
  line->records_ = std::string(records);
  line->count_ = count;
  line->open_ = true;
  if (absl::Status s = Write({LogFrame::Kind::kMatch, id, 0, records}, ToClose()); !s.ok())
    return s;
  line->from_ = used_.back().head.number;
  open_.insert(line);
  open_bytes_ += records.size();
  return line;
}

absl::Status Log::Append(Line* line, absl::string_view records, uint32_t count) {
  bool tend = false;
  {
    MutexLock lock(&mutex_);
    const LogFrame frame{LogFrame::Kind::kMore, line->id_, line->count_, records};
    if (absl::Status s = Write(frame, ToClose()); !s.ok()) return s;
    line->records_.append(records.data(), records.size());
    line->count_ += count;
    open_bytes_ += records.size();
    tend = tend_due_ && !options_.own_threads;
  }
  if (tend) Tend();
  return absl::OkStatus();
}

absl::Status Log::Close(Line* line, LogFrame::Kind kind) {
  MutexLock lock(&mutex_);
  if (!line->open_) return absl::OkStatus();
  if (absl::Status s = Write({kind, line->id_, line->count_, ""}, /*left=*/0); !s.ok()) return s;
  const auto it = open_.find(std::shared_ptr<Line>(std::shared_ptr<void>(), line));
  const std::shared_ptr<Line> keep = *it;
  open_.erase(it);
  open_bytes_ -= line->records_.size();
  line->records_ = std::string();
  line->open_ = false;
  return absl::OkStatus();
}

absl::Status Log::Forget(const MatchId& id) {
  MutexLock lock(&mutex_);
  return Write({LogFrame::Kind::kSetAside, id, 0, ""}, ToClose());
}

std::string Log::RecordsOf(const Line& line) const {
  MutexLock lock(&mutex_);
  return line.records_;
}

std::shared_ptr<Log::Line> Log::Find(const MatchId& id) const {
  MutexLock lock(&mutex_);
  for (const std::shared_ptr<Line>& line : open_) {
    if (line->id_ == id) return line;
  }
  return nullptr;
}

absl::Status Log::Write(const LogFrame& frame, size_t left) {
  const size_t size = LogFrameBytes(frame.records.size());
  size_t needed = size + left;
  if (kLogPageBytes + needed > options_.segment_bytes) needed = size;
  if (used_.back().end + needed > used_.back().bytes->size()) {
    if (absl::Status s = TurnOver(size); !s.ok()) return s;
  }
  Segment& segment = used_.back();
  scratch_.clear();
  AppendLogFrame(segment.head, frame, &scratch_);
  if (segment.end + size + kNoFrame.size() <= segment.bytes->size()) {
    scratch_.append(kNoFrame.data(), kNoFrame.size());
  }
  if (absl::Status s = segment.bytes->Write(segment.end, scratch_); !s.ok()) {
    // The next write overwrites the failed one. If this write fails too, readers skip the torn
    // frame.
    segment.bytes->Write(segment.end, kNoFrame).IgnoreError();
    return s;
  }
  segment.end += size;
  written_.fetch_add(1, std::memory_order_relaxed);
  if (!std::exchange(unsaved_, true)) save_wanted_.NotifyOne();
  return absl::OkStatus();
}

size_t Log::ToClose() const {
  return std::min(LogFrameBytes(0) * (open_.size() + 1), options_.segment_bytes / 4);
}

// Continues in a free segment with room for a frame of this size.
absl::Status Log::TurnOver(size_t bytes) {
  const size_t needed = kLogPageBytes + bytes;
  Segment next;
  if (!free_.empty() && free_.front().bytes->size() >= needed) {
    next = std::move(free_.front());
    free_.pop_front();
  } else {
    absl::StatusOr<Segment> made = Make(next_slot_, std::max(options_.segment_bytes, needed));
    if (!made.ok()) return made.status();
    ++next_slot_;
    next = *std::move(made);
    next.bytes->Hold().IgnoreError();  // without memory, open matches wait for the disk instead
  }
  next.head = {NumberFrom(next_number_), lasts(), DrawSalt()};
  absl::Status written = next.bytes->Write(kLogPageBytes, kNoFrame);
  written.Update(WriteHead(EncodeHead(next.head), next.bytes.get()));
  if (!written.ok()) {
    free_.push_front(std::move(next));
    return written;
  }
  next_number_ = next.head.number + 1;
  next.end = kLogPageBytes;
  next.saved = 0;
  used_.push_back(std::move(next));
  tend_due_ = true;
  tending_wanted_.NotifyOne();
  return absl::OkStatus();
}

absl::StatusOr<Log::Segment> Log::Make(uint32_t slot, size_t bytes) const {
  absl::StatusOr<std::unique_ptr<LogSegment>> made = options_.disk->Open(slot, bytes, lasts());
  if (!made.ok()) return made.status();
  Segment segment;
  segment.slot = slot;
  segment.bytes = *std::move(made);
  return segment;
}

absl::StatusOr<Log::Segment> Log::MakeHeld(uint32_t slot) const {
  absl::StatusOr<Segment> made = Make(slot, options_.segment_bytes);
  if (!made.ok()) return made;
  if (absl::Status held = made->bytes->Hold(); !held.ok()) {
    options_.disk->Remove(slot).IgnoreError();
    return held;
  }
  return made;
}

// Ensures that a segment is free. New matches must not use up the room of open ones, nor make them
// wait.
absl::Status Log::Reserve() {
  if (absl::Status s = CheckSyncs(); !s.ok()) return s;
  if (!free_.empty()) return absl::OkStatus();
  if (!options_.own_threads) {
    absl::StatusOr<Segment> made = MakeHeld(next_slot_++);
    if (made.ok()) free_.push_back(*std::move(made));
    return made.status();
  }
  const uint64_t tries = reserve_tries_;
  reserve_due_ = true;
  tending_wanted_.NotifyOne();
  while (free_.empty() && reserve_tries_ == tries) reserved_.Wait(&mutex_);
  return free_.empty() ? reserve_tried_ : absl::OkStatus();
}

// --- Tending ---

void Log::TendLoop() {
  for (;;) {
    bool reserve = false;
    bool tend = false;
    {
      MutexLock lock(&mutex_);
      while (!tending_stops_ && !reserve_due_ && !tend_due_) tending_wanted_.Wait(&mutex_);
      if (tending_stops_) return;
      reserve = std::exchange(reserve_due_, false);
      tend = tend_due_;
    }
    if (reserve) ReserveAhead();
    if (tend) Tend();
  }
}

void Log::TendSoon() {
  if (!options_.own_threads) return Tend();
  MutexLock lock(&mutex_);
  tend_due_ = true;
  tending_wanted_.NotifyOne();
}

void Log::Tend() {
  {
    MutexLock lock(&mutex_);
    tend_due_ = false;
  }
  while (CarryOne()) continue;
  FreeSegments();
  if (options_.own_threads) ReserveAhead();
}

size_t Log::Unneeded() const {
  const uint64_t needed = open_.empty()
                              ? used_.back().head.number
                              : std::min((*open_.begin())->from_, used_.back().head.number);
  size_t count = 0;
  while (used_[count].head.number < needed) ++count;
  return count;
}

// If there are too many segments, copies the match that keeps the oldest one in use to the newest.
// Returns whether another match may need the same.
bool Log::CarryOne() {
  MutexLock lock(&mutex_);
  const size_t most = limits::kMaxLogSegments + 2 * open_bytes_ / options_.segment_bytes;
  if (open_.empty() || used_.size() - Unneeded() <= most) return false;
  const std::shared_ptr<Line> line = *open_.begin();
  if (line->damaged_) return false;
  if (!Write({LogFrame::Kind::kMatch, line->id_, 0, line->records_}, ToClose()).ok()) return false;
  open_.erase(open_.begin());
  line->from_ = used_.back().head.number;
  open_.insert(line);
  return true;
}

void Log::FreeSegments() {
  std::vector<uint64_t> unneeded;
  bool reserve = false;
  {
    MutexLock lock(&mutex_);
    reserve = options_.own_threads && free_.empty();
    for (size_t i = 0; i < Unneeded(); ++i) unneeded.push_back(used_[i].head.number);
  }
  if (unneeded.empty()) return;
  if (reserve) ReserveAhead();  // so that no new match waits for the steps below
  if (lasts() ? !SyncSealed() : !SaveAll(/*lasts=*/false).ok()) return;
  for (const uint64_t number : unneeded) {
    Segment segment;
    {
      MutexLock lock(&mutex_);
      if (used_.front().head.number != number) return;
      segment = std::move(used_.front());
      used_.pop_front();
    }
    // Free in order: the closing frames of a match must outlast its other frames.
    if (!Free(std::move(segment)).ok()) return;
  }
}

absl::Status Log::Free(Segment segment) {
  absl::Status emptied = WriteHead(EncodeNoHead(), segment.bytes.get());
  if (emptied.ok() && lasts()) emptied = segment.bytes->Save(0, kLogHeadBytes, /*lasts=*/true);
  if (!emptied.ok()) {
    MutexLock lock(&mutex_);
    used_.push_front(std::move(segment));
    return emptied;
  }
  segment.head = LogHead();
  bool taken = segment.bytes->Hold().ok();
  if (taken) {
    MutexLock lock(&mutex_);
    taken = GiveBack(segment);
  }
  if (!taken) options_.disk->Remove(segment.slot).IgnoreError();
  return emptied;
}

bool Log::GiveBack(const Segment& segment) {
  const bool fits = segment.bytes->size() == options_.segment_bytes;
  if (fits && free_.size() < kMostFree) {
    free_.push_back(segment);
    return true;
  }
  return false;
}

void Log::ReserveAhead() {
  uint32_t slot = 0;
  bool wanted = false;
  {
    MutexLock lock(&mutex_);
    wanted = free_.empty();
    if (wanted) slot = next_slot_++;
  }
  absl::StatusOr<Segment> made = Segment();
  if (wanted) made = MakeHeld(slot);
  MutexLock lock(&mutex_);
  if (wanted && made.ok()) free_.push_back(*std::move(made));
  reserve_tried_ = made.status();
  ++reserve_tries_;
  reserved_.NotifyAll();
}

}  // namespace referee::replay
