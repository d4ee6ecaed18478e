// The strength of one bot against another as people read it.
#ifndef REFEREE_CTL_TERMINAL_STRENGTH_TEXT_H_
#define REFEREE_CTL_TERMINAL_STRENGTH_TEXT_H_

#include <string>

namespace referee::ctl {

// An estimate in Elo and its interval of 95 %, as far as tables show them (shown_interval.h).
struct StrengthText {
  std::string elo;       // "+37.4"; "-" unless the interval is narrow enough
  std::string interval;  // "-12.9 to +87.1", "at least +15.2"; "-" if nothing is known
};
// REQUIRES: low <= elo <= high; each may be infinite.
StrengthText ShownStrength(double elo, double low, double high);

// The same in a line: "Elo +37.4, 95 % from -12.9 to +87.1", "Elo at least +15.2 (95 %)", or "Elo
// not known yet".
std::string StrengthPhrase(double elo, double low, double high);

// A likelihood: "93.7 %". Never 0 or 100 %, which would say more than anybody knows.
std::string SuperiorityText(double superiority);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_STRENGTH_TEXT_H_
