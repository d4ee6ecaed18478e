// Formats the strength of one bot against another.
#ifndef REFEREE_CTL_TERMINAL_STRENGTH_TEXT_H_
#define REFEREE_CTL_TERMINAL_STRENGTH_TEXT_H_

#include <string>

namespace referee::ctl {

// An Elo estimate and its 95 % interval, as in tables (shown_interval.h).
struct StrengthText {
  std::string elo;       // "+37.4"; "-" if the interval is too wide
  std::string interval;  // "-12.9 to +87.1", "at least +15.2"; "-" if unknown
};
// REQUIRES: low <= elo <= high; each may be infinite.
StrengthText ShownStrength(double elo, double low, double high);

// The estimate as a phrase: "Elo +37.4, 95 % from -12.9 to +87.1", "Elo at least +15.2 (95 %)", or
// "Elo not known yet".
std::string StrengthPhrase(double elo, double low, double high);

// A probability such as "93.7 %". Never 0 or 100 %, which would claim certainty.
std::string SuperiorityText(double superiority);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_STRENGTH_TEXT_H_
