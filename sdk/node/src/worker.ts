// The other side of pool.ts: calls bots in a worker thread as the main thread asks for it.

import { parentPort } from 'node:worker_threads';
import type { GivenBot } from './bot_check.js';
import { BotCaller } from './caller.js';
import type { Answer } from './calls.js';
import type { Logger } from './log.js';
import { NO_BYTES, pack, unpack, type FromWorker, type ToWorker } from './pool.js';

/** Serves the main thread until it says that this is over; then the thread ends. */
export function serve(bot: GivenBot, log: Logger): Promise<void> {
  const port = parentPort!;
  let answers: Answer[] = [];
  const caller = new BotCaller(bot, log, {
    answer: (answer) => void answers.push(answer),
    flush: () => {
      const moves = answers.map((answer) => answer.move ?? NO_BYTES);
      const entries = answers.map(({ match, method, seq, threw }) => ({ match, method, seq, threw }));
      answers = [];
      let i = 0;
      const packet: FromWorker = pack(entries, () => moves[i++]!);
      port.postMessage(packet, [packet.bytes.buffer as ArrayBuffer]);
    },
  });
  return new Promise(() => {
    port.on('message', (message: ToWorker) => {
      if ('close' in message) {
        // Whatever the bot has left open ends with the thread.
        void caller.close().then(() => process.exit());
        return;
      }
      unpack(message.calls, (call, bytes) => caller.call({ ...call, bytes }));
      caller.go();
    });
  });
}
