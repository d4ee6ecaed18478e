// Thinks for as long as it likes.
import { Bot, run } from 'referee-sdk';

class Slow extends Bot {
  chooseTurn(turn) {
    for (const end = performance.now() + 500; performance.now() < end; );
    return turn.moves[0];
  }
}

await run(Slow, import.meta.url);
