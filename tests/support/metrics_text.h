// A minimal parser of the Prometheus text format.
#ifndef REFEREE_TESTS_SUPPORT_METRICS_TEXT_H_
#define REFEREE_TESTS_SUPPORT_METRICS_TEXT_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace referee::testing {

struct MetricsText {
  std::map<std::string, std::string> types;  // by name of the metric
  std::map<std::string, std::string> helps;  // by name of the metric
  std::map<std::string, double> samples;     // by name and labels, as written

  // The value of a sample, such as `a_total{game="isaac"}`; 0 if there is no such sample.
  double operator[](const std::string& sample) const {
    const auto found = samples.find(sample);
    return found == samples.end() ? 0 : found->second;
  }
};

// Returns nothing if the text breaks the format: an unknown kind of line, a duplicate sample, or a
// sample of a metric whose type does not come first.
absl::optional<MetricsText> ParseMetrics(absl::string_view text);

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_METRICS_TEXT_H_
