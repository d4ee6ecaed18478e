// A metric with its series: one instrument for each combination of the values of its labels, all
// made at the start, so that who observes does not look anything up.
#ifndef REFEREE_METRICS_FAMILY_H_
#define REFEREE_METRICS_FAMILY_H_

#include <prometheus/metric_family.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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
  // Lines of a sample in the text format.
  virtual size_t series() const = 0;
};

// Families of one set, in the order in which they are declared.
using Families = std::vector<const AnyFamily*>;

template <typename Instrument>
class Family final : public AnyFamily {
 public:
  // Adds itself to `set`, which must outlive it. `labels` are at most two.
  Family(Families* set, std::string name, std::string help, std::vector<Label> labels = {})
      : name_(std::move(name)), help_(std::move(help)), labels_(std::move(labels)) {
    for (const Label& label : labels_) size_ *= label.values.size();
    instruments_ = std::make_unique<Instrument[]>(size_);
    set->push_back(this);
  }
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  // The series of the value `first` of the first label, and `second` of the second. REQUIRES: they
  // are below the numbers of values; 0 where there is no such label.
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

}  // namespace referee::metrics

#endif  // REFEREE_METRICS_FAMILY_H_
