#include "referee/ctl/errors.h"

#include <cerrno>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::ctl {
namespace {

// The end of a bot's log after a message.
std::string LogEnd(absl::string_view log) {
  return log.empty() ? "; it wrote nothing" : absl::StrCat("; the end of what it wrote:\n", log);
}

}  // namespace

absl::Status OptionFileUnreadable(absl::string_view path, int error_number) {
  const std::string message =
      absl::StrCat("file ", Quoted(path), " cannot be read: ", std::strerror(error_number));
  const bool none =
      error_number == ENOENT || error_number == ENOTDIR || error_number == ENAMETOOLONG;
  return none ? absl::NotFoundError(message) : absl::InvalidArgumentError(message);
}

absl::Status OptionFileTooLarge(absl::string_view path) {
  return absl::InvalidArgumentError(absl::StrCat("file ", Quoted(path), " has more than ",
                                                 limits::kMaxOptionBytes,
                                                 " bytes, the most that an option may have"));
}

absl::Status TooManyPositions(size_t count, size_t bytes) {
  return absl::InvalidArgumentError(absl::StrCat("with this there are ", count, " positions of ",
                                                 bytes, " bytes; at most ", limits::kMaxPositions,
                                                 " of ", limits::kMaxPositionsBytes,
                                                 " bytes in all are taken; give fewer"));
}

absl::Status NoPositions(absl::string_view path) {
  return absl::InvalidArgumentError(absl::StrCat("--positions ", Quoted(path),
                                                 ": has no position; give one a line, or leave "
                                                 "the flag out"));
}

absl::Status NeitherValueNorFile(const absl::Status& refused) {
  return absl::Status(refused.code(),
                      absl::StrCat(refused.message(), " (nor is there a file of this name)"));
}

absl::Status BadDice(absl::string_view text) {
  return BadValue("--dice", text,
                  "a roll: one digit from 1 to 6 for each die, such as 31; several rolls are "
                  "separated by commas");
}

absl::Status DiceMissing(Seat seat) {
  return absl::InvalidArgumentError(absl::StrCat("--dice: seat ", std::string(1, seat.letter()),
                                                 " rolls next; say what, for example --dice 31"));
}

absl::Status NoDiceToGive() {
  return absl::InvalidArgumentError("--dice: nobody rolls dice here; leave the flag out");
}

absl::Status MatchOver(absl::string_view position) {
  return absl::FailedPreconditionError(
      absl::StrCat("position ", Quoted(position), ": the match is over, nobody is to move"));
}

absl::Status TooManySequences(int depth) {
  return absl::OutOfRangeError(absl::StrCat(
      "--depth: by turn ", depth, " there are more than 2^64 sequences; count fewer turns"));
}

absl::Status BotNotStarted(absl::string_view name, const absl::Status& cause) {
  return At(absl::StrCat("bot ", Quoted(name), " cannot be started"), cause);
}

absl::Status BotEnded(absl::string_view name, absl::string_view ending, absl::string_view log) {
  return absl::UnavailableError(absl::StrCat("bot ", Quoted(name), " ", ending, LogEnd(log)));
}

absl::Status BotNeverConnected(absl::string_view name, absl::Duration limit,
                               absl::string_view log) {
  return absl::UnavailableError(absl::StrCat(
      "bot ", Quoted(name), " runs, but has not connected within ", absl::FormatDuration(limit),
      "; it finds the referee in REFEREE_ADDRESS and its token in REFEREE_TOKEN "
      "(--start-timeout gives it longer)",
      LogEnd(log)));
}

absl::Status BotLost(absl::string_view name, absl::Duration limit, absl::string_view log) {
  return absl::UnavailableError(absl::StrCat("bot ", Quoted(name),
                                             " runs, but has been disconnected for ",
                                             absl::FormatDuration(limit), LogEnd(log)));
}

absl::Status MatchNotBegun(absl::string_view game, absl::Duration limit) {
  return absl::UnavailableError(absl::StrCat(
      "no match could begin for ", absl::FormatDuration(limit), ", though all bots are connected; ",
      "does each of them say in Hello that it plays ", game, ", or any game?"));
}

absl::Status DuelInterrupted(absl::string_view signal, int done, int total) {
  return absl::CancelledError(
      absl::StrCat("stopped by a signal (", signal, ") after ", done, " of ", total, " matches"));
}

