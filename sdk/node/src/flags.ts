// The command line of every bot: the flags of the SDK in C++, and --workers.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseDuration } from './durations.js';
import { invalid } from './errors.js';
import type { LogLevel } from './log.js';
import { USUAL_MAX_MATCHES, type Options } from './options.js';
import { readToken, readTokenFile } from './text.js';

/** What a command line asks for. */
export interface CommandLine {
  readonly options: Options;
  /** To be printed instead of playing. */
  readonly text?: string;
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warning', 'error', 'none'];

const FLAGS: readonly (readonly [flag: string, help: string])[] = [
  ['-h,--help', 'Print this help message and exit'],
  ['--version', 'Display program version information and exit'],
  ['--address TEXT', 'Where the referee is, host:port or unix:path [$REFEREE_ADDRESS]'],
  ['--token-file TEXT', "File whose first line is the bot's token"],
  [
    '--token TEXT',
    "The bot's token; others on this machine can see it here [$REFEREE_TOKEN]",
  ],
  ['--bot-version TEXT', "The bot's version: in ladders a new one has a rating of its own"],
  [
    '--max-matches INT',
    'Matches at once, 1 to 1024; 0, the default: one for each thread, or a block of up to ' +
      USUAL_MAX_MATCHES,
  ],
  ['--threads INT', 'Threads that choose moves'],
  [
    '--parallel-turns INT',
    'Turns that the bot thinks about at once, or answers so quickly that none waits; 0, the ' +
      'default: one for each worker, or for each thread without workers',
  ],
  [
    '--workers INT',
    'Worker threads that call the bot; 0: none, for one that answers at once; default: as many as ' +
      'threads',
  ],
  [
    '--keep-existing',
    'Leave another process that plays with this token alone, instead of taking over',
  ],
  ['--tls', 'Use TLS on this machine, too'],
  ['--tls-ca TEXT', 'PEM file with the certificates to trust [$REFEREE_TLS_CA]'],
  [
    '--tls-cert TEXT',
    'A certificate of your own, PEM, for a referee that asks for one [$REFEREE_TLS_CERT]',
  ],
  ['--tls-key TEXT', 'Its private key, PEM [$REFEREE_TLS_KEY]'],
  ['--insecure', 'Send the token in the clear to other machines'],
  [
    '--refer-domain TEXT',
    'Domain within which to follow a referee that refers to others; default: the host of --address ' +
      'and those below it [$REFEREE_REFER_DOMAIN]',
  ],
  [
    '--give-up-after TEXT',
    'How long to try to reach the referee, such as 30s; default: for ever',
  ],
  ['--log-level TEXT', 'debug, info, warning, error or none'],
];

const HELP_COLUMN = 30;

function helpText(program: string): string {
  const lines = FLAGS.map(([flag, help]) => {
    const left = `  ${flag}`;
    const fits = left.length < HELP_COLUMN;
    return fits
      ? left.padEnd(HELP_COLUMN) + help
      : `${left}\n${' '.repeat(HELP_COLUMN)}${help}`;
  });
  return (
    'A bot: plays the matches that a referee gives it, until the referee ends.\n' +
    `Usage: ${program} [OPTIONS]\n\nOptions:\n${lines.join('\n')}\n\n`
  );
}

/** The names of the flags, and whether each takes a value, as parseArgs wants them. */
function parsedOptions() {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {};
  for (const [flag] of FLAGS) {
    const [names = '', value] = flag.split(' ');
    const name = names.slice(names.indexOf('--') + 2);
    options[name] = { type: value === undefined ? 'boolean' : 'string' };
    if (names.startsWith('-h')) options[name]!.short = 'h';
  }
  return options;
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

function text(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

function whole(values: Values, name: string): number | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(value)) {
    throw invalid(`Could not convert: --${name} = ${value} (see --help)`);
  }
  return Number(value);
}

function tokenOf(values: Values): string | undefined {
  const value = text(values, 'token');
  return value === undefined ? undefined : readToken('--token', value);
}

function tokenIn(path: string): string {
  const source = `--token-file "${path}"`;
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw invalid(`${source}: ${(error as Error).message}`);
  }
  return readTokenFile(source, bytes);
}

function readDuration(value: string): number {
  const duration = parseDuration(value);
  if (duration !== undefined) return duration;
  throw invalid(
    `--give-up-after "${value}": it must be a duration such as 500ms, 30s or 5m`,
  );
}

function readLevel(value: string): LogLevel {
  const level = LEVELS.find((name) => name === value.toLowerCase());
  if (level !== undefined) return level;
  throw invalid(`--log-level "${value}": it must be debug, info, warning, error or none`);
}

function parsed(args: readonly string[]): Values {
  try {
    return parseArgs({ args: [...args], options: parsedOptions(), strict: true }).values as Values;
  } catch (error) {
    const [said = ''] = (error as Error).message.split('. ');
    throw invalid(`${said} (see --help)`);
  }
}

/** Without the members that are not set. */
function given<T extends object>(options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
}

/**
 * Reads a command line, over `defaults`. Throws INVALID_ARGUMENT for one that makes no sense.
 * `sdkVersion` is what --version shows.
 */
export function parseCommandLine(
  args: readonly string[],
  program: string,
  defaults: Options,
  sdkVersion: string,
): CommandLine {
  const values = parsed(args);
  if (values.help) return { options: defaults, text: helpText(program) };
  if (values.version) {
    return {
      options: defaults,
      text: `${defaults.software ?? 'referee-sdk-node'} ${sdkVersion}\n`,
    };
  }
  const tokenFile = text(values, 'token-file');
  const giveUpAfter = text(values, 'give-up-after');
  const level = text(values, 'log-level');
  const flag = (name: string) => (values[name] === true ? true : undefined);
  const options: Options = {
    address: text(values, 'address'),
    token: tokenFile === undefined ? tokenOf(values) : tokenIn(tokenFile),
    version: text(values, 'bot-version'),
    maxMatches: whole(values, 'max-matches'),
    parallelTurns: whole(values, 'parallel-turns'),
    threads: whole(values, 'threads'),
    workers: whole(values, 'workers'),
    keepsExisting: flag('keep-existing'),
    tls: flag('tls'),
    tlsCa: text(values, 'tls-ca'),
    tlsCert: text(values, 'tls-cert'),
    tlsKey: text(values, 'tls-key'),
    insecure: flag('insecure'),
    referDomain: text(values, 'refer-domain'),
    giveUpAfter: giveUpAfter ? readDuration(giveUpAfter) : undefined,
    logLevel: level === undefined ? undefined : readLevel(level),
  };
  return { options: { ...defaults, ...given(options) } };
}
