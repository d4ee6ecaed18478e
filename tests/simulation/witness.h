// The test oracle of a run: watches the referee from outside, and checks these invariants:
//
// - A match has one verdict, and nothing after it, in the log, in the archive and on every
//   stream.
// - Nothing is told before the record that it follows from is written.
// - A turn is played by the reply to that turn, which counts once, or by nobody.
// - A reply to a position that a forfeit has changed meanwhile is ignored: it neither plays nor
//   costs a try.
// - However other seats leave, a seat is charged for all the time since its turn was due, and a
// turn
//   takes one PER_MOVE more at most.
// - A seat is charged exactly the time from when its request was handed to the transport, or was
//   due if its own unread link kept it for long, to when its reply came out of it, without the
//   stalls that are given back.
// - No reply is taken, or makes a match void, that is later than its limit and the referee's stalls
//   while the clock ran. A match is void only for one stall that was longer than what may be given
//   back of a move.
// - Who is late, does not read, does not answer or is not ready is out, and ranks below all who
//   stay, as if it had resigned.
// - A bot whose reply was there in time never loses on time by a stall, unless stalls have used up
//   what may be given back to it. It loses on time only when it used too much, and then soon.
// - An archived replay verifies.
// - No match of a block shows a roll, or a digest that reveals one, before every sibling that goes
//   on has reached that roll.
//
// It judges only by the host's inputs and outputs (records, items told, handovers, reads), never by
// a match's state.
#ifndef REFEREE_TESTS_SIMULATION_WITNESS_H_
#define REFEREE_TESTS_SIMULATION_WITNESS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/limits.h"
#include "referee/dice/dice.h"
#include "referee/host/match_runner.h"
#include "referee/match/record.h"
#include "tests/simulation/chronicle.h"
#include "tests/simulation/disk.h"
#include "tests/simulation/event_queue.h"
#include "tests/simulation/shown_rolls.h"
#include "tests/simulation/signature_checker.h"

namespace referee::simulation {

// From the end of a stall to when the referee's monitor looks, at most.
constexpr absl::Duration kLooksWithin = absl::Microseconds(50);

// A bot's answer to a turn as it came out of the transport.
struct ReplyRead {
  Seat seat;
  uint32_t turn = 0;
  absl::optional<games::Move> move;  // none: unreadable
  bool wild = false;                 // need not be legal
  Instant read;                      // by the referee
  Instant arrived;                   // when it would have been read by one that is awake
  uint32_t request = 0;              // of the turn: as in match::Match::request
};

// What one stream has been told of one match.
struct View {
  bool started = false;
  bool ended = false;
  uint32_t played = 0;  // the last turn that it knows to be played
};

// The witness's knowledge of one match. A match that was lost before anything of it was written,
// and then asked for again, counts as another match.
struct Account {
  int match = 0;  // in the plan
  bool opened = false;
  bool recording_failed = false;
  bool failed_before_death = false;  // that was so when the referee died last
  bool set_aside = false;
  bool started = false;
  bool archived = false;
  bool finished = false;  // the host said so
  bool over() const { return finished || archived || set_aside || (recovered && ended); }
  bool recovered = false;
  size_t records = 0;    // written
  uint32_t played = 0;   // turns written
  uint32_t request = 0;  // forfeits written since
  absl::optional<match::Ended> ended;
  std::vector<int> bots;  // by seat, in the plan

  struct SeatAccount {
    bool forfeited = false;
    bool resigned = false;           // said so
    bool resignation_taken = false;  // and its match has handled that
    bool ready = false;              // said so, and has revealed its nonce, if it was to have one
    std::vector<dice::NonceHash> hashes;  // that it has told, of its nonces
    std::vector<std::string> nonces;      // that it has revealed, all hashes being told
    bool moved = false;
    absl::Duration bank_left;
    absl::Duration grace_left;
    absl::Duration lag_left;
    absl::Duration stall_left;
    int timeouts = 0;       // forgiven
    int illegal_moves = 0;  // forgiven
    // Of the turn that is due.
    Instant handed_over = Instant::InfiniteFuture();  // first
    Instant answered = Instant::InfiniteFuture();     // first
    bool offered = false;  // a request was to be written, and another message is still under way
    // The request waited for others when its link was closed, and another link took its place.
    bool held_in_vain = false;
    absl::Duration round_trip;  // of its link, as the referee was told
    bool unlinked = false;      // at some time between when it was due and when it was handed over
    Instant unlinked_at;        // lately
    absl::Duration away;        // since the turn was due, without the last time
  };
  std::array<SeatAccount, limits::kMaxSeats> seats;
  bool asks_nonces = false;
  std::vector<absl::optional<dice::NonceHash>> hashes;  // of the nonces, as all were told them
  absl::Duration used;                                  // by all seats, in all turns before
  bool lengthened = false;         // the turn that is due, by a seat that resigned
  int tries = 0;                   // illegal, forgiven, in the turn that is due
  absl::Duration judging;          // of those: from their reading to their records
  bool illegal_forgiven = false;   // the referee plays next
  bool match_time_up = false;      // those left forfeit
  bool no_contest = false;         // it must be void
  bool frozen = false;             // after a restart, until a turn is asked
  Instant due_since;               // the turn that is due
  bool due_known = true;           // else it became due later than that
  std::vector<ReplyRead> replies;  // to the turn that is due
  // In a block: what it has shown, whether its last record came with a roll, whether a turn was
  // asked, and what was taken up of the replies to the turn that is due. A reply may be taken up
  // long before the turn is written, and the next turn is due only then.
  std::unique_ptr<ShownRolls> rolls;
  bool rolled = false;
  bool asked = false;
  std::vector<ReplyRead> taken;
  Seat asked_seat;  // in the turn that is due, on its link; None: it has no link
};

// Thread-compatible.
class Witness final : public RecordWatcher {
 public:
  // The pointers must outlive this. `signatures` are those of the archive.
  Witness(const EventQueue* queue, Chronicle* chronicle, int bots, SignatureChecker signatures)
      : queue_(queue),
        chronicle_(chronicle),
        signatures_(signatures),
        linked_(bots),
        linked_at_(bots) {}

