// A gate put together: it listens, on a thread of its own, from Start until it goes.
#ifndef REFEREE_GATE_RUNNING_GATE_H_
#define REFEREE_GATE_RUNNING_GATE_H_

#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/base/clock.h"
#include "referee/client/connection.h"
#include "referee/gate/asio_loop.h"
#include "referee/gate/gate.h"
#include "referee/gate/http_server.h"
#include "referee/gate/upstream.h"

namespace referee::gate {

class RunningGate {
 public:
  // Returns the errors of HttpServer::Listen. Whether a referee answers is seen later.
  static absl::StatusOr<std::unique_ptr<RunningGate>> Start(Gate::Options options,
                                                            client::Connection referee,
                                                            const std::string& listen);
  // Ends all connections and all calls, and waits for that.
  ~RunningGate();

  const std::string& address() const { return address_; }

 private:
  RunningGate(Gate::Options options, client::Connection referee);

  const SystemClock clock_;
  AsioLoop loop_;
  std::unique_ptr<Upstream> upstream_;
  Gate gate_;
  HttpServer server_;
  std::string address_;
  std::thread thread_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_RUNNING_GATE_H_
