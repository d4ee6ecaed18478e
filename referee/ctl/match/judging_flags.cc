#include "referee/ctl/match/judging_flags.h"

#include "referee/base/errors.h"

namespace referee::ctl {

CLI::Option* AddTimeFlag(CLI::App* command, std::string* time) {
  return AddOption(
      command, "--time", "PER_MOVE[+BANK[+INCREMENT]][,...]", time,
      "Time for a move, and a bank beside it: 500ms, 500ms+60s, 2s+60s+100ms (gained\n"
      "after each move), none+60s (no cap but the bank). After commas: first=5s (more\n"
      "for the first move), ready=30s (to be ready), match=10m (all seats together),\n"
      "stall=1s/1m (of the referee's own stalls, given back a move and a match)");
}

void AddJudgingFlags(CLI::App* command, JudgingFlags* flags) {
  AddTimeFlag(command, &flags->time)->capture_default_str();
  AddOption(command, "--on-timeout", "forfeit|substitute[:first|:random][:N]", &flags->on_timeout,
            "What a seat that is out of time loses: the match (forfeit), or its choice: the\n"
            "referee plays a legal move, up to N times in a match (default 3)")
      ->capture_default_str();
  AddOption(command, "--on-illegal", "forfeit|substitute[:first|:random][:N]|retry[:N]",
            &flags->on_illegal,
            "The same for an illegal move; retry: it may try again while its clock runs, N\n"
            "moves in all (default 3)")
      ->capture_default_str();
  AddOption(command, "--on-lost-link", "run|grace:TIME", &flags->on_lost_link,
            "Whether a seat's clock runs while its link is lost, or stands still for a time\n"
            "in each match")
      ->capture_default_str();
  AddOption(command, "--lag-compensation", "none|PER_MOVE[/PER_MATCH]", &flags->lag_compensation,
            "The most of the network's time that is not charged, a move and a match\n"
            "(default: 100 moves' worth)")
      ->capture_default_str();
}

absl::StatusOr<Judging> ReadJudging(const JudgingFlags& flags) {
  const auto time = match::ParseTimeControl(flags.time);
  if (!time.ok()) return At("--time", time.status());
  const auto on_timeout = match::ParseTimeoutPolicy("--on-timeout", flags.on_timeout);
  if (!on_timeout.ok()) return on_timeout.status();
  const auto on_illegal = match::ParseFaultPolicy("--on-illegal", flags.on_illegal);
  if (!on_illegal.ok()) return on_illegal.status();
  const auto grace = match::ParseLinkPolicy("--on-lost-link", flags.on_lost_link);
  if (!grace.ok()) return grace.status();
  const auto lag = match::ParseLagCompensation("--lag-compensation", flags.lag_compensation);
  if (!lag.ok()) return lag.status();
  const Judging judging{*time, {*on_timeout, *on_illegal, *grace, *lag}};
  if (absl::Status s = match::Validate(judging.policies); !s.ok()) return s;
  return judging;
}

}  // namespace referee::ctl
