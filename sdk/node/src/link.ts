// Keeps a stream to a referee of a fleet: opens it again whenever it is lost, there or at the next one,
// until there is no point.

import { tlsAdvice, tlsFor } from './address.js';
import { afterRunning } from './clock.js';
import { formatDuration } from './durations.js';
import { RefereeError, type Status } from './errors.js';
import { Circle } from './fleet.js';
import type { Logger } from './log.js';
import type { SettledOptions } from './options.js';
import { KEEPALIVE, PlayStream, type Keepalive } from './play_stream.js';
import { VERSION } from './version.js';

/** How long a link waits, in ms. A test may have it wait for less. */
export interface Limits {
  /** For Welcome, at the first dial; after each that fails twice as long. */
  readonly dial: number;
  /** After Welcome, for the matches that go on. The referee names them at once, unless it is busy. */
  readonly retelling: number;
  readonly keepalive: Keepalive;
}

export const LIMITS: Limits = { dial: 3_000, retelling: 5_000, keepalive: KEEPALIVE };

const LONGEST_DIAL = 30_000;

/** How long to wait before trying again, in ms. */
const FIRST_BACKOFF = 20;
const LONGEST_BACKOFF = 10_000;

/** Exponential backoff with full jitter, in ms. `random` is from 0 up to 1. */
export function fullJitter(attempt: number, random: number = Math.random()): number {
  return random * Math.min(FIRST_BACKOFF * 2 ** Math.min(attempt, 10), LONGEST_BACKOFF);
}

/** How long a dial may take after so many that failed in a row, in ms. */
export function dialLimit(first: number, failed: number): number {
  return Math.min(first * 2 ** Math.min(failed, 10), LONGEST_DIAL);
}

/** What the link serves. */
export interface Owner {
  /** The first item of each stream. */
  hello(): Uint8Array;
  /** Takes a message of the referee. */
  hear(message: Uint8Array, stream: PlayStream, received: number): void;
  /** Takes the matches for ended that were not told on that stream. */
  forgetAllBut(stream: PlayStream): void;
}

/** Why there is no point in trying again; undefined if there is. */
function whyFinal(status: Status, address: string): RefereeError | undefined {
  const reasons: Partial<Record<Status['code'], string>> = {
    UNAUTHENTICATED: `the referee at ${address} does not know this bot's token`,
    PERMISSION_DENIED: `the referee at ${address} does not admit this bot`,
    INVALID_ARGUMENT: `the referee at ${address} did not understand this bot`,
    ABORTED: "another process has connected with this bot's token, and took its place",
    ALREADY_EXISTS: "another process is connected with this bot's token, and keeps its place",
    UNIMPLEMENTED: `what listens at ${address} is not a referee`,
  };
  const reason = reasons[status.code];
  return reason ? new RefereeError(status.code, `${reason}: ${status.message}`) : undefined;
}

interface Closed {
  readonly status: Status;
  readonly welcomed: boolean;
}

export class Link {
  readonly #circle: Circle;
  #referee: SettledOptions; // the current one
  #stream: PlayStream | undefined;
  #welcomed = false; // on the current stream, as are the next two
  #draining = false;
  #ends = false; // its referee does not return
  #stopped = false;
  #lost = performance.now();
  #endLimit = () => {}; // of the dial, or of the retelling
  #wake: (() => void) | undefined; // ends a wait

  /** `options`: those of the bot. */
  constructor(
    readonly owner: Owner,
    readonly options: SettledOptions,
    readonly log: Logger,
    readonly limits: Limits,
  ) {
    this.#circle = new Circle(options, log);
    this.#referee = options;
  }

  get address(): string {
    return this.#referee.address;
  }

  /** The referee has said Welcome, with these other referees. */
  hearWelcome(addresses: readonly string[]): void {
    const stream = this.#stream;
    if (!stream) return;
    this.#welcomed = true;
    this.hearFleet(addresses);
    this.#endLimit();
    this.#endLimit = afterRunning(this.limits.retelling, () => this.owner.forgetAllBut(stream));
  }

  /** The referee has named these other referees. */
  hearFleet(addresses: readonly string[]): void {
    this.#circle.update(addresses, this.#referee);
  }

  /** The referee has said Draining. */
  hearDraining(willReturn: boolean): void {
    this.#draining = true;
    this.#ends = !willReturn;
  }

  send(): void {
    this.#stream?.send();
  }

  /** Makes run resolve soon. */
  stop(): void {
    this.#stopped = true;
    this.#wake?.();
    this.#stream?.cancel('cancelled by this bot');
  }

  /** Resolves at the end. Rejects with a RefereeError if there is no point in going on. */
  async run(): Promise<void> {
    const { giveUpAfter = Infinity, backoff = fullJitter } = this.options;
    let known = false; // a referee has welcomed this bot
    let failed = 0; // dials in a row
    let waits = 0; // since the last Welcome
    while (!this.#stopped) {
      const { status, welcomed } = await this.#serve(dialLimit(this.limits.dial, failed));
      if (this.#stopped) return;
      known ||= welcomed;
      failed = welcomed ? 0 : failed + 1;
      if (welcomed) waits = 0;
      const next = this.#circle.next(this.address);
      if (this.#ends && !next) return;
      // What exists may be this bot's own stream, whose end its referee has not noticed yet.
      const ownExists = known && status.code === 'ALREADY_EXISTS';
      const final = ownExists ? undefined : whyFinal(status, this.address);
      const isGiven = this.address === this.options.address;
      if (final && (isGiven || final.code === 'ABORTED')) throw final;
      const why = final?.message ?? this.#whyLost(status, welcomed);
      if (performance.now() - this.#lost >= giveUpAfter) throw new RefereeError('UNAVAILABLE', why);
      const moves = next && (final || !welcomed || this.#draining);
      if (moves) this.#referee = next;
      const delay = backoff(Math.floor(waits++ / this.#circle.referees.length));
      const what = moves ? `trying the one at ${this.address}` : 'trying again';
      this.log.warning(`${why}; ${what} in ${formatDuration(Math.trunc(delay))}`);
      await this.#sleep(delay);
    }
  }

  #whyLost(status: Status, welcomed: boolean): string {
    const what = welcomed ? 'lost the referee at' : 'cannot reach a referee at';
    const said = status.code === 'OK' ? 'it closed the stream' : status.message;
    const advice = welcomed ? '' : tlsAdvice(this.#referee, said);
    return `${what} ${this.address}: ${said}${advice}`;
  }

  /** Opens a stream, which is to be welcomed within `limit` ms; resolves when it is closed. */
  #serve(limit: number): Promise<Closed> {
    const userAgent = `referee-sdk-node/${VERSION}`;
    const target = { address: this.address, tls: tlsFor(this.#referee), userAgent };
    this.#welcomed = this.#draining = this.#ends = false;
    return new Promise((resolve) => {
      const events = {
        message: (bytes: Uint8Array, received: number) => this.owner.hear(bytes, stream, received),
        closed: (status: Status) => {
          this.#endLimit();
          this.#stream = undefined;
          if (this.#welcomed) this.#lost = performance.now();
          resolve({ status, welcomed: this.#welcomed });
        },
      };
      const stream = (this.#stream = new PlayStream(target, events, this.limits.keepalive));
      this.#endLimit = afterRunning(limit, () => stream.cancel('it does not answer'));
      stream.say(this.owner.hello());
      stream.send();
    });
  }

  /** Resolves after that many ms, or when the link is stopped. */
  #sleep(delay: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delay);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
