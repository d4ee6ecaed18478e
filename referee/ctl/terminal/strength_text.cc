#include "referee/ctl/terminal/strength_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "referee/rating/shown_interval.h"

namespace referee::ctl {
namespace {

std::string Signed(double elo) { return absl::StrFormat("%+.1f", elo); }

}  // namespace

StrengthText ShownStrength(double elo, double low, double high) {
  const rating::ShownInterval shown = rating::IntervalToShow(elo, low, high);
  if (shown.at_least && shown.at_most) {
    return {Signed(elo), absl::StrCat(Signed(low), " to ", Signed(high))};
  }
  if (shown.at_least) return {"-", "at least " + Signed(low)};
  if (shown.at_most) return {"-", "at most " + Signed(high)};
  return {"-", "-"};
}

std::string StrengthPhrase(double elo, double low, double high) {
  const StrengthText shown = ShownStrength(elo, low, high);
  if (shown.interval == "-") return "Elo not known yet";
  if (shown.elo == "-") return absl::StrCat("Elo ", shown.interval, " (95 %)");
  return absl::StrCat("Elo ", shown.elo, ", 95 % from ", shown.interval);
}

std::string SuperiorityText(double superiority) {
  const double percent = 100 * superiority;
  if (percent > 99.9) return ">99.9 %";
  if (percent < 0.1) return "<0.1 %";
  return absl::StrFormat("%.1f %%", percent);
}

}  // namespace referee::ctl
