// The main thread calls the bot itself (`workers: 0`), and cannot say where the bot is while it is
// there: a thread of its own looks at it. What is called stands in memory that both share.

import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { Call } from './calls.js';
import { now } from './clock.js';
import { logToStderr, type Logger } from './log.js';
import { stackOfMainThread } from './stack.js';
import { lateText } from './watch.js';

const MARK = 'referee-sdk watchdog';

/** Where things are in the shared memory: of the 32-bit words, the doubles, and the bytes. */
const CALL = 0; // its number; 0: none is made
const SLEEPS = 1; // 1: the watchdog waits for a call
const NEVER = 2; // changes not
const TURN = 3;
const ID_LENGTH = 4;
const UNTIL = 4;
const RECEIVED = 5;
const ID_AT = 64;
const SIZE = 256;

interface Shared {
  readonly words: Int32Array;
  readonly doubles: Float64Array;
  readonly id: Buffer;
}

function shared(memory: SharedArrayBuffer): Shared {
  return {
    words: new Int32Array(memory),
    doubles: new Float64Array(memory),
    id: Buffer.from(memory, ID_AT),
  };
}

interface Settings {
  readonly mark: string;
  readonly memory: SharedArrayBuffer;
  /** The log goes to stderr, which any thread may write to. */
  readonly writes: boolean;
}

export class Watchdog {
  readonly #shared: Shared;
  readonly #worker: Worker;
  #calls = 0;

  constructor(log: Logger) {
    const memory = new SharedArrayBuffer(SIZE);
    this.#shared = shared(memory);
    const settings: Settings = { mark: MARK, memory, writes: log.sink === logToStderr };
    this.#worker = new Worker(new URL(import.meta.url), {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
    });
    this.#worker.on('message', (text: string) => log.warning(text));
    this.#worker.on('error', (error) => log.debug(`the watchdog has ended: ${error}`));
    this.#worker.unref();
  }

  begin({ due, received }: Call): void {
    if (!due) return;
    const { words, doubles, id } = this.#shared;
    doubles[UNTIL] = due.until;
    doubles[RECEIVED] = received;
    words[TURN] = due.turn;
    words[ID_LENGTH] = id.write(due.id, 'latin1');
    this.#calls = (this.#calls % 0x7fffffff) + 1;
    Atomics.store(words, CALL, this.#calls);
    if (Atomics.load(words, SLEEPS) === 1) Atomics.notify(words, CALL);
  }

  end(): void {
    Atomics.store(this.#shared.words, CALL, 0);
  }

  close(): void {
    void this.#worker.terminate();
  }
}

/** Looks for good, in the thread of the watchdog. */
async function watch({ memory, writes }: Settings): Promise<void> {
  const { words, doubles, id } = shared(memory);
  let told = '';
  for (;;) {
    Atomics.store(words, SLEEPS, 1);
    Atomics.wait(words, CALL, 0);
    Atomics.store(words, SLEEPS, 0);
    const call = Atomics.load(words, CALL);
    const match = id.toString('latin1', 0, words[ID_LENGTH]);
    const due = { until: doubles[UNTIL]!, id: match, turn: words[TURN]! };
    const received = doubles[RECEIVED]!;
    Atomics.wait(words, NEVER, 0, Math.max(1, due.until - now()));
    // Of another call than was seen first the time may not be up.
    if (call === 0 || Atomics.load(words, CALL) !== call || match === told) continue;
    const returned = () => Atomics.load(words, CALL) !== call;
    const stack = await stackOfMainThread(returned);
    if (returned()) continue;
    told = match;
    const text = lateText({ due, received }, stack);
    if (writes) logToStderr('warning', text);
    else parentPort!.postMessage(text);
  }
}

if (!isMainThread && (workerData as Partial<Settings> | null)?.mark === MARK) {
  void watch(workerData as Settings);
}
