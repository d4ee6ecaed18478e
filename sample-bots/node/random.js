// The sample bot "random": plays a uniformly random legal move; the simplest possible bot.
//
// Its random numbers come from the match, so that a pinned match repeats exactly.
import { Bot, run } from 'referee-sdk';

class RandomBot extends Bot {
  chooseTurn(turn) {
    return turn.move(turn.rng.below(turn.moveCount));
  }
}

// It answers at once, so it takes many matches and needs no worker threads.
const many = { maxMatches: 1024, parallelTurns: 1024 };
await run(RandomBot, import.meta.url, { software: 'random', workers: 0, ...many });
