#include "referee/ctl/match/watch.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/base/mutex.h"
#include "referee/ctl/match/text.h"
#include "referee/ctl/match/watched_match.h"
#include "referee/ctl/replay/viewer.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/signals.h"

namespace referee::ctl {
namespace {

using MatchClient = Client<v1::MatchService::Stub>;

// Calls `take` for each event of the match until it ends. Returns Unavailable if the referee
// disconnects before. `context` must be new; any thread may cancel it.
template <typename Take>
absl::Status Follow(const MatchClient& client, const v1::WatchMatchRequest& request,
                    grpc::ClientContext* context, const Take& take) {
  client.connection().Authorise(context);
  const auto reader = client.stub().WatchMatch(context, request);
  v1::WatchMatchResponse news;
  while (reader->Read(&news)) take(news);
  return client.connection().Explain(reader->Finish());
}

// Receives events of a match on a thread of its own, while the user's keys are handled.
// Thread-safe.
class Feed {
 public:
  struct Batch {
    std::vector<v1::WatchMatchResponse> news;
    absl::optional<absl::Status> end;  // the status of the call, once it has ended
  };

  Feed(MatchClient client, const std::string& match_id)
      : client_(std::move(client)), fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    request_.set_match_id(match_id);
    request_.set_from_start(true);
    thread_ = std::thread([this] { Read(); });
  }
  ~Feed() {
    context_.TryCancel();
    thread_.join();
    close(fd_);
  }
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  // An eventfd that becomes readable when Take has something to return.
  int fd() const { return fd_; }
  Batch Take() {
    MutexLock lock(&mutex_);
    return std::exchange(batch_, {});
  }

 private:
  void Read() {
    const absl::Status end =
        Follow(client_, request_, &context_, [this](const v1::WatchMatchResponse& news) {
          {
            MutexLock lock(&mutex_);
            batch_.news.push_back(news);
          }
          Wake();
        });
    {
      MutexLock lock(&mutex_);
      batch_.end = end;
    }
    Wake();
  }
  void Wake() {
    const uint64_t one = 1;
    (void)!write(fd_, &one, sizeof(one));
  }

  MatchClient client_;
  v1::WatchMatchRequest request_;
  grpc::ClientContext context_;
  const int fd_;
  Mutex mutex_;
  Batch batch_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

// Shows a match on a terminal: as lines at first, then in a viewer.
class Watcher {
 public:
  // `signals` and `output` must outlive this object.
  Watcher(MatchClient client, const std::string& match_id, SignalQueue* signals,
          const Output& output)
      : feed_(std::move(client), match_id), signals_(signals), output_(output) {}

  // Returns the signal that ended the program; 0 if none. Returns the error of a failed call.
  absl::StatusOr<int> Run() {
    while (match_.course().steps.empty() && !end_) {
      if (const int signal = Await(); signal != 0) return signal;
      for (const v1::WatchMatchResponse& news : TakeNews()) {
        output_.out() << NewsText(news, output_.colour(), match_.Take(news)) << std::flush;
      }
    }
    if (match_.course().steps.empty()) return Result();
    if (end_) match_.End(*end_);
    games::DrawStyle style;
    style.colour = output_.colour();
    const absl::StatusOr<int> signal =
        ViewMatch(match_.course(), style, signals_,
                  {feed_.fd(), [this](MatchView* view) { TakeInto(view); }});
    if (!signal.ok() || *signal != 0) return signal;
    return Result();
  }

 private:
  // Waits for events or a signal; returns the signal.
  int Await() {
    pollfd waits[] = {{feed_.fd(), POLLIN, 0}, {signals_->fd(), POLLIN, 0}};
    if (poll(waits, 2, -1) < 0 && errno != EINTR) return SIGTERM;
    uint64_t count;
    (void)!read(feed_.fd(), &count, sizeof(count));
    const int signal = signals_->Take();
    return signal == SIGWINCH ? 0 : signal;
  }

  std::vector<v1::WatchMatchResponse> TakeNews() {
    Feed::Batch batch = feed_.Take();
    if (batch.end) end_ = batch.end;
    return std::move(batch.news);
  }

  void TakeInto(MatchView* view) {
    for (const v1::WatchMatchResponse& news : TakeNews()) (void)match_.Take(news);
    if (end_) match_.End(*end_);
    view->Grow();
  }

  absl::StatusOr<int> Result() const {
    if (end_ && !end_->ok()) return *end_;
    return 0;
  }

  WatchedMatch match_;
  Feed feed_;
  absl::optional<absl::Status> end_;
  SignalQueue* const signals_;
  const Output& output_;
};

}  // namespace

absl::StatusOr<Exit> WatchMatchAsLines(const ClientFlags& flags, const std::string& match_id,
                                       bool json, const Output& output) {
  absl::StatusOr<MatchClient> client = MatchClient::Make(flags);
  if (!client.ok()) return client.status();
  v1::WatchMatchRequest request;
  request.set_match_id(match_id);
  request.set_from_start(!json);
  grpc::ClientContext context;
  WatchedMatch match;
  const absl::Status watched =
      Follow(*client, request, &context, [&](const v1::WatchMatchResponse& news) {
        // Flushes each line, so that it shows at once.
        output.out() << (json ? JsonLine(news) : NewsText(news, output.colour(), match.Take(news)))
                     << std::flush;
      });
  if (!watched.ok()) return Refused(watched, output);
  return Exit::kOk;
}

absl::StatusOr<Exit> WatchMatchOnTerminal(const ClientFlags& flags, const std::string& match_id,
                                          const Output& output) {
  absl::StatusOr<int> signal = 0;
  {
    SignalQueue signals;  // made before gRPC starts threads
    absl::StatusOr<MatchClient> client = MatchClient::Make(flags);
    if (!client.ok()) return client.status();
    signal = Watcher(*std::move(client), match_id, &signals, output).Run();
  }
  if (!signal.ok()) return Refused(signal.status(), output);
  if (*signal != 0) raise(*signal);
  return Exit::kOk;
}

}  // namespace referee::ctl
