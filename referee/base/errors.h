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
absl::Status BadBlockId(absl::string_view text);
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
// The terms of a sequential test; `why` is one clause.
absl::Status BadSprt(absl::string_view text, absl::string_view why);
absl::Status SprtNeedsTwoBots(size_t bots);

// Clients of a referee. `why` is what the transport says.
absl::Status NoReferee(absl::string_view address, absl::string_view why);
absl::Status RefereeTooSlow(absl::string_view address, absl::Duration limit);
// `why` is what the referee says.
absl::Status TokenNeeded(absl::string_view why);
absl::Status BadTokenFile(absl::string_view path);
absl::Status TlsAndInsecure();
// `label_end`: what the first line of the PEM ends in, such as "CERTIFICATE-----".
absl::Status NoPem(absl::string_view path, absl::string_view label_end);
// `user` owns the data dir.
absl::Status DataDirOfOther(absl::string_view data_dir, absl::string_view user);

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
// Of the turn that is due: to request `request`, while `due` is due, which took its place; or which
// the bot has not been asked.
absl::Status MoveReplaced(uint32_t turn, uint32_t request, uint32_t due);
absl::Status MoveToNoRequest(uint32_t turn, uint32_t request, uint32_t due);

// Match: a bot that says that it is ready when nobody waits for it.
absl::Status ReadyUnasked();
absl::Status ReadyTwice();
absl::Status ReadyAfterStart();

// A journal from which the match cannot be rebuilt.
absl::Status JournalDisagrees(uint32_t turn, absl::string_view problem);

// Host: matches that are not made, links that end.
absl::Status WrongNumberOfBots(size_t given, int seats);
absl::Status BotTwiceInMatch(absl::string_view name);
absl::Status BotTakesTooFewMatches(absl::string_view name, int takes, int needed);
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
absl::Status TokenRenewed(absl::string_view name);
absl::Status AccountDisabled(absl::string_view name, absl::string_view reason);
absl::Status AccountRemoved(absl::string_view name);
absl::Status AccountInBotsFileToo(absl::string_view name);
// `needed` is who may do it, such as "an organiser".
absl::Status TokenMissing(absl::string_view needed);
absl::Status NoOrganiserYet(absl::string_view needed);
absl::Status WrongRole(absl::string_view needed, absl::string_view name, absl::string_view role);
absl::Status NobodyMayCall(absl::string_view method);
// Accounts.
absl::Status NameReserved(absl::string_view name);
absl::Status NameInBotsFile(absl::string_view name);
absl::Status NameInBotsFileAndStore(absl::string_view name);
absl::Status NotAudited(absl::string_view done, const absl::Status& cause);
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
// TLS. `file` is "certificate", "key" or "client CA".
absl::Status HalfTls();
absl::Status ClientCaWithoutTls();
absl::Status BadPem(absl::string_view file, absl::string_view expected);
absl::Status KeyOfOtherCertificate();
// `why` is what OpenSSL says.
absl::Status WeakCertificate(absl::string_view why);
absl::Status ClientCaAddedOrLost();
absl::Status CertificateExpired(absl::Time end);
absl::Status CertificateNotYetValid(absl::Time begin);

// Files. `doing` is a phrase such as "cannot write"; `error_number` is the errno of the attempt.
// The code says what to do: NotFound, PermissionDenied, ResourceExhausted (a full disk, a quota),
// Unavailable.
absl::Status FileError(absl::string_view doing, absl::string_view path, int error_number);
absl::Status FileTooLarge(absl::string_view path, size_t limit);
absl::Status DataDirInUse(absl::string_view data_dir);

// Keys.
absl::Status BadKeyFile(absl::string_view path, absl::string_view expected);

// Competitions: what cannot be made. `field` is one of a spec, in the words of the protocol;
// `format` is a name such as "swiss".
absl::Status FieldOutOfRange(absl::string_view field, int64_t value, int64_t low, int64_t high);
absl::Status DurationOutOfRange(absl::string_view field, absl::Duration value, absl::Duration low,
                                absl::Duration high);
absl::Status FieldNotForFormat(absl::string_view field, int64_t value, absl::string_view format,
                               absl::string_view instead);
