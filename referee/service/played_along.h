// Events for an observer that watches a match from the start: each with the numbers that chance
// drew after it, which the rules of the game do not say. Thread-compatible.
#ifndef REFEREE_SERVICE_PLAYED_ALONG_H_
#define REFEREE_SERVICE_PLAYED_ALONG_H_

#include "absl/types/span.h"
#include "proto/referee/v1/match_service.pb.h"
#include "referee/match/match.h"
#include "referee/match/record.h"
#include "referee/replay/cursor.h"

namespace referee::service {

class PlayedAlong {
 public:
  // Fills `event` with the start: what was drawn before the first turn. The match may be ahead:
  // only its terms and its key are used. REQUIRES: match.has_position().
  PlayedAlong(const match::Match& match, v1::WatchMatchResponse* event);

  // Fills `event` with the next record. Returns false, and leaves `event` as it is, if observers
  // get no event for its kind.
  bool Take(const match::Match& match, const match::Record& record, v1::WatchMatchResponse* event);
  // Adds all records that have an event to the history of `event`.
  void TakeAll(const match::Match& match, absl::Span<const match::Record> records,
               v1::WatchMatchResponse* event);

 private:
  void Play(const match::Record& record, v1::WatchMatchResponse* event);

  replay::Cursor cursor_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAYED_ALONG_H_
