// Plays a match along for an observer that wants it from the start: fills in what the rules of the
// game do not tell, what chance drew. Thread-compatible.
#ifndef REFEREE_SERVICE_PLAYED_ALONG_H_
#define REFEREE_SERVICE_PLAYED_ALONG_H_

#include <memory>

#include "absl/types/span.h"
#include "proto/referee/v1/match_service.pb.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/match/match.h"
#include "referee/match/record.h"

namespace referee::service {

class PlayedAlong {
 public:
  // Begins with the first turn; `event` is told what was drawn before it. Of the match only what is
  // settled at its start is used, so that it may be ahead. REQUIRES: match.has_position().
  PlayedAlong(const match::Match& match, v1::WatchMatchResponse* event);

  // What happened next, in order; each fills in `event`.
  void Take(const match::Match& match, const match::Faulted& faulted,
            v1::WatchMatchResponse* event);
  void Take(const match::Match& match, const match::Played& played, v1::WatchMatchResponse* event);
  void Take(const match::Match& match, const match::Forfeited& forfeited,
            v1::WatchMatchResponse* event);
  // The same of a record. Returns false, and leaves `event` as it is, if observers are not told of
  // its kind.
  bool TakeRecord(const match::Match& match, const match::Record& record,
                  v1::WatchMatchResponse* event);
  // The same of all that was recorded, as the history of `event`.
  void TakeAll(const match::Match& match, absl::Span<const match::Record> records,
               v1::WatchMatchResponse* event);

 private:
  void Draw(v1::WatchMatchResponse* event);

  const dice::Key key_;
  const std::shared_ptr<const games::Game> game_;
  const std::unique_ptr<games::State> state_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAYED_ALONG_H_
