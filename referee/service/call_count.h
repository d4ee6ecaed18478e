// Counts one RPC and its messages in the metrics of a server.
#ifndef REFEREE_SERVICE_CALL_COUNT_H_
#define REFEREE_SERVICE_CALL_COUNT_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/base/clock.h"
#include "referee/metrics/metrics.h"

namespace referee::service {

// Covers one call from its start. Thread-safe.
class CallCount {
 public:
  // `method` has the form "referee.v1.MatchService.GetMatch". A null `metrics` counts nothing.
  CallCount(const metrics::Metrics* metrics, absl::string_view method)
      : metrics_(metrics),
        method_(metrics == nullptr ? 0 : metrics->MethodIndex(method)),
        begin_(metrics == nullptr ? Instant() : SystemClock().Now()) {
    if (metrics_ != nullptr) metrics_->calls_started.at(method_).Add();
  }

  // Counts the end of a unary call and its handling time. Call once.
  void EndUnary(const absl::Status& status) const {
    EndStream(status);
    if (metrics_ != nullptr) metrics_->calls_handling.at().Observe(SystemClock().Now() - begin_);
  }
  void EndStream(const absl::Status& status) const {
    if (metrics_ == nullptr) return;
    metrics_->calls_handled.Add(method_, static_cast<size_t>(status.code()));
  }
  // Count one message of a stream.
  void Received() const {
    if (metrics_ != nullptr) metrics_->messages_received.at(method_).Add();
  }
  void Sent() const {
    if (metrics_ != nullptr) metrics_->messages_sent.at(method_).Add();
  }

 private:
  const metrics::Metrics* const metrics_;
  const size_t method_;
  const Instant begin_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_CALL_COUNT_H_
