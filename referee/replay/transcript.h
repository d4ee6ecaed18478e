// A match as text: for people, for diffs, for other tools. One record a line, single spaces, LF.
// The format is in EXPORTS.md under "Transcript"; it is the same for every game.
#ifndef REFEREE_REPLAY_TRANSCRIPT_H_
#define REFEREE_REPLAY_TRANSCRIPT_H_

#include <string>

#include "referee/match/record.h"
#include "referee/replay/replay.h"

namespace referee::replay {

// What a transcript or JSON of a match may say beside what its records hold.
struct Extras {
  // The name of the competition that the match is of; empty: of none, or its name is not known.
  std::string competition;
  // Whether the position at the start and after each turn and forfeit is there, as far as the
  // records can be played.
  bool positions = false;
};

// The whole transcript. What is not known yet (a match that has not started or ended) has no line.
// It prints what the records say, true or not; control characters in it are escaped.
std::string Transcript(const Replay& replay, const Extras& extras = {});

// One line, with its line end, for a turn or a forfeit.
void AppendTurnLine(const games::Game& game, const match::Played& turn, std::string* out);
void AppendForfeitLine(const match::Forfeited& forfeit, std::string* out);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_TRANSCRIPT_H_