absl::Status BestOfEven(int best_of);
absl::Status FormatOfTwoSeats(absl::string_view format, int seats);
absl::Status TooFewEntrants(absl::string_view format, size_t given, int needed);
absl::Status TooManyEntrants(absl::string_view format, size_t given, int limit);
absl::Status EntrantTwice(absl::string_view name, size_t first, size_t again);
absl::Status TooManySwissRounds(int rounds, size_t entrants, int most);
absl::Status TooManyBlocks(absl::string_view format, int64_t blocks, int64_t limit);
absl::Status TooManyOptions(size_t given);
absl::Status AbsenceLimitOfLadder(absl::Duration given);
absl::Status NotALadder(absl::string_view format);
absl::Status NotWithdrawn(int bot);
// Competitions: calls. `caller` is the bot whose token calls.
absl::Status NoBotNamed();
absl::Status OnlyForItself(absl::string_view caller, absl::string_view bot);
absl::Status TooManyCalls(int limit);

// Replays and journals. `offset` is a byte of the file.
absl::Status NotAReplay(size_t offset, absl::string_view problem);
absl::Status NotAJournal(size_t offset, absl::string_view problem);
absl::Status BadRecord(absl::string_view problem);
absl::Status ReplayTooLarge(size_t bytes, size_t limit);
absl::Status NoReplay(absl::string_view match_id);
absl::Status BadPageToken(absl::string_view text);
absl::Status NoReplaysBelow(absl::string_view directory);
// A viewer that is driven by keys, where there are none.
absl::Status NotATerminal();
absl::Status RecordingBroken(absl::string_view path, const absl::Status& cause);

// The store: its file. The codes are those of store/store.h.
absl::Status NotAStore(absl::string_view path);
absl::Status StoreTooNew(absl::string_view path, int64_t version, int64_t known);
// Of one that may not be changed.
absl::Status StoreTooOld(absl::string_view path, int64_t version, int64_t known);
// There is a -wal file without its -shm file, which would have to be made.
absl::Status StoreLogAlone(absl::string_view path);
absl::Status StoreDamaged(absl::string_view path, absl::string_view why);
absl::Status StoreFull(absl::string_view path);
absl::Status StoreBusy(absl::string_view path);
// Of a call that would change one that was opened to be read only.
absl::Status StoreOnlyRead(absl::string_view path);
absl::Status StoreFailed(absl::string_view path, absl::string_view why);
absl::Status NoStore(absl::string_view path);

// The store: accounts. Tokens are never shown.
absl::Status AccountExists(absl::string_view name);
absl::Status TokenInUse();
absl::Status NoAccount(absl::string_view name);
absl::Status NoAccountOfToken();
absl::Status AccountEntered(absl::string_view name, absl::string_view competition);

// The store: competitions, by name or id. `is` is what holds now, such as "it is PAUSED".
absl::Status CompetitionExists(absl::string_view name);
absl::Status CompetitionRequestReused(absl::string_view request_id);
absl::Status NoCompetition(absl::string_view name);
// `action` is what was asked for: "start", "pause", "resume", "finish" or "leave".
absl::Status CompetitionInState(absl::string_view competition, absl::string_view state,
                                absl::string_view action);
absl::Status TooManyCompetitionWatches(int limit);
absl::Status NoEntrant(absl::string_view competition, absl::string_view name);
absl::Status CompetitionClosed(absl::string_view competition, absl::string_view state);
absl::Status TooManyEntrants(absl::string_view competition, int limit);
absl::Status BlocksRunning(absl::string_view competition);
absl::Status CompetitionNeverQuiet(absl::string_view competition);
absl::Status CompetitionMovedOn(absl::string_view competition, absl::string_view is);
absl::Status NoBlock(absl::string_view competition, int64_t number);
absl::Status BlockMovedOn(absl::string_view competition, int64_t number, absl::string_view is);
absl::Status BlockPlayedOtherwise(absl::string_view competition, int64_t number);
absl::Status BlocksNotOver(absl::string_view competition, int64_t from, int64_t to);

}  // namespace referee

#endif  // REFEREE_BASE_ERRORS_H_
