// Calls the methods of bots, on the thread that it is made on: the calls about one match one at a
// time and in order. Knows no transport.

import type { Answer, AnswerSink, Call, Caller } from './calls.js';
import type { Bot, Choice } from './bot.js';
import { botOf, type GivenBot } from './bot_check.js';
import { now } from './clock.js';
import { formatDuration } from './durations.js';
import type { Logger } from './log.js';
import { Match, Turn } from './match.js';
import { cut } from './text.js';
import { MatchStart } from './proto/referee/v1/bot_service.js';
import { Move } from './proto/referee/v1/game.js';
import { reasonOf, stackOf } from './raised.js';
import { SeatForfeited, TurnPlayed, Verdict } from './proto/referee/v1/match.js';
import { Watch } from './watch.js';
import { Watchdog } from './watchdog.js';

/**
 * A bot that answers within this, in ms, is likely to have its next answers before a write is worth
 * its cost; after a slower one its answer goes out, and others of this thread have their turn.
 */
const QUICK = 0.1;
/** The longest that an answer waits for others, in ms. */
const SOON = 1;

/**
 * No move of any game has more bytes of notation than 256; one that has is illegal all the same when it
 * is cut. As many items as play_stream.ts puts into a message fit into one then.
 */
const MAX_SENT_NOTATION = 320;
const MAX_MOVE_BYTES = 320; // of other moves, encoded

/** Stacks that are remembered. */
const MAX_THROWN = 64;

/** A match, with the calls that were not made yet. */
interface Table {
  readonly number: number;
  readonly calls: Call[];
  bot?: Bot;
  match?: Match;
  ready: boolean; // in #ready, or being called
  waited: boolean; // a turn of it, which was said
}

export class BotCaller implements Caller {
  readonly #tables = new Map<number, Table>();
  #ready: Table[] = [];
  #calling = 0; // tables whose promise is waited for
  #running = false;
  #unsent: number | undefined; // since when there is an answer that was not flushed
  #closed: (() => void) | undefined;
  readonly #thrown = new Set<string>(); // stacks that the log has
  readonly #watch: Watch | undefined; // for bots that wait for a promise
  readonly #dog: Watchdog | undefined; // for those that block this thread

  /** `watched`: the log says where a bot is whose time is up. */
  constructor(
    readonly given: GivenBot,
    readonly log: Logger,
    readonly sink: AnswerSink,
    watched = false,
  ) {
    if (!watched || !log.enabled('warning')) return;
    this.#watch = new Watch(log, () => Promise.resolve(''));
    this.#dog = new Watchdog(log);
  }

  get matches(): number {
    return this.#tables.size;
  }

  call(call: Call): void {
    this.#watch?.called(call);
    const { match: number } = call;
    const table = this.#tables.get(number) ?? { number, calls: [], ready: false, waited: false };
    this.#tables.set(number, table);
    table.calls.push(call);
    this.#schedule(table);
  }

