#include "referee/match/match.h"

#include <algorithm>
#include <cassert>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::match {
namespace {

// Room made in advance, so that most matches never allocate in a step: for an ordinary turn with a
// few passes in a row, its legal moves and its position.
constexpr size_t kUsualEffects = 16;
constexpr size_t kUsualMoves = 128;
constexpr size_t kUsualPositionBytes = 256;

// The clock of the machine does not tell times apart that are closer.
constexpr absl::Duration kResolution = absl::Nanoseconds(1);

template <typename Event, typename = void>
struct NamesSeat : std::false_type {};
template <typename Event>
struct NamesSeat<Event, std::void_t<decltype(Event::seat)>> : std::true_type {};

// "512.25 ms": exact, so that a loss by a nanosecond reads as one.
std::string Milliseconds(absl::Duration duration) {
  if (duration == absl::InfiniteDuration()) return "unlimited";
  const int64_t nanos = absl::ToInt64Nanoseconds(duration);
  std::string text = absl::StrCat(nanos / 1'000'000);
  if (nanos % 1'000'000 != 0) {
    std::string fraction = absl::StrCat(1'000'000 + nanos % 1'000'000).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    absl::StrAppend(&text, ".", fraction);
  }
  return text + " ms";
}

std::string ReadyLimitText() {
  return absl::StrCat(absl::ToInt64Seconds(limits::kReadyLimit), " s");
}

}  // namespace

Match::Match(Setup setup, const dice::Seed& seed)
    : setup_(std::move(setup)), seed_(seed), state_(setup_.game->NewState()) {
  assert(setup_.commitment == dice::Commit(seed_));
  assert(setup_.bots.size() == static_cast<size_t>(seats()));
  seats_.resize(static_cast<size_t>(seats()));
  for (SeatState& seat : seats_) seat.bank_left = setup_.time_control.bank;
  effects_.reserve(kUsualEffects);
  legal_.reserve(kUsualMoves);
  position_.reserve(kUsualPositionBytes);
}

absl::Span<const Effect> Match::Step(const Event& event, Instant now, absl::Time wall_now) {
  effects_.clear();
  now_ = now;
  wall_now_ = wall_now;
  std::visit(
      [this](const auto& happened) {
        if constexpr (NamesSeat<std::decay_t<decltype(happened)>>::value) {
          if (!happened.seat.valid() || happened.seat.index() >= seats()) return;
        }
        On(happened);
      },
      event);
  next_deadline_ = NextDeadline();
  return effects_;
}

Seat Match::seat_to_move() const {
  return stage_ == Stage::kPlaying ? state_->seat_to_move() : Seat::None();
}

absl::Duration Match::move_limit() const {
  const Seat seat = seat_to_move();
  if (!seat.valid()) return absl::ZeroDuration();
  return std::min(setup_.time_control.per_move, bank_left(seat));
}

absl::Duration Match::time_left(Instant now) const {
  const absl::Duration limit = move_limit();
  if (!ClockRuns() || now < clock_start_) return limit;
  return std::max(absl::ZeroDuration(), limit - (now - clock_start_));
}

// Makes the record where it stays, inside both variants.
template <typename Kind>
void Match::Write(Kind record) {
  effects_.emplace_back(std::in_place_type<Record>, std::move(record));
}

// --- Events ---

void Match::On(const Begin&) {
  if (stage_ != Stage::kNew) return;
  stage_ = Stage::kReadying;
  ready_deadline_ = now_ + limits::kReadyLimit;
  for (int i = 0; i < seats(); ++i) effects_.emplace_back(TellStart{Seat(i)});
}

