// Plays whole matches of random players, without a network or a clock, the same on every machine:
// for golden transcripts, and to see a game.
#ifndef REFEREE_CTL_RULES_SELFPLAY_H_
#define REFEREE_CTL_RULES_SELFPLAY_H_

#include <cstdint>
#include <memory>

#include "referee/games/game.h"
#include "referee/replay/replay.h"

namespace referee::ctl {

// Plays a match with pinned dice. The player of each seat chooses evenly among its legal turns, by
// uniform("substitute/<turn>", legal turns) of a refdice key of its own: the key of a match
// committed to the same seed, whose only nonce is "selfplay/<seat number>".
replay::Replay Selfplay(std::shared_ptr<const games::Game> game, uint64_t pinned_number);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_RULES_SELFPLAY_H_
