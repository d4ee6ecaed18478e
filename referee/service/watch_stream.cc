#include "referee/service/watch_stream.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/base/limits.h"
#include "referee/service/convert/convert.h"
#include "referee/service/step.h"
#include "referee/service/telling.h"
#include "referee/service/to_grpc.h"

namespace referee::service {
namespace {

// All streams send the events of one step together. This limits observers to five messages a
// second, and keeps streams from delaying a turn.
constexpr absl::Duration kStep = absl::Milliseconds(200);

}  // namespace

std::shared_ptr<WatchStream> WatchStream::Serve(grpc_call* call, const Environment& environment,
                                                const v1::WatchMatchRequest& request) {
  std::shared_ptr<WatchStream> stream(new WatchStream(call, environment, request));
  stream->self_ = stream;
  stream->timer_ = environment.timers->At(
      Instant::InfiniteFuture(), [weak = std::weak_ptr<WatchStream>(stream)] {
        if (const std::shared_ptr<WatchStream> due = weak.lock()) due->Go();
      });
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

Instant WatchStream::DueOf(absl::Duration age) const {
  return environment_.clock->Now() + std::clamp(delay_ - age, absl::ZeroDuration(), delay_);
}

void WatchStream::QueueNews(v1::WatchMatchResponse event) {
  Queue(std::move(event), NextStep(kStep, DueOf(absl::ZeroDuration())));
}

Instant WatchStream::DueOfEnd(const host::MatchRunner& runner) const {
  return DueOf(environment_.clock->WallNow() - runner.ended()->time);
}

void WatchStream::TellTerms(const host::MatchRunner& runner) {
  v1::WatchMatchResponse event;
  v1::Match* const match = event.mutable_snapshot()->mutable_match();
  MatchToWire(runner, match);
  match->set_state(v1::MATCH_STATE_WAITING);
  match->clear_turns_played();
  match->clear_verdict();
  Queue(std::move(event), environment_.clock->Now());
}

void WatchStream::TellLate(const host::MatchRunner& runner) {
  if (!told_terms_) TellTerms(runner);
  told_terms_ = true;
  const match::Match* const match = runner.match();
  if (from_start_ && runner.ended() == nullptr && match != nullptr && match->has_position()) {
    const absl::StatusOr<std::vector<match::Record>> records = runner.Records();
    if (!records.ok()) return End(records.status());
    return TellLateFromStart(*match, *records);
  }
  v1::WatchMatchResponse event;
  SnapshotToWire(runner, event.mutable_snapshot());
  Queue(std::move(event),
        runner.ended() == nullptr ? DueOf(absl::ZeroDuration()) : DueOfEnd(runner));
}

void WatchStream::TellLateFromStart(const match::Match& match,
                                    absl::Span<const match::Record> records) {
  const std::vector<absl::Duration> ages = LeastAges(records);
  v1::WatchMatchResponse start;
  MatchToWire(match, start.mutable_snapshot()->mutable_match());
  start.mutable_snapshot()->mutable_match()->clear_turns_played();
  along_ = std::make_unique<PlayedAlong>(match, &start);
  size_t next = 0;
  // Records that are already published go with the start.
  for (; next < records.size() && ages[next] >= delay_; ++next) {
    v1::WatchMatchResponse event;
    if (!along_->Take(match, records[next], &event)) continue;
    *start.add_history() = std::move(event);
  }
  Queue(std::move(start), DueOf(ages.empty() ? absl::ZeroDuration() : ages.front()));
  for (; next < records.size(); ++next) {
    v1::WatchMatchResponse event;
    if (along_->Take(match, records[next], &event)) Queue(std::move(event), DueOf(ages[next]));
  }
}

void WatchStream::OnSnapshot(const host::MatchRunner& runner) {
  if (holds_back()) return TellLate(runner);
  v1::WatchMatchResponse event;
  SnapshotToWire(runner, event.mutable_snapshot());
  const match::Match* const match = runner.match();
  if (from_start_ && match != nullptr && match->has_position()) {
    // Records of a sealed match are in its replay.
    const absl::StatusOr<std::vector<match::Record>> records = runner.Records();
    if (!records.ok() && runner.ended() == nullptr) return End(records.status());
    if (records.ok()) {
      along_ = std::make_unique<PlayedAlong>(*match, &event);
      along_->TakeAll(*match, *records, &event);
    }
  }
  Queue(std::move(event), DueOf(absl::ZeroDuration()));
}

void WatchStream::OnStarted(const host::MatchRunner& runner) {
  if (!from_start_) return;
  v1::WatchMatchResponse event;
  SnapshotToWire(runner, event.mutable_snapshot());
  along_ = std::make_unique<PlayedAlong>(*runner.match(), &event);
  QueueNews(std::move(event));
}

void WatchStream::OnFaulted(const match::Match& match, const match::Faulted& faulted) {
  if (along_ == nullptr) return;
  v1::WatchMatchResponse event;
  along_->Take(match, faulted, &event);
  QueueNews(std::move(event));
}

void WatchStream::OnPlayed(const match::Match& match, const match::Played& played) {
  v1::WatchMatchResponse event;
  if (along_ != nullptr) {
    along_->Take(match, played, &event);
  } else {
    ToWire(match, played, event.mutable_turn_played());
  }
  QueueNews(std::move(event));
}

void WatchStream::OnForfeited(const match::Match& match, const match::Forfeited& forfeited) {
  v1::WatchMatchResponse event;
  if (along_ != nullptr) {
    along_->Take(match, forfeited, &event);
  } else {
    ToWire(match, forfeited, event.mutable_seat_forfeited());
  }
  QueueNews(std::move(event));
}

void WatchStream::OnEnded(const host::MatchRunner& runner) {
  v1::WatchMatchResponse event;
  VerdictToWire(runner, event.mutable_verdict());
  Queue(std::move(event), NextStep(kStep, DueOfEnd(runner)));
  End(absl::OkStatus());
}

WatchStream::Event* WatchStream::SameBatch(Instant due) {
  const size_t kept = writing_ ? 1 : 0;
  const bool same = in_batches_ && queue_.size() > kept && queue_.back().due == due;
  return same ? &queue_.back() : nullptr;
}

absl::Status WatchStream::TakeRoom(size_t bytes) {
  const size_t most = holds_back() ? limits::kMaxHeldObservations : limits::kMaxQueuedObservations;
  const size_t most_bytes =
      holds_back() ? limits::kMaxHeldObservationBytes : limits::kMaxQueuedObservationBytes;
  if (queue_.size() >= most || queued_bytes_ >= most_bytes) {
    if (holds_back()) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "within the watch delay of its competition the match tells more than the ",
          limits::kMaxHeldObservationBytes,
          " bytes that are held back for one observer; read its replay when that is told"));
    }
    const bool many = queue_.size() >= most;
    return absl::ResourceExhaustedError(
        absl::StrCat(many ? most : most_bytes, many ? " events" : " bytes",
                     " wait to be read: read faster, or watch again from here"));
  }
  return ticket_->Keep(bytes);
}