void Match::On(const ReadyReceived& event) {
  assert(event.nonce.size() <= limits::kMaxNonceBytes);
  if (stage_ == Stage::kNew) return TellReadyFault(event.seat, ReadyUnasked());
  SeatState& seat = seats_[event.seat.index()];
  if (seat.ready) return TellReadyFault(event.seat, ReadyTwice());
  if (stage_ != Stage::kReadying) return TellReadyFault(event.seat, ReadyAfterStart());
  seat.ready = true;
  seat.nonce = event.nonce;
  if (EverySeatReady()) EndReadying();
}

void Match::On(const RequestSent& event) {
  if (stage_ == Stage::kPlaying && IsDue(event.seat, event.turn)) StartClock(now_);
}

void Match::On(const Replied& event) {
  if (!TakesReply(event.seat, event.turn)) return;
  const absl::StatusOr<games::Move> move = state_->Resolve(event.claimed, legal_);
  if (!move.ok()) {
    return ForfeitAndGoOn(event.seat, Cause::kIllegal,
                          absl::StrCat("illegal move ", setup_.game->MoveText(event.claimed),
                                       " in turn ", turn_, ": ", move.status().message()));
  }
  const absl::Duration used = Used();
  seats_[event.seat.index()].bank_left += setup_.time_control.increment - used;
  Play(*move, used);
  GoOn();
}

void Match::On(const RepliedUnreadably& event) {
  if (!TakesReply(event.seat, event.turn)) return;
  ForfeitAndGoOn(event.seat, Cause::kIllegal,
                 absl::StrCat("unreadable move in turn ", turn_, ": ", event.problem.message()));
}

void Match::On(const Tick&) {
  if (stage_ == Stage::kReadying && now_ >= ready_deadline_) return EndReadying();
  if (stage_ != Stage::kPlaying) return;
  if (now_ >= HandoverDeadline()) StartClock(now_);
  // A move that arrives on the very deadline is in time, also when this tick is stepped first.
  if (ClockRuns() && now_ > TimeOut()) LoseOnTime();
}

void Match::On(const LinkLost& event) {
  SeatState& seat = seats_[event.seat.index()];
  if (seat.linked()) seat.link_lost = now_;
  if (stage_ == Stage::kPlaying && event.seat == asked_) StartClock(now_);
}

void Match::On(const LinkBack& event) {
  seats_[event.seat.index()].link_lost = Instant::InfiniteFuture();
  if (stage_ != Stage::kReadying && stage_ != Stage::kPlaying) return;
  effects_.emplace_back(TellStart{event.seat});
  if (stage_ == Stage::kPlaying && event.seat == asked_) effects_.emplace_back(AskTurn{event.seat});
}

void Match::On(const Resigned& event) {
  if (stage_ == Stage::kOver) return;
  if (stage_ != Stage::kPlaying) {
    seats_[event.seat.index()].resigned = true;
    return;
  }
  if (state_->forfeited(event.seat)) return;
  ForfeitAndGoOn(event.seat, Cause::kResigned, absl::StrCat("resigned in turn ", turn_));
}

void Match::On(const Stopped& event) {
  assert(event.ending != Ending::kFinished);
  if (stage_ == Stage::kOver) return;
  Ended ended;
  ended.ending = event.ending;
  ended.reason = event.reason;
  End(std::move(ended));
}

// --- The start ---

bool Match::EverySeatReady() const {
  return std::all_of(seats_.begin(), seats_.end(), [](const SeatState& s) { return s.ready; });
}

void Match::EndReadying() {
  if (std::none_of(seats_.begin(), seats_.end(), [](const SeatState& s) { return s.ready; })) {
    Ended ended;
    ended.ending = Ending::kCancelled;
    ended.reason = absl::StrCat("no bot was ready within ", ReadyLimitText());
    return End(std::move(ended));
  }
  Start();
  ForfeitAbsentSeats();
  GoOn();
}

void Match::Start() {
  Started started;
  started.time = wall_now_;
  if (setup_.dice_source.pinned()) {
    key_ = dice::PinnedKey(seed_);
  } else {
    for (const SeatState& seat : seats_) started.nonces.push_back(seat.nonce);
    key_ = dice::CommittedKey(seed_, started.nonces);
  }
  stage_ = Stage::kPlaying;
  Write(std::move(started));
  DrawChance();
}

