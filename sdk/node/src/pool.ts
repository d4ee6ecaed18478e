// Bots in worker threads: a bot may think for as long as it likes, and the main thread answers the
// referee meanwhile. Each worker loads the bot's own module again, whose run() then serves it. A match
// stays with the worker that it was given to.

import { parentPort, Worker } from 'node:worker_threads';
import type { GivenBot } from './bot_check.js';
import { BotCaller } from './caller.js';
import type { Answer, AnswerSink, Call, Caller } from './calls.js';
import type { Logger } from './log.js';
import { stackOfWorker } from './stack.js';
import { Watch } from './watch.js';

/** What marks a thread as a worker of this SDK. */
export const WORKER_MARK = 'referee-sdk bot';

/** To a worker: calls, or that it is to close. It sends answers. */
type ToWorker = readonly Call[] | 'close';

export class BotWorker implements Caller {
  #worker: Worker | undefined;
  #calls: Call[] = [];
  /** The last call about each match that goes on: for when the worker dies. */
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
    // The bytes are a part of a larger buffer, all of which would be sent.
    this.#calls.push({ ...call, due: undefined, bytes: new Uint8Array(call.bytes) });
    this.#watch.called(call);
    if (call.method === 'onMatchEnd') this.#last.delete(call.match);
    else this.#last.set(call.match, call);
  }

  go(): void {
    if (this.#calls.length === 0) return;
    this.#post(this.#calls);
    this.#calls = [];
  }

  close(): Promise<void> {
    this.#watch.close();
    if (!this.#worker) return Promise.resolve();
    return new Promise((resolve) => {
      this.#closing = resolve;
      this.#post('close');
    });
  }

  #post(message: ToWorker): void {
    (this.#worker ??= this.#start()).postMessage(message);
  }

  #start(): Worker {
    const worker = new Worker(new URL(this.module), {
      workerData: WORKER_MARK,
      argv: process.argv.slice(2),
    });
    worker.on('message', (answers: readonly Answer[]) => this.#answered(answers));
    worker.on('error', (error) => this.log.error(`a worker died: ${error.stack ?? error}`));
    worker.on('exit', () => this.#exited());
    return worker;
  }

  #answered(answers: readonly Answer[]): void {
    for (const answer of answers) {
      this.#watch.answered(answer);
      this.sink.answer(answer);
    }
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
    this.#answered(lost.map(({ match, seq }) => ({ match, seq, threw })));
  }
}

/** In a worker: serves the main thread until it says that this is over; then the thread ends. */
export function serve(bot: GivenBot, log: Logger): Promise<void> {
  const port = parentPort!;
  let answers: Answer[] = [];
  const caller = new BotCaller(bot, log, {
    answer: (answer) => void answers.push(answer),
    flush: () => {
      port.postMessage(answers);
      answers = [];
    },
  });
  port.on('message', (message: ToWorker) => {
    if (message === 'close') {
      // Whatever the bot has left open ends with the thread.
      void caller.close().then(() => process.exit());
      return;
    }
    for (const call of message) caller.call(call);
    caller.go();
  });
  return new Promise(() => {});
}
