// Calls bots on the main thread, and has the log say where one is whose time is up.

import type { GivenBot } from './bot_check.js';
import { BotCaller } from './caller.js';
import type { AnswerSink, Call, Caller } from './calls.js';
import type { Logger } from './log.js';
import { Watch } from './watch.js';
import { Watchdog } from './watchdog.js';

export class WatchedCaller implements Caller {
  readonly #caller: BotCaller;
  readonly #watch: Watch; // for bots that wait for a promise
  readonly #dog: Watchdog | undefined; // for those that block this thread

  constructor(bot: GivenBot, log: Logger, sink: AnswerSink) {
    this.#watch = new Watch(log, () => Promise.resolve(''));
    this.#dog = log.enabled('warning') ? new Watchdog(log) : undefined;
    const answer: AnswerSink['answer'] = (each) => {
      this.#watch.answered(each);
      sink.answer(each);
    };
    this.#caller = new BotCaller(bot, log, { answer, flush: () => sink.flush() }, this.#dog);
  }

  get matches(): number {
    return this.#caller.matches;
  }

  call(call: Call): void {
    this.#watch.called(call);
    this.#caller.call(call);
  }

  go(): void {
    this.#caller.go();
  }

  async close(): Promise<void> {
    await this.#caller.close();
    this.#watch.close();
    this.#dog?.close();
  }
}