// Those who never came go before those who came and resigned, and so rank below them.
void Match::ForfeitAbsentSeats() {
  for (int i = 0; i < seats(); ++i) {
    const SeatState& seat = seats_[i];
    if (seat.ready || seat.resigned || state_->phase() == games::Phase::kOver) continue;
    const Cause cause = seat.linked() ? Cause::kTimeout : Cause::kDisconnected;
    Forfeit(Seat(i), cause,
            absl::StrCat("was not ready within ", ReadyLimitText(),
                         seat.linked() ? "" : ", its link being lost"));
  }
  for (int i = 0; i < seats(); ++i) {
    if (!seats_[i].resigned || state_->phase() == games::Phase::kOver) continue;
    Forfeit(Seat(i), Cause::kResigned, "resigned before the first turn");
  }
}

// --- Turns ---

// Plays passes until a seat has to choose, and asks it, or until the game is over.
void Match::GoOn() {
  while (state_->phase() == games::Phase::kTurn) {
    state_->LegalMoves(&legal_);
    if (legal_.size() > 1 || !legal_.front().is_pass()) return Ask();
    Play(games::Move::Pass(), absl::ZeroDuration());
  }
  Finish();
}

void Match::Ask() {
  const Seat seat = state_->seat_to_move();
  effects_.emplace_back(AskTurn{seat});
  if (seat == asked_) return;  // another seat's forfeit has changed the position: the clock runs on
  asked_ = seat;
  asked_at_ = now_;
  if (!seats_[seat.index()].linked()) StartClock(now_);
}

void Match::Play(games::Move move, absl::Duration used) {
  Played played;
  played.number = turn_;
  played.seat = state_->seat_to_move();
  played.roll = Roll(state_->roll());
  played.move = move;
  played.legal_count = static_cast<uint32_t>(legal_.size());
  played.used = used;

  SeatState& seat = seats_[played.seat.index()];
  played.bank_left = seat.bank_left;
  seat.last_played = turn_;

  asked_ = Seat::None();
  clock_start_ = Instant::InfiniteFuture();
  state_->Apply(move);
  DrawChance();
  played.digest = PositionDigest();
  ++turn_;
  last_turn_ = played;
  Write(played);
}

// Turn rolls are recorded with the turns that are played with them.
void Match::DrawChance() {
  games::DrawChance(*key_, state_.get(),
                    [this](const games::Chance& chance, absl::Span<const int> outcome) {
                      if (chance.kind == games::Chance::Kind::kTurnRoll) return;
                      Drawn drawn;
                      drawn.kind = chance.kind;
                      if (chance.kind == games::Chance::Kind::kFirstPlayer) {
                        drawn.seat = state_->first_seat();
                      } else {
                        drawn.round = chance.index;
                        drawn.seat = chance.seat;
                        int dice[games::kMaxChanceCount];
                        for (size_t i = 0; i < outcome.size(); ++i) dice[i] = outcome[i] + 1;
                        drawn.roll = Roll(absl::Span<const int>(dice, outcome.size()));
                      }
                      Write(drawn);
                    });
}

uint64_t Match::PositionDigest() {
  position_.clear();
  state_->AppendPosition(&position_);
  return dice::Digest(position_);
}

// --- The clock ---

// The clock starts with the first of what may start it, in whatever order they are stepped, but not
// before the turn was due, and at the handover deadline at the latest.
void Match::StartClock(Instant when) {
  const Instant start = std::min(std::max(when, asked_at_), HandoverDeadline());
  clock_start_ = std::min(clock_start_, start);
}

Instant Match::HandoverDeadline() const { return asked_at_ + limits::kHandoverLimit; }

