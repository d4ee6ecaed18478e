#include "referee/service/played_along.h"

#include <cstdint>
#include <utility>
#include <variant>

#include "referee/service/convert/convert.h"

namespace referee::service {

PlayedAlong::PlayedAlong(const match::Match& match, v1::WatchMatchResponse* event)
    : cursor_(match.setup(), *match.key()) {
  event->set_started(true);
  Play(match::Started(), event);
}

bool PlayedAlong::Take(const match::Match& match, const match::Record& record,
                       v1::WatchMatchResponse* event) {
  if (const auto* faulted = std::get_if<match::Faulted>(&record)) {
    v1::SeatFaulted* const out = event->mutable_seat_faulted();
    out->set_match_id(match.setup().id.text());
    out->set_seat(static_cast<uint32_t>(faulted->seat.index()));
    out->set_cause(ToWire(faulted->cause));
    out->set_turn(faulted->number);
  } else if (const auto* played = std::get_if<match::Played>(&record)) {
    ToWire(match, *played, event->mutable_turn_played());
  } else if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
    ToWire(match, *forfeited, event->mutable_seat_forfeited());
  } else {
    return false;
  }
  Play(record, event);
  return true;
}

void PlayedAlong::TakeAll(const match::Match& match, absl::Span<const match::Record> records,
                          v1::WatchMatchResponse* event) {
  for (const match::Record& record : records) {
    v1::WatchMatchResponse one;
    if (Take(match, record, &one)) *event->add_history() = std::move(one);
  }
}

void PlayedAlong::Play(const match::Record& record, v1::WatchMatchResponse* event) {
  cursor_.Take(record).IgnoreError();  // the match itself has already accepted the record
  for (const replay::Cursor::Draw& draw : cursor_.draws()) {
    for (int i = 0; i < draw.numbers.size(); ++i) {
      event->add_drawn(static_cast<uint32_t>(draw.numbers[i]));
    }
  }
}

}  // namespace referee::service
