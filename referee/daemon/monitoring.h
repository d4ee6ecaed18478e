// What --metrics serves: the metrics of a node, and whether it is ready, from before it starts.
#ifndef REFEREE_DAEMON_MONITORING_H_
#define REFEREE_DAEMON_MONITORING_H_

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "referee/base/mutex.h"
#include "referee/metrics/http_server.h"
#include "referee/metrics/metrics.h"
#include "referee/node/node.h"

namespace referee::daemon {

// Thread-safe.
class Monitoring {
 public:
  // Serves at `address` (metrics::ListeningAddress), and has the node that is started with
  // `options` observe. Must outlive that node. Returns the errors of HttpServer::Start.
  static absl::StatusOr<std::unique_ptr<Monitoring>> Start(const std::string& address,
                                                           node::NodeOptions* options);

  // The node has started: it is asked whether it is ready. Null: it is about to end.
  void Watch(node::Node* node);
  // With the real port.
  const std::string& address() const { return server_->address(); }

 private:
  explicit Monitoring(const metrics::Names& names) : metrics_(names) {}
  std::string WhyNotReady();

  metrics::Metrics metrics_;
  Mutex mutex_;
  node::Node* node_ ABSL_GUARDED_BY(mutex_) = nullptr;
  bool started_ ABSL_GUARDED_BY(mutex_) = false;
  std::unique_ptr<metrics::HttpServer> server_;  // the last member: its calls use the others
};

}  // namespace referee::daemon

#endif  // REFEREE_DAEMON_MONITORING_H_
