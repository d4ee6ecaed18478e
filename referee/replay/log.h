// The write-ahead log of a referee: the records of all its running matches.
//
// Each record is written before its effects are published, so a killed referee can resume its
// matches. The log holds secret seeds. FORMAT.md has the format.
//
// The log is a row of segments (log_disk.h). A segment is reused when all matches in it are sealed,
// so in the steady state a match needs no new file. A write is a copy into memory; a thread saves
// it to the disk soon after. If a long match would keep many segments in use, the log copies its
// records into the newest segment.
//
//   absl::StatusOr<Log::Contents> contents = Log::Read(*disk);     // of an earlier process
//   std::unique_ptr<Log> log = Log::Start(std::move(options), *std::move(contents)).value();
//   std::shared_ptr<Log::Line> line = log->Open(id, records, 2).value();
//   log->Append(line.get(), more, 1);
//   log->Close(line.get(), LogFrame::Kind::kSealed);
//
// One thread saves and syncs (log_saving.cc); writers never wait for it. Another thread makes and
// frees segments (log.cc). log_contents.cc reads.
#ifndef REFEREE_REPLAY_LOG_H_
#define REFEREE_REPLAY_LOG_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/replay/durability.h"
#include "referee/replay/log_disk.h"
#include "referee/replay/log_format.h"

namespace referee::replay {

// Thread-safe. At most one per disk.
class Log {
 public:
  struct Options {
    LogDisk* disk = nullptr;  // must outlive the log
    // With kNone nothing is ever synced, and WhenLasting must not be called.
    Durability durability = Durability::kNone;
    size_t segment_bytes = limits::kLogSegmentBytes;
    // The least time between the starts of two syncs, given how long the first took. Callers that
    // arrive meanwhile share the second sync. Null: zero. Called on a thread of the log.
    std::function<absl::Duration(absl::Duration sync)> gather = nullptr;
    // Syncs the archive of sealed matches. Unless the durability is kNone, a segment is reused only
    // after that. Called on a thread of the log.
    std::function<absl::Status()> sync_sealed = nullptr;
    // Whether threads of the log make and free segments. REQUIRES: true, unless the durability is
    // kNone.
    bool own_threads = true;
  };

  // An open match in the log.
  class Line {
   public:
    const MatchId& id() const { return id_; }
    // Returns the records that were read. REQUIRES: the log was not started yet; then use
    // RecordsOf.
    const std::string& records_read() const { return records_; }

   private:
    friend class Log;
    MatchId id_;
    std::string records_;  // all, encoded as in LogFrame
    uint32_t count_ = 0;   // of records
    uint64_t from_ = 0;    // number of the segment in which the match begins
    bool open_ = false;
    bool damaged_ = false;  // its records must not be copied to another segment
  };

  // A match in a log that is neither sealed nor given up.
  struct Left {
    std::shared_ptr<Line> line;
    std::string damage;  // what is wrong; empty: nothing
  };
  // A sealed match, whose replay a loss of power may have destroyed.
  struct Sealed {
    MatchId id;
    std::string records;
  };
  // The contents of a log, as an earlier process left them.
  struct Contents {
    struct Segment {
      uint32_t slot = 0;
      LogHead head;
      size_t torn = 0;       // as in LogContent
      bool empty = false;    // only the head was written
      bool damaged = false;  // the head is damaged; the segment stays unchanged
    };
    std::vector<Left> left;  // sorted by id
    std::vector<Sealed> sealed;
    std::vector<std::string> notes;  // for people, such as about unfinished writes
    std::vector<Segment> segments;   // oldest first, except empty ones
  };

  // Reads the log on the disk, and changes nothing. Returns FailedPrecondition that names the
  // segment when the version of one is unknown here, or an error of the disk.
  static absl::StatusOr<Contents> Read(const LogDisk& disk);
  // Reads the log while another process writes it. The result is the log at one moment between the
  // call and its return. Returns Unavailable when segments are begun and freed faster than they can
  // be read.
  static absl::StatusOr<Contents> ReadRunning(const LogDisk& disk);

  // Continues the log that was read, in a new segment. Returns an error of the disk, such as
  // ResourceExhausted when it is full.
  static absl::StatusOr<std::unique_ptr<Log>> Start(Options options, const Contents& contents);
  // Calls the pending callbacks of WhenLasting, then saves everything to the disk.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // Writes a new match with its first `count` records, encoded as in LogFrame. Returns
  // ResourceExhausted when the disk has no room for one more segment. One segment is reserved for
  // the matches that are open.
  absl::StatusOr<std::shared_ptr<Line>> Open(const MatchId& id, absl::string_view records,
                                             uint32_t count);
  // The same for a match that was closed and is needed again. It may use the reserved segment.
  absl::StatusOr<std::shared_ptr<Line>> Reopen(const MatchId& id, absl::string_view records,
                                               uint32_t count);
  // Writes the next `count` records of a match. When it returns OK they survive the end of the
  // process. On failure they are not in the log, and earlier records stay.
  absl::Status Append(Line* line, absl::string_view records, uint32_t count);
  // Marks a match as sealed or given up: its records are no longer needed. Does nothing if the
  // match is closed already. Works when the disk is full: room is reserved.
  absl::Status Close(Line* line, LogFrame::Kind kind);
  // Marks the replay of a sealed match as not needed: Contents::sealed no longer has it.
  absl::Status Forget(const MatchId& id);

