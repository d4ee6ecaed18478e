// What a transcript or JSON of a match may say beside what its records hold.
#ifndef REFEREE_REPLAY_EXTRAS_H_
#define REFEREE_REPLAY_EXTRAS_H_

#include <string>

namespace referee::replay {

struct Extras {
  // The name of the competition that the match is of; empty: of none, or its name is not known.
  std::string competition;
  // Whether the position at the start and after each turn and forfeit is there, as far as the
  // records can be played.
  bool positions = false;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_EXTRAS_H_
