// Plays a bot's matches, over a stream to its referee and to each that this refers it to.

import { Bot } from './bot.js';
import { checkedBot, type GivenBot } from './bot_check.js';
import { BotCaller } from './caller.js';
import type { AnswerSink, Caller, Method } from './calls.js';
import { formatDuration, fromWire } from './durations.js';
import { RefereeError } from './errors.js';
import { encodeItem, forEachItem, Kind, matchIdOf } from './items.js';
import { Link, type Owner } from './link.js';
import { Logger } from './log.js';
import { Matches } from './matches.js';
import { settle, type Options, type SettledOptions } from './options.js';
import { divide, grant, NOTHING, served, weight, type Share } from './places.js';
import type { PlayStream } from './play_stream.js';
import { BotWorker } from './pool.js';
import {
  Draining,
  Fault,
  FaultKind,
  MatchStart,
  Notice,
  Ping,
  Refer,
  Welcome,
} from './proto/referee/v1/bot_service.js';
import { canonicalAddress, nextInCircle, Referral } from './refer.js';

// A Ready or a nonce that is said again after a lost link may have arrived the first time; and a
// seat may forfeit while the bot thinks.
const HARMLESS: ReadonlySet<FaultKind> = new Set([
  FaultKind.UNEXPECTED_READY,
  FaultKind.UNEXPECTED_NONCE,
  FaultKind.REPLACED_REQUEST,
]);

/** The methods to call: not those of Bot that do nothing. */
function heardBy(own: Bot): ReadonlySet<Method> {
  const optional = ['onTurnPlayed', 'onForfeit', 'onDiceMismatch'] as const;
  const given = optional.filter((name) => own[name] !== Bot.prototype[name]);
  return new Set<Method>(['onMatchStart', 'chooseTurn', 'onMatchEnd', ...given]);
}

