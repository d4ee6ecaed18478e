#include "referee/ctl/scripted/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::ctl {

absl::Status CannotListen(absl::string_view address) {
  return absl::UnavailableError(
      absl::StrCat("address ", Quoted(address),
                   ": cannot listen there; does another program, or is the path of a socket too "
                   "long?"));
}

absl::Status OtherMatchAnswered(absl::string_view given, absl::string_view asked) {
  return absl::InvalidArgumentError(
      absl::StrCat("move.match_id: ", Quoted(given), " was not asked, but ", Quoted(asked)));
}

absl::Status OtherTurnAnswered(absl::string_view field, uint32_t given, uint32_t asked) {
  return absl::InvalidArgumentError(
      absl::StrCat("move.", field, ": ", given, ", where ", asked, " was asked"));
}

absl::Status NoHelloFrom(absl::string_view what, absl::string_view log) {
  return absl::UnavailableError(
      absl::StrCat("the bot ", what, log.empty() ? "" : "; the end of its log:\n", log));
}

absl::Status TakesNoMatches(absl::Duration limit) {
  return absl::FailedPreconditionError(
      absl::StrCat("the bot takes no matches (hello.takes_none), and did not say otherwise "
                   "(Capacity) within ",
                   absl::FormatDuration(limit)));
}

absl::Status BotOrListen() {
  return absl::InvalidArgumentError(
      "give the bot's command (--bot), or an address at which to wait for it (--listen)");
}

absl::Status SeatOrBot() {
  return absl::InvalidArgumentError(
      "say whose turns are asked: --seat, or --bot with its name in the matches");
}

absl::Status NobodyMeant(absl::string_view match_id, absl::string_view who,
                         absl::string_view bots) {
  return absl::NotFoundError(
      absl::StrCat("match ", match_id, ": there is no ", Quoted(who), " among its bots: ", bots));
}

absl::Status NoTurnMeant(absl::string_view match_id, uint32_t turn) {
  return absl::NotFoundError(absl::StrCat("match ", match_id, ": ",
                                          turn > 0
                                              ? absl::StrCat("turn ", turn, " was not played by it")
                                              : "it has played no turn of it",
                                          ", or was a pass"));
}

}  // namespace referee::ctl
