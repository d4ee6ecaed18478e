// Batches the items of one direction of a stream between two referees.
//
// Items that are added while a message is being written go out with the next one. The queue is
// bounded: if it is full, the peer does not read, and the caller must end the stream.
//
//   PeerWriter<peer::v1::AttachRequest, NoNote> writer(&transport, {});
//   writer.Add([&](peer::v1::EntryItem* item) { ... });
//   writer.Flush();
//   ...  // the transport reports: writer.OnWriteDone(ok)
#ifndef REFEREE_SERVICE_PEER_PEER_WRITER_H_
#define REFEREE_SERVICE_PEER_PEER_WRITER_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/types/span.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/service/peer/peer_transport.h"

namespace referee::service {

struct NoNote {};

// `Note` is data that belongs to an item until the item is handed to the transport. Thread-safe.
template <typename Message, typename Note>
class PeerWriter {
 public:
  // Both are called without a lock, with the notes of a batch, in order. Both may be null.
  struct Calls {
    // Called just before the batch is handed to the transport.
    std::function<void(absl::Span<const Note>)> handing_over;
    // Called once for each note when its batch is flushed but waits for an earlier one.
    std::function<void(absl::Span<const Note>)> waits;
  };

  // `transport` must live until this is destroyed or CloseAndWait returns.
  PeerWriter(PeerTransport<Message>* transport, Calls calls)
      : transport_(*transport), calls_(std::move(calls)) {}

  // Adds an item, filled by `fill(item)`. Returns false and adds none if too much is queued, or
  // after Close.
  template <typename Fill>
  bool Add(Fill fill) {
    MutexLock lock(&mutex_);
    return AddLocked(fill);
  }
  // Adds an item with a note.
  template <typename Fill>
  bool Add(Fill fill, Note note) {
    MutexLock lock(&mutex_);
    if (!AddLocked(fill)) return false;
    filling_.notes.push_back(std::move(note));
    return true;
  }
  // Hands over the queue, now or after the write in progress.
  void Flush() {
    std::vector<Note> waiting;
    bool taken = false;
    {
      MutexLock lock(&mutex_);
      if (closed_ || filling_.message.items_size() == 0) return;
      flushed_ = true;
      if (writing_) {
        NoteWaiting(&waiting);
      } else {
        Take();
        taken = true;
      }
    }
    if (!waiting.empty() && calls_.waits) calls_.waits(waiting);
    if (taken) HandOver();
  }
  // The write in progress is done, or has failed.
  void OnWriteDone(bool ok) {
    {
      MutexLock lock(&mutex_);
      writing_ = false;
      waiting_bytes_ -= sending_.bytes;
      sending_.Clear();
      if (!ok) CloseLocked();
      if (closed_ || !flushed_) return;
      Take();
    }
    HandOver();
  }
  // Stops all output.
  void Close() {
    MutexLock lock(&mutex_);
    CloseLocked();
  }
  // Stops all output. After it returns, the transport is not being called and will not be.
  // REQUIRES: no call of this, of Calls or of the transport's Write is in progress on this thread.
  void CloseAndWait() {
    MutexLock lock(&mutex_);
    CloseLocked();
    while (handing_ > 0) handed_.Wait(&mutex_);
  }

 private:
  static constexpr size_t kMaxMessageBytes = (size_t{4} << 20) - 1;  // the most that a peer accepts
  // Largest message whose memory is reused.
  static constexpr size_t kReusedBytes = size_t{256} << 10;
  static constexpr size_t kItemBytes = 8;  // the framing of an item, at most

  struct Batch {
    Message message;
    std::vector<Note> notes;
    size_t told = 0;   // number of notes that `waits` has received
    size_t bytes = 0;  // approximate size of the items

    void Clear() {
      if (bytes > kReusedBytes) {
        *this = Batch();
        return;
      }
      message.Clear();
      notes.clear();
      told = bytes = 0;
    }
  };

  template <typename Fill>
  bool AddLocked(Fill fill) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (closed_) return false;
    auto* const items = filling_.message.mutable_items();
    fill(items->Add());
    const size_t bytes = items->rbegin()->ByteSizeLong() + kItemBytes;
    if (bytes > kMaxMessageBytes || waiting_bytes_ + bytes > limits::kMaxPeerBytes) {
      items->RemoveLast();
      return false;
    }
    if (filling_.bytes + bytes > kMaxMessageBytes) {
      auto* const last = items->ReleaseLast();
      full_.push_back(std::exchange(filling_, Batch()));
      filling_.message.mutable_items()->AddAllocated(last);
    }
    filling_.bytes += bytes;
    waiting_bytes_ += bytes;
    return true;
  }
  // Appends the queued notes that `waits` has not received yet.
  void NoteWaiting(std::vector<Note>* out) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    for (Batch& batch : full_) NoteWaiting(&batch, out);
    NoteWaiting(&filling_, out);
  }
  static void NoteWaiting(Batch* batch, std::vector<Note>* out) {
    out->insert(out->end(), batch->notes.begin() + static_cast<std::ptrdiff_t>(batch->told),
                batch->notes.end());
    batch->told = batch->notes.size();
  }
  // Takes the first batch for HandOver. REQUIRES: !writing_, and the queue is not empty.
  void Take() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (full_.empty()) {
      std::swap(sending_, filling_);  // sending_ is empty
    } else {
      sending_ = std::move(full_.front());
      full_.pop_front();
    }
    flushed_ = filling_.message.items_size() > 0;
    writing_ = true;
    ++handing_;
  }
  // Writes sending_. Called without the lock by the thread that took sending_. No other thread uses
  // it until the write is done.
  void HandOver() {
    if (calls_.handing_over && !sending_.notes.empty()) calls_.handing_over(sending_.notes);
    sending_.notes.clear();
    bool closed;
    {
      MutexLock lock(&mutex_);
      closed = closed_;
    }
    if (!closed) transport_.Write(sending_.message);
    MutexLock lock(&mutex_);
    --handing_;
    handed_.NotifyAll();
  }
  void CloseLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    closed_ = true;
    full_.clear();
    filling_ = Batch();
  }

  PeerTransport<Message>& transport_;
  const Calls calls_;

  Mutex mutex_;
  CondVar handed_;
  // Full messages, which go out before filling_.
  std::deque<Batch> full_ ABSL_GUARDED_BY(mutex_);
  Batch filling_ ABSL_GUARDED_BY(mutex_);             // empty only if full_ is empty
  Batch sending_;                                     // see HandOver
  size_t waiting_bytes_ ABSL_GUARDED_BY(mutex_) = 0;  // of full_, filling_ and sending_
  bool flushed_ ABSL_GUARDED_BY(mutex_) = false;      // the queue must go out
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  int handing_ ABSL_GUARDED_BY(mutex_) = 0;  // calls of HandOver in progress
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_PEER_WRITER_H_
