#include "referee/metrics/family.h"

#include <algorithm>
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

// Names by code, as gRPC writes them.
constexpr std::array<const char*, EndFamily::kCodes> kCodeNames = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

prometheus::MetricFamily Counters(const std::string& name, const std::string& help) {
  prometheus::MetricFamily family;
  family.name = name;
  family.help = help;
  family.type = prometheus::MetricType::Counter;
  return family;
}

prometheus::ClientMetric Sample(const Method& method, uint64_t count) {
  prometheus::ClientMetric metric;
  metric.label = {
      {"grpc_service", method.service}, {"grpc_method", method.name}, {"grpc_type", method.type}};
  metric.counter.value = static_cast<double>(count);
  return metric;
}

std::vector<Method> WithOther(std::vector<Method> methods) {
  methods.push_back({"other", "other", "other"});
  return methods;
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

// --- MethodFamily ---

MethodFamily::MethodFamily(Families* set, std::string name, std::string help,
                           const std::vector<Method>& methods, bool only_streams)
    : name_(std::move(name)),
      help_(std::move(help)),
      methods_(methods),
      only_streams_(only_streams),
      counters_(std::make_unique<Counter[]>(methods.size())) {
  set->push_back(this);
}

prometheus::MetricFamily MethodFamily::Collect() const {
  prometheus::MetricFamily family = Counters(name_, help_);
  for (size_t i = 0; i < methods_.size(); ++i) {
    if (Counts(methods_[i])) family.metric.push_back(Sample(methods_[i], counters_[i].Sum()));
  }
  return family;
}

size_t MethodFamily::series() const {
  return static_cast<size_t>(std::count_if(methods_.begin(), methods_.end(),
                                           [this](const Method& one) { return Counts(one); }));
}

// --- EndFamily ---

EndFamily::EndFamily(Families* set, std::string name, std::string help,
                     const std::vector<Method>& methods)
    : name_(std::move(name)),
      help_(std::move(help)),
      methods_(WithOther(methods)),
      ends_(std::make_unique<std::array<End, kCodes>[]>(methods_.size())) {
  for (size_t method = 0; method < methods_.size(); ++method) ends_[method][0].shown = true;
  for (End& end : ends_[methods_.size() - 1]) end.shown = true;
  set->push_back(this);
}

bool EndFamily::Shows(End* end) const {
  if (end->shown) return true;
  const MutexLock lock(&mutex_);
  if (!end->shown && others_ < kMaxOtherEnds) {
    ++others_;
    end->shown = true;
  }
  return end->shown;
}

void EndFamily::Add(size_t method, size_t code) const {
  End& own = ends_[method][code];
  End& counted = Shows(&own) ? own : ends_[methods_.size() - 1][code];
  counted.count.fetch_add(1, std::memory_order_relaxed);
}

prometheus::MetricFamily EndFamily::Collect() const {
  prometheus::MetricFamily family = Counters(name_, help_);
  for (size_t method = 0; method < methods_.size(); ++method) {
    for (size_t code = 0; code < kCodes; ++code) {
      const End& end = ends_[method][code];
      if (!end.shown) continue;
      family.metric.push_back(Sample(methods_[method], end.count));
      family.metric.back().label.push_back({"grpc_code", kCodeNames[code]});
    }
  }
  return family;
}

size_t EndFamily::series() const { return Collect().metric.size(); }

}  // namespace referee::metrics
