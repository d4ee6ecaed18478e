// The messages to one bot: how much may be queued, which batch is next, and when it goes out.
//
// At most one batch is being written; items that are added meanwhile form the next. A batch with a
// due item goes out at once. News may wait until kWakeLimit later, or until kMostNews of them wait.
// A request for a turn waits at most kHoldLimit, if OwedAnswers holds it back.
//
//   outgoing.Add(Outgoing::When::kNow, [&](v1::RefereeItem* item) { ... });
//   if (std::unique_ptr<Batch> batch = outgoing.TakeDue(now, owed)) {
//     ...  // write it, and then:
//     batch->Clear();
//     outgoing.EndWrite(std::move(batch), ok);
//   }
//
// Pure: the time is passed in. Thread-compatible.
#ifndef REFEREE_SERVICE_PLAY_OUTGOING_H_
#define REFEREE_SERVICE_PLAY_OUTGOING_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/service/play/admission.h"
#include "referee/service/play/outbox.h"
#include "referee/service/play/owed_answers.h"

namespace referee::service {

class Outgoing {
 public:
  // When an item goes out: at once; soon, together with other requests for turns; or with the next
  // write.
  enum class When { kNow, kTogether, kLater };

  // `limits` must outlive this.
  explicit Outgoing(const StreamLimits* limits) : limits_(*limits) {}

  // Raises the size limit to what `matches` matches need; never lowers it.
  void MakeRoomFor(int matches);
  // Returns ResourceExhausted if too much is queued for the bot.
  absl::Status CheckRoom() const;
  // Adds an item, filled by `fill(v1::RefereeItem*)`. Returns its batch.
  template <typename Fill>
  Batch* Add(When when, Fill fill) {
    Batch& batch = outbox_.Filling();
    batch.Add(fill);
    if (when == When::kNow) batch.SetDue();
    return &batch;
  }
  // Adds a serialized item unchanged: see Batch::AddBytes.
  Batch* AddBytes(When when, absl::string_view response);
  // Drops everything except the batch being written.
  void Clear() { outbox_.Clear(); }

  // Whether a batch that was taken is being written.
  bool writing() const { return writing_; }
  // Takes the first batch for writing if it is due at `now`; otherwise returns null. REQUIRES:
  // !writing().
  std::unique_ptr<Batch> TakeDue(Instant now, const OwedAnswers& owed);
  // Takes the first batch even if it is not due; null if there is none. REQUIRES: !writing().
  std::unique_ptr<Batch> TakeAny();
  // Ends the write of a cleared batch. Not `ok`: drops everything queued.
  void EndWrite(std::unique_ptr<Batch> batch, bool ok);
  // Notes why turns wait at `now`. If a batch is being written, they wait for the bot to read:
  // returns the turns that wait for the first time. Otherwise they are held back by choice.
  std::vector<Batch::Asked> NoteWaiting(Instant now);

  // Whether a wake-up at `when` must be set, because there is no earlier one. If so, notes it.
  bool WakesAt(Instant when);
  // Returns the time of the next send if it needs a new wake-up. REQUIRES: TakeDue was called.
  absl::optional<Instant> NewWake(const OwedAnswers& owed);
  // Notes that the wake-up has happened.
  void NoteWoken() { wake_at_ = Instant::InfiniteFuture(); }

  bool empty() const { return outbox_.empty(); }
  // The bytes queued or being written, if they changed since the last call.
  absl::optional<size_t> ChangedBytes();

 private:
  // When the queue must be sent. REQUIRES: TakeDue was called and left it nonempty.
  Instant SendAt(const OwedAnswers& owed) const;

  const StreamLimits& limits_;
  Outbox outbox_;
  size_t bytes_limit_ = 0;  // for the most matches that the bot ever took
  // Since when the outbox, and a turn in it, has been waiting; InfiniteFuture: not waiting.
  Instant waiting_since_ = Instant::InfiniteFuture();
  Instant asks_since_ = Instant::InfiniteFuture();
  Instant wake_at_ = Instant::InfiniteFuture();
  bool writing_ = false;
  size_t writing_bytes_ = 0;
  size_t reported_bytes_ = 0;  // by ChangedBytes
};

// The longest time that a parked stream does not read, and that news may wait.
constexpr absl::Duration kWakeLimit = absl::Milliseconds(100);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_OUTGOING_H_