void WatchStream::Queue(v1::WatchMatchResponse event, Instant due) {
  const size_t bytes = event.ByteSizeLong();
  absl::Status room;
  {
    MutexLock lock(&mutex_);
    if (ending_) return;
    room = TakeRoom(bytes);
    if (room.ok()) {
      queued_bytes_ += bytes;
      if (Event* const batch = SameBatch(due)) {
        *batch->message.add_further() = std::move(event);
        batch->bytes += bytes;
        return;
      }
      queue_.push_back({std::move(event), bytes, due});
      // If other events are queued before this one, they are still pending and call Go later.
      if (queue_.size() > 1) return;
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
    // A delayed stream whose match is over may still be cancelled before its queue is sent.
    if (ending_ && (status.ok() || !status_.ok())) return;
    ending_ = true;
    status_ = status;
    // On an error, unsent events are dropped, as the client is too slow or disconnected.
    const size_t kept = writing_ ? 1 : 0;
    while (!status.ok() && queue_.size() > kept) {
      queued_bytes_ -= queue_.back().bytes;
      ticket_->Release(queue_.back().bytes);
      queue_.pop_back();
    }
  }
  Go();
}

void WatchStream::Go() {
  const v1::WatchMatchResponse* next = nullptr;
  absl::Status status;
  absl::optional<Instant> later;
  {
    MutexLock lock(&mutex_);
    if (!begun_ || writing_ || finished_) return;
    if (!queue_.empty() && queue_.front().due > environment_.clock->Now()) {
      later = queue_.front().due;
    } else if (!queue_.empty()) {
      writing_ = true;
      next = &queue_.front().message;
    } else if (ending_) {
      finished_ = true;
      status = status_;
    } else {
      return;
    }
  }
  if (later) {
    timer_.SetTo(*later);
  } else if (next != nullptr) {
    deadline_ = environment_.deadlines->Add(call_);
    environment_.count.Sent();
    StartWrite(next);
  } else {
    environment_.count.EndStream(status);
    Finish(ToGrpc(status));
  }
}

void WatchStream::OnWriteDone(bool ok) {
  environment_.deadlines->Remove(deadline_);
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
    // Released here and not in the destructor, as a match may hold this longer than the service
    // lives.
    MutexLock lock(&mutex_);
    ticket_ = nullptr;
  }
  const std::shared_ptr<WatchStream> last = std::move(self_);
}

}  // namespace referee::service
