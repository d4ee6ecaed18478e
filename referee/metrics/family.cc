#include "referee/metrics/family.h"

#include <limits>
#include <type_traits>

namespace referee::metrics {
namespace {

void Fill(const Counter& counter, prometheus::ClientMetric* metric) {
  metric->counter.value = static_cast<double>(counter.Sum());
}

void Fill(const Gauge& gauge, prometheus::ClientMetric* metric) {
  metric->gauge.value = gauge.value();
}

void Fill(const CounterReading& counter, prometheus::ClientMetric* metric) {
  metric->counter.value = counter.value();
}

void Fill(const Histogram& histogram, prometheus::ClientMetric* metric) {
  const Histogram::Snapshot read = histogram.Read();
  uint64_t count = 0;
  for (size_t i = 0; i < Histogram::kBuckets; ++i) {
    count += read.buckets[i];
    const bool last = i == Histogram::kBoundsNanos.size();
    metric->histogram.bucket.push_back(
        {count, last ? std::numeric_limits<double>::infinity()
                     : static_cast<double>(Histogram::kBoundsNanos[i]) / 1e9});
  }
  metric->histogram.sample_count = count;
  metric->histogram.sample_sum = read.sum_seconds;
}

template <typename Instrument>
constexpr prometheus::MetricType TypeOf() {
  if (std::is_same_v<Instrument, Histogram>) return prometheus::MetricType::Histogram;
  if (std::is_same_v<Instrument, Gauge>) return prometheus::MetricType::Gauge;
  return prometheus::MetricType::Counter;
}

}  // namespace

template <typename Instrument>
prometheus::MetricFamily Family<Instrument>::Collect() const {
  prometheus::MetricFamily family;
  family.name = name_;
  family.help = help_;
  family.type = TypeOf<Instrument>();
  family.metric.resize(size_);
  for (size_t i = 0; i < size_; ++i) {
    size_t values = size_;
    for (const Label& label : labels_) {
      values /= label.values.size();
      const size_t value = i / values % label.values.size();
      family.metric[i].label.push_back({label.name, label.values[value]});
    }
    Fill(instruments_[i], &family.metric[i]);
  }
  return family;
}

template <typename Instrument>
size_t Family<Instrument>::series() const {
  constexpr size_t kSumAndCount = 2;
  return std::is_same_v<Instrument, Histogram> ? size_ * (Histogram::kBuckets + kSumAndCount)
                                               : size_;
}

template class Family<Counter>;
template class Family<Gauge>;
template class Family<CounterReading>;
template class Family<Histogram>;

}  // namespace referee::metrics
