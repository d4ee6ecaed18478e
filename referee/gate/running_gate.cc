#include "referee/gate/running_gate.h"

#include <functional>
#include <future>
#include <utility>

namespace referee::gate {

RunningGate::RunningGate(Gate::Options options, client::Connection referee)
    : loop_(&clock_),
      upstream_(std::make_unique<Upstream>(
          std::move(referee), [this](std::function<void()> call) { loop_.Post(std::move(call)); },
          options.bounds.patience)),
      gate_(std::move(options), upstream_.get(), &loop_),
      server_(&gate_, &loop_, &clock_) {}

absl::StatusOr<std::unique_ptr<RunningGate>> RunningGate::Start(Gate::Options options,
                                                                client::Connection referee,
                                                                const std::string& listen) {
  std::unique_ptr<RunningGate> running(new RunningGate(std::move(options), std::move(referee)));
  if (absl::Status status = running->server_.Listen(listen); !status.ok()) return status;
  running->address_ = running->server_.address();
  running->thread_ = std::thread([loop = &running->loop_] { loop->Run(); });
  return running;
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
    // What the calls still say is taken by the loop, which runs on until they have ended.
    upstream_->Stop();
  }
  loop_.Stop();
  if (thread_.joinable()) thread_.join();
}

}  // namespace referee::gate
