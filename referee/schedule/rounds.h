// What a schedule has paired, for people, who decide nothing by it: round by round, what came of
// it, how blocks that come in no rounds are put into some, and how evenly they spread over pairs of
// bots. Pure.
#ifndef REFEREE_SCHEDULE_ROUNDS_H_
#define REFEREE_SCHEDULE_ROUNDS_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/rating/block.h"
#include "referee/schedule/spec.h"

namespace referee::schedule {

// No bot, where there could be one.
inline constexpr int kNoBot = -1;

enum class PairingState {
  kUnknown,   // who meets in it is not known yet, or not of all
  kWaiting,   // its next block has not begun
  kRunning,   // a block of it is being played
  kPlayed,    // over
  kBye,       // there is nobody to meet: it counts as won
  kWalkover,  // not played to its end, since the other has left: it counts as won
  kVoid,      // its block became void: in a Swiss it counts as drawn
  kDropped,   // not played, since bots have left
};

// By what a tie of a knockout was decided.
enum class TieDecision {
  kNone,         // it is not, or it is no tie
  kBlocks,       // blocks won, within best_of
  kExtraBlocks,  // blocks won, in the extra ones
  kPoints,       // in all blocks
  kScores,       // in the games of all blocks
  kLot,          // nothing else
  kWalkover,     // the other had left, or there was none
};

// A pairing of one block, or a tie of a knockout.
struct RoundPairing {
  int round = 1;          // from 1
  int place = 0;          // in the round, from 0
  std::vector<int> bots;  // by seat in its first block; kNoBot: not known yet
  PairingState state = PairingState::kWaiting;
  int winner = kNoBot;  // or goes on; kNoBot: level, or not known yet
  TieDecision decision = TieDecision::kNone;
  // By place in `bots`: half points, with those that were given without a block.
  std::vector<int64_t> points;
  std::vector<int> blocks_won;  // by place in `bots`, of a tie
  std::vector<int64_t> scores;  // that the games gave, by place in `bots`; empty: none was played
  std::vector<int64_t> blocks;  // by number
};

// Numbers the rounds and places of pairings that are in the order in which their blocks begin: each
// is in the first round that comes after those of its bots' pairings before it. So a bot plays once
// at most in a round, but for `soloist` (kNoBot: there is none), which is not looked at. Then puts
// them in order of rounds.
void NumberRounds(int bots, int soloist, std::vector<RoundPairing>* pairings);

// The bot with most points, if it is alone.
int WinnerOf(const RoundPairing& pairing);

// --- Evenness: how often two bots meet, and how often one sits right after the other ---

// Competitions of more blocks are not looked at.
inline constexpr int64_t kMostBlocksForEvenness = 10'000;

// The fewest and the most blocks of any pair.
struct Evenness {
  int64_t least_met = 0;
  int64_t most_met = 0;
  // In which one of them sits right after the other; of two seats, as above.
  int64_t least_after = 0;
  int64_t most_after = 0;
};

// Whether a competition is to be even: a round robin, in which everybody is to meet everybody, or a
// gauntlet, in which the first is to meet everybody, and not too long.
bool IsToBeEven(const Spec& spec);

// Over pairs of bots for which in[bot], and only those with the first in a gauntlet. None if there
// are no such pairs. REQUIRES: IsToBeEven(spec), in.size() is the number of bots.
absl::optional<Evenness> EvennessOf(const Spec& spec, absl::Span<const rating::Pairing> blocks,
                                    const std::vector<bool>& in);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_ROUNDS_H_
