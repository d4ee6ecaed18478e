// Plays a bot's matches over one stream, which it opens again whenever it is lost.

import { tlsAdvice, tlsFor } from './address.js';
import { fullJitter } from './backoff.js';
import { Bot, type BotClass } from './bot.js';
import { BotCaller } from './caller.js';
import type { AnswerSink, Caller, Method } from './calls.js';
import { formatDuration, fromWire } from './durations.js';
import { RefereeError, type Status } from './errors.js';
import { encodeItem, forEachItem, Kind } from './items.js';
import { Logger } from './log.js';
import { Matches } from './matches.js';
import { settle, type Options, type SettledOptions } from './options.js';
import { PlayStream, type Target } from './play_stream.js';
import { BotWorker } from './pool.js';
import {
  Draining,
  Fault,
  FaultKind,
  Notice,
  Ping,
  Welcome,
} from './proto/referee/v1/bot_service.js';
import { VERSION } from './version.js';

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

// A Ready or a nonce that is said again after a lost link may have arrived the first time; and a
// seat may forfeit while the bot thinks.
const HARMLESS: ReadonlySet<FaultKind> = new Set([
  FaultKind.UNEXPECTED_READY,
  FaultKind.UNEXPECTED_NONCE,
  FaultKind.REPLACED_REQUEST,
]);

/** The methods that the class has, besides those of Bot that do nothing. */
function heardBy(botClass: BotClass): ReadonlySet<Method> {
  const heard = new Set<Method>(['start', 'turn', 'end']);
  const own = botClass.prototype as Bot;
  if (own.onTurnPlayed !== Bot.prototype.onTurnPlayed) heard.add('played');
  if (own.onForfeit !== Bot.prototype.onForfeit) heard.add('forfeit');
  if (own.onDiceMismatch !== Bot.prototype.onDiceMismatch) heard.add('dice');
  return heard;
}

/** How one stream came to its end. */
interface Closed {
  readonly status: Status;
  readonly welcomed: boolean;
}

export class Client {
  readonly #options: SettledOptions;
  readonly #log: Logger;
  readonly #matches: Matches;
  readonly #callers: Caller[];
  #target: Target | undefined;
  #stream: PlayStream | undefined;
  #streams = 0;
  #welcomed = false; // on the current stream
  #stopped = false;
  #ends = false; // once the referee closes the stream
  #wake: (() => void) | undefined; // ends a wait

  /**
   * Does nothing before run(). `module` is the URL of the module that calls run() with the class,
   * for the workers to load; without it the bot is called on this thread. Throws INVALID_ARGUMENT
   * for invalid options.
   */
  constructor(botClass: BotClass, options: Options = {}, module?: string) {
    this.#options = settle(options);
    this.#log = new Logger(options.logLevel, options.logSink);
    const say = (stream: number, item: Uint8Array) => this.#current(stream)?.say(item);
    this.#matches = new Matches(this.#log, { say }, heardBy(botClass));
    this.#callers = this.#makeCallers(botClass, module);
    this.#matches.use(this.#callers);
  }

  #makeCallers(botClass: BotClass, module: string | undefined): Caller[] {
    const sink: AnswerSink = {
      answer: (answer) => this.#matches.answered(answer),
      flush: () => this.#stream?.send(),
    };
    const { workers } = this.#options;
    if (workers === 0 || !module) return [new BotCaller(botClass, this.#log, sink)];
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
      await Promise.all(this.#callers.map((caller) => caller.close()));
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
    this.#wake?.();
    this.#stream?.cancel();
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

  #hear(message: Uint8Array, stream: number, received: number): void {
    forEachItem(message, (kind, bytes) => {
      switch (kind) {
        case Kind.welcome:
          return this.#welcome(Welcome.decode(bytes));
        case Kind.fault:
          return this.#fault(Fault.decode(bytes), bytes, stream, received);
        case Kind.draining:
          return this.#draining(Draining.decode(bytes));
        case Kind.notice:
          return this.#log.warning(`the referee says: ${Notice.decode(bytes).text}`);
        case Kind.ping:
          return this.#stream?.say(encodeItem({ pong: { number: Ping.decode(bytes).number } }));
        default:
          this.#matches.take(kind, bytes, stream, received);
      }
    });
    // At once: the bot may be about to think, and that is none of the network's time.
    this.#stream?.send();
    this.#matches.go();
  }

  #welcome({ referee, bot, maxMatches }: Welcome): void {
    this.#log.info(
      `connected to ${referee} at ${this.#options.address} as ${bot}, up to ${maxMatches} matches ` +
        'at once',
    );
    this.#matches.maxMatches = maxMatches;
    this.#welcomed = true;
  }

