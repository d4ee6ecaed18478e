// Bots for the tests of the client. It is a module of its own, as workers load it again.
import { existsSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { Bot, run } from 'referee-sdk';

/** Plays what the position tells it to. */
export class Told extends Bot {
  thoughts = 0;

  onMatchStart(match) {
    if (match.id === 'broken') throw new Error('the model file is missing');
  }

  chooseTurn(turn) {
    const [what, value] = turn.positionText.split(' ');
    switch (what) {
      case 'think': {
        // Until somebody makes the file that `value` names: nothing else of this thread runs. That
        // it has begun another file says.
        ++this.thoughts;
        writeFileSync(`${value}.begun`, '');
        const cell = new Int32Array(new SharedArrayBuffer(4));
        for (const end = Date.now() + 20_000; Date.now() < end; Atomics.wait(cell, 0, 0, 5)) {
          if (existsSync(value)) return `thought ${this.thoughts}`;
        }
        return 'too long';
      }
      case 'throw':
        throw new Error('out of ideas');
      case 'reject':
        return Promise.reject(new Error('out of ideas, later'));
      case 'wait':
        return new Promise((resolve) => setTimeout(() => resolve('waited'), 30));
      case 'nothing':
        return undefined;
      case 'exit':
        return process.exit(1);
      case 'chance':
        return String(turn.chance);
      case 'left':
        return turn.timeLeft > 0 && turn.timeLeft <= turn.limit ? 'some' : 'none';
      default:
        return value ?? 'move';
    }
  }
}

// The tests make clients of their own.
if (!isMainThread) await run(Told, import.meta.url);
