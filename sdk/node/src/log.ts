// Logging for the SDK and for bots.
//
//   turn.log.info(`searched ${nodes} nodes`);

import { writeSync } from 'node:fs';

export type LogLevel = 'debug' | 'info' | 'warning' | 'error' | 'none';

export const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warning', 'error', 'none'];

/** Takes a line without its newline. With worker threads it is called in each of them. */
export type LogSink = (level: LogLevel, line: string) => void;

/**
 * Writes "<time> <level> <line>" to stderr, at once, from any thread: a bot that thinks for long is
 * heard while it does.
 */
export function logToStderr(level: LogLevel, line: string): void {
  const bytes = Buffer.from(`${new Date().toISOString()} ${level} ${line}\n`);
  for (let written = 0, tries = 0; written < bytes.length && tries < 1000; ++tries) {
    try {
      written += writeSync(2, bytes, written);
    } catch (error) {
      // A pipe that somebody has made non-blocking, and that is full.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}

export class Logger {
  readonly #level: number;

  /** Logs lines of `level` and above. */
  constructor(
    readonly level: LogLevel = 'info',
    readonly sink: LogSink = logToStderr,
    readonly prefix = '',
  ) {
    this.#level = LEVELS.indexOf(level);
  }

  /** The same, with `prefix` before each line. */
  withPrefix(prefix: string): Logger {
    return new Logger(this.level, this.sink, this.prefix + prefix);
  }

  enabled(level: LogLevel): boolean {
    return level !== 'none' && LEVELS.indexOf(level) >= this.#level;
  }

  log(level: LogLevel, line: string): void {
    if (this.enabled(level)) this.sink(level, this.prefix + line);
  }
  debug(line: string): void {
    this.log('debug', line);
  }
  info(line: string): void {
    this.log('info', line);
  }
  warning(line: string): void {
    this.log('warning', line);
  }
  error(line: string): void {
    this.log('error', line);
  }
}
