// Builds the events of a match watched from its start, each with its chance numbers.
//
// An event carries the numbers that chance drew after it, as the rules of the game do not determine
// them. Thread-compatible.
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
  // Fills `event` with the start and the numbers drawn before the first turn. Uses only the terms
  // and the key of `match`, so the match may be ahead. REQUIRES: match.has_position().
  PlayedAlong(const match::Match& match, v1::WatchMatchResponse* event);

  // Fills `event` with the next record. Returns false and leaves `event` unchanged if observers get
  // no event for this kind of record.
  bool Take(const match::Match& match, const match::Record& record, v1::WatchMatchResponse* event);
  // Appends the events of all `records` to the history of `event`.
  void TakeAll(const match::Match& match, absl::Span<const match::Record> records,
               v1::WatchMatchResponse* event);

 private:
  void Play(const match::Record& record, v1::WatchMatchResponse* event);

  replay::Cursor cursor_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAYED_ALONG_H_
