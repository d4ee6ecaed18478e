// Bots for the tests of the client. It is a module of its own, as workers load it again.
import { existsSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { Bot, run } from 'referee-sdk';

const STEP = { die: 1, from: undefined, stack: false, to: undefined, captured: 0 };

class OddError extends TypeError {
  name = 'OddError';
}

/** Takes its time, and asks nobody. */
function endless(end) {
  for (;;) if (Date.now() > end) return 'at last';
}

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
      case 'loop':
        return endless(Date.now() + Number(value));
      case 'late':
        return new Promise((resolve) => setTimeout(resolve, Number(value ?? 600), 'late'));
      case 'odd':
        throw { toString: undefined, [Symbol.toPrimitive]: undefined };
      case 'lines':
        throw new OddError(`two\nlines \u202ex\x1b ${'é'.repeat(200)}`);
      case 'long':
        return '5:L2>A3'.repeat(50_000);
      case 'huge':
        return { hypnosia: { steps: Array.from({ length: 50_000 }, () => STEP) } };
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
