// Keeps a stream to one referee: opens it again whenever it is lost, until there is no point, or to
// another that takes its place.

import { tlsAdvice, tlsFor } from './address.js';
import { formatDuration } from './durations.js';
import { RefereeError, type Status } from './errors.js';
import { Holding } from './holding.js';
import { encodeItem } from './items.js';
import type { Logger } from './log.js';
import type { SettledOptions } from './options.js';
import { NOTHING, type Share } from './places.js';
import { PlayStream } from './play_stream.js';
import { VERSION } from './version.js';

/**
 * How long the matches of a lost stream are waited for at a home that the bot leaves and that has not
 * said for how long, until there is a next stream; in ms.
 */
const PATIENCE = 30_000;

/**
 * How long after its Welcome a referee may take to tell again of the matches that go on, in ms; it
 * does at once, unless it is busy.
 */
const RETELLING = 5_000;

/** What a timer of Node's can wait for at the most. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** How long to wait before trying again, in ms. */
const FIRST_BACKOFF = 20;
const LONGEST_BACKOFF = 10_000;

/**
 * The longest while matches are waited for that others take over in the end, in ms: a referee that
 * is started again in time has them still.
 */
const LONGEST_OF_MATCHES = 1_000;

/** Exponential backoff with full jitter, in ms. `random` is from 0 up to 1. */
export function fullJitter(attempt: number, random: number = Math.random()): number {
  return random * Math.min(FIRST_BACKOFF * 2 ** Math.min(attempt, 10), LONGEST_BACKOFF);
}

/** So many dials in a row fail before the referee is taken for gone. */
const DIALS_OF_ONE_GONE = 3;

/** What has the links. */
export interface Owner {
  /** The Hello of a stream on which that much is promised. */
  hello(share: Share): Uint8Array;
  /** Takes a message of the referee. */
  hear(link: Link, message: Uint8Array, stream: PlayStream, received: number): void;
  forget(matches: readonly string[]): void;
  /** Divides the places anew. */
  review(): void;
  alone(): boolean;
  /** How to reach the referee to dial after that of the link; undefined if there is no other. */
  next(link: Link): SettledOptions | undefined;
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
  readonly holding = new Holding();
  welcomed = false; // on the current stream
  draining = false; // so is its referee
  ends = false; // once the referee closes the stream
  leaving = false; // once its matches are over
  over = false; // run has resolved, or will at once
  /** For how many ms a referee that is gone is given to come back while matches are played on it. */
  patience = 0;
  #options: SettledOptions;
  #share = NOTHING; // what may be promised now
  #stream: PlayStream | undefined;
  #stopped = false;
  #stays = false; // it was left, and is not any more: it is not to wait longer
  #lost = performance.now();
  #wake: (() => void) | undefined; // ends a wait
  #retelling: NodeJS.Timeout | undefined;

  /** `options`: those of the bot, with the address and the TLS of this referee. */
  constructor(
    readonly owner: Owner,
    readonly firstOptions: SettledOptions,
    readonly isHome: boolean,
    readonly log: Logger,
  ) {
    this.#options = firstOptions;
  }

  /** Those of a link that is no home's change between two streams. */
  get options(): SettledOptions {
    return this.#options;
  }

  get address(): string {
    return this.#options.address;
  }

  /** Whether it is to have places. */
  get wants(): boolean {
    return !(this.leaving || this.draining || this.over);
  }

  hearWelcome(): void {
    this.welcomed = true;
    if (this.holding.matches === 0) return;
    // What is not told again on a stream has ended before it.
    const forget = () => this.#stream && this.#forgetAllBut(this.#stream);
    this.#retelling = setTimeout(forget, RETELLING);
  }

