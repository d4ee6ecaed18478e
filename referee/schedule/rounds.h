// The pairings of a schedule by rounds, for display, and how evenly bots meet.
//
// No decision depends on rounds. Blocks of formats without rounds are assigned to some. Pure.
#ifndef REFEREE_SCHEDULE_ROUNDS_H_
#define REFEREE_SCHEDULE_ROUNDS_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/rating/block.h"
#include "referee/schedule/spec.h"

namespace referee::schedule {

// Stands for no bot, where there may be one.
inline constexpr int kNoBot = -1;

enum class PairingState {
  kUnknown,   // its bots are not all known yet
  kWaiting,   // its next block has not begun
  kRunning,   // a block of it is running
  kPlayed,    // over
  kBye,       // no opponent: counts as won
  kWalkover,  // not played to the end, since the other bot has left: counts as won
  kVoid,      // its block is VOID: in a Swiss it counts as drawn
  kDropped,   // not played, since bots have left
};

// What decided a tie of a knockout.
enum class TieDecision {
  kNone,         // undecided, or not a tie
  kBlocks,       // blocks won, within best_of
  kExtraBlocks,  // blocks won, in the extra blocks
  kPoints,       // points in all blocks
  kScores,       // the game's scores in all blocks
  kLot,          // a coin flip
  kWalkover,     // the other bot had left, or did not exist
};

// A pairing of one block, or a tie of a knockout.
struct RoundPairing {
  int round = 1;          // from 1
  int place = 0;          // in the round, from 0
  std::vector<int> bots;  // by seat in its first block; kNoBot: not known yet
  PairingState state = PairingState::kWaiting;
  int winner = kNoBot;  // or the bot that advances; kNoBot: level, or not known yet
  TieDecision decision = TieDecision::kNone;
  // By place in `bots`: half points, including those given without a block.
  std::vector<int64_t> points;
  std::vector<int> blocks_won;  // in a tie; by place in `bots`
  std::vector<int64_t> scores;  // of the game, by place in `bots`; empty: no block was played
  std::vector<int64_t> blocks;  // by number
};

// Assigns rounds and places to pairings, and sorts them by round. REQUIRES: they are in the order
// in which their blocks begin. Each pairing gets the first round after the earlier pairings of its
// bots. So a bot plays at most once in a round; `soloist` is exempt (kNoBot: none).
void NumberRounds(int bots, int soloist, std::vector<RoundPairing>* pairings);

// Returns the bot with the most points; kNoBot if several have as many.
int WinnerOf(const RoundPairing& pairing);

// --- Evenness: how often two bots meet, and how often one sits right after the other ---

// Evenness is not computed for competitions of more blocks.
inline constexpr int64_t kMostBlocksForEvenness = 10'000;

// The fewest and the most blocks of any pair.
struct Evenness {
  int64_t least_met = 0;
  int64_t most_met = 0;
  // Blocks in which one of them sits right after the other; with two seats, as above.
  int64_t least_after = 0;
  int64_t most_after = 0;
};

// Whether evenness is computed: for a round robin (all meet all) and a gauntlet (the first entrant
// meets all) of at most kMostBlocksForEvenness blocks.
bool IsToBeEven(const Spec& spec);

// Returns the evenness over pairs of bots for which in[bot]; in a gauntlet only over pairs with the
// first entrant. None if there is no such pair. REQUIRES: IsToBeEven(spec), in.size() is the number
// of bots.
absl::optional<Evenness> EvennessOf(const Spec& spec, absl::Span<const rating::Pairing> blocks,
                                    const std::vector<bool>& in);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_ROUNDS_H_
