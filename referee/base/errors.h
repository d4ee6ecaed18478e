// The catalogue of errors that a user can meet, one function each. Each says what was wrong, where
// (field, file and byte, turn), and what would be right. Nothing else in the referee words an error
// that leaves the process; a room adds its errors here. Quoted input is shortened and escaped.
#ifndef REFEREE_BASE_ERRORS_H_
#define REFEREE_BASE_ERRORS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/ids.h"

namespace referee {

// `text` as it may be shown in a message: in single quotes, cut to 80 bytes, what a terminal would
// obey and what is not UTF-8 escaped.
std::string Quoted(absl::string_view text);

// Whether `text` is UTF-8 without control characters, as names are.
bool IsPlainText(absl::string_view text);

// The same status with `where` and a colon before its message.
absl::Status At(absl::string_view where, const absl::Status& status);

// Ids and names.
absl::Status BadMatchId(absl::string_view text);
absl::Status BadName(absl::string_view what, absl::string_view text);

// A value that a field, flag or option cannot have; `expected` says what it can.
absl::Status BadValue(absl::string_view field, absl::string_view text, absl::string_view expected);

// Games: which one, with which seats and options.
absl::Status UnknownGame(absl::string_view name, absl::string_view known);
absl::Status BadSeatCount(absl::string_view game, int seats, int min_seats, int max_seats);
absl::Status UnknownOption(absl::string_view name, absl::string_view known);
absl::Status OptionRepeated(absl::string_view name);
absl::Status OptionTooLarge(absl::string_view name, size_t size);
absl::Status NoDiceToReplace();

// Games: boards, positions and moves. `why` is one clause in the game's own words; `offset` is a
// byte of the text, from 0; lines and columns count from 1.
absl::Status BadBoard(absl::string_view field, absl::string_view why);
absl::Status BadBoardSyntax(int line, int column, absl::string_view why);
absl::Status BadPosition(absl::string_view field, size_t offset, absl::string_view why);
// The offset that BadPosition was given; 0 for any other status.
size_t PositionFaultOffset(const absl::Status& status);
absl::Status BadMove(absl::string_view text, size_t offset, absl::string_view why);
absl::Status BadMoveField(absl::string_view field, absl::string_view why);
// A move that can be read and breaks a rule, such as "step 1: the die 5 was not rolled".
absl::Status IllegalMove(absl::string_view move, absl::string_view why);

// The command line.
// `error_number` is the errno of the attempt; NotFound if there is no such file.
absl::Status OptionFileUnreadable(absl::string_view path, int error_number);
absl::Status OptionFileTooLarge(absl::string_view path);
// A value is neither what `refused` would have liked nor the name of a file.
absl::Status NeitherValueNorFile(const absl::Status& refused);
absl::Status BadDice(absl::string_view text);
absl::Status DiceMissing(Seat seat);
absl::Status NoDiceToGive();
absl::Status MatchOver(absl::string_view position);
absl::Status TooManySequences(int depth);

// Duels. `log` is the end of what the bot wrote, as lines to be shown; it may be empty.
absl::Status NoProcess(int error_number);
absl::Status BotNotStarted(absl::string_view name, const absl::Status& cause);
absl::Status BotEnded(absl::string_view name, absl::string_view ending, absl::string_view log);
absl::Status BotNeverConnected(absl::string_view name, absl::Duration limit, absl::string_view log);
absl::Status BotLost(absl::string_view name, absl::Duration limit, absl::string_view log);
absl::Status MatchNotBegun(absl::string_view game, absl::Duration limit);
absl::Status DuelInterrupted(absl::string_view signal, int done, int total);

// Clients of a referee. `why` is what the transport says.
absl::Status NoReferee(absl::string_view address, absl::string_view why);
absl::Status RefereeTooSlow(absl::string_view address, absl::Duration limit);
absl::Status TokenNeeded();
absl::Status BadTokenFile(absl::string_view path);
absl::Status TlsAndInsecure();

// Match: time controls.
absl::Status UnlimitedTime();
absl::Status IncrementWithoutBank(absl::string_view increment);

// Match: a move that is not taken, for `turn`, while turn `due` of `mover` is due.
absl::Status MoveBeforeStart(uint32_t turn);
absl::Status MoveAfterEnd(uint32_t turn);
absl::Status MoveAfterForfeit(uint32_t turn, uint32_t due, Seat mover);
absl::Status MoveRepeated(uint32_t turn, uint32_t due, Seat mover);
absl::Status MoveTooLate(uint32_t turn, uint32_t due, Seat mover);
absl::Status MoveNotAsked(uint32_t turn, uint32_t due, Seat mover);

// Match: a bot that says that it is ready when nobody waits for it.
absl::Status ReadyUnasked();
absl::Status ReadyTwice();
absl::Status ReadyAfterStart();

// A journal from which the match cannot be rebuilt.
absl::Status JournalDisagrees(uint32_t turn, absl::string_view problem);

// Host: matches that are not made, links that end.
absl::Status WrongNumberOfBots(size_t given, int seats);
absl::Status BotTwiceInMatch(absl::string_view name);
absl::Status UnknownBot(absl::string_view name);
absl::Status UnknownMatch(absl::string_view match_id);
absl::Status MatchIsOver(absl::string_view match_id);
absl::Status RequestIdReused(absl::string_view request_id);
absl::Status TooManyOpenMatches(int limit);
absl::Status RefereeStopping();
absl::Status LinkTakenOver(absl::string_view name);
absl::Status BotConnected(absl::string_view name);

// Service: credentials, streams of bots, addresses.
absl::Status BadBotsLine(absl::string_view line);
absl::Status NameTwice(absl::string_view name);
absl::Status TokenTwice(absl::string_view name);
absl::Status UnknownToken();
absl::Status TokenOfOrganiser();
absl::Status NotAnOrganiser();
absl::Status NoHello();
absl::Status UnreadableMessage();
absl::Status HelloTooLate(absl::string_view limit);
absl::Status HelloTwice();
absl::Status NotInMatch(absl::string_view match_id);
absl::Status NonceTooLong(size_t size);
absl::Status PongUnasked(uint64_t number);
absl::Status TooManyItems(int given, int limit);
absl::Status TooManyMessages(int64_t per_second);
absl::Status TooManyBytes(int64_t per_second);
absl::Status TooMuchUnasked(int64_t per_second);
absl::Status TooManyFaults(int64_t per_second);
absl::Status TooSlow(size_t queued);
absl::Status TooSlowForBytes(size_t queued);
absl::Status TooManyBadTokens(absl::string_view address, int64_t per_second);
absl::Status TooManyHellos(absl::string_view name, int64_t per_second);
absl::Status TooManyStreamsOfBot(absl::string_view name, int limit);
absl::Status TooManyStreams(int limit);
absl::Status TooManySilentStreams(int limit);
absl::Status TooManyObservers(int limit);
absl::Status ObserverTooSlow(size_t queued);
absl::Status ObserverTooSlowForBytes(size_t queued);
absl::Status BadAddress(absl::string_view address);
absl::Status PlainTextRefused(absl::string_view address);
absl::Status AddressTaken(absl::string_view address);
absl::Status SocketPathTooLong(absl::string_view path, size_t limit);
absl::Status HalfTls();
absl::Status BadTls();

// Files. `doing` is a phrase such as "cannot write"; `error_number` is the errno of the attempt.
// The code says what to do: NotFound, PermissionDenied, ResourceExhausted (a full disk, a quota),
// Unavailable.
absl::Status FileError(absl::string_view doing, absl::string_view path, int error_number);
absl::Status FileTooLarge(absl::string_view path, size_t limit);
absl::Status DataDirInUse(absl::string_view data_dir);

// Keys.
absl::Status BadKeyFile(absl::string_view path, absl::string_view expected);

// Replays and journals. `offset` is a byte of the file.
absl::Status NotAReplay(size_t offset, absl::string_view problem);
absl::Status NotAJournal(size_t offset, absl::string_view problem);
absl::Status BadRecord(absl::string_view problem);
absl::Status ReplayTooLarge(size_t bytes, size_t limit);
absl::Status NoReplay(absl::string_view match_id);
absl::Status BadReplayPageToken(absl::string_view text);
absl::Status NoReplaysBelow(absl::string_view directory);
// A viewer that is driven by keys, where there are none.
absl::Status NotATerminal();
absl::Status RecordingBroken(absl::string_view path, const absl::Status& cause);

}  // namespace referee

#endif  // REFEREE_BASE_ERRORS_H_
