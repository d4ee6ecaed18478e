#include "referee/service/watch_stream.h"

#include <utility>
#include <vector>

#include "referee/base/limits.h"
#include "referee/service/convert/convert.h"
#include "referee/service/errors.h"
#include "referee/service/to_grpc.h"

namespace referee::service {

std::shared_ptr<WatchStream> WatchStream::Serve(grpc_call* call, CallDeadlines* deadlines,
                                                bool from_start) {
  std::shared_ptr<WatchStream> stream(new WatchStream(call, deadlines, from_start));
  stream->self_ = stream;
  return stream;
}

void WatchStream::HoldTicket(std::shared_ptr<CallAdmission::Ticket> ticket) {
  MutexLock lock(&mutex_);
  ticket_ = std::move(ticket);
}

void WatchStream::Begin(const absl::StatusOr<std::shared_ptr<host::MatchRunner>>& runner) {
  if (runner.ok()) {
    runner_ = *runner;
    runner_->Watch(shared_from_this());
  } else {
    End(runner.status());
  }
  {
    MutexLock lock(&mutex_);
    begun_ = true;
  }
  Go();
}

void WatchStream::EndWith(Sessions* sessions, const Sessions::Holder& holder) {
  sessions_ = sessions;
  session_ = sessions->Add(holder, [weak = weak_from_this()](const absl::Status& why) {
    if (const std::shared_ptr<WatchStream> stream = weak.lock()) stream->End(why);
  });
}

void WatchStream::OnSnapshot(const host::MatchRunner& runner) {
  v1::WatchMatchResponse event;
  SnapshotToWire(runner, event.mutable_snapshot());
  const match::Match* const match = runner.match();
  if (from_start_ && match != nullptr && match->has_position()) {
    // Of a match that is sealed the replay says all.
    const absl::StatusOr<std::vector<match::Record>> records = runner.Records();
    if (!records.ok() && runner.ended() == nullptr) return End(records.status());
    if (records.ok()) {
      along_ = std::make_unique<PlayedAlong>(*match, &event);
      along_->TakeAll(*match, *records, &event);
    }
  }
  Queue(std::move(event));
}

void WatchStream::OnStarted(const host::MatchRunner& runner) {
  if (!from_start_) return;
  v1::WatchMatchResponse event;
  SnapshotToWire(runner, event.mutable_snapshot());
  along_ = std::make_unique<PlayedAlong>(*runner.match(), &event);
  Queue(std::move(event));
}

void WatchStream::OnFaulted(const match::Match& match, const match::Faulted& faulted) {
  if (along_ == nullptr) return;
  v1::WatchMatchResponse event;
  along_->Take(match, faulted, &event);
  Queue(std::move(event));
}

void WatchStream::OnPlayed(const match::Match& match, const match::Played& played) {
  v1::WatchMatchResponse event;
  if (along_ != nullptr) {
    along_->Take(match, played, &event);
  } else {
    ToWire(match, played, event.mutable_turn_played());
  }
  Queue(std::move(event));
}

void WatchStream::OnForfeited(const match::Match& match, const match::Forfeited& forfeited) {
  v1::WatchMatchResponse event;
  if (along_ != nullptr) {
    along_->Take(match, forfeited, &event);
  } else {
    ToWire(match, forfeited, event.mutable_seat_forfeited());
  }
  Queue(std::move(event));
}

void WatchStream::OnEnded(const host::MatchRunner& runner) {
  v1::WatchMatchResponse event;
  VerdictToWire(runner, event.mutable_verdict());
  Queue(std::move(event));
  End(absl::OkStatus());
}

void WatchStream::Queue(v1::WatchMatchResponse event) {
  const size_t bytes = event.ByteSizeLong();
  absl::Status room;
  {
    MutexLock lock(&mutex_);
    if (ending_) return;
    if (queue_.size() >= limits::kMaxQueuedObservations) {
      room = ObserverTooSlow(limits::kMaxQueuedObservations);
    } else if (queued_bytes_ >= limits::kMaxQueuedObservationBytes) {
      room = ObserverTooSlowForBytes(limits::kMaxQueuedObservationBytes);
    } else {
      room = ticket_->Keep(bytes);
    }
    if (room.ok()) {
      queue_.push_back({std::move(event), bytes});
      queued_bytes_ += bytes;
    }
  }
  if (room.ok()) {
    Go();
  } else {
    End(room);
  }
}

void WatchStream::End(const absl::Status& status) {
  {
    MutexLock lock(&mutex_);
    if (ending_) return;
    ending_ = true;
    status_ = status;
    // Who reads too slowly, or is gone, is not waited for.
    if (!status.ok() && queue_.size() > 1) queue_.erase(queue_.begin() + 1, queue_.end());
  }
  Go();
}

void WatchStream::Go() {
  const v1::WatchMatchResponse* next = nullptr;
  absl::Status status;
  {
    MutexLock lock(&mutex_);
    if (!begun_ || writing_ || finished_) return;
    if (!queue_.empty()) {
      writing_ = true;
      next = &queue_.front().message;
    } else if (ending_) {
      finished_ = true;
      status = status_;
    } else {
      return;
    }
  }
  if (next != nullptr) {
    deadline_ = deadlines_.Add(call_);
    StartWrite(next);
  } else {
    Finish(ToGrpc(status));
  }
}

void WatchStream::OnWriteDone(bool ok) {
  deadlines_.Remove(deadline_);
  {
    MutexLock lock(&mutex_);
    writing_ = false;
    queued_bytes_ -= queue_.front().bytes;
    ticket_->Release(queue_.front().bytes);
    queue_.pop_front();
    if (!ok) queue_.clear();
  }
  Go();
}

void WatchStream::OnCancel() { End(absl::CancelledError("the observer has gone")); }

void WatchStream::OnDone() {
  if (runner_ != nullptr) runner_->Unwatch(this);
  if (sessions_ != nullptr) sessions_->Remove(session_);
  {
    // Not in the destructor: a match may hold this for longer than the service lives.
    MutexLock lock(&mutex_);
    ticket_ = nullptr;
  }
  const std::shared_ptr<WatchStream> last = std::move(self_);
}

}  // namespace referee::service
