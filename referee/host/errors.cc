#include "referee/host/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::host {

absl::Status WrongNumberOfBots(size_t given, int seats) {
  return absl::InvalidArgumentError(
      absl::StrCat("bots: ", given, " given; the match has ", seats, " seats, one bot each"));
}

absl::Status BotTwiceInMatch(absl::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat("bots: ", Quoted(name),
                   " stands there twice; a bot has one seat in a match (give a second copy a name "
                   "and token of its own)"));
}

absl::Status BotTakesTooFewMatches(absl::string_view name, int takes, int needed) {
  return absl::FailedPreconditionError(absl::StrCat(
      "bot ", Quoted(name), " takes ", takes, takes == 1 ? " match" : " matches",
      " at once; the block has ", needed,
      ", which are played side by side (let it connect with max_matches of ", needed, " or more)"));
}

absl::Status UnknownBot(absl::string_view name) {
  return absl::NotFoundError(absl::StrCat(
      "bot ", Quoted(name), ": the referee knows no bot of this name; 'refctl bot add' makes one"));
}

absl::Status NotABot(absl::string_view name, absl::string_view role) {
  return absl::NotFoundError(
      absl::StrCat("bot ", Quoted(name), ": the account of this name is an ", role,
                   ", not a bot; name a bot, or make one under another name: 'refctl bot add'"));
}

absl::Status UnknownMatch(absl::string_view match_id) {
  return absl::NotFoundError(absl::StrCat(
      "match ", Quoted(match_id),
      ": neither open nor among those that ended lately; its replay may be in the archive, "
      "for 'refctl replay show'"));
}

absl::Status MatchIsOver(absl::string_view match_id) {
  return absl::FailedPreconditionError(absl::StrCat("match ", Quoted(match_id), " is over"));
}

absl::Status RequestIdReused(absl::string_view request_id) {
  return absl::AlreadyExistsError(
      absl::StrCat("request_id ", Quoted(request_id),
                   ": used before for a match with other content; take a new one"));
}

absl::Status TooManyOpenMatches(int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(limit, " matches are open, the most that are; try again when some are over"));
}

absl::Status NoMatchBegins(absl::string_view why) {
  return absl::ResourceExhaustedError(
      absl::StrCat("no match begins for now: ", why, "; try again when there is more room"));
}

std::string PausedText(absl::string_view game, absl::string_view reason) {
  return absl::StrCat("game ", Quoted(game), " is paused on this referee: ", reason,
                      "; 'refctl game resume' lets it go on");
}

absl::Status GameNotPaused(absl::string_view game) {
  return absl::NotFoundError(absl::StrCat("game ", Quoted(game),
                                          " is not paused here; 'refctl game list' lists those "
                                          "that are"));
}

absl::Status NotPausedGames(absl::string_view path) {
  return absl::InvalidArgumentError(
      absl::StrCat(path,
                   ": is not a list of paused games, a line each with the reason; remove it, "
                   "and none is paused"));
}

absl::Status RefereeStopping() {
  return absl::UnavailableError("the referee is stopping; try again when it has started again");
}

absl::Status LinkTakenOver(absl::string_view name) {
  return absl::AbortedError(absl::StrCat("another stream of bot ", Quoted(name),
                                         " has taken over; give each program a token of its own"));
}

absl::Status BotConnected(absl::string_view name) {
  return absl::AlreadyExistsError(
      absl::StrCat("bot ", Quoted(name),
                   " has a stream, which goes on as this one's hello asks; try again when it has "
                   "ended, or without keeps_existing to take over"));
}

absl::Status NotArchivedYet(const absl::Status& why) {
  return absl::Status(why.code(), absl::StrCat("could not be archived, which is tried again until "
                                               "it can: ",
                                               why.message()));
}

}  // namespace referee::host