  #fault(fault: Fault, bytes: Uint8Array, stream: number, received: number): void {
    const { kind, message, matchId } = fault;
    const about = matchId ? ` (match ${matchId})` : '';
    const level = HARMLESS.has(kind) ? 'debug' : 'warning';
    this.#log.log(level, `the referee objects: ${message}${about}`);
    if (kind === FaultKind.ILLEGAL_MOVE) this.#matches.take(Kind.fault, bytes, stream, received);
  }

  #draining({ timeLeft, willReturn }: Draining): void {
    const after = willReturn ? '; it will be back, and so shall this bot' : ' to end';
    this.#log.info(
      `the referee is about to stop; running matches have ${formatDuration(fromWire(timeLeft))}` +
        after,
    );
    this.#ends = !willReturn;
  }

  // --- Streams, one after the other ---

  #current(stream: number): PlayStream | undefined {
    return this.#stream?.number === stream ? this.#stream : undefined;
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
      },
    });
  }

  async #connect(): Promise<void> {
    const { address, giveUpAfter = Infinity, backoff = fullJitter } = this.#options;
    this.#target = {
      address,
      tls: tlsFor(this.#options),
      userAgent: `referee-sdk-node/${VERSION}`,
    };
    let lost = performance.now();
    let attempt = 0;
    let wasWelcomed = false;
    while (!this.#stopped) {
      const { status, welcomed } = await this.#serve();
      if (this.#stopped || this.#ends) return;
      // What exists may be this client's own stream, whose end the referee has not noticed yet.
      const ownExists = wasWelcomed && status.code === 'ALREADY_EXISTS';
      const final = whyFinal(status, address);
      if (final && !ownExists) throw final;
      if (welcomed) {
        wasWelcomed = true;
        attempt = 0;
        lost = performance.now();
      }
      const why = this.#whyLost(status, welcomed);
      if (performance.now() - lost >= giveUpAfter) throw new RefereeError('UNAVAILABLE', why);
      const delay = backoff(attempt++);
      this.#log.warning(`${why}; trying again in ${formatDuration(Math.trunc(delay))}`);
      await this.#wait(delay);
    }
  }

  #whyLost(status: Status, welcomed: boolean): string {
    const what = welcomed ? 'lost the referee at' : 'cannot reach a referee at';
    const said = status.code === 'OK' ? 'it closed the stream' : status.message;
    const advice = welcomed ? '' : tlsAdvice(this.#options, said);
    return `${what} ${this.#options.address}: ${said}${advice}`;
  }

  /** Opens a stream; resolves when it is closed. */
  #serve(): Promise<Closed> {
    this.#welcomed = false;
    const number = ++this.#streams;
    return new Promise((resolve) => {
      this.#stream = new PlayStream(number, this.#target!, {
        message: (bytes, received) => this.#hear(bytes, number, received),
        closed: (status) => {
          this.#stream = undefined;
          resolve({ status, welcomed: this.#welcomed });
        },
      });
      this.#stream.say(this.#hello());
      this.#stream.send();
    });
  }

  #wait(delay: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delay);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
