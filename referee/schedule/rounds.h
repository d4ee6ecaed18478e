// What a schedule has paired, round by round, and what came of it: for people, who decide nothing
// by it. Plain values, and how blocks that come in no rounds are put into some. Pure.
#ifndef REFEREE_SCHEDULE_ROUNDS_H_
#define REFEREE_SCHEDULE_ROUNDS_H_

#include <cstdint>
#include <vector>

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

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_ROUNDS_H_