  // --- Matches ---

  // The match `match` of the plan, between `bots`, has this id now.
  Account* OnCreated(const MatchId& id, int match, const std::vector<int>& bots);
  // Null if there is no such match.
  Account* Find(const MatchId& id);
  // Expects matches of a competition, which become known when they are written, and are numbered
  // from `first_match` on. `bots`: names.
  void ExpectCompetition(int first_match, std::vector<std::string> bots);
  void OnFinished(const MatchId& id, const match::Ended& ended);

  // The referee's process has died in the simulation, although its code runs on: ignores what it
  // does until it is started again.
  void LookAway(bool away) {
    looks_away_ = away;
    if (away) died_ = queue_->Now();
  }
  bool looks_away() const { return looks_away_; }

  // --- The disk ---

  void OnOpened(const match::Setup& setup) override;
  void OnFlushed(const match::Setup& setup, const match::Record& record) override;
  void OnRecordingFailed(const match::Setup& setup) override;
  void OnSetAside(const match::Setup& setup, absl::string_view why) override;
  void OnRecovered(const replay::MatchRead& match) override;
  void OnArchived(const replay::Replay& replay, absl::string_view file) override;

  // --- Links ---

  void OnLinked(int bot);
  void OnUnlinked(int bot);
  // The referee is in a stall from `from` to `until`.
  void OnStalled(Instant from, Instant until) { stalls_.push_back({from, until}); }
  // The referee starts: it is in no stall, also if it was killed in one.
  void OnStarted() {
    if (!stalls_.empty()) stalls_.back().until = std::min(stalls_.back().until, queue_->Now());
  }
  void OnHandedOver(Account* account, Seat seat, uint32_t turn, uint32_t request,
                    absl::Duration round_trip);
  // A request was to be written, which the link does not take yet.
  void OnOffered(Account* account, Seat seat, uint32_t turn, uint32_t request);
  // A request waited for others until now, which the records count, but for no more than `most`.
  void OnHeld(Account* account, Seat seat, uint32_t turn, uint32_t request, absl::Duration most);
  // A request waited for others when its link was closed. It is due when the bot is asked on the
  // link that took its place. OnUnlinked, called next if there is no such link, makes it due then.
  void OnHeldInVain(Account* account, Seat seat, uint32_t turn, uint32_t request);
  void OnReplyRead(Account* account, const ReplyRead& reply);
  // A seat is ready with this hash; reveals this nonce.
  void OnReady(Account* account, Seat seat, const absl::optional<dice::NonceHash>& hash);
  void OnNonce(Account* account, Seat seat, const std::string& nonce);
  // The match has handled a resignation of the seat, and what followed from it.
  void OnResignationTaken(Account* account, Seat seat, const host::MatchRunner& runner);
  // The message of the bot that was read at `read` is not handled: its stream has ended meanwhile.
  void OnUnheard(int bot, Instant read);
  // The host is handling this reply until OnHandled.
  void OnHandling(Account* account, const ReplyRead& reply);
  void OnHandled() { handling_ = nullptr; }

  // --- What is told, to one stream or observer ---

  void OnToldStart(const Account& account, const match::Match& match, View* view);
  void OnToldHashes(Account* account, Seat seat,
                    const std::vector<absl::optional<dice::NonceHash>>& hashes);
  void OnToldAsk(Account* account, Seat seat, uint32_t turn, uint32_t request, const View& view);
  // A bot was told to go on, and not asked the turn that is its own.
  void OnNotAsked(const Account& account) {
    Fail(account, "a bot that came back was not asked the turn that is due");
  }
  void OnToldPlayed(const Account& account, const match::Played& played, View* view);
  void OnToldForfeited(const Account& account, const match::Forfeited& forfeited, const View& view);
  void OnToldFault(const Account& account, const match::TellFault& fault);
  void OnToldEnded(const Account& account, const host::MatchRunner& runner, View* view);

