// For the end of a bot's module: run(Mine, import.meta.url).

import { basename } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { GivenBot } from './bot_check.js';
import { Client } from './client.js';
import { invalid } from './errors.js';
import { parseCommandLine } from './flags.js';
import { Logger } from './log.js';
import type { Options } from './options.js';
import { serve, WORKER_MARK } from './pool.js';

const EXIT_TROUBLE = 2;

/**
 * Plays the matches of a bot until the referee ends, with options from the command line (--help lists
 * them) over `defaults`, and with signals handled. Prints what went wrong to stderr, and sets the
 * exit status: 0, or 2. `bot` is a class, of which each match has an object of its own, or an object
 * that plays all matches of its worker. `module` is import.meta.url: workers load the same module again, and this
 * function then calls the bot there.
 */
export async function run(bot: GivenBot, module: string, defaults: Options = {}): Promise<void> {
  const program = process.argv[1] ?? 'bot';
  try {
    const line = parseCommandLine(process.argv.slice(2), program, defaults);
    if (workerData === WORKER_MARK) {
      return await serve(bot, new Logger(line.options.logLevel, line.options.logSink));
    }
    if (line.text !== undefined) {
      process.stdout.write(line.text);
      return;
    }
    if (typeof module !== 'string') {
      throw invalid(`run(bot, import.meta.url) takes the URL of its module, not ${typeof module}`);
    }
    await new Client(bot, { ...line.options, handleSignals: true }, module).run();
  } catch (error) {
    process.stderr.write(`${basename(program)}: ${(error as Error).message}\n`);
    process.exitCode = EXIT_TROUBLE;
  }
}
