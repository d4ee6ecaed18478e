// For the end of a bot's module: run(Mine, import.meta.url).

import { basename } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { BotClass } from './bot.js';
import { Client } from './client.js';
import { parseCommandLine } from './flags.js';
import { Logger } from './log.js';
import type { Options } from './options.js';
import { WORKER_MARK } from './pool.js';
import { VERSION } from './version.js';
import { serve } from './worker.js';

const EXIT_TROUBLE = 2;

/**
 * Plays a bot's matches until the referee ends, with options from the command line (--help lists
 * them) over `defaults`, and with signals handled. Prints what went wrong to stderr, and sets the
 * exit status: 0, or 2. `module` is import.meta.url: workers load the same module again, and this
 * function then calls the bot there.
 */
export async function run(
  botClass: BotClass,
  module: string,
  defaults: Options = {},
): Promise<void> {
  const program = process.argv[1] ?? 'bot';
  try {
    const line = parseCommandLine(process.argv.slice(2), program, defaults, VERSION);
    if (workerData === WORKER_MARK) {
      return await serve(botClass, new Logger(line.options.logLevel, line.options.logSink));
    }
    if (line.text !== undefined) {
      process.stdout.write(line.text);
      return;
    }
    await new Client(botClass, { ...line.options, handleSignals: true }, module).run();
  } catch (error) {
    process.stderr.write(`${basename(program)}: ${(error as Error).message}\n`);
    process.exitCode = EXIT_TROUBLE;
  }
}