  go(): void {
    if (this.#running) return;
    this.#running = true;
    this.#work();
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#closed = resolve;
      this.go();
    });
    this.#watch?.close();
    this.#dog?.close();
  }

  #schedule(table: Table): void {
    if (table.ready) return;
    table.ready = true;
    this.#ready.push(table);
  }

  /**
   * Makes calls until there are none. After one that took long, the event loop has its turn: there
   * may be more to hear, and on the main thread the referee waits for its Pong.
   */
  #work(): void {
    for (let next = this.#ready.shift(); next; next = this.#ready.shift()) {
      const begun = now();
      this.#make(next);
      const done = now();
      const late = this.#unsent !== undefined && done - this.#unsent >= SOON;
      if (done - begun < QUICK && !late) continue;
      this.#flush();
      setImmediate(() => this.#work());
      return;
    }
    this.#running = false;
    this.#flush();
    if (this.#closed && this.#calling === 0) this.#closed();
  }

  #flush(): void {
    if (this.#unsent === undefined) return;
    this.#unsent = undefined;
    this.sink.flush();
  }

  /** Makes the next call of a table. */
  #make(table: Table): void {
    const call = table.calls.shift()!;
    let result: unknown;
    try {
      this.#dog?.begin(call);
      result = this.#invoke(table, call);
    } catch (error) {
      return this.#failed(table, call, error);
    } finally {
      this.#dog?.end();
    }
    if (!(result instanceof Promise)) return this.#returned(table, call, result);
    ++this.#calling;
    const settle = (done: () => void) => {
      --this.#calling;
      done();
      this.go();
    };
    result.then(
      (value) => settle(() => this.#returned(table, call, value)),
      (error) => settle(() => this.#failed(table, call, error)),
    );
  }

  #invoke(table: Table, call: Call): unknown {
    if (call.method === 'onMatchStart') {
      const start = MatchStart.decode(call.bytes);
      table.match = new Match(start, start.match!, this.log);
      table.bot ??= botOf(this.given);
      return table.bot.onMatchStart(table.match);
    }
    const { bot, match } = table;
    if (!bot || !match) return undefined;
    switch (call.method) {
      case 'chooseTurn':
        return this.#mayAsk(table) ? bot.chooseTurn(this.#turn(table, match, call)) : undefined;
      case 'onTurnPlayed':
        return bot.onTurnPlayed(match, TurnPlayed.decode(call.bytes));
      case 'onForfeit':
        return bot.onForfeit(match, SeatForfeited.decode(call.bytes));
      case 'onDiceMismatch':
        return bot.onDiceMismatch(match, Buffer.from(call.bytes).toString());
      case 'onMatchEnd':
        return bot.onMatchEnd(match, Verdict.decode(call.bytes));
    }
  }

  /** A turn that has been asked again is not to be thought about as it was asked before. */
  #mayAsk(table: Table): boolean {
    return !this.#closed && !table.calls.some((later) => later.method === 'chooseTurn');
  }

  #turn(table: Table, match: Match, call: Call): Turn {
    const turn = new Turn(match, call.bytes, call.received);
    const waited = now() - call.received;
    if (table.waited || waited <= turn.limit / 4) return turn;
    table.waited = true;
    match.log.warning(
      `turn ${turn.number} has waited ${formatDuration(Math.trunc(waited))} of ` +
        `${formatDuration(turn.limit)} while the bot was at other matches: think as long as ` +
        'timeLeft says, or have more threads (--threads)',
    );
    return turn;
  }

  #returned(table: Table, call: Call, result: unknown): void {
    if (call.method === 'chooseTurn' && result !== undefined) {
      let move: Uint8Array | undefined;
      try {
        move = encoded(result as Choice, table.match?.log ?? this.log);
      } catch (error) {
        return this.#failed(table, call, error);
      }
      if (!move) {
        const what = typeof result === 'object' ? 'an object that is no move' : String(result);
        return this.#failed(table, call, new TypeError(`chooseTurn returned ${what}`));
      }
      this.#answer(call, { move });
    } else if (call.method === 'chooseTurn' && this.#mayAsk(table)) {
      return this.#failed(table, call, new TypeError('chooseTurn returned nothing'));
    } else if (call.method === 'onMatchStart') {
      this.#answer(call, {});
    }
    this.#next(table, call);
  }

  #failed(table: Table, call: Call, error: unknown): void {
    const stack = stackOf(error);
    const threw = reasonOf(error);
    if (!this.#thrown.has(stack)) {
      if (this.#thrown.size < MAX_THROWN) this.#thrown.add(stack);
      (table.match?.log ?? this.log).error(`${call.method} threw:\n${stack}`);
    }
    this.log.error(`match ${table.match?.id ?? '?'} is resigned: ${threw}`);
    this.#answer(call, { threw });
    this.#next(table, call);
  }

  #answer(call: Call, came: { threw?: string; move?: Uint8Array }): void {
    const answer: Answer = { match: call.match, seq: call.seq, ...came };
    this.#watch?.answered(answer);
    this.sink.answer(answer);
    this.#unsent ??= now();
  }

  #next(table: Table, made: Call): void {
    if (made.method === 'onMatchEnd') {
      this.#tables.delete(table.number);
      return;
    }
    table.ready = false;
    if (table.calls.length > 0) this.#schedule(table);
  }
}

/** The move that a bot has chosen, encoded; undefined for what is none. */
function encoded(choice: Choice, log: Logger): Uint8Array | undefined {
  if (typeof choice === 'string') return encodedNotation(choice, log);
  if (typeof choice !== 'object' || choice === null) return undefined;
  const known = choice.hypnosia ?? choice.isaac ?? choice.notation;
  if (known === undefined) return undefined;
  if (known === choice.notation) return encodedNotation(choice.notation, log);
  const bytes = Move.encode(choice).finish();
  if (bytes.length <= MAX_MOVE_BYTES) return bytes;
  throw new RangeError(`chooseTurn returned a move of ${bytes.length} bytes, which no game has`);
}

function encodedNotation(notation: string, log: Logger): Uint8Array {
  if (notation.length > MAX_SENT_NOTATION) {
    const many = `${notation.length} characters`;
    log.warning(`chooseTurn returned notation of ${many}, which is no move: its beginning is sent`);
  }
  return Move.encode({ notation: cut(notation, MAX_SENT_NOTATION) }).finish();
}
