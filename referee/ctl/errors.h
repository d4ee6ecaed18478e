// Errors of the command line, one function each. base/errors.h says how errors are worded.
#ifndef REFEREE_CTL_ERRORS_H_
#define REFEREE_CTL_ERRORS_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/ids.h"

namespace referee::ctl {

// The command line.
// `error_number` is the errno of the attempt; NotFound if there is no such file.
absl::Status OptionFileUnreadable(absl::string_view path, int error_number);
absl::Status OptionFileTooLarge(absl::string_view path);
// A value is neither what `refused` would have liked nor the name of a file.
absl::Status NeitherValueNorFile(const absl::Status& refused);
// A file of positions; with this one there are so many, of so many bytes.
absl::Status TooManyPositions(size_t count, size_t bytes);
absl::Status NoPositions(absl::string_view path);
absl::Status BadDice(absl::string_view text);
absl::Status DiceMissing(Seat seat);
absl::Status NoDiceToGive();
absl::Status MatchOver(absl::string_view position);
absl::Status TooManySequences(int depth);

// Duels. `log` is the end of what the bot wrote, as lines to be shown; it may be empty.
absl::Status BotNotStarted(absl::string_view name, const absl::Status& cause);
absl::Status BotEnded(absl::string_view name, absl::string_view ending, absl::string_view log);
absl::Status BotNeverConnected(absl::string_view name, absl::Duration limit, absl::string_view log);
absl::Status BotLost(absl::string_view name, absl::Duration limit, absl::string_view log);
absl::Status MatchNotBegun(absl::string_view game, absl::Duration limit);
absl::Status DuelInterrupted(absl::string_view signal, int done, int total);
absl::Status SprtNeedsTwoBots(size_t bots);
// More bots than a match of the game has seats; `cause` says so.
absl::Status TooManyBotsForAMatch(const absl::Status& cause, absl::string_view game, int bots);
// `did`: what it did in the last of these matches, such as "was not ready within 10s".
absl::Status BotNeverReady(absl::string_view name, int matches, absl::string_view did,
                           absl::string_view log);
absl::Status BotKeepsEnding(absl::string_view name, absl::string_view ending, int times,
                            absl::string_view log);
// Isolation of a duel's bots, and processors for them.
absl::Status CannotIsolate(absl::string_view ending, absl::string_view log);
absl::Status OnlyWithIsolate(absl::string_view flag);
absl::Status NoSuchCpu(int cpu, absl::string_view usable);
absl::Status CpuTwice(int cpu);
absl::Status TooFewCpus(size_t sets, size_t bots);
// A process that is no bot's (`owner` is empty), or another bot's, has dialled a bot's address.
absl::Status NotABotsProcess(absl::string_view process, absl::string_view owner,
                             absl::string_view bot);
// A state file of a duel. `difference` says what it has otherwise than the command line.
absl::Status NotADuelState(absl::string_view path);
absl::Status OtherDuelState(absl::string_view path, absl::string_view difference);
absl::Status BadDuelState(absl::string_view path, size_t line);
absl::Status DuelStateInUse(absl::string_view path);

// Competitions.
absl::Status NoBracket(absl::string_view competition, absl::string_view format, bool has_rounds);
absl::Status EnteredInNone(absl::string_view bot);
// Of a command that asks first.
absl::Status NobodyToAsk();

// Fleets. `referee` is a name or an address; so many are dialled there.
absl::Status NoSuchReferee(absl::string_view referee);
absl::Status SeveralReferees(absl::string_view referee, int64_t count);

// Tests.
absl::Status NewBotIsOldBot(absl::string_view bot);
absl::Status NoTest(absl::string_view competition);

// Accounts.
absl::Status TokenFileThere(absl::string_view path);
// `user` owns the data dir.
absl::Status DataDirOfOther(absl::string_view data_dir, absl::string_view user);

// Archives.
absl::Status NoArchive(absl::string_view data_dir);
absl::Status NoFolder(absl::string_view data_dir);
absl::Status NoReplayFits();
absl::Status ShelfEmpty(absl::string_view address);
absl::Status NoArchiveNamed();
// Of commands that look into a store on the spot.
absl::Status NoStoreNamed();
absl::Status NotForATerminal();
absl::Status NothingToGet();
// Of a file that would be written over.
absl::Status OtherFileThere(absl::string_view path);
// The same of an output, which --force allows to be written over.
absl::Status OutputThere(absl::string_view path);
// `command` writes into folders of its own only, which have the file `manifest`.
absl::Status FolderOfOther(absl::string_view path, absl::string_view command,
                           absl::string_view manifest);

absl::Status NoReplaysBelow(absl::string_view directory);
// What was named as a replay is nothing of the kind.
absl::Status NeitherFileNorMatch(absl::string_view text);
// `why` is what the referee says of a match whose replay it has not.
absl::Status MatchNotInArchive(const absl::Status& why);
// Of `all` that were asked for; which, was said before.
absl::Status ReplaysNotRead(size_t bad, size_t all);
// The viewer needs a terminal, for its keys.
absl::Status NotATerminal();

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ERRORS_H_
