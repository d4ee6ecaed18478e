// Plays any legal move, each as likely as the others: the simplest bot there is. Its chance comes
// from the match, so that a pinned match repeats exactly.
import { Bot, run } from 'referee-sdk';

class RandomBot extends Bot {
  chooseTurn(turn) {
    return turn.move(turn.rng.below(turn.moveCount));
  }
}

// It answers at once: many matches, and no worker threads.
const many = { maxMatches: 1024, parallelTurns: 1024 };
await run(RandomBot, import.meta.url, { software: 'random', workers: 0, ...many });
