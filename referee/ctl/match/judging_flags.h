// The flags that say how a match is judged: its clocks, and the penalties of faults. Every command
// that makes matches has them.
#ifndef REFEREE_CTL_MATCH_JUDGING_FLAGS_H_
#define REFEREE_CTL_MATCH_JUDGING_FLAGS_H_

#include <string>

#include "absl/status/statusor.h"
#include "referee/ctl/command.h"
#include "referee/match/policies.h"
#include "referee/match/time_control.h"

namespace referee::ctl {

// What was given, as text.
struct JudgingFlags {
  std::string time = "500ms";
  std::string on_timeout = "forfeit";
  std::string on_illegal = "forfeit";
  std::string on_lost_link = "run";
  std::string lag_compensation = "none";
};

// Adds --time.
CLI::Option* AddTimeFlag(CLI::App* command, std::string* time);
// Adds --time, --on-timeout, --on-illegal, --on-lost-link and --lag-compensation. `flags` must
// outlive the parsing.
void AddJudgingFlags(CLI::App* command, JudgingFlags* flags);

struct Judging {
  match::TimeControl time_control;
  match::Policies policies;
};

// Returns InvalidArgument that names the flag.
absl::StatusOr<Judging> ReadJudging(const JudgingFlags& flags);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_JUDGING_FLAGS_H_
