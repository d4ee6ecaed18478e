// The write-ahead log of a referee: the records of all its matches, each written before its effects
// are told, so that matches can go on after the referee was killed. It holds secret seeds.
//
// The log is a row of segments (log_disk.h), used again when all matches in them are sealed. So in
// the steady state a match costs no file, and a write is a copy into memory, which a thread takes
// to the disk soon after. A long match that would keep many segments is written again, as far as it
// is, into the newest one. Format: FORMAT.md.
//
//   absl::StatusOr<Log::Contents> contents = Log::Read(*disk);     // what an earlier process left
//   std::unique_ptr<Log> log = Log::Start(std::move(options), *std::move(contents)).value();
//   std::shared_ptr<Log::Line> line = log->Open(id, records, 2).value();
//   log->Append(line.get(), more, 1);
//   log->Close(line.get(), LogFrame::Kind::kSealed);
//
// One thread saves and syncs what was written (log_saving.cc); those who write never wait for it.
// Another makes and frees segments (log.cc). log_contents.cc reads.
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
    // Whether WhenLasting can be called: with kNone nothing is ever synced.
    Durability durability = Durability::kNone;
    size_t segment_bytes = limits::kLogSegmentBytes;
    // How long after one sync began, which took `sync`, the next begins at the soonest, so that
    // those who come meanwhile share it. Null: at once. Called on a thread of the log.
    std::function<absl::Duration(absl::Duration sync)> gather = nullptr;
    // Syncs what was sealed before the call; where anything is to last, a segment is used again
    // only after that. Called on a thread of the log.
    std::function<absl::Status()> sync_sealed = nullptr;
    // Whether threads of the log's own make and free segments. REQUIRES: true, unless the
    // durability is kNone.
    bool own_threads = true;
  };

  // A match in the log.
  class Line {
   public:
    const MatchId& id() const { return id_; }
    // REQUIRES: the log was not started yet; see RecordsOf.
    const std::string& records_read() const { return records_; }

   private:
    friend class Log;
    MatchId id_;
    std::string records_;  // all, as LogFrame has them
    uint32_t count_ = 0;   // of records
    uint64_t from_ = 0;    // the segment in which the match begins
    bool open_ = false;
    bool damaged_ = false;  // it cannot be written again as it is
  };

  // What a log holds of a match that is neither sealed nor set aside.
  struct Left {
    std::shared_ptr<Line> line;
    std::string damage;  // what is wrong; empty: nothing
  };
  // A match that is sealed, of which the replay may have been lost with the power.
  struct Sealed {
    MatchId id;
    std::string records;
  };
  // What an earlier process left.
  struct Contents {
    struct Segment {
      uint32_t slot = 0;
      LogHead head;
      size_t torn = 0;       // as LogContent has it
      bool empty = false;    // nothing was written to it but its head
      bool damaged = false;  // its head: it is left as it is
    };
    std::vector<Left> left;  // in order of their ids
    std::vector<Sealed> sealed;
    std::vector<std::string> notes;  // of writes that were not finished and the like, for people
    std::vector<Segment> segments;   // oldest first, but for those that hold nothing
  };

  // Reads what is on the disk and changes nothing. Returns FailedPrecondition that names the
  // segment when one is of a version that is not known here; an error of the disk.
  static absl::StatusOr<Contents> Read(const LogDisk& disk);
  // The same while a log writes there: what it held at one moment between the call and its return.
  // Returns Unavailable when segments are begun and freed faster than they can be read.
  static absl::StatusOr<Contents> ReadRunning(const LogDisk& disk);

  // Goes on with what was read, in a new segment. Returns an error of the disk:
  // ResourceExhausted, when it is full.
  static absl::StatusOr<std::unique_ptr<Log>> Start(Options options, const Contents& contents);
  // Tells those who wait first, and takes everything to the disk.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // Writes a new match with its first `count` records, as LogFrame has them. Returns
  // ResourceExhausted when the disk has no room for one more segment; those matches that are open
  // have one in reserve.
  absl::StatusOr<std::shared_ptr<Line>> Open(const MatchId& id, absl::string_view records,
                                             uint32_t count);
  // The same for a match that was closed before and is needed again; it may take what is in
  // reserve.
  absl::StatusOr<std::shared_ptr<Line>> Reopen(const MatchId& id, absl::string_view records,
                                               uint32_t count);
  // Writes the next `count` records of a match; when it returns OK they survive the end of the
  // process. On failure they are not in the log, and what was written before stays.
  absl::Status Append(Line* line, absl::string_view records, uint32_t count);
  // Notes that the match is sealed, or set aside: its records are of no use any more. Does nothing
  // to one that was closed. There is room for that when the disk is full.
  absl::Status Close(Line* line, LogFrame::Kind kind);
  // Notes of a match that was closed as sealed that its replay is not missed any more: it is not
  // among Contents::sealed from here on.
  absl::Status Forget(const MatchId& id);

  // The records of a match so far. Empty once it is closed.
  std::string RecordsOf(const Line& line) const;
  // Returns why no match can be opened now: the last save has failed, or sync of what is sealed.
  // That has it tried again.
  absl::Status Check();
  // The open line of a match; null if there is none.
  std::shared_ptr<Line> Find(const MatchId& id) const;

  // Frees the segments that are not needed. Call it once after Start, when what is left was dealt
  // with; the log does it by itself whenever one is full.
  void TendSoon();

  // A position in the log: all that was written so far.
  uint64_t written() const { return written_.load(std::memory_order_relaxed); }
  // Whether what was written up to a position is on the disk.
  bool Lasts(uint64_t position) const {
    return position <= lasting_.load(std::memory_order_acquire);
  }
  // Has `then` called, on a thread of the log, when all that was written before is on the disk, or
  // with the error of the disk. REQUIRES: a durability other than kNone.
  void WhenLasting(std::function<void(const absl::Status&)> then);
  // Waits for that.
  absl::Status Last();

 private:
  struct Segment {
    uint32_t slot = 0;
    LogHead head;  // number 0: it is free
    std::shared_ptr<LogSegment> bytes;
    size_t end = 0;    // of what was written
    size_t saved = 0;  // up to here
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

  // How far a segment went when it was read.
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
  // Reads no further than the mark of the newest segment; null: everything. Returns Aborted when
  // the segments are others than those of the marks.
  static absl::StatusOr<Contents> ReadTo(const std::vector<Mark>* marks, const LogDisk& disk);

  // Each of these writes, or makes room to write. Reserve may wait for that.
  absl::StatusOr<std::shared_ptr<Line>> Begin(const MatchId& id, absl::string_view records,
                                              uint32_t count) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // `left`: so many bytes of the segment are left alone.
  absl::Status Write(const LogFrame& frame, size_t left) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // How many that are, so that each match can be closed.
  size_t ToClose() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status TurnOver(size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<Segment> Make(uint32_t slot, size_t bytes) const;
  // A new one, held in memory. After an error nothing is left behind.
  absl::StatusOr<Segment> MakeHeld(uint32_t slot) const;
  absl::Status Reserve() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CheckSyncs() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // The oldest segments that no open match needs; how many there are.
  size_t Unneeded() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Tend();
  bool CarryOne();
  void FreeSegments();
  bool SyncSealed();
  absl::Status Free(Segment segment);
  // Returns whether the segment is taken; one of another size, or one too many, is to be removed.
  bool GiveBack(const Segment& segment) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ReserveAhead();

  void SaveLoop();
  // Returns when somebody waits for a save, when it is `at` and something is not saved, or when the
  // log ends.
  void AwaitWork(Instant at) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void GatherUntil(Instant end) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TendLoop();
  // Takes everything to the disk, as LogSegment::Save does.
  absl::Status SaveAll(bool lasts) ABSL_LOCKS_EXCLUDED(saving_mutex_, mutex_);

  const Options options_;
  std::atomic<uint64_t> written_{0};  // frames, since the start
  std::atomic<uint64_t> lasting_{0};  // of these, the first that are on the disk

  Mutex saving_mutex_;  // held while something is saved; taken before the next
  mutable Mutex mutex_;
  CondVar save_wanted_;
  CondVar stops_;
  CondVar tending_wanted_;
  CondVar reserved_;
  std::deque<Segment> used_ ABSL_GUARDED_BY(mutex_);  // oldest first; the last is written
  std::deque<Segment> free_ ABSL_GUARDED_BY(mutex_);
  uint64_t next_number_ ABSL_GUARDED_BY(mutex_) = 1;
  uint32_t next_slot_ ABSL_GUARDED_BY(mutex_) = 0;
  std::set<std::shared_ptr<Line>, ByAge> open_ ABSL_GUARDED_BY(mutex_);
  size_t open_bytes_ ABSL_GUARDED_BY(mutex_) = 0;  // of their records
  std::string scratch_ ABSL_GUARDED_BY(mutex_);
  std::vector<Then> waiting_ ABSL_GUARDED_BY(mutex_);
  bool unsaved_ ABSL_GUARDED_BY(mutex_) = false;  // something was written since the last save
  bool reserve_due_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t reserve_tries_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status reserve_tried_ ABSL_GUARDED_BY(mutex_);  // how the last try went
  bool tend_due_ ABSL_GUARDED_BY(mutex_) = false;
  bool tending_stops_ ABSL_GUARDED_BY(mutex_) = false;
  bool saving_stops_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status saved_ ABSL_GUARDED_BY(mutex_);          // how the last save went
  absl::Status sealed_synced_ ABSL_GUARDED_BY(mutex_);  // likewise, of what is sealed
  std::thread saves_;
  std::thread tends_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_H_
