#include "referee/service/played_along.h"

#include <cstdint>
#include <utility>
#include <variant>

#include "referee/service/convert/convert.h"

namespace referee::service {

PlayedAlong::PlayedAlong(const match::Match& match, v1::WatchMatchResponse* event)
    : key_(*match.key()), game_(match.setup().game), state_(game_->NewState()) {
  event->set_started(true);
  Draw(event);
}

void PlayedAlong::Take(const match::Match& match, const match::Faulted& faulted,
                       v1::WatchMatchResponse* event) {
  v1::SeatFaulted* const out = event->mutable_seat_faulted();
  out->set_match_id(match.setup().id.text());
  out->set_seat(static_cast<uint32_t>(faulted.seat.index()));
  out->set_cause(ToWire(faulted.cause));
  out->set_turn(faulted.number);
}

void PlayedAlong::Take(const match::Match& match, const match::Played& played,
                       v1::WatchMatchResponse* event) {
  ToWire(match, played, event->mutable_turn_played());
  state_->Apply(played.move);
  Draw(event);
}

void PlayedAlong::Take(const match::Match& match, const match::Forfeited& forfeited,
                       v1::WatchMatchResponse* event) {
  ToWire(match, forfeited, event->mutable_seat_forfeited());
  state_->Forfeit(forfeited.seat);
  Draw(event);
}

bool PlayedAlong::TakeRecord(const match::Match& match, const match::Record& record,
                             v1::WatchMatchResponse* event) {
  if (const auto* faulted = std::get_if<match::Faulted>(&record)) {
    Take(match, *faulted, event);
  } else if (const auto* played = std::get_if<match::Played>(&record)) {
    Take(match, *played, event);
  } else if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
    Take(match, *forfeited, event);
  } else {
    return false;
  }
  return true;
}

void PlayedAlong::TakeAll(const match::Match& match, absl::Span<const match::Record> records,
                          v1::WatchMatchResponse* event) {
  for (const match::Record& record : records) {
    v1::WatchMatchResponse one;
    if (TakeRecord(match, record, &one)) *event->add_history() = std::move(one);
  }
}

void PlayedAlong::Draw(v1::WatchMatchResponse* event) {
  games::DrawChance(key_, state_.get(), [event](const games::Chance&, absl::Span<const int> drawn) {
    for (const int number : drawn) event->add_drawn(static_cast<uint32_t>(number + 1));
  });
}

}  // namespace referee::service
