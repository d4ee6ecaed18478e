// Games that are known before they are played, so that a bot's answer costs nothing when it is
// asked for: the dice are pinned, and every seat plays moves that were drawn beforehand.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_GAMES_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_GAMES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "referee/games/game.h"

namespace referee::bench {

// How many different games are played: matches are pinned to the numbers from 0 to this.
inline constexpr uint64_t kPreparedGames = 16;

// Hypnosia for two seats with default options.
std::shared_ptr<const games::Game> TheGame();

// One game. By turn number from 1 (0 is not used): turn and move of the MoveReply, serialised;
// empty for a pass, which nobody is asked for.
using PreparedReplies = std::vector<std::string>;

// Immutable, thread-safe.
class PreparedGames {
 public:
  // Plays them.
  PreparedGames();

  // The game with this commitment (32 bytes); null if it is none of the prepared ones.
  const PreparedReplies* Find(absl::string_view commitment) const;

 private:
  absl::flat_hash_map<std::string, PreparedReplies> by_commitment_;
};

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_GAMES_H_
