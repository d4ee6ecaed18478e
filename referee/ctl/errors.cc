#include "referee/ctl/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::ctl {

std::string LogEnd(absl::string_view log) {
  return log.empty() ? "; it wrote nothing" : absl::StrCat("; the end of what it wrote:\n", log);
}

absl::Status BadDice(absl::string_view text) {
  return BadValue("--dice", text,
                  "a roll: one digit from 1 to 6 for each die, such as 31; several rolls are "
                  "separated by commas");
}

absl::Status BotNotStarted(absl::string_view name, const absl::Status& cause) {
  return At(absl::StrCat("bot ", Quoted(name), " cannot be started"), cause);
}

absl::Status OnlyWithIsolate(absl::string_view flag) {
  return absl::InvalidArgumentError(
      absl::StrCat(flag, ": is for isolated bots; add --isolate, or leave it out"));
}

absl::Status NotABotsProcess(absl::string_view process, absl::string_view owner,
                             absl::string_view bot) {
  return absl::PermissionDeniedError(
      owner.empty()
          ? absl::StrCat("the process ", Quoted(process), " dialled the address of bot ",
                         Quoted(bot),
                         ", whose command did not start it, and was turned away; "
                         "--any-process lets it in")
          : absl::StrCat("the process ", Quoted(process), " of bot ", Quoted(owner),
                         " dialled the address of bot ", Quoted(bot), ", and was turned away"));
}

absl::Status NotADuelState(absl::string_view path) {
  return absl::InvalidArgumentError(absl::StrCat(
      "--resume ", Quoted(path), ": is there, and is no state of a duel; name another file"));
}

absl::Status NoArchiveNamed() {
  return absl::InvalidArgumentError(
      "no archive is named: give --data-dir and a daemon's data directory, or --shelf and the "
      "address of a shelf");
}

absl::Status OtherFileThere(absl::string_view path) {
  return absl::AlreadyExistsError(
      absl::StrCat(path, ": another file is there; move it away, or write elsewhere"));
}

absl::Status OutputThere(absl::string_view path) {
  return absl::AlreadyExistsError(
      absl::StrCat(path, ": there is such a file; name another, or add --force to write over it"));
}

absl::Status ReplaysNotRead(size_t bad, size_t all) {
  return absl::DataLossError(absl::StrCat(
      bad, " of ", all, " replays could not be read, see above; the others are there"));
}

}  // namespace referee::ctl
