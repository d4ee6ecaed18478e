#include "referee/daemon/monitoring.h"

#include <utility>

namespace referee::daemon {

absl::StatusOr<std::unique_ptr<Monitoring>> Monitoring::Start(const std::string& address,
                                                              node::NodeOptions* options) {
  std::unique_ptr<Monitoring> monitoring(new Monitoring(node::MetricNames(*options)));
  absl::StatusOr<std::unique_ptr<metrics::HttpServer>> server =
      metrics::HttpServer::Start({address, [it = monitoring.get()] { return it->metrics_.Text(); },
                                  [it = monitoring.get()] { return it->WhyNotReady(); }});
  if (!server.ok()) return server.status();
  monitoring->server_ = *std::move(server);
  options->metrics = &monitoring->metrics_;
  return monitoring;
}

void Monitoring::Watch(node::Node* node) {
  const MutexLock lock(&mutex_);
  node_ = node;
  started_ = true;
}

std::string Monitoring::WhyNotReady() {
  const MutexLock lock(&mutex_);
  if (node_ != nullptr) return node_->WhyNotReady();
  return started_ ? "it has stopped" : "it starts, and goes on with what was left";
}

}  // namespace referee::daemon
