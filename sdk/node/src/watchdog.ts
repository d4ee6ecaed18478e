// The main thread calls the bot itself (`workers: 0`), and cannot say where the bot is while it is
// there: a thread of its own looks at it. What is called stands in memory that both share.

import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { Call, Due } from './calls.js';
import { now } from './clock.js';
import { logToStderr, type Logger } from './log.js';
import { stackOfMainThread } from './stack.js';
import { lateText } from './watch.js';

const MARK = 'referee-sdk watchdog';

/** The 32-bit words in the shared memory, before the text of the call. */
const CALL = 0; // its number; 0: none is made
const SLEEPS = 1; // 1: the watchdog waits for a call
const NEVER = 2; // does not change
const LENGTH = 3; // of the text
const TEXT_AT = 16;
const SIZE = 512;

interface Settings {
  readonly mark: string;
  readonly memory: SharedArrayBuffer;
  /** The log goes to stderr, which any thread may write to. */
  readonly writes: boolean;
}

export class Watchdog {
  readonly #words: Int32Array;
  readonly #text: Buffer;
  readonly #worker: Worker;
  #calls = 0;

  constructor(log: Logger) {
    const memory = new SharedArrayBuffer(SIZE);
    this.#words = new Int32Array(memory);
    this.#text = Buffer.from(memory, TEXT_AT);
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
    this.#words[LENGTH] = this.#text.write(JSON.stringify({ due, received }));
    this.#calls = (this.#calls % 0x7fffffff) + 1;
    Atomics.store(this.#words, CALL, this.#calls);
    if (Atomics.load(this.#words, SLEEPS) === 1) Atomics.notify(this.#words, CALL);
  }

  end(): void {
    Atomics.store(this.#words, CALL, 0);
  }

  close(): void {
    void this.#worker.terminate();
  }
}

/** Looks for good, in the thread of the watchdog. */
async function watch({ memory, writes }: Settings): Promise<void> {
  const words = new Int32Array(memory);
  const bytes = Buffer.from(memory, TEXT_AT);
  let told = '';
  for (;;) {
    Atomics.store(words, SLEEPS, 1);
    Atomics.wait(words, CALL, 0);
    Atomics.store(words, SLEEPS, 0);
    const call = Atomics.load(words, CALL);
    const said = bytes.toString('utf8', 0, words[LENGTH]);
    const returned = () => Atomics.load(words, CALL) !== call;
    if (call === 0 || returned()) continue; // then the text may be that of two calls
    const late = JSON.parse(said) as { readonly due: Due; readonly received: number };
    const { due } = late;
    Atomics.wait(words, NEVER, 0, Math.max(1, due.until - now()));
    if (returned() || due.id === told) continue;
    const stack = await stackOfMainThread(returned);
    if (returned()) continue;
    told = due.id;
    const text = lateText(late, stack);
    if (writes) logToStderr('warning', text);
    else parentPort!.postMessage(text);
  }
}

if (!isMainThread && (workerData as Partial<Settings> | null)?.mark === MARK) {
  void watch(workerData as Settings);
}
