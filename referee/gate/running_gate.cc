#include "referee/gate/running_gate.h"

#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

namespace referee::gate {

namespace {

constexpr absl::Duration kLookAtReferee = absl::Seconds(1);

}  // namespace

RunningGate::RunningGate(Gate::Options options, client::Connection referee, log::Log log)
    : log_(&clock_, std::move(log)),
      loop_(&clock_),
      upstream_(std::make_unique<Upstream>(
          std::move(referee), [this](std::function<void()> call) { loop_.Post(std::move(call)); },
          options.bounds.patience)),
      gate_(std::move(options), upstream_.get(), &loop_),
      server_(&gate_, &loop_, &clock_, &log_) {}

absl::StatusOr<std::unique_ptr<RunningGate>> RunningGate::Start(Gate::Options options,
                                                                client::Connection referee,
                                                                const std::string& listen,
                                                                log::Log log) {
  const std::vector<std::string> proxies = options.trusted_proxies;
  std::unique_ptr<RunningGate> running(
      new RunningGate(std::move(options), std::move(referee), std::move(log)));
  if (absl::Status status = running->server_.Trust(proxies); !status.ok()) return status;
  if (absl::Status status = running->server_.Listen(listen); !status.ok()) return status;
  running->address_ = running->server_.address();
  running->WatchReferee();
  running->thread_ = std::thread([loop = &running->loop_] { loop->Run(); });
  return running;
}

void RunningGate::WatchReferee() {
  const bool there = upstream_->Ready();
  // An initial lack of connection is not logged.
  if (there != referee_there_) {
    log_.TellEach(there ? log::Event(log::Level::kInfo, "referee_answers", "referee: connected")
                        : log::Event(log::Level::kWarning, "referee_silent",
                                     "referee: the connection is lost; it is tried again"));
  }
  referee_there_ = there;
  loop_.At(loop_.Now() + kLookAtReferee, [this] { WatchReferee(); });
}

void RunningGate::BeatEvery(absl::Duration period, std::function<void()> beat) {
  loop_.At(loop_.Now() + period, [this, period, beat = std::move(beat)] {
    loop_.Away([] {},
               [this, period, beat] {
                 beat();
                 BeatEvery(period, beat);
               });
  });
}

RunningGate::~RunningGate() {
  if (thread_.joinable()) {
    std::promise<void> stopped;
    loop_.Post([this, &stopped] {
      server_.Stop();
      gate_.Stop();
      stopped.set_value();
    });
    stopped.get_future().wait();
    // The loop still runs until the calls have ended, and handles what they post.
    upstream_->Stop();
  }
  loop_.Stop();
  if (thread_.joinable()) thread_.join();
}

}  // namespace referee::gate
