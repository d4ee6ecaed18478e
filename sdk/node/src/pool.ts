// Bots in worker threads: a bot may think for as long as it likes, and the main thread answers the
// referee meanwhile. Each worker loads the bot's own module again, whose run() then serves it
// (worker.ts). A match stays with the worker that it was given to.

import { Worker } from 'node:worker_threads';
import type { Answer, AnswerSink, Call, Caller } from './calls.js';
import type { Logger } from './log.js';
import { stackOfWorker } from './stack.js';
import { Watch } from './watch.js';

/** Calls, or answers: their bytes one after the other, so that one copy takes all. */
export interface Packet<T> {
  readonly entries: readonly T[];
  readonly ends: readonly number[]; // of the bytes of each
  readonly bytes: Uint8Array;
}

/** Puts entries together for another thread. */
export function pack<T>(entries: readonly T[], bytesOf: (entry: T) => Uint8Array): Packet<T> {
  const parts = entries.map(bytesOf);
  let length = 0;
  const ends = parts.map((part) => (length += part.length));
  const bytes = new Uint8Array(length);
  for (const [i, part] of parts.entries()) bytes.set(part, ends[i]! - part.length);
  return { entries, ends, bytes };
}

/** Calls `visit` with each entry and its bytes. */
export function unpack<T>(packet: Packet<T>, visit: (entry: T, bytes: Uint8Array) => void): void {
  let at = 0;
  for (const [i, entry] of packet.entries.entries()) {
    visit(entry, packet.bytes.subarray(at, packet.ends[i]));
    at = packet.ends[i]!;
  }
}

export const NO_BYTES = new Uint8Array();

/** What marks a thread as a worker of this SDK. */
export const WORKER_MARK = 'referee-sdk bot';

/** To a worker. */
export type ToWorker = { readonly calls: Packet<Omit<Call, 'bytes'>> } | { readonly close: true };
/** From a worker. */
export type FromWorker = Packet<Omit<Answer, 'move'>>;

export class BotWorker implements Caller {
  #worker: Worker | undefined;
  #calls: Call[] = [];
  /** What each match was last told, and whether it was its end: for when the worker dies. */
  readonly #last = new Map<number, Call>();
  #closing: (() => void) | undefined;
  readonly #watch: Watch;

  /** `module` is the URL of the module whose run() is called in the worker. */
  constructor(
    readonly module: string,
    readonly log: Logger,
    readonly sink: AnswerSink,
  ) {
    this.#watch = new Watch(log, async () => {
      const worker = this.#worker;
      return worker && worker.threadId > 0 ? stackOfWorker(worker) : undefined;
    });
    this.#worker = this.#start();
  }

  get matches(): number {
    return this.#last.size;
  }

  call(call: Call): void {
    this.#calls.push(call);
    this.#watch.called(call);
    if (call.method === 'end') this.#last.delete(call.match);
    else this.#last.set(call.match, call);
  }

  go(): void {
    if (this.#calls.length === 0) return;
    const entries = this.#calls.map(({ match, method, seq, received }) => ({
      match,
      method,
      seq,
      received,
    }));
    const calls = this.#calls;
    let i = 0;
    const packet = pack(entries, () => calls[i++]!.bytes);
    this.#calls = [];
    this.#post({ calls: packet }, packet.bytes.buffer as ArrayBuffer);
  }

  close(): Promise<void> {
    this.#watch.close();
    if (!this.#worker) return Promise.resolve();
    return new Promise((resolve) => {
      this.#closing = resolve;
      this.#post({ close: true });
    });
  }

  #post(message: ToWorker, ...transfer: ArrayBuffer[]): void {
    (this.#worker ??= this.#start()).postMessage(message, transfer);
  }

  #start(): Worker {
    const worker = new Worker(new URL(this.module), {
      workerData: WORKER_MARK,
      argv: process.argv.slice(2),
    });
    worker.on('message', (answers: FromWorker) => this.#hear(answers));
    worker.on('error', (error) => this.log.error(`a worker died: ${error.stack ?? error}`));
    worker.on('exit', () => this.#exited());
    return worker;
  }

  #hear(answers: FromWorker): void {
    unpack(answers, (answer, bytes) => {
      this.#watch.answered(answer);
      this.sink.answer({ ...answer, move: bytes.length > 0 ? bytes : undefined });
    });
    this.sink.flush();
  }

  /**
   * The matches that a worker had when it died are resigned; another takes its place once there is
   * something to do.
   */
  #exited(): void {
    this.#worker = undefined;
    if (this.#closing) return this.#closing();
    const lost = [...this.#last.values()];
    this.#last.clear();
    this.#calls = [];
    this.log.error(
      `a worker has ended; ${lost.length} matches that it had are resigned (if it always does: the ` +
        "bot's module has to end with run(), and its own import.meta.url)",
    );
    this.#watch.close();
    const threw = 'the worker thread of this match has ended';
    for (const { match, method, seq } of lost) this.sink.answer({ match, method, seq, threw });
    this.sink.flush();
  }
}
