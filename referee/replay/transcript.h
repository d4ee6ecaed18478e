// A match as text, for people, diffs and other tools.
//
// One record a line, single spaces, LF. EXPORTS.md has the format under "Transcript"; it is the
// same for every game.
#ifndef REFEREE_REPLAY_TRANSCRIPT_H_
#define REFEREE_REPLAY_TRANSCRIPT_H_

#include <string>

#include "referee/match/record.h"
#include "referee/replay/replay.h"

namespace referee::replay {

// Additions to a transcript or JSON beyond the records of the match.
struct Extras {
  // Name of the match's competition; empty: none, or unknown.
  std::string competition;
  // Whether to add the position at the start and after each turn and forfeit, as far as the records
  // can be played.
  bool positions = false;
};

// Returns the whole transcript. Leaves out lines of a start or an end that has not happened yet.
// Prints the records whether they are true or not; escapes control characters.
std::string Transcript(const Replay& replay, const Extras& extras = {});

// Append one line, with its line end, for a turn or a forfeit.
void AppendTurnLine(const games::Game& game, const match::Played& turn, std::string* out);
void AppendForfeitLine(const match::Forfeited& forfeit, std::string* out);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_TRANSCRIPT_H_