absl::Status TooManyBotsForAMatch(const absl::Status& cause, absl::string_view game, int bots) {
  return absl::InvalidArgumentError(absl::StrCat(
      cause.message(), ". All bots of a duel play in each match: play one duel for each of the ",
      bots * (bots - 1) / 2, " pairs ('refctl duel --game ", game,
      " --bot A --bot B'), or all against each other at a refereed, with one table ('refctl "
      "competition create NAME --game ",
      game, " --format round-robin --bots A,B,C')"));
}

absl::Status BotNeverReady(absl::string_view name, int matches, absl::string_view did,
                           absl::string_view log) {
  return absl::UnavailableError(absl::StrCat(
      "bot ", Quoted(name), " was not ready in ", matches,
      " matches in a row, so the duel ends here; the last time it ", did,
      "; an SDK resigns when the bot fails as a match starts, and a bot that is caught in a loop "
      "answers nothing",
      LogEnd(log)));
}

absl::Status BotKeepsEnding(absl::string_view name, absl::string_view ending, int times,
                            absl::string_view log) {
  return absl::UnavailableError(absl::StrCat("bot ", Quoted(name), " was started again ", times,
                                             " times in a row, and no match ended meanwhile; the "
                                             "last time it ",
                                             ending, LogEnd(log)));
}

absl::Status CannotIsolate(absl::string_view ending, absl::string_view log) {
  return absl::FailedPreconditionError(absl::StrCat(
      "--isolate: bwrap cannot isolate a program here, it ", ending,
      "; allow user namespaces (kernel.unprivileged_userns_clone=1, user.max_user_namespaces, "
      "AppArmor; in a container a seccomp profile that permits them), or leave the flag out if you "
      "trust the bots",
      LogEnd(log)));
}

absl::Status OnlyWithIsolate(absl::string_view flag) {
  return absl::InvalidArgumentError(
      absl::StrCat(flag, ": is for isolated bots; add --isolate, or leave it out"));
}

absl::Status NoSuchCpu(int cpu, absl::string_view usable) {
  return absl::InvalidArgumentError(absl::StrCat(
      "--cpus: processor ", cpu, " is not one that this program may use; these are: ", usable));
}

absl::Status CpuTwice(int cpu) {
  return absl::InvalidArgumentError(absl::StrCat(
      "--cpus: processor ", cpu, " is there twice; give each bot processors of its own"));
}

absl::Status TooFewCpus(size_t sets, size_t bots) {
  return absl::InvalidArgumentError(absl::StrCat("--cpus: has processors for ", sets, " of ", bots,
                                                 " bots; give each bot processors of its own"));
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

absl::Status OtherDuelState(absl::string_view path, absl::string_view difference) {
  return absl::FailedPreconditionError(
      absl::StrCat("--resume ", Quoted(path), ": is of another duel: ", difference,
                   "; go on with the same flags, or name another file"));
}

absl::Status BadDuelState(absl::string_view path, size_t line) {
  return absl::DataLossError(absl::StrCat("--resume ", Quoted(path), ", line ", line,
                                          ": is no match of this duel; name another file"));
}

absl::Status DuelStateInUse(absl::string_view path) {
  return absl::UnavailableError(
      absl::StrCat("--resume ", Quoted(path), ": another duel goes on with it now"));
}

absl::Status SprtNeedsTwoBots(size_t bots) {
  return absl::InvalidArgumentError(
      absl::StrCat("--sprt: tells the strength of one bot from that of another, and here are ",
                   bots, "; name two, with --bot"));
}

absl::Status NewBotIsOldBot(absl::string_view bot) {
  return absl::InvalidArgumentError(absl::StrCat(
      "--old: ", Quoted(bot), " is the new bot, too; a test needs two, each with an account"));
}

absl::Status NoBracket(absl::string_view competition, absl::string_view format, bool has_rounds) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), ": is a ", format,
                   ", and only a knockout has a bracket; see 'refctl competition ",
                   has_rounds ? "rounds" : "standings", "'"));
}

absl::Status EnteredInNone(absl::string_view bot) {
  return absl::NotFoundError(absl::StrCat("bot ", Quoted(bot), " is entered in no competition"));
}

absl::Status NobodyToAsk() {
  return absl::FailedPreconditionError(
      "stdin: not a terminal, where the answer would come from; add --yes if this is to be done");
}

absl::Status NoTest(absl::string_view competition) {
  return absl::FailedPreconditionError(
      absl::StrCat(Quoted(competition), " is no test; see 'refctl competition show'"));
}

