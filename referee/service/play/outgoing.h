// The messages to one bot: what may be added, which batch goes out next, and when.
//
// At most one batch is being written; items that are added meanwhile form the next. A batch that
// holds a due item goes out at once. News may wait until kWakeLimit later or until kMostNews of
// them wait. A request for a turn waits kHoldLimit at most, if OwedAnswers holds it back.
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
  // When an item goes out: at once; with other turns that the bot is asked for, soon; or with
  // whatever goes out next.
  enum class When { kNow, kTogether, kLater };

  // `limits` must outlive this.
  explicit Outgoing(const StreamLimits* limits) : limits_(*limits) {}

  // Lets as much wait as so many matches need; never less than before.
  void MakeRoomFor(int matches);
  // Returns ResourceExhausted when too much waits for the bot to read it.
  absl::Status CheckRoom() const;
  // Adds an item, made by `fill(v1::RefereeItem*)`. Returns the batch that holds it.
  template <typename Fill>
  Batch* Add(When when, Fill fill) {
    Batch& batch = outbox_.Filling();
    batch.Add(fill);
    if (when == When::kNow) batch.SetDue();
    return &batch;
  }
  // The same of an item as it is: see Batch::AddBytes.
  Batch* AddBytes(When when, absl::string_view response);
  // Forgets what is not being written.
  void Clear() { outbox_.Clear(); }

  // A batch that was taken is being written.
  bool writing() const { return writing_; }
  // Takes the first batch out, to be written, if it need not wait longer at `now`; else returns
  // null. REQUIRES: !writing().
  std::unique_ptr<Batch> TakeDue(Instant now, const OwedAnswers& owed);
  // Takes the first batch out in any case; null if there is none. REQUIRES: !writing().
  std::unique_ptr<Batch> TakeAny();
  // The batch is written, or has failed, which drops what waits. REQUIRES: it was cleared.
  void EndWrite(std::unique_ptr<Batch> batch, bool ok);
  // Notes what keeps turns that wait at `now`. If a batch is being written, the bot has to read
  // first: returns the turns for which that is news. Else they wait for others by choice.
  std::vector<Batch::Asked> NoteWaiting(Instant now);

  // Whether to wake at `when`, as there is no earlier wake. If so, notes it.
  bool WakesAt(Instant when);
  // The same for when what waits is to be sent: returns that time if there is to be a new wake.
  // REQUIRES: TakeDue has looked.
  absl::optional<Instant> NewWake(const OwedAnswers& owed);
  // The wake has come.
  void NoteWoken() { wake_at_ = Instant::InfiniteFuture(); }

  bool empty() const { return outbox_.empty(); }
  // How many bytes wait or are being written, if they are not as many as at the last call.
  absl::optional<size_t> ChangedBytes();

 private:
  // When what waits is to be sent. REQUIRES: TakeDue has looked, and left something there.
  Instant SendAt(const OwedAnswers& owed) const;

  const StreamLimits& limits_;
  Outbox outbox_;
  size_t bytes_limit_ = 0;  // for the most matches that the bot ever took
  // Since when what is in the outbox waits for more, and since when a turn that it asks for does;
  // InfiniteFuture while none does.
  Instant waiting_since_ = Instant::InfiniteFuture();
  Instant asks_since_ = Instant::InfiniteFuture();
  Instant wake_at_ = Instant::InfiniteFuture();
  bool writing_ = false;
  size_t writing_bytes_ = 0;
  size_t reported_bytes_ = 0;  // by ChangedBytes
};

// How long a stream may go without reading when its bot owes nothing, and how long news may wait.
constexpr absl::Duration kWakeLimit = absl::Milliseconds(100);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_OUTGOING_H_