  /** Promises that much from now on; ends the stream of a home that is done with. */
  offer(share: Share): void {
    this.#share = share;
    if (this.#isDone() || this.#hasReason()) this.#wake?.();
    if (!this.#stream) return;
    if (this.#isDone()) {
      this.#stream.cancel();
    } else if (this.holding.say(share)) {
      const capacity = { maxMatches: share.places, parallelTurns: share.turns };
      this.#stream.say(encodeItem({ capacity }));
      this.send();
    }
  }

  send(): void {
    this.#stream?.send();
  }

  /** Is not left, if it was: it dials at once. */
  stay(): void {
    if (this.leaving) this.#stays = true;
    this.leaving = false;
    this.#wake?.();
  }

  /** Makes run resolve soon. */
  stop(): void {
    this.#stopped = true;
    this.#wake?.();
    this.#stream?.cancel();
  }

  /**
   * Rejects with what there is no point in going on after; of a home only with what ends the bot.
   */
  async run(): Promise<void> {
    try {
      await this.#keepConnected();
    } finally {
      this.over = true;
      if (this.isHome && !this.#stopped) this.owner.forget(this.holding.forgetAllBut());
      this.owner.review();
    }
  }

  #isDone(): boolean {
    return this.leaving && this.holding.matches === 0;
  }

  /** Whether there is something to open a stream for, whatever it plays. */
  #hasReason(): boolean {
    return !this.leaving && (!this.isHome || this.#share.places > 0);
  }

  async #keepConnected(): Promise<void> {
    const { giveUpAfter = Infinity, backoff = fullJitter } = this.options;
    let attempt = 0; // dials since it was welcomed last
    let wasWelcomed = false; // at this address
    while (await this.#waitForReason()) {
      const { status, welcomed } = await this.#serve();
      // What exists may be this client's own stream, whose end the referee has not noticed yet.
      const ownExists = wasWelcomed && status.code === 'ALREADY_EXISTS';
      const final = ownExists ? undefined : whyFinal(status, this.address);
      if (welcomed) {
        wasWelcomed = true;
        attempt = 0;
      }
      const why = final?.message ?? this.#whyLost(status, welcomed);
      const moves = this.#moves(final, attempt);
      if (moves && wasWelcomed) {
        // It may have been given time, and dialled seldom in the end. The others are there, if it is
        // alone.
        attempt = Math.min(attempt, DIALS_OF_ONE_GONE);
        wasWelcomed = false;
      }
      if (!moves && (this.#stopped || this.ends)) return;
      if (!moves && final) {
        if (!this.isHome || final.code === 'ABORTED') throw final;
        this.log.warning(`${why}; left alone until the bot is referred there anew`);
        return;
      }
      const givesUp = performance.now() - this.#lost >= giveUpAfter;
      if (!this.isHome && givesUp && this.owner.alone()) {
        throw new RefereeError('UNAVAILABLE', why);
      }
      const left = this.#patienceLeft();
      const longest = left < Infinity ? Math.min(left, LONGEST_OF_MATCHES) : Infinity;
      const delay = Math.min(backoff(attempt++), longest);
      const what = moves ? `trying the one at ${this.address}` : 'trying again';
      this.log.warning(`${why}; ${what} in ${formatDuration(Math.trunc(delay))}`);
      await this.#sleep(delay, () => this.#stays || this.#isDone());
      if (this.#stays) attempt = 0;
    }
  }

  /**
   * How long it still waits for the referee of the matches that it plays, in ms; infinite if it plays
   * none.
   */
  #patienceLeft(): number {
    if (this.holding.matches === 0) return Infinity;
    return Math.max(0, this.#patience() - (performance.now() - this.#lost));
  }

  /** How long the matches of a lost stream are waited for, in ms. */
  #patience(): number {
    if (this.patience > 0) return this.patience;
    return this.#hasReason() ? Infinity : PATIENCE;
  }

  /**
   * Dials another referee from now on if this one is gone or has ended, or refuses the bot, which is
   * what `final` says. Returns whether it does.
   */
  #moves(final: RefereeError | undefined, attempt: number): boolean {
    if (this.isHome || this.#stopped || final?.code === 'ABORTED') return false;
    // What the referee at the address that the bot was given refuses, none will do.
    if (final && this.address === this.firstOptions.address) return false;
    const left = this.#patienceLeft();
    const waits = left > 0 && left < Infinity;
    const gone = attempt >= DIALS_OF_ONE_GONE && !waits;
    if (!final && !this.ends && !gone) return false;
    const next = this.owner.next(this);
    if (!next) return false;
    this.#options = next;
    this.ends = false;
    this.#forgetAllBut();
    return true;
  }

  /** Resolves when there is something to open a stream for; to false when there never will be. */
  async #waitForReason(): Promise<boolean> {
    while (!this.#stopped) {
      if (this.holding.matches > 0 && performance.now() - this.#lost >= this.#patience()) {
        // They are played elsewhere by now, and need the places that they have here.
        this.#forgetAllBut();
      }
      if (this.#hasReason() || this.holding.matches > 0) return true;
      if (this.leaving) break;
      await this.#sleep(undefined, () => this.#hasReason() || this.#isDone());
    }
    this.over = true;
    return false;
  }

  #whyLost(status: Status, welcomed: boolean): string {
    const what = welcomed ? 'lost the referee at' : 'cannot reach a referee at';
    const said = status.code === 'OK' ? 'it closed the stream' : status.message;
    const advice = welcomed ? '' : tlsAdvice(this.options, said);
    return `${what} ${this.address}: ${said}${advice}`;
  }

  /** Opens a stream; resolves when it is closed. */
  #serve(): Promise<Closed> {
    const userAgent = `referee-sdk-node/${VERSION}`;
    const target = { address: this.address, tls: tlsFor(this.options), userAgent };
    this.welcomed = this.draining = this.#stays = false;
    return new Promise((resolve) => {
      const stream = (this.#stream = new PlayStream(target, {
        message: (bytes, received) => this.owner.hear(this, bytes, stream, received),
        closed: (status) => {
          clearTimeout(unreached);
          clearTimeout(this.#retelling);
          const { welcomed } = this;
          this.#stream = undefined;
          this.welcomed = false;
          this.draining = this.isHome && this.ends;
          if (welcomed) this.#lost = performance.now();
          this.holding.closed();
          this.owner.review();
          resolve({ status, welcomed });
        },
      }));
      // The dial may take longer than the matches of an earlier stream are waited for.
      const forget = () => this.welcomed || this.#forgetAllBut();
      const left = this.#patienceLeft();
      const unreached = left < LONGEST_TIMEOUT ? setTimeout(forget, left) : undefined;
      this.holding.opened(this.#share);
      stream.say(this.owner.hello(this.#share));
      stream.send();
    });
  }

  /** Takes the matches for ended that were not told on that stream. */
  #forgetAllBut(stream?: PlayStream): void {
    this.owner.forget(this.holding.forgetAllBut(stream));
    this.owner.review();
  }

  /** Resolves after that many ms, or when it is to look again whether `enough`. */
  #sleep(delay: number | undefined, enough: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = delay === undefined ? undefined : setTimeout(resolve, delay);
      this.#wake = () => {
        if (!this.#stopped && !enough()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
