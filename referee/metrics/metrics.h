// Declares every metric of the referee; METRICS.md gives the meaning of each.
//
// Rooms above update the instruments. Values that are computed elsewhere are set before each
// scrape. There are at most kMaxSeries series: labels are games, causes, methods and the like,
// never bots, matches or competitions.
//
//   Metrics metrics({"refereed 1.0", {"hypnosia", "isaac"}, ...});
//   metrics.turns.at(metrics.GameIndex("isaac")).Add();
//   metrics.turn_bot.at().Observe(absl::Milliseconds(3));
//   std::string text = metrics.Text();
#ifndef REFEREE_METRICS_METRICS_H_
#define REFEREE_METRICS_METRICS_H_

#include <prometheus/collectable.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "referee/base/mutex.h"
#include "referee/metrics/family.h"
#include "referee/metrics/instruments.h"

namespace referee::metrics {

inline constexpr size_t kMaxSeries = 500;
// Games with series of their own; all others share the series of kOtherGames.
inline constexpr size_t kMaxGames = 8;
inline constexpr char kOtherGames[] = "other";

// The values of labels. Those of an enumeration are in its order.
struct Names {
  std::string version;  // of the software
  std::vector<std::string> games;
  std::vector<std::string> causes;          // of forfeits
  std::vector<std::string> endings;         // of matches
  std::vector<std::string> block_outcomes;  // of ended blocks
  std::vector<Method> methods;              // of gRPC
  bool syncs_log = false;                   // whether the log is synced to disk
  bool has_store = false;
};

// Thread-safe.
class Metrics final : public prometheus::Collectable {
 private:
  // The first member: the members below are built from it.
  Families families_;
  const std::vector<std::string> games_;
  const std::vector<std::string> methods_;  // full names

 public:
  explicit Metrics(const Names& names);

  // The index of the "game" label for this game.
  size_t GameIndex(absl::string_view game) const;
  const std::vector<std::string>& games() const { return games_; }
  // The index of the method "SERVICE.METHOD" among Names::methods. REQUIRES: the method exists.
  size_t MethodIndex(absl::string_view method) const;

  // --- Matches ---

  const Family<Gauge> matches_running;
  const Family<Gauge> matches_waiting;
  const Family<Counter> matches_ended;  // by game and ending
  const Family<Counter> turns;
  const Family<Histogram> turn_own;
  const Family<Histogram> turn_bot;
  const Family<Histogram> turn_network;
  const Family<Counter> forfeits;  // by game and cause
  const Family<Counter> no_contests;
  const Family<CounterReading> stalls;
  const Family<Counter> seals_failed;

  // --- Bots and other clients ---

  const Family<Gauge> bots_connected;
  const Family<Gauge> connections;  // kKnown, kUnknown
  enum ConnectionState : size_t { kKnown, kUnknown };
  const Family<Gauge> watchers;
  const Family<Gauge> answer_bytes;
  const Family<Gauge> answer_budget;
  const MethodFamily calls_started;
  const EndFamily calls_handled;
  const MethodFamily messages_received;  // of streaming methods
  const MethodFamily messages_sent;      // of streaming methods
  const Family<Histogram> calls_handling;

  // --- Competitions, disk and store; exported only where they exist ---

  const Family<Counter> blocks;  // by outcome
  const Family<Gauge> competitions;
  const Family<Gauge> blocks_uncounted;
  const Family<Gauge> lease_remaining;
  const Family<CounterReading> leases_lost;
  const Family<Histogram> store_apply;
  const Family<Gauge> store_up;
  const Family<Gauge> shelf_up;
  const Family<Histogram> log_sync;

  // --- Reading ---

  // Sets a function that is called before each scrape to set gauges, by one thread at a time. Null,
  // the default: no function. When this returns, the previous function is not running.
  void RefreshBy(std::function<void()> refresh);
  // All metrics, including those of the process.
  std::vector<prometheus::MetricFamily> Collect() const override;
  // All metrics, in the text format 0.0.4 of Prometheus.
  std::string Text() const;
  // The number of series that Collect returns now.
  size_t series() const;

 private:
  const Family<Gauge> build_info_;

  mutable Mutex mutex_;
  std::function<void()> refresh_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::metrics

#endif  // REFEREE_METRICS_METRICS_H_
