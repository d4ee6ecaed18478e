// A metric with its series: one instrument for each combination of label values.
//
// All series are created at the start, so that an observation needs no lookup.
#ifndef REFEREE_METRICS_FAMILY_H_
#define REFEREE_METRICS_FAMILY_H_

#include <prometheus/metric_family.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "referee/base/mutex.h"
#include "referee/metrics/instruments.h"

namespace referee::metrics {

struct Label {
  std::string name;
  std::vector<std::string> values;
};

class AnyFamily {
 public:
  virtual ~AnyFamily() = default;
  virtual prometheus::MetricFamily Collect() const = 0;
  // The number of sample lines in the text format.
  virtual size_t series() const = 0;
};

// The families of one set, in the order of declaration.
using Families = std::vector<const AnyFamily*>;

template <typename Instrument>
class Family final : public AnyFamily {
 public:
  // Adds itself to `set`, which must outlive it; null: the metric is not exported. There are at
  // most two `labels`.
  Family(Families* set, std::string name, std::string help, std::vector<Label> labels = {})
      : name_(std::move(name)), help_(std::move(help)), labels_(std::move(labels)) {
    for (const Label& label : labels_) size_ *= label.values.size();
    instruments_ = std::make_unique<Instrument[]>(size_);
    if (set != nullptr) set->push_back(this);
  }
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  // The series with value number `first` of the first label and `second` of the second. REQUIRES:
  // both are below the number of values; 0 for a label that does not exist.
  Instrument& at(size_t first = 0, size_t second = 0) const {
    const size_t seconds = labels_.size() > 1 ? labels_[1].values.size() : 1;
    return instruments_[first * seconds + second];
  }

  prometheus::MetricFamily Collect() const override;
  size_t series() const override;

 private:
  const std::string name_;
  const std::string help_;
  const std::vector<Label> labels_;
  size_t size_ = 1;
  std::unique_ptr<Instrument[]> instruments_;
};

// --- Counts of gRPC calls by method, with the labels that gRPC servers of all languages use:
// grpc_service, grpc_method, grpc_type, and grpc_code ---

struct Method {
  std::string service;  // the full name
  std::string name;
  std::string type;  // "unary", "server_stream", "bidi_stream"
  bool streams() const { return type != "unary"; }
};

// One counter for each method.
class MethodFamily final : public AnyFamily {
 public:
  // Adds itself to `set`, which must outlive it. `only_streams`: counts streaming methods only.
  MethodFamily(Families* set, std::string name, std::string help,
               const std::vector<Method>& methods, bool only_streams);

  // `method` is its index among all methods. REQUIRES: the family counts this method.
  Counter& at(size_t method) const { return counters_[method]; }

  prometheus::MetricFamily Collect() const override;
  size_t series() const override;

 private:
  bool Counts(const Method& method) const { return !only_streams_ || method.streams(); }

  const std::string name_;
  const std::string help_;
  const std::vector<Method> methods_;
  const bool only_streams_;
  std::unique_ptr<Counter[]> counters_;
};

// Ended calls, by method and code.
//
// A series for every pair would be too many. Each method has a series for OK; the first
// kMaxOtherEnds other pairs that occur get theirs. Further pairs count under the method "other", by
// code.
class EndFamily final : public AnyFamily {
 public:
  static constexpr size_t kCodes = 17;
  static constexpr size_t kMaxOtherEnds = 100;

  EndFamily(Families* set, std::string name, std::string help, const std::vector<Method>& methods);

  // REQUIRES: code < kCodes.
  void Add(size_t method, size_t code) const;

  prometheus::MetricFamily Collect() const override;
  size_t series() const override;

 private:
  struct End {
    std::atomic<uint64_t> count{0};
    std::atomic<bool> shown{false};  // has a series of its own
  };
  // Whether the pair has a series of its own, or gets one now.
  bool Shows(End* end) const;

  const std::string name_;
  const std::string help_;
  const std::vector<Method> methods_;  // plus "other"
  std::unique_ptr<std::array<End, kCodes>[]> ends_;
  mutable Mutex mutex_;
  mutable size_t others_ ABSL_GUARDED_BY(mutex_) = 0;  // pairs with a series, without those for OK
};

}  // namespace referee::metrics

#endif  // REFEREE_METRICS_FAMILY_H_