absl::Duration Match::Used() const {
  return ClockRuns() ? std::max(absl::ZeroDuration(), now_ - clock_start_) : absl::ZeroDuration();
}

Instant Match::NextDeadline() const {
  if (stage_ == Stage::kReadying) return ready_deadline_;
  if (stage_ != Stage::kPlaying) return Instant::InfiniteFuture();
  return ClockRuns() ? TimeOut() + kResolution : HandoverDeadline();
}

// --- Replies ---

// Whether a reply to the due turn has arrived in time. Tells the fault or takes the seat out if
// not.
bool Match::TakesReply(Seat seat, uint32_t turn) {
  if (stage_ != Stage::kPlaying || !IsDue(seat, turn)) {
    effects_.emplace_back(TellFault{seat, TellFault::Kind::kWrongTurn, turn,
                                    std::string(WhyNotTaken(seat, turn).message())});
    return false;
  }
  StartClock(now_);
  if (now_ <= TimeOut()) return true;
  LoseOnTime();
  return false;
}

absl::Status Match::WhyNotTaken(Seat seat, uint32_t turn) const {
  if (stage_ == Stage::kOver) return MoveAfterEnd(turn);
  if (stage_ != Stage::kPlaying) return MoveBeforeStart(turn);
  if (state_->forfeited(seat)) return MoveAfterForfeit(turn, turn_, asked_);
  if (turn >= turn_) return MoveNotAsked(turn, turn_, asked_);
  if (turn == seats_[seat.index()].last_played) return MoveRepeated(turn, turn_, asked_);
  return MoveTooLate(turn, turn_, asked_);
}

void Match::TellReadyFault(Seat seat, const absl::Status& problem) {
  effects_.emplace_back(
      TellFault{seat, TellFault::Kind::kUnexpectedReady, 0, std::string(problem.message())});
}

// --- Ends ---

void Match::ForfeitAndGoOn(Seat seat, Cause cause, std::string detail) {
  Forfeit(seat, cause, std::move(detail));
  GoOn();
}

// Another seat that is to move keeps its dice, its clock and its pending request.
void Match::Forfeit(Seat seat, Cause cause, std::string detail) {
  Forfeited forfeited;
  forfeited.seat = seat;
  forfeited.cause = cause;
  forfeited.number = turn_;
  forfeited.detail = std::move(detail);
  if (seat == asked_) {
    forfeited.used = Used();
    asked_ = Seat::None();
    clock_start_ = Instant::InfiniteFuture();
  }
  state_->Forfeit(seat);
  DrawChance();
  forfeited.digest = PositionDigest();
  forfeits_.push_back(forfeited);
  Write(std::move(forfeited));
}

// The seat's clock has run out. Whoever was gone by then has lost through that.
void Match::LoseOnTime() {
  const SeatState& seat = seats_[asked_.index()];
  const Cause cause = seat.link_lost <= TimeOut() ? Cause::kDisconnected : Cause::kTimeout;
  std::string detail = absl::StrCat("used ", Milliseconds(Used()), " of ",
                                    Milliseconds(move_limit()), " for turn ", turn_);
  if (cause == Cause::kDisconnected) absl::StrAppend(&detail, ", its link being lost");
  ForfeitAndGoOn(asked_, cause, std::move(detail));
}

void Match::Finish() {
  games::Outcome outcome = state_->outcome();
  Ended ended;
  ended.ending = Ending::kFinished;
  ended.reason = std::string(outcome.reason);
  ended.scores = std::move(outcome.scores);
  ended.ranks = std::move(outcome.ranks);
  End(std::move(ended));
}

void Match::End(Ended ended) {
  ended.seed = seed_;
  ended.time = wall_now_;
  stage_ = Stage::kOver;
  asked_ = Seat::None();
  clock_start_ = Instant::InfiniteFuture();
  legal_.clear();
  ended_ = ended;
  Write(std::move(ended));
}

}  // namespace referee::match
