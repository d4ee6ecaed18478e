#include "referee/service/competition_watch.h"

#include <algorithm>
#include <utility>

#include "referee/base/limits.h"
#include "referee/service/convert/competition.h"
#include "referee/service/convert/convert.h"
#include "referee/service/errors.h"
#include "referee/service/to_grpc.h"
#include "referee/service/told_matches.h"

namespace referee::service {
namespace {

// Polls per watch delay for newly published results.
constexpr int kLooksPerDelay = 256;

}  // namespace

std::shared_ptr<CompetitionWatch> CompetitionWatch::Serve(const Environment& environment,
                                                          grpc_call* call, std::string name) {
  std::shared_ptr<CompetitionWatch> stream(
      new CompetitionWatch(environment, call, std::move(name)));
  stream->self_ = stream;
  stream->timer_ = environment.timers->At(Instant::InfiniteFuture(),
                                          [watch = stream.get()] { watch->Waited(); });
  return stream;
}

void CompetitionWatch::Begin(const absl::StatusOr<Caller>& caller) {
  if (!caller.ok()) return Finished(caller.status());
  ticket_ = caller->ticket;
  hears_all_ = AudienceOf(*caller).hears_all();
  session_ =
      environment_.sessions->Add({caller->address, caller->name, caller->hash},
                                 [weak = weak_from_this()](const absl::Status& why) {
                                   if (const std::shared_ptr<CompetitionWatch> watch = weak.lock())
                                     watch->End(why);
                                 });
  environment_.executor->Run([stream = shared_from_this()] { stream->Watch(); });
}

void CompetitionWatch::Watch() {
  const absl::StatusOr<competition::Competitions::Watched> watched =
      environment_.competitions->Watch(name_, [this] { OnChanged(); });
  if (!watched.ok()) {
    Finished(watched.status());
    return;
  }
  watch_ = watched->watch;
  competition_ = watched->competition;
  Read();
}

void CompetitionWatch::OnChanged() {
  {
    MutexLock lock(&mutex_);
    changed_ = true;
  }
  Go();
}

absl::Status CompetitionWatch::ReadMessage(bool* lags) {
  const competition::Board& board =
      hears_all_ ? *environment_.competitions : environment_.competitions->told();
  const absl::StatusOr<competition::StandingsView> table = board.Standings(competition_);
  if (!table.ok()) return table.status();
  message_.Clear();
  ToWire(table->view, environment_.clock->WallNow(), message_.mutable_competition());
  for (const competition::Standing& standing : table->standings) {
    ToWire(standing, message_.add_standings());
  }
  *lags = table->view.lags;
  delay_ = table->view.competition.spec.watch_delay;
  return absl::OkStatus();
}

void CompetitionWatch::Read() {
  {
    MutexLock lock(&mutex_);
    changed_ = false;
    next_ = environment_.clock->Now() + limits::kWatchInterval;
  }
  bool lags = false;
  if (const absl::Status read = ReadMessage(&lags); !read.ok()) return Finished(read);
  if (lags) {
    // Results remain withheld, so the stream must read again even without a change.
    MutexLock lock(&mutex_);
    changed_ = true;
    next_ = environment_.clock->Now() + std::max(limits::kWatchInterval, delay_ / kLooksPerDelay);
  }
  std::string told = hears_all_ ? "" : message_.SerializeAsString();
  if (!told.empty() && told == sent_) {
    Rest();
    return Go();
  }
  sent_ = std::move(told);
  kept_ = message_.ByteSizeLong();
  if (const absl::Status room = ticket_->Keep(kept_); !room.ok()) return Finished(room);
  {
    MutexLock lock(&mutex_);
    doing_ = Doing::kWriting;
  }
  deadline_ = environment_.deadlines->Add(call_);
  environment_.count.Sent();
  StartWrite(&message_);
}

void CompetitionWatch::Rest() {
  MutexLock lock(&mutex_);
  doing_ = Doing::kNothing;
}

void CompetitionWatch::Finished(const absl::Status& read) {
  Rest();
  End(read);
}

void CompetitionWatch::OnWriteDone(bool ok) {
  environment_.deadlines->Remove(deadline_);
  ticket_->Release(kept_);
  const bool last = message_.competition().state() == v1::COMPETITION_STATE_FINISHED;
  Rest();
  if (!ok) {
    End(absl::CancelledError("the observer has gone"));
  } else if (last) {
    End(absl::OkStatus());
  } else {
    Go();
  }
}

void CompetitionWatch::End(const absl::Status& status) {
  {
    MutexLock lock(&mutex_);
    if (!ending_) status_ = status;
    ending_ = true;
    // Drops a pending wait, so that the call ends at once.
    if (doing_ == Doing::kWaiting) doing_ = Doing::kNothing;
  }
  Go();
}

void CompetitionWatch::Go() {
  absl::optional<absl::Status> end;
  Instant next;
  {
    MutexLock lock(&mutex_);
    if (doing_ != Doing::kNothing || finished_) return;
    if (ending_) {
      finished_ = true;
      end = status_;
    } else if (changed_) {
      doing_ = Doing::kWaiting;
      next = next_;
    } else {
      return;
    }
  }
  if (end) {
    environment_.count.EndStream(*end);
    Finish(ToGrpc(*end));
    return;
  }
  timer_.SetTo(next);
}

void CompetitionWatch::Waited() {
  {
    MutexLock lock(&mutex_);
    if (doing_ != Doing::kWaiting) return;
    doing_ = Doing::kReading;
  }
  // The call cannot end before this read has finished.
  environment_.executor->Run([self = shared_from_this()] { self->Read(); });
}

void CompetitionWatch::OnCancel() { End(absl::CancelledError("the observer has gone")); }

void CompetitionWatch::OnDone() {
  if (watch_) environment_.competitions->Unwatch(*watch_);
  if (session_) environment_.sessions->Remove(*session_);
  {
    // Nothing is being read or written now. The lock makes the last access visible.
    MutexLock lock(&mutex_);
    ticket_ = nullptr;
  }
  const std::shared_ptr<CompetitionWatch> last = std::move(self_);
}

}  // namespace referee::service