  // Returns the records of a match so far; empty once it is closed.
  std::string RecordsOf(const Line& line) const;
  // Returns why no match can be opened now: the last save, or the last sync of the archive, has
  // failed. The call also triggers another try.
  absl::Status Check();
  // Returns the open line of a match; null if there is none.
  std::shared_ptr<Line> Find(const MatchId& id) const;

  // Frees the segments that are not needed. Call it once after Start, when the recovered matches
  // were handled. Later the log does so itself whenever a segment is full.
  void TendSoon();

  // Returns the position after everything written so far.
  uint64_t written() const { return written_.load(std::memory_order_relaxed); }
  // Returns whether everything before a position is on the disk.
  bool Lasts(uint64_t position) const {
    return position <= lasting_.load(std::memory_order_acquire);
  }
  // Calls `then` on a thread of the log when everything written so far is on the disk, or with the
  // error of the disk. REQUIRES: a durability other than kNone.
  void WhenLasting(std::function<void(const absl::Status&)> then);
  // Blocks until everything written so far is on the disk.
  absl::Status Last();

 private:
  struct Segment {
    uint32_t slot = 0;
    LogHead head;  // number 0: the segment is free
    std::shared_ptr<LogSegment> bytes;
    size_t end = 0;    // of the written bytes
    size_t saved = 0;  // up to this byte
  };
  struct ByAge {
    bool operator()(const std::shared_ptr<Line>& a, const std::shared_ptr<Line>& b) const {
      return std::tie(a->from_, a->id_) < std::tie(b->from_, b->id_);
    }
  };
  using Then = std::function<void(const absl::Status&)>;

  explicit Log(Options options) : options_(std::move(options)) {}

  absl::Status TakeOver(const Contents& contents);
  bool lasts() const { return options_.durability != Durability::kNone; }

  // The extent of a segment when it was read.
  struct Mark {
    uint32_t slot = 0;
    LogHead head;
    size_t end = 0;  // of its last frame

    bool IsOf(const Contents::Segment& segment) const {
      return slot == segment.slot && head.number == segment.head.number &&
             head.salt == segment.head.salt;
    }
  };

  static absl::StatusOr<std::vector<Mark>> ReadMarks(const LogDisk& disk);
  // Reads up to the mark of the newest segment; null: reads everything. Returns Aborted when the
  // segments are not those of the marks.
  static absl::StatusOr<Contents> ReadTo(const std::vector<Mark>* marks, const LogDisk& disk);

  // Each of these writes, or makes room for a write. Reserve may block.
  absl::StatusOr<std::shared_ptr<Line>> Begin(const MatchId& id, absl::string_view records,
                                              uint32_t count) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // `left`: bytes at the end of the segment that must stay free.
  absl::Status Write(const LogFrame& frame, size_t left) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns the bytes needed to close every open match.
  size_t ToClose() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status TurnOver(size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<Segment> Make(uint32_t slot, size_t bytes) const;
  // Makes a segment that is held in memory. After an error nothing is left behind.
  absl::StatusOr<Segment> MakeHeld(uint32_t slot) const;
  absl::Status Reserve() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CheckSyncs() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Returns how many of the oldest segments no open match needs.
  size_t Unneeded() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Tend();
  bool CarryOne();
  void FreeSegments();
  bool SyncSealed();
  absl::Status Free(Segment segment);
  // Returns whether the segment joins the free ones. If not (wrong size, or one too many) it must
  // be removed.
  bool GiveBack(const Segment& segment) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ReserveAhead();

  void SaveLoop();
  // Returns when a callback waits for a save, when it is `at` and something is unsaved, or when the
  // log ends.
  void AwaitWork(Instant at) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void GatherUntil(Instant end) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TendLoop();
  // Saves everything to the disk; `lasts` as in LogSegment::Save.
  absl::Status SaveAll(bool lasts) ABSL_LOCKS_EXCLUDED(saving_mutex_, mutex_);

  const Options options_;
  std::atomic<uint64_t> written_{0};  // frames since the start
  std::atomic<uint64_t> lasting_{0};  // how many of these are on the disk

  Mutex saving_mutex_;  // held during a save; taken before mutex_
  mutable Mutex mutex_;
  CondVar save_wanted_;
  CondVar stops_;
  CondVar tending_wanted_;
  CondVar reserved_;
  std::deque<Segment> used_ ABSL_GUARDED_BY(mutex_);  // oldest first; the last one is written to
  std::deque<Segment> free_ ABSL_GUARDED_BY(mutex_);
  uint64_t next_number_ ABSL_GUARDED_BY(mutex_) = 1;
  uint32_t next_slot_ ABSL_GUARDED_BY(mutex_) = 0;
  std::set<std::shared_ptr<Line>, ByAge> open_ ABSL_GUARDED_BY(mutex_);
  size_t open_bytes_ ABSL_GUARDED_BY(mutex_) = 0;  // of the records of open_
  std::string scratch_ ABSL_GUARDED_BY(mutex_);
  std::vector<Then> waiting_ ABSL_GUARDED_BY(mutex_);
  bool unsaved_ ABSL_GUARDED_BY(mutex_) = false;  // something was written since the last save
  bool reserve_due_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t reserve_tries_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status reserve_tried_ ABSL_GUARDED_BY(mutex_);  // result of the last try
  bool tend_due_ ABSL_GUARDED_BY(mutex_) = false;
  bool tending_stops_ ABSL_GUARDED_BY(mutex_) = false;
  bool saving_stops_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status saved_ ABSL_GUARDED_BY(mutex_);          // result of the last save
  absl::Status sealed_synced_ ABSL_GUARDED_BY(mutex_);  // result of the last sync of the archive
  std::thread saves_;
  std::thread tends_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_H_
