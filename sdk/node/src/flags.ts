// The command line of every bot: the flags of the SDK in C++, and --workers.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseDuration } from './durations.js';
import { invalid } from './errors.js';
import { LEVELS } from './log.js';
import { USUAL_MAX_MATCHES, type Options } from './options.js';
import { readToken, readTokenFile } from './text.js';
import { VERSION } from './version.js';

export interface CommandLine {
  readonly options: Options;
  /** To be printed instead of playing. */
  readonly text?: string;
}

function whole(value: string, flag: string): number {
  if (/^[+-]?\d+$/.test(value)) return Number(value);
  throw invalid(`Could not convert: ${flag} = ${value} (see --help)`);
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

function duration(value: string, flag: string): number | undefined {
  if (value === '') return undefined;
  const read = parseDuration(value);
  if (read !== undefined) return read;
  throw invalid(`${flag} "${value}": it must be a duration such as 500ms, 30s or 5m`);
}

function level(value: string, flag: string): string {
  const known = value.toLowerCase();
  if (LEVELS.some((name) => name === known)) return known;
  throw invalid(`${flag} "${value}": it must be debug, info, warning, error or none`);
}

type Read = (value: string, flag: string) => string | number | undefined;

/** Of TEXT and INT a reader is known. */
const FLAGS: readonly (readonly [flag: string, help: string, sets?: keyof Options, read?: Read])[] = [
  ['-h,--help', 'Print this help message and exit'],
  ['--version', 'Display program version information and exit'],
  [
    '--address TEXT',
    'Where the referee is, host:port or unix:path [$REFEREE_ADDRESS]',
    'address',
  ],
  ['--token-file TEXT', "File whose first line is the bot's token", 'token', tokenIn],
  [
    '--token TEXT',
    "The bot's token; others on this machine can see it here [$REFEREE_TOKEN]",
    'token',
    (value, flag) => readToken(flag, value),
  ],
  [
    '--bot-version TEXT',
    "The bot's version: in ladders a new one has a rating of its own",
    'version',
  ],
  [
    '--max-matches INT',
    'Matches at once, 1 to 1024; 0, the default: one for each thread, or a block of up to ' +
      USUAL_MAX_MATCHES,
    'maxMatches',
  ],
  ['--threads INT', 'Threads that choose moves', 'threads'],
  [
    '--parallel-turns INT',
    'Turns that the bot thinks about at once, or answers so quickly that none waits; 0, the ' +
      'default: one for each worker, or for each thread without workers',
    'parallelTurns',
  ],
  [
    '--workers INT',
    'Worker threads that call the bot; 0: none, for one that answers at once; default: as many as ' +
      'threads',
    'workers',
  ],
  [
    '--keep-existing',
    'Leave another process that plays with this token alone, instead of taking over',
    'keepsExisting',
  ],
  ['--tls', 'Use TLS on this machine, too', 'tls'],
  ['--tls-ca TEXT', 'PEM file with the certificates to trust [$REFEREE_TLS_CA]', 'tlsCa'],
  [
    '--tls-cert TEXT',
    'A certificate of your own, PEM, for a referee that asks for one [$REFEREE_TLS_CERT]',
    'tlsCert',
  ],
  ['--tls-key TEXT', 'Its private key, PEM [$REFEREE_TLS_KEY]', 'tlsKey'],
  ['--insecure', 'Send the token in the clear to other machines', 'insecure'],
  [
    '--fleet-domain TEXT',
    'Domain of the other referees that get the token, too; default: the host of --address and those ' +
      'below it [$REFEREE_FLEET_DOMAIN]',
    'fleetDomain',
  ],
  [
    '--give-up-after TEXT',
    'How long to try to reach the referee, such as 30s; default: for ever',
    'giveUpAfter',
    duration,
  ],
  ['--log-level TEXT', 'debug, info, warning, error or none', 'logLevel', level],
];

const HELP_COLUMN = 30;

function helpText(program: string): string {
  const lines = FLAGS.map(([flag, help]) => {
    const left = `  ${flag}`;
    const fits = left.length < HELP_COLUMN;
    return (fits ? left.padEnd(HELP_COLUMN) : `${left}\n${' '.repeat(HELP_COLUMN)}`) + help;
  });
  return (
    'A bot: plays the matches that a referee gives it, until the referee ends.\n' +
    `Usage: ${program} [OPTIONS]\n\nOptions:\n${lines.join('\n')}\n\n`
  );
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

function parsed(args: readonly string[]): Values {
  const options = Object.fromEntries(
    FLAGS.map(([flag]) => {
      const [names = '', kind] = flag.split(' ');
      const type = kind ? ('string' as const) : ('boolean' as const);
      return [names.replace(/^.*--/, ''), names.startsWith('-h') ? { type, short: 'h' } : { type }];
    }),
  );
  try {
    return parseArgs({ args: [...args], options, strict: true }).values as Values;
  } catch (error) {
    const [said = ''] = (error as Error).message.split('. ');
    throw invalid(`${said} (see --help)`);
  }
}

/** Reads a command line, over `defaults`. Throws INVALID_ARGUMENT for one that makes no sense. */
export function parseCommandLine(
  args: readonly string[],
  program: string,
  defaults: Options,
): CommandLine {
  const values = parsed(args);
  if (values.help) return { options: defaults, text: helpText(program) };
  if (values.version) {
    const { software = 'referee-sdk-node' } = defaults;
    return { options: defaults, text: `${software} ${VERSION}\n` };
  }
  const options: Partial<Record<keyof Options, string | number | boolean>> = {};
  for (const [flag, , sets, read] of FLAGS) {
    const [name = '', kind] = flag.split(' ');
    const value = values[name.slice(2)];
    // Of the token and its file the first that is given counts.
    if (!sets || value === undefined || options[sets] !== undefined) continue;
    const convert = read ?? (kind === 'INT' ? whole : String);
    const set = typeof value === 'string' ? convert(value, name) : value;
    if (set !== undefined) options[sets] = set;
  }
  return { options: { ...defaults, ...(options as Options) } };
}
