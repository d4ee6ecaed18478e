#include "referee/ctl/competition/watch.h"

#include <chrono>
#include <memory>
#include <ostream>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/ctl/competition/client.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/live_screen.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/stop_signals.h"

namespace referee::ctl {
namespace {

constexpr std::chrono::milliseconds kTryAgainAfter(500);
constexpr absl::Duration kLineEvery = absl::Seconds(10);

// The call that is being made, so that a signal can end it. Thread-safe.
class CurrentCall {
 public:
  // Returns false if nothing is to be called any more.
  bool Begin(grpc::ClientContext* context) {
    MutexLock lock(&mutex_);
    context_ = stopped_ ? nullptr : context;
    return !stopped_;
  }
  void End() {
    MutexLock lock(&mutex_);
    context_ = nullptr;
  }
  // Ends the call that is being made, and all that would follow.
  void Stop() {
    MutexLock lock(&mutex_);
    stopped_ = true;
    if (context_ != nullptr) context_->TryCancel();
    changed_.NotifyAll();
  }
  // Waits before the next try. Returns false if there is to be none.
  bool Pause() {
    MutexLock lock(&mutex_);
    if (!stopped_) changed_.WaitFor(&mutex_, kTryAgainAfter);
    return !stopped_;
  }
  bool stopped() {
    MutexLock lock(&mutex_);
    return stopped_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* context_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

// Shows what is told, in one of the styles.
class View {
 public:
  View(WatchStyle style, const Output& output)
      : style_(style), output_(output), screen_(&output.out()) {}

  void Take(const v1::WatchCompetitionResponse& news) {
    if (lost_) Say("the referee is back");
    lost_ = false;
    last_ = news;
    switch (style_) {
      case WatchStyle::kTable:
        screen_.Draw(StandingsText(news.competition(), news.standings(),
                                   {false, false, TerminalSize().columns}),
                     TerminalSize());
        return;
      case WatchStyle::kLines:
        TakeAsLine(news);
        return;
      case WatchStyle::kJson:
        output_.out() << JsonLine(news) << std::flush;
        return;
    }
  }

  // The referee has gone away.
  void Lose(const absl::Status& why) {
    if (!lost_) Say(absl::StrCat("the referee has gone, waiting for it: ", why.message()));
    lost_ = true;
  }

  bool begun() const { return last_.has_competition(); }

 private:
  void TakeAsLine(const v1::WatchCompetitionResponse& news) {
    const v1::Competition& competition = news.competition();
    const bool over = competition.state() == v1::COMPETITION_STATE_FINISHED;
    const Instant now = clock_.Now();
    if (competition.state() != shown_state_ || now >= next_line_) {
      output_.out() << absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", absl::Now(), absl::UTCTimeZone())
                    << "  " << ProgressText(competition) << std::endl;
      shown_state_ = competition.state();
      next_line_ = now + kLineEvery;
    }
    if (over) output_.out() << StandingsText(competition, news.standings()) << std::flush;
  }

  void Say(const std::string& text) {
    // What is drawn next comes below.
    screen_.Leave();
    output_.Error(text);
  }

  const WatchStyle style_;
  const Output& output_;
  const SystemClock clock_;
  LiveScreen screen_;
  v1::WatchCompetitionResponse last_;
  bool lost_ = false;
  v1::CompetitionState shown_state_ = v1::COMPETITION_STATE_UNSPECIFIED;
  Instant next_line_;
};

// Whether the referee may come back, and the competition with it.
bool MayComeBack(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsCancelled(status) || absl::IsUnknown(status);
}

// One call, until it ends.
absl::Status Follow(CompetitionClient* client, const v1::WatchCompetitionRequest& request,
                    CurrentCall* call, View* view) {
  grpc::ClientContext context;
  client->connection().Authorise(&context);
  if (!call->Begin(&context)) return absl::OkStatus();
  const auto reader = client->stub().WatchCompetition(&context, request);
  v1::WatchCompetitionResponse news;
  while (reader->Read(&news)) view->Take(news);
  const grpc::Status end = reader->Finish();
  call->End();
  return client->connection().Explain(end);
}

}  // namespace

absl::StatusOr<Exit> WatchCompetition(const ClientFlags& flags, const std::string& name,
                                      WatchStyle style, const Output& output) {
  CurrentCall call;
  // Before gRPC has threads.
  const StopSignals signals([&call] { call.Stop(); });
  absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags);
  if (!client.ok()) return client.status();
  v1::WatchCompetitionRequest request;
  request.set_name(name);
  View view(style, output);
  do {
    const absl::Status ended = Follow(&*client, request, &call, &view);
    if (ended.ok() || call.stopped()) return Exit::kOk;
    if (!view.begun() || !MayComeBack(ended)) return Refused(ended, output);
    view.Lose(ended);
  } while (call.Pause());
  return Exit::kOk;
}

}  // namespace referee::ctl