absl::Status DataDirOfOther(absl::string_view data_dir, absl::string_view user) {
  return absl::PermissionDeniedError(absl::StrCat(
      "--data-dir: ", Quoted(data_dir), " belongs to the user ", Quoted(user),
      ", and what another makes there the referee could not read: run this as that user"));
}

absl::Status TokenFileThere(absl::string_view path) {
  return absl::AlreadyExistsError(
      absl::StrCat(path, ": there is such a file; remove it, or name another"));
}

absl::Status NoArchive(absl::string_view data_dir) {
  return absl::NotFoundError(absl::StrCat("--data-dir ", data_dir,
                                          ": there are no replays; name the data directory that a "
                                          "refereed was given"));
}

absl::Status NoFolder(absl::string_view data_dir) {
  return absl::NotFoundError(absl::StrCat("--data-dir ", data_dir,
                                          ": there is no such folder; name the data directory that "
                                          "a refereed was given"));
}

absl::Status NoReplayFits() {
  return absl::NotFoundError("no replay fits: none is as the flags say, or the archive is empty");
}

absl::Status ShelfEmpty(absl::string_view address) {
  return absl::NotFoundError(
      absl::StrCat("--shelf ", address, ": no replay is there, or none as the flags say"));
}

absl::Status NoArchiveNamed() {
  return absl::InvalidArgumentError(
      "no archive is named: give --data-dir and a daemon's data directory, or --shelf and the "
      "address of a shelf");
}

absl::Status NoStoreNamed() {
  return absl::InvalidArgumentError(
      "no store is named: give --store and the URL of a database, or --data-dir and the data "
      "directory of a referee that has its store there");
}

absl::Status NoSuchReferee(absl::string_view referee) {
  return absl::NotFoundError(
      absl::StrCat("no referee of this name or address has a lease that lasts: ", Quoted(referee),
                   "; 'refctl fleet show' lists them"));
}

absl::Status SeveralReferees(absl::string_view referee, int64_t count) {
  return absl::InvalidArgumentError(
      absl::StrCat(count, " referees are dialled at ", Quoted(referee),
                   "; give one's name, as 'refctl fleet show' has it"));
}

absl::Status NotForATerminal() {
  return absl::InvalidArgumentError(
      "--output: what comes is compressed, and not for a terminal; name a file, or pipe it into "
      "'zstdcat'");
}

absl::Status NothingToGet() {
  return absl::InvalidArgumentError(
      "no match is named: give the ids of matches, or --all and a folder");
}

absl::Status OtherFileThere(absl::string_view path) {
  return absl::AlreadyExistsError(
      absl::StrCat(path, ": another file is there; move it away, or write elsewhere"));
}

absl::Status OutputThere(absl::string_view path) {
  return absl::AlreadyExistsError(
      absl::StrCat(path, ": there is such a file; name another, or add --force to write over it"));
}

absl::Status FolderOfOther(absl::string_view path, absl::string_view command,
                           absl::string_view manifest) {
  return absl::AlreadyExistsError(absl::StrCat(Quoted(path), ": holds other files, and no ",
                                               manifest, " of an earlier '", command,
                                               "'; name a new or empty folder"));
}

absl::Status NoReplaysBelow(absl::string_view directory) {
  return absl::NotFoundError(
      absl::StrCat(directory, ": there is no .rpl file in it, and no pack with replays"));
}

absl::Status NeitherFileNorMatch(absl::string_view text) {
  return absl::NotFoundError(
      absl::StrCat(Quoted(text),
                   " is neither a file nor a match: no file has this name, and the id of a match "
                   "has 26 characters of 0-9 and a-z without i, l, o, u"));
}

absl::Status MatchNotInArchive(const absl::Status& why) {
  return absl::NotFoundError(
      absl::StrCat(why.message(),
                   "; it comes there when it is over ('refctl match show' shows it "
                   "before), and another archive is named by --data-dir"));
}

absl::Status ReplaysNotRead(size_t bad, size_t all) {
  return absl::DataLossError(absl::StrCat(
      bad, " of ", all, " replays could not be read, see above; the others are there"));
}

absl::Status NotATerminal() {
  return absl::FailedPreconditionError(
      "stdin and stdout: not a terminal, which keys would come from; add --turn N or --turn last");
}

}  // namespace referee::ctl
