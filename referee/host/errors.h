// Errors of the host, one function each: why a match is not made, why a link ends. base/errors.h
// says how errors are worded.
#ifndef REFEREE_HOST_ERRORS_H_
#define REFEREE_HOST_ERRORS_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::host {

// Host: matches that are not made, links that end.
absl::Status WrongNumberOfBots(size_t given, int seats);
absl::Status BotTwiceInMatch(absl::string_view name);
absl::Status BotTakesTooFewMatches(absl::string_view name, int takes, int needed);
absl::Status UnknownBot(absl::string_view name);
// `role` is that of the account of this name, such as "organiser".
absl::Status NotABot(absl::string_view name, absl::string_view role);
absl::Status UnknownMatch(absl::string_view match_id);
absl::Status MatchIsOver(absl::string_view match_id);
absl::Status RequestIdReused(absl::string_view request_id);
absl::Status TooManyOpenMatches(int limit);
// `why` is a clause of its own.
absl::Status NoMatchBegins(absl::string_view why);
// Why no match of a game that is paused is made, and the file that keeps such games.
std::string PausedText(absl::string_view game, absl::string_view reason);
absl::Status GameNotPaused(absl::string_view game);
absl::Status NotPausedGames(absl::string_view path);
absl::Status RefereeStopping();
absl::Status LinkTakenOver(absl::string_view name);
absl::Status BotConnected(absl::string_view name);

// Of a match that is over, and of which sealing failed with `why`.
absl::Status NotArchivedYet(const absl::Status& why);

}  // namespace referee::host

#endif  // REFEREE_HOST_ERRORS_H_
