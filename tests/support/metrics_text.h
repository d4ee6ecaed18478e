// A reader of the text format of Prometheus, no more than tests need.
#ifndef REFEREE_TESTS_SUPPORT_METRICS_TEXT_H_
#define REFEREE_TESTS_SUPPORT_METRICS_TEXT_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace referee::testing {

struct MetricsText {
  std::map<std::string, std::string> types;  // by name of the metric
  std::map<std::string, std::string> helps;  // likewise
  std::map<std::string, double> samples;     // by name and labels, as written

  // The value of a sample, such as `a_total{game="isaac"}`; 0 if there is none.
  double operator[](const std::string& sample) const {
    const auto found = samples.find(sample);
    return found == samples.end() ? 0 : found->second;
  }
};

// Not set where the text breaks the format: a line that is none of its kinds, a sample that comes
// twice, or one of a metric without a type before it.
absl::optional<MetricsText> ParseMetrics(absl::string_view text);

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_METRICS_TEXT_H_
