// A complete gate, which serves on its own thread from Start to its destruction.
#ifndef REFEREE_GATE_RUNNING_GATE_H_
#define REFEREE_GATE_RUNNING_GATE_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/client/connection.h"
#include "referee/gate/gate.h"
#include "referee/gate/http_server.h"
#include "referee/gate/loop.h"
#include "referee/gate/upstream.h"
#include "referee/log/event.h"
#include "referee/log/sparse_log.h"

namespace referee::gate {

class RunningGate {
 public:
  // Returns the errors of HttpServer::Listen. Does not check that a referee answers. `log` takes
  // events (log/LOG.md) and may be null.
  static absl::StatusOr<std::unique_ptr<RunningGate>> Start(Gate::Options options,
                                                            client::Connection referee,
                                                            const std::string& listen,
                                                            log::Log log = nullptr);
  // Ends all connections and calls, and waits for that.
  ~RunningGate();

  const std::string& address() const { return address_; }
  // Calls `beat` every `period` from now on, as long as the loop and the worker thread make
  // progress.
  void BeatEvery(absl::Duration period, std::function<void()> beat);

 private:
  RunningGate(Gate::Options options, client::Connection referee, log::Log log);
  // Logs when the connection to the referee is established or lost.
  void WatchReferee();

  const SystemClock clock_;
  log::SparseLog log_;
  Loop loop_;
  std::unique_ptr<Upstream> upstream_;
  Gate gate_;
  HttpServer server_;
  std::string address_;
  bool referee_there_ = false;
  std::thread thread_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_RUNNING_GATE_H_
