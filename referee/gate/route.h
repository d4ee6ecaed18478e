// What a request asks for: GATE.md has the list. Pure, thread-safe. Trusts nothing.
#ifndef REFEREE_GATE_ROUTE_H_
#define REFEREE_GATE_ROUTE_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee::gate {

enum class Resource {
  // Pages.
  kIndexPage,
  kMatchPage,
  kCompetitionPage,
  kBotPage,
  kReplaysPage,
  kReplayPage,
  // JSON and files.
  kMatches,
  kMatch,
  kCompetitions,
  kCompetition,
  kStandings,
  kBlocks,
  kPairs,
  kRounds,
  kPoints,
  kRatings,
  kReplays,
  kReplayFile,
  kReplayView,
  // Events.
  kMatchEvents,
  kCompetitionEvents,
  // For machines.
  kLive,
  kReady,
  kRobots,
};

struct Route {
  Resource resource = Resource::kIndexPage;
  // The id of the match, or the name of the competition or bot; may be empty.
  std::string name;
  // Those that are there, decoded; of `ticket` see below.
  std::map<std::string, std::string> parameters;
  std::string ticket;

  // The parameter; empty if it is not there.
  const std::string& Parameter(const std::string& parameter) const;
  // A number that the reader of the target has checked; 0 if it is not there.
  uint32_t Number(const std::string& parameter) const;
  // The same for all requests for the same, and for these only.
  std::string Key() const;
};

// Reads the target of a request, such as "/api/v1/matches?state=running". Returns NotFound if there
// is no such route, InvalidArgument that says what is wrong with the path or a parameter.
absl::StatusOr<Route> ReadTarget(absl::string_view target);

// Whether there is a list of cookies in which "ticket" is; sets `ticket` to its value.
bool TicketFromCookies(absl::string_view cookies, std::string* ticket);

}  // namespace referee::gate

#endif  // REFEREE_GATE_ROUTE_H_
