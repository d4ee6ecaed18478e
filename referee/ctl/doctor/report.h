// Reports the results of 'refctl doctor', for people and for programs. Pure.
#ifndef REFEREE_CTL_DOCTOR_REPORT_H_
#define REFEREE_CTL_DOCTOR_REPORT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "referee/conformance/conformance.h"

namespace referee::ctl {

// A few lines: the verdict, the check, the behaviour seen, and what would be right.
std::string FindingText(const conformance::Result& result, bool colour);
// One line: how many checks passed and failed.
std::string SummaryText(absl::string_view bot, const std::vector<conformance::Result>& all);
// One JSON object, on one line.
std::string VisitJson(absl::string_view bot, const std::vector<conformance::Result>& all);
int CountFailed(const std::vector<conformance::Result>& all);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DOCTOR_REPORT_H_
