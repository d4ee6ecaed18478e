// Plays a bot's matches, over one stream to a referee of its fleet.

import { Bot } from './bot.js';
import { checkedBot, type GivenBot } from './bot_check.js';
import { BotCaller } from './caller.js';
import type { AnswerSink, Caller, Method } from './calls.js';
import { formatDuration, fromWire } from './durations.js';
import { RefereeError } from './errors.js';
import { canonicalAddress } from './fleet.js';
import { encodeItem, forEachItem, Kind } from './items.js';
import { LIMITS, Link, type Limits, type Owner } from './link.js';
import { Logger } from './log.js';
import { Matches } from './matches.js';
import { settle, type Options, type SettledOptions } from './options.js';
import type { PlayStream } from './play_stream.js';
import { BotWorker } from './pool.js';
import {
  Draining,
  Fault,
  FaultKind,
  Fleet,
  Notice,
  Ping,
  Welcome,
} from './proto/referee/v1/bot_service.js';

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
  readonly #link: Link;

  /**
   * Does nothing before run(). `module` is the URL of the module that calls run() with the bot,
   * for the workers to load; without it the bot is called on this thread. Throws INVALID_ARGUMENT
   * for invalid options, and for what is not a bot. `limits` are for tests.
   */
  constructor(bot: GivenBot, options: Options = {}, module?: string, limits: Limits = LIMITS) {
    const settled = settle(options);
    const checked = checkedBot(bot);
    this.#options = { ...settled, address: canonicalAddress(settled.address) };
    this.#log = new Logger(options.logLevel, options.logSink);
    const owner: Owner = {
      hello: () => this.#hello(),
      hear: (message, stream, received) => this.#hear(message, stream, received),
      forgetAllBut: (stream) => {
        this.#matches.forgetAllBut(stream);
        this.#matches.go();
      },
    };
    this.#link = new Link(owner, this.#options, this.#log, limits);
    this.#matches = new Matches(this.#log, heardBy(checked));
    this.#matches.callers = this.#makeCallers(bot, module);
  }

  #makeCallers(bot: GivenBot, module: string | undefined): Caller[] {
    const sink: AnswerSink = {
      answer: (answer) => this.#matches.answered(answer),
      flush: () => this.#link.send(),
    };
    const { workers } = this.#options;
    if (workers === 0 || !module) return [new BotCaller(bot, this.#log, sink, true)];
    return Array.from({ length: workers }, () => new BotWorker(module, this.#log, sink));
  }

  /**
   * Plays until a referee has drained for good and no other of the fleet is known, or stop() is called.
   * Rejects with a RefereeError: DATA_LOSS if the dice of a match did not fit, the error of the
   * referee at the given address when it refuses this bot (UNAUTHENTICATED, PERMISSION_DENIED,
   * INVALID_ARGUMENT), ABORTED when another process has taken the bot's place, ALREADY_EXISTS when
   * another has it and keeps it, UNIMPLEMENTED when the server at the address is no referee,
   * UNAVAILABLE after giveUpAfter. After any other error it connects again. Call it once.
   */
  async run(): Promise<void> {
    const unwatch = this.#options.handleSignals ? this.#watchSignals() : () => {};
    try {
      await this.#link.run();
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
    this.#link.stop();
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

  #hear(message: Uint8Array, stream: PlayStream, received: number): void {
    forEachItem(message, (kind, bytes) => {
      switch (kind) {
        case Kind.welcome:
          return this.#welcome(Welcome.decode(bytes));
        case Kind.fault:
          return this.#fault(Fault.decode(bytes), bytes, stream, received);
        case Kind.draining:
          return this.#draining(Draining.decode(bytes));
        case Kind.fleet:
          return this.#link.hearFleet(Fleet.decode(bytes).addresses);
        case Kind.notice:
          return this.#log.warning(`the referee says: ${Notice.decode(bytes).text}`);
        case Kind.ping:
          return stream.say(encodeItem({ pong: { number: Ping.decode(bytes).number } }));
      }
      this.#matches.take(kind, bytes, stream, received);
    });
    // At once: the bot may be about to think, and that is none of the network's time.
    stream.send();
    this.#matches.go();
  }

  #welcome({ referee, bot, maxMatches, addresses }: Welcome): void {
    this.#log.info(
      `connected to ${referee} at ${this.#link.address} as ${bot}, up to ${maxMatches} matches at ` +
        'once',
    );
    this.#link.hearWelcome(addresses);
  }

  #fault(fault: Fault, bytes: Uint8Array, stream: PlayStream, received: number): void {
    const { kind, message, matchId } = fault;
    const about = matchId ? ` (match ${matchId})` : '';
    const level = HARMLESS.has(kind) ? 'debug' : 'warning';
    this.#log.log(level, `the referee objects: ${message}${about}`);
    if (kind === FaultKind.ILLEGAL_MOVE) this.#matches.take(Kind.fault, bytes, stream, received);
  }

  #draining({ timeLeft, willReturn }: Draining): void {
    const left = formatDuration(fromWire(timeLeft));
    this.#log.info(
      `the referee at ${this.#link.address} is about to stop; running matches have ${left}` +
        (willReturn ? '; it will be back' : ' to end'),
    );
    this.#link.hearDraining(willReturn);
  }

  #hello(): Uint8Array {
    const { token, software, games, maxMatches, parallelTurns, version } = this.#options;
    return encodeItem({
      hello: {
        token,
        software,
        games: games ?? [],
        maxMatches,
        parallelTurns,
        wantsLegalMoves: this.#options.legalMoves ?? true,
        newsMayWait: this.#options.newsMayWait ?? true,
        keepsExisting: this.#options.keepsExisting ?? false,
        version: version ?? '',
        wantsNotations: false,
      },
    });
  }
}
