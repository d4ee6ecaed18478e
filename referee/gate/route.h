// Parses the target of an HTTP request. GATE.md lists the routes. Pure, thread-safe; for untrusted
// input.
#ifndef REFEREE_GATE_ROUTE_H_
#define REFEREE_GATE_ROUTE_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee::gate {

enum class Resource {
  // --- Pages ---
  kIndexPage,
  kMatchPage,
  kCompetitionPage,
  kBotPage,
  kReplaysPage,
  kReplayPage,
  // --- JSON and files ---
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
  // --- Events ---
  kMatchEvents,
  kCompetitionEvents,
  // --- For machines ---
  kLive,
  kReady,
  kRobots,
};

struct Route {
  Resource resource = Resource::kIndexPage;
  // The id of the match, or the name of the competition or bot; may be empty.
  std::string name;
  // The given parameters, decoded, except `ticket`.
  std::map<std::string, std::string> parameters;
  std::string ticket;

  // The value of a parameter; empty if it is missing.
  const std::string& Parameter(const std::string& parameter) const;
  // The value of a numeric parameter, which ReadTarget has checked; 0 if it is missing.
  uint32_t Number(const std::string& parameter) const;
  // A key that is equal exactly for requests of the same content.
  std::string Key() const;
};

// Parses a request target such as "/api/v1/matches?state=running". Returns NotFound for an unknown
// route, InvalidArgument that names the problem for a bad path or parameter.
absl::StatusOr<Route> ReadTarget(absl::string_view target);

// Returns whether a list of cookies has "ticket", and sets `ticket` to its value.
bool TicketFromCookies(absl::string_view cookies, std::string* ticket);

}  // namespace referee::gate

#endif  // REFEREE_GATE_ROUTE_H_
