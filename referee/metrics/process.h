// The metrics that every program has, by their usual names: process_cpu_seconds_total and the like.
#ifndef REFEREE_METRICS_PROCESS_H_
#define REFEREE_METRICS_PROCESS_H_

#include <prometheus/metric_family.h>

#include <vector>

namespace referee::metrics {

// Reads /proc. What cannot be read is left out. One series each.
std::vector<prometheus::MetricFamily> CollectProcess();

}  // namespace referee::metrics

#endif  // REFEREE_METRICS_PROCESS_H_
