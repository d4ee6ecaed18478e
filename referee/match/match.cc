#include "referee/match/match.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace referee::match {
namespace {

template <typename Event, typename = void>
struct NamesSeat : std::false_type {};
template <typename Event>
struct NamesSeat<Event, std::void_t<decltype(Event::seat)>> : std::true_type {};

template <typename Event>
const Seat* SeatOf(const Event& event) {
  if constexpr (NamesSeat<Event>::value) return &event.seat;
  return nullptr;
}

}  // namespace

Match::Match(Setup setup, const dice::Seed& seed) : parts_(std::move(setup), seed) {}

absl::Span<const Effect> Match::Step(const Event& event, Instant when, const Reading& reading) {
  CurrentStep& step = parts_.step;
  step.effects.clear();
  step.when = when;
  step.reading = reading;
  step.asked = false;
  step.retrying = false;
  parts_.clocks.turn().SetStalls(reading.stalls);
  const Seat* seat = std::visit([](const auto& happened) { return SeatOf(happened); }, event);
  if (seat == nullptr || (seat->valid() && seat->index() < seats())) Handle(event);
  return step.effects;
}

void Match::Handle(const Event& event) {
  std::visit(Overloaded{
                 [this](const Begin&) { opening_.Begin(); },
                 [this](const ReadyReceived& ready) { opening_.TakeReady(ready); },
                 [this](const NonceReceived& nonce) { opening_.TakeNonce(nonce); },
                 [this](const RequestOffered& request) { turns_.Offer(request); },
                 [this](const RequestSent& request) { turns_.Hand(request); },
                 [this](const Replied& reply) { replies_.Take(reply); },
                 [this](const RepliedUnreadably& reply) { replies_.Take(reply); },
                 [this](const Tick&) { CheckTime(); },
                 [this](const LinkLost& link) { NoteLinkLost(link); },
                 [this](const LinkBack& link) { NoteLinkBack(link); },
                 [this](const Resigned& resigned) { Resign(resigned); },
                 [this](const Refused& refused) { parts_.clocks.ChargeStalls(refused.seat); },
                 [this](const Stopped& stopped) { conclusion_.Stop(stopped); },
                 [this](const Resume& resume) { GoOnAfterRestart(resume.limit); },
                 [this](const NoncesSettled& nonces) { opening_.Settle(nonces); },
                 [this](const RollReleased& roll) { turns_.Release(roll.index); },
                 [this](const BlockOver&) { conclusion_.EndBlock(); },
             },
             event);
}

void Match::Handing(Instant when) {
  const CurrentStep& step = parts_.step;
  TurnClock& clock = parts_.clocks.turn();
  if (step.retrying) clock.AddStall(std::max(absl::ZeroDuration(), when - step.when));
  if (step.asked) clock.SetDue(when);
}

// --- Time ---

Instant Match::next_deadline() const {
  if (opening_.deadline() < Instant::InfiniteFuture()) return opening_.deadline();
  return parts_.links.awaited() ? parts_.links.deadline() : parts_.clocks.Deadline();
}

absl::Duration Match::move_limit() const {
  const Seat seat = seat_to_move();
  return seat.valid() ? parts_.clocks.MoveLimit(seat) : absl::ZeroDuration();
}

absl::Duration Match::time_left(Instant now) const {
  return std::max(absl::ZeroDuration(), move_limit() - parts_.clocks.turn().Used(now));
}

void Match::CheckTime() {
  if (opening_.CheckTime()) return;
  if (!parts_.links.awaited()) return replies_.CheckTime();
  if (parts_.step.when >= parts_.links.deadline()) StopAwaitingLinks();
}

// --- Bots that leave and come back ---

void Match::NoteLinkLost(const LinkLost& link) {
  const Seat seat = link.seat;
  if (link.of_entry) return NoteEntryGone(seat, parts_.step.when);
  if (parts_.links.waits_for_entry(seat)) return;
  parts_.links.Lose(seat, parts_.step.when);
  if (seat != parts_.clocks.asked()) return;
  parts_.clocks.turn().Start(parts_.step.when);
  parts_.clocks.turn().Pause(parts_.links.lost(seat));
}

void Match::NoteEntryGone(Seat seat, Instant when) {
  parts_.links.LoseEntry(seat, when);
  if (seat == parts_.clocks.asked()) parts_.clocks.turn().Hold(when);
}

void Match::NoteLinkBack(const LinkBack& link) {
  const Seat seat = link.seat;
  std::vector<Effect>& effects = parts_.step.effects;
  if (link.entry_gone < Instant::InfiniteFuture()) NoteEntryGone(seat, link.entry_gone);
  const bool waited = parts_.links.waits_for_entry(seat);
  parts_.links.Regain(seat);
  if (stage() == Stage::kNew || stage() == Stage::kOver) return;
  if (waited) opening_.GoOnAfterEntry();
  if (parts_.links.awaited() && parts_.links.EveryPlayerLinked(state())) {
    StopAwaitingLinks();
    // The new MatchStart has the position after any passes, so it goes after their records.
    const bool asks = !effects.empty() && std::holds_alternative<AskTurn>(effects.back());
    effects.insert(effects.end() - (asks ? 1 : 0), TellStart{seat});
    return;
  }
  opening_.TellStartTo(seat);
  if (seat != parts_.clocks.asked()) return;
  parts_.clocks.turn().Continue(parts_.step.when);
  parts_.step.asked = waited && !parts_.clocks.turn().offered();
  effects.emplace_back(AskTurn{seat});
}

// A resignation counts at once. The forfeit is carried out as soon as there is a position.
void Match::Resign(const Resigned& event) {
  Forfeits& forfeits = parts_.forfeits;
  if (stage() == Stage::kOver || parts_.position.over()) return;
  if (forfeits.resigned(event.seat) || state().forfeited(event.seat)) return;
  forfeits.Resign(event.seat, event.reason);
  if (event.seat == parts_.clocks.asked()) {
    // The turn ends before the request was offered, or before a tick notes a missed handover.
    parts_.clocks.turn().Offer(parts_.step.when);
    parts_.clocks.NoteHandoverMissed();
  }
  if (stage() == Stage::kPlaying) {
    forfeits.QueueLast({event.seat, Cause::kResigned, ""});
    return turns_.GoOn();
  }
  forfeits.QueueLast(
      {event.seat, Cause::kResigned, forfeits.ResignedText(event.seat, "before the first turn")});
  opening_.GoOn();
}

}  // namespace referee::match