  // Every match that was ever made.
  template <typename Look>
  void ForEach(Look look) const {
    for (const Account* account : in_order_) look(*account);
  }
  int64_t turns() const { return turns_; }
  int64_t archived() const { return archived_; }

 private:
  // The account of a match that is on the disk.
  Account* AccountOf(const match::Setup& setup);
  void Fail(const Account& account, absl::string_view problem);
  // In the turn that is due.
  void FailTurn(const Account& account, Seat seat, absl::string_view problem);
  void On(Account* account, const match::Setup& setup, const match::Started& started);
  void On(Account* account, const match::Setup& setup, const match::Drawn& drawn);
  void On(Account* account, const match::Setup& setup, const match::Played& played);
  void On(Account* account, const match::Setup& setup, const match::Faulted& faulted);
  void On(Account* account, const match::Setup& setup, const match::Forfeited& forfeited);
  void On(Account* account, const match::Setup& setup, const match::NoContest& no_contest);
  void On(Account* account, const match::Setup& setup, const match::Resumed& resumed);
  void On(Account* account, const match::Setup& setup, const match::Ended& ended);
  static bool AsksNonces(const match::Setup& setup);
  // The bots are asked for readiness, and nonces, anew.
  static void ForgetReadiness(Account* account);
  void CheckNonces(const Account& account, const match::Setup& setup,
                   const match::Started& started);
  // Of a match of a block.
  void JoinBlock(Account* account, const match::Setup& setup);
  void FollowBlock(Account* account, const match::Setup& setup, const match::Record& record,
                   Instant when);
  void CheckWithheld(const Account& account, const Account& sibling, int64_t had_come_to,
                     const match::Record& record, Instant when);
  // Takes the time of a turn off its seat's account.
  static void Count(Account* account, const match::Played& played);
  void CheckReply(const Account& account, const match::Setup& setup, const match::Played& played);
  void CheckSubstitute(Account* account, const match::Setup& setup, const match::Played& played);
  void CheckTiming(const Account& account, const match::Setup& setup, Seat seat,
                   const match::Timing& timing);
  void CheckTimeLoss(const Account& account, const match::Setup& setup, Seat seat,
                     const match::Timing& timing);
  void CheckTimeout(const Account& account, const match::Setup& setup,
                    const match::Forfeited& forfeited);
  void CheckIllegal(const Account& account, const match::Setup& setup,
                    const match::Forfeited& forfeited);
  void CheckStart(const Account& account, Seat seat, const match::Timing& timing);
  void CheckNoContest(const Account& account, const match::Setup& setup,
                      const match::NoContest& no_contest);
  // A seat that was taken out has nothing of it.
  void CheckRanks(const Account& account, const match::Ended& ended);
  // What the move that is due may take.
  absl::Duration MoveLimit(const Account& account, const match::Setup& setup, Seat of) const;
  // Whether a reply is to what is due, or to an earlier request of that turn.
  static bool IsToDue(const Account& account, const ReplyRead& reply);
  static bool IsToReplaced(const Account& account, const ReplyRead& reply);
  bool HandlesReplyOf(const Account& account, Seat seat) const;
  // The reply of `seat` that its record, with these times, follows on; null if there is none.
  const ReplyRead* ReplyBefore(const Account& account, Seat seat,
                               const match::Timing& timing) const;
  // How long the referee stood still in between, in all and at a time, each stall being longer by
  // `beyond`; and what of that its monitor can have missed.
  absl::Duration StallBetween(Instant from, Instant until,
                              absl::Duration beyond = absl::ZeroDuration()) const;
  absl::Duration LongestStallBetween(Instant from, Instant until,
                                     absl::Duration beyond = absl::ZeroDuration()) const;
  absl::Duration MissedBetween(Instant from, Instant until) const;
  // What may be given back to the turn that is due.
  absl::Duration StallQuota(const Account& account, const match::Setup& setup, Seat of) const;
  template <typename Look>
  void ForEachSeatOf(int bot, Look look);
  void NextDue(Account* account);
  void DueAnew(Account* account);
  void DueLater(Account* account);
  void Interrupt(Account* account, const match::Forfeited& forfeited);

  const EventQueue* const queue_;
  Chronicle* const chronicle_;
  const SignatureChecker signatures_;
  struct Stretch {
    Instant from;
    Instant until;
  };
  std::vector<Stretch> stalls_;
  std::vector<bool> linked_;                                             // by bot
  std::vector<Instant> linked_at_;                                       // by bot: lately
  absl::flat_hash_map<std::string, std::unique_ptr<Account>> accounts_;  // by id
  std::vector<Account*> in_order_;
  std::map<BlockId, std::vector<Account*>> blocks_;
  int next_stranger_ = 0;               // number of the next match of a competition
  std::vector<std::string> bot_names_;  // with a competition
  // The reply that the host is handling, if it is.
  const Account* handling_ = nullptr;
  ReplyRead handled_;
  bool looks_away_ = false;
  Instant died_;  // when it last did
  int64_t turns_ = 0;
  int64_t archived_ = 0;
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_WITNESS_H_
