// Updates the metrics (metrics.h) from the callbacks of a node's rooms.
#ifndef REFEREE_NODE_METER_H_
#define REFEREE_NODE_METER_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/competition/competitions.h"
#include "referee/host/host_view.h"
#include "referee/host/match_runner.h"
#include "referee/match/match.h"
#include "referee/match/record.h"
#include "referee/metrics/metrics.h"
#include "referee/service/server.h"
#include "referee/store/store.h"

namespace referee::node {

// The labels for a referee with the games of the catalogue.
metrics::Names MetricNames(const std::string& software, bool syncs_log, bool has_store);

// Thread-safe.
class Meter {
 public:
  // `metrics` must outlive this.
  explicit Meter(metrics::Metrics* metrics) : metrics_(*metrics) {}

  // Callbacks of host::HostOptions.
  void OnRecord(const match::Match& match, const match::Record& record) const;
  void OnFinished(const host::MatchRunner& runner, const absl::Status& sealed) const;
  // The callback of competition::CompetitionsOptions.
  void OnApplied(absl::Span<const store::Change> changes, const absl::Status& done,
                 absl::Duration took) const;
  void OnLogSynced(absl::Duration took) const { metrics_.log_sync.at().Observe(took); }

  // Sets gauges.
  void Note(const host::HostCounts& counts) const;
  void Note(absl::Span<const std::unique_ptr<service::Server>> servers, size_t answer_budget) const;
  void Note(const competition::Vitals& vitals) const;
  void NoteStalls(absl::Duration total) const {
    metrics_.stalls.at().Set(absl::ToDoubleSeconds(total));
  }
  void NoteStore(bool up) const { metrics_.store_up.at().Set(up ? 1 : 0); }
  void NoteShelf(bool up) const { metrics_.shelf_up.at().Set(up ? 1 : 0); }

 private:
  size_t GameOf(const games::Game& game) const { return metrics_.GameIndex(game.name()); }

  metrics::Metrics& metrics_;
};

}  // namespace referee::node

#endif  // REFEREE_NODE_METER_H_
