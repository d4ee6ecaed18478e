// Plays whole matches of random players, for golden transcripts and to inspect a game.
//
// No network or clock is involved; the result is the same on every machine.
#ifndef REFEREE_CTL_RULES_SELFPLAY_H_
#define REFEREE_CTL_RULES_SELFPLAY_H_

#include <cstdint>
#include <memory>

#include "referee/games/game.h"
#include "referee/replay/replay.h"

namespace referee::ctl {

// Plays a match with pinned dice. The player of each seat chooses uniformly among its legal turns,
// with uniform("substitute/<turn>", legal turns) of its own refdice key. That key is the one of a
// match committed to the same seed, whose only nonce is "selfplay/<seat number>".
replay::Replay Selfplay(std::shared_ptr<const games::Game> game, uint64_t pinned_number);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_RULES_SELFPLAY_H_
