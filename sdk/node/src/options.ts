// How a bot reaches its referee and how it plays; completed from the environment, and checked.

import { readAddress } from './address.js';
import { invalid, RefereeError } from './errors.js';
import { checkFleetDomain } from './fleet.js';
import type { LogLevel, LogSink } from './log.js';
import { readToken } from './text.js';

export interface Options {
  /** "host:port", "[IPv6]:port" or "unix:path". Default: the environment's REFEREE_ADDRESS. */
  readonly address?: string;
  /** The secret that names the bot. Default: the environment's REFEREE_TOKEN. */
  readonly token?: string;
  /**
   * Unix sockets and loopback addresses are plain text unless `tls`, `tlsCa` or `tlsCert` is set.
   * All others are TLS, because the token must not travel in the clear, unless `insecure` allows it.
   */
  readonly tls?: boolean;
  /**
   * Path of a PEM file with the certificates to trust. Default: the environment's REFEREE_TLS_CA,
   * unless `insecure`; else those of Node.
   */
  readonly tlsCa?: string;
  /**
   * Paths of PEM files with a certificate of the bot's own and its private key, for a referee that
   * asks for one. Default: the environment's REFEREE_TLS_CERT and REFEREE_TLS_KEY.
   */
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecure?: boolean;
  /**
   * The domain whose referees the bot trusts with its token, when its referee names others of the
   * fleet: its host and those below it. Default: the environment's REFEREE_FLEET_DOMAIN, else the host
   * of `address`.
   */
  readonly fleetDomain?: string;

  /** What the bot calls itself in the referee's logs. */
  readonly software?: string;
  /**
   * The version of the bot, at most 32 bytes. In a ladder each version has a rating and results of
   * its own, so a new one is to be told at most once an hour. Default: it stays what it was.
   */
  readonly version?: string;
  /** The games it plays. Empty, the default: all. */
  readonly games?: readonly string[];
  /** How many turns it thinks about at once: worker threads, unless `workers` says otherwise. */
  readonly threads?: number;
  /**
   * Worker threads that call the bot. Default: as many as `threads`. 0: the bot is called on the
   * main thread, which is cheaper, and right for a bot that answers within a few milliseconds: while
   * it thinks, nobody answers the referee.
   */
  readonly workers?: number;
  /**
   * How many matches it plays at once, up to 1024. 0, the default: 8, or as many as there are
   * threads, if these are more.
   */
  readonly maxMatches?: number;
  /**
   * How many turns it thinks about at once. The referee gives it more matches than that only as one
   * block, side by side: time runs for each turn that waits. 0, the default: one for each worker, or
   * `threads` without workers. Bots that answer at once, and those that mostly await something, should
   * say as many as `maxMatches`, and both high.
   */
  readonly parallelTurns?: number;
  /** Whether turns list the legal moves. Default: true. */
  readonly legalMoves?: boolean;
  /**
   * Whether onTurnPlayed may come with the next thing that the bot is told, a tenth of a second later
   * at most: that is cheaper. A bot that thinks while others do says no. Default: true.
   */
  readonly newsMayWait?: boolean;
  /**
   * What happens when another process plays with this token. False, the default: this one takes its
   * place. True: the other goes on.
   */
  readonly keepsExisting?: boolean;

  /** How many ms to go on trying when no referee answers. Default: Infinity. */
  readonly giveUpAfter?: number;
  /**
   * How many ms to wait before the attempt with this number, from 0, since the last success. An
   * attempt dials each referee of the fleet once.
   */
  readonly backoff?: (attempt: number) => number;
  /** Whether SIGTERM and SIGINT stop the bot; a second one kills it. Default: false. */
  readonly handleSignals?: boolean;

  readonly logLevel?: LogLevel;
  readonly logSink?: LogSink;
}

type Settled = 'address' | 'token' | 'software' | 'threads' | 'workers' | 'maxMatches' | 'parallelTurns';

/** Options as they are used. Of parallelTurns 0 stands for as many as maxMatches. */
export type SettledOptions = Options & Required<Pick<Options, Settled>>;

/** Matches at once of a bot that says nothing of it: a block of any game. */
export const USUAL_MAX_MATCHES = 8;

const MAX_MATCHES = 1024;
const MAX_THREADS = 1024;
const MAX_SOFTWARE_BYTES = 64;
const MAX_VERSION_BYTES = 32;

type Environment = Readonly<Record<string, string | undefined>>;

function missing(what: string, flag: string, variable: string): RefereeError {
  return invalid(`no ${what}: give ${flag}, or set ${variable} in the environment`);
}

function checkRange(what: string, value: number, low: number, high: number): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw invalid(`${what} is ${value}: it must be ${low} to ${high}`);
}

/** The environment's part. Who asks for plain text means that, whatever the environment has. */
function completed(given: Options, environment: Environment): Options {
  const tls = given.insecure
    ? {}
    : {
        tlsCa: given.tlsCa || environment.REFEREE_TLS_CA,
        tlsCert: given.tlsCert || environment.REFEREE_TLS_CERT,
        tlsKey: given.tlsKey || environment.REFEREE_TLS_KEY,
      };
  return {
    ...given,
    ...tls,
    address: given.address || environment.REFEREE_ADDRESS,
    token: given.token || environment.REFEREE_TOKEN,
    fleetDomain: given.fleetDomain || environment.REFEREE_FLEET_DOMAIN,
  };
}

/** Throws INVALID_ARGUMENT that says what is missing or wrong. */
export function settle(given: Options, environment: Environment = process.env): SettledOptions {
  const options = completed(given, environment);
  const { version = '', threads = 1, workers = threads, parallelTurns = 0 } = options;
  const token = readToken(given.token ? 'the token' : 'REFEREE_TOKEN', options.token ?? '');
  if (!options.address) throw missing('address', '--address', 'REFEREE_ADDRESS');
  if (!token) throw missing('token', '--token-file', 'REFEREE_TOKEN');
  const source = given.address ? '' : 'REFEREE_ADDRESS: ';
  const address = readAddress(options.address, source).text;
  checkFleetDomain(options.fleetDomain ?? '');
  const versionBytes = Buffer.byteLength(version);
  if (versionBytes > MAX_VERSION_BYTES) {
    throw invalid(
      `the bot's version has ${versionBytes} bytes: at most ${MAX_VERSION_BYTES} are possible`,
    );
  }
  checkRange('threads', threads, 1, MAX_THREADS);
  checkRange('workers', workers, 0, MAX_THREADS);
  checkRange('parallel-turns', parallelTurns, 0, MAX_MATCHES);
  const chosen = options.maxMatches ?? 0;
  const atOnce = parallelTurns || workers || threads;
  const maxMatches = chosen === 0 ? Math.max(atOnce, USUAL_MAX_MATCHES) : chosen;
  checkRange('max-matches', maxMatches, 1, MAX_MATCHES);
  const named = Buffer.from(options.software ?? 'referee-sdk-node');
  const software = named.subarray(0, MAX_SOFTWARE_BYTES).toString().replace(/\ufffd$/, '');
  return {
    ...options,
    address,
    token,
    software,
    threads,
    workers,
    maxMatches,
    parallelTurns: chosen !== 0 && atOnce >= chosen ? 0 : atOnce,
  };
}