export class Client {
  readonly #options: SettledOptions;
  readonly #log: Logger;
  readonly #matches: Matches;
  readonly #referral: Referral;
  readonly #promised: Share;
  readonly #owner: Owner = {
    hello: (share) => this.#hello(share),
    hear: (link, message, stream, received) => this.#hear(link, message, stream, received),
    forget: (matches) => this.#forget(matches),
    review: () => this.#review(),
    alone: () => !this.#homes.some((home) => home.welcomed),
    next: (link) => this.#next(link),
  };
  readonly #letterBox: Link;
  #homes: Link[] = []; // that it was referred to: the more important first
  readonly #goingOn = new Set<Promise<void>>(); // of the homes
  #here = false; // matches are to be expected at the letter box, too
  #circle: SettledOptions[] = []; // where the letter box may be, one after the other
  #stopped = false;
  #shiftEnds: NodeJS.Timeout | undefined;
  #failure: unknown; // of a home

  /**
   * Does nothing before run(). `module` is the URL of the module that calls run() with the bot,
   * for the workers to load; without it the bot is called on this thread. Throws INVALID_ARGUMENT
   * for invalid options, and for what is not a bot.
   */
  constructor(bot: GivenBot, options: Options = {}, module?: string) {
    const settled = settle(options);
    const checked = checkedBot(bot);
    this.#options = { ...settled, address: canonicalAddress(settled.address) };
    this.#log = new Logger(options.logLevel, options.logSink);
    this.#referral = new Referral(this.#options, this.#log);
    const { maxMatches, parallelTurns } = this.#options;
    this.#promised = { places: maxMatches, turns: parallelTurns };
    this.#letterBox = new Link(this.#owner, this.#options, false, this.#log);
    this.#matches = new Matches(this.#log, heardBy(checked));
    this.#matches.callers = this.#makeCallers(bot, module);
  }

  #makeCallers(bot: GivenBot, module: string | undefined): Caller[] {
    const sink: AnswerSink = {
      answer: (answer) => this.#matches.answered(answer),
      flush: () => {
        for (const link of this.#links) link.send();
      },
    };
    const { workers } = this.#options;
    if (workers === 0 || !module) return [new BotCaller(bot, this.#log, sink, true)];
    return Array.from({ length: workers }, () => new BotWorker(module, this.#log, sink));
  }

  /**
   * Plays until the referee has drained and closed the stream, or stop() is called. Rejects with a
   * RefereeError: DATA_LOSS if the dice of a match did not fit, the referee's error when it refuses
   * this bot (UNAUTHENTICATED, PERMISSION_DENIED, INVALID_ARGUMENT), ABORTED when another process
   * has taken the bot's place, ALREADY_EXISTS when another has it and keeps it, UNIMPLEMENTED when
   * the server at the address is no referee, UNAVAILABLE after giveUpAfter. After any other error it
   * connects again. Call it once.
   */
  async run(): Promise<void> {
    const unwatch = this.#options.handleSignals ? this.#watchSignals() : () => {};
    try {
      await this.#connect();
    } finally {
      await Promise.all(this.#matches.callers.map((caller) => caller.close()));
      unwatch();
    }
    const wrong = this.#matches.diceMismatches;
    if (wrong === 0) return;
    throw new RefereeError(
      'DATA_LOSS',
      `the dice of ${wrong} ${wrong === 1 ? 'match' : 'matches'} did not fit what the referee had ` +
        'told of them; the log says which, and how',
    );
  }

  /**
   * Makes run() return as soon as the current calls to the bot have returned. Running matches go on,
   * and are lost on time unless the bot comes back.
   */
  stop(): void {
    this.#stopped = true;
    for (const link of this.#links) link.stop();
  }

  get #links(): Link[] {
    return [this.#letterBox, ...this.#homes];
  }

  #watchSignals(): () => void {
    const stop = () => {
      // The next one has its usual effect.
      unwatch();
      this.stop();
    };
    const unwatch = () => void process.off('SIGTERM', stop).off('SIGINT', stop);
    process.on('SIGTERM', stop).on('SIGINT', stop);
    return unwatch;
  }

  // --- What the referee says ---

  #hear(link: Link, message: Uint8Array, stream: PlayStream, received: number): void {
    forEachItem(message, (kind, bytes) => {
      switch (kind) {
        case Kind.welcome:
          return this.#welcome(link, Welcome.decode(bytes));
        case Kind.fault:
          return this.#fault(Fault.decode(bytes), bytes, stream, received);
        case Kind.draining:
          return this.#draining(link, Draining.decode(bytes));
        case Kind.refer:
          return this.#refer(link, Refer.decode(bytes));
        case Kind.capacity:
          link.holding.answered();
          return this.#review();
        case Kind.notice:
          return this.#log.warning(`the referee says: ${Notice.decode(bytes).text}`);
        case Kind.ping:
          return stream.say(encodeItem({ pong: { number: Ping.decode(bytes).number } }));
        case Kind.matchStart: {
          const id = MatchStart.decode(bytes).match?.matchId;
          if (id) this.#forget(link.holding.begun(id, stream));
          break;
        }
        case Kind.matchEnd:
          link.holding.ended([matchIdOf(bytes)]);
          this.#review();
      }
      this.#matches.take(kind, bytes, stream, received);
    });
    // At once: the bot may be about to think, and that is none of the network's time.
    stream.send();
    this.#matches.go();
  }

  #welcome(link: Link, { referee, bot, maxMatches, refer }: Welcome): void {
    this.#log.info(
      `connected to ${referee} at ${link.address} as ${bot}, up to ${maxMatches} matches at once`,
    );
    link.hearWelcome();
    link.holding.welcomed(maxMatches);
    this.#refer(link, refer);
  }

  #fault(fault: Fault, bytes: Uint8Array, stream: PlayStream, received: number): void {
    const { kind, message, matchId } = fault;
    const about = matchId ? ` (match ${matchId})` : '';
    const level = HARMLESS.has(kind) ? 'debug' : 'warning';
    this.#log.log(level, `the referee objects: ${message}${about}`);
    if (kind === FaultKind.ILLEGAL_MOVE) this.#matches.take(Kind.fault, bytes, stream, received);
  }

  #draining(link: Link, { timeLeft, willReturn }: Draining): void {
    const where = link.isHome ? ` at ${link.address}` : '';
    const after = willReturn ? '; it will be back, and so shall this bot' : ' to end';
    this.#log.info(
      `the referee${where} is about to stop; running matches have ` +
        `${formatDuration(fromWire(timeLeft))}${after}`,
    );
    link.ends = !willReturn;
    link.draining = link.isHome;
    this.#review();
  }

  // --- Where else the bot is wanted ---

  #refer(link: Link, refer: Refer | undefined): void {
    if (link.isHome) return; // the first address alone refers the bot to others
    const named = this.#referral.follow(refer, link.address);
    this.#circle = this.#referral.circle(refer, link.options);
    this.#here = refer?.here ?? false;
    this.#goTo(named);
    for (const each of [link, ...this.#homes]) each.patience = fromWire(refer?.patience);
  }

  /** Makes these the homes. */
  #goTo(named: ReadonlyMap<string, SettledOptions>): void {
    const known = new Map(this.#homes.map((home) => [home.address, home]));
    const left = this.#homes.filter((home) => !named.has(home.address) && !home.over);
    for (const home of left) home.leaving = true;
    const homes = [...named].map(([address, options]) => {
      const before = known.get(address);
      const gone = !before || (before.leaving && before.over);
      const home = gone ? this.#openHome(options) : before;
      home.stay();
      return home;
    });
    this.#homes = [...homes, ...left];
    this.#review();
  }

  #openHome(options: SettledOptions): Link {
    const home = new Link(this.#owner, options, true, this.#log);
    if (this.#stopped) home.stop();
    const run = home.run().catch((error: unknown) => {
      this.#failure ??= error;
      this.stop();
    });
    this.#goingOn.add(run);
    void run.then(() => this.#goingOn.delete(run));
    return home;
  }

  /** Divides what was promised among the links. */
  #review(): void {
    const sharing = this.#homes.filter((home) => home.wants);
    const others = this.#homes.filter((home) => !home.wants);
    const wanted = [
      ...divide(this.#promised, sharing.length, this.#here),
      ...others.map(() => NOTHING),
    ];
    if (this.#here || sharing.length === 0) sharing.push(this.#letterBox);
    else others.unshift(this.#letterBox);
    if (served(this.#promised, sharing.length) < sharing.length) {
      const shift = Math.floor(Date.now() / this.#options.shift);
      sharing.sort((a, b) => weight(shift, b.address) - weight(shift, a.address));
      this.#awaitShift();
    }
    const links = [...sharing, ...others];
    const held = links.map((link) => link.holding.held);
    const granted = grant(this.#promised, wanted, held);
    for (const [i, link] of links.entries()) link.offer(granted[i]!);
  }

  /** When the shift is over it is seen who has a turn. */
  #awaitShift(): void {
    if (this.#shiftEnds || this.#stopped) return;
    const { shift } = this.#options;
    const look = () => {
      this.#shiftEnds = undefined;
      this.#review();
    };
    this.#shiftEnds = setTimeout(look, shift - (Date.now() % shift)).unref();
  }

  #next(link: Link): SettledOptions | undefined {
    // A second stream to a home would end the first.
    const homes = new Set(this.#homes.filter(({ over }) => !over).map(({ address }) => address));
    return nextInCircle(this.#circle, link.address, homes);
  }

  #forget(matches: readonly string[]): void {
    if (matches.length === 0) return;
    this.#matches.forget(matches);
    this.#matches.go();
  }

  // --- Streams ---

  #hello({ places, turns }: Share): Uint8Array {
    const { token, software, games, maxMatches, version } = this.#options;
    return encodeItem({
      hello: {
        token,
        software,
        games: games ?? [],
        maxMatches: places || maxMatches,
        parallelTurns: turns,
        takesNone: places === 0,
        wantsLegalMoves: this.#options.legalMoves ?? true,
        newsMayWait: this.#options.newsMayWait ?? true,
        keepsExisting: this.#options.keepsExisting ?? false,
        version: version ?? '',
        wantsNotations: false,
      },
    });
  }

  /** Resolves when the letter box is at its end, and the matches of the homes are. */
  async #connect(): Promise<void> {
    try {
      this.#review();
      await this.#letterBox.run();
    } catch (error) {
      this.stop();
      throw error;
    } finally {
      this.#goTo(new Map());
      await Promise.all(this.#goingOn);
    }
    if (this.#failure) throw this.#failure;
  }
}
