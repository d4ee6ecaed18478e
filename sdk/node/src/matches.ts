// The matches that a bot plays: hands the referee's items to their players, and the players' calls
// to whoever calls the bots. Knows no transport.

import type { Answer, Caller, Method } from './calls.js';
import { Kind, matchIdOf } from './items.js';
import type { Logger } from './log.js';
import { Nonces } from './nonce.js';
import { Player } from './player.js';
import { MatchStart } from './proto/referee/v1/bot_service.js';

interface Table {
  readonly player: Player;
  readonly caller: Caller;
  stream: number; // on which the referee last told of the match
}

export interface Mouth {
  say(stream: number, item: Uint8Array): void;
}

const ABOUT_MATCHES: ReadonlySet<number> = new Set([
  Kind.matchStart,
  Kind.turnRequest,
  Kind.turnPlayed,
  Kind.seatForfeited,
  Kind.matchEnd,
  Kind.revealNonce,
  Kind.fault,
]);

export class Matches {
  /** How many matches ended with dice that did not fit what was told of them. */
  diceMismatches = 0;
  #callers: readonly Caller[] = [];
  readonly #byId = new Map<string, Table>();
  readonly #byNumber = new Map<number, Table>();
  readonly #nonces = new Nonces();
  #numbers = 0;

  /** `hears`: which methods the bot's class has. */
  constructor(
    readonly log: Logger,
    readonly mouth: Mouth,
    readonly hears: ReadonlySet<Method>,
  ) {}

  /** Sets who calls the bots; each match is given to the one with the fewest. Call it first. */
  use(callers: readonly Caller[]): void {
    this.#callers = callers;
  }

  /** Takes an item, if it is about a match; those of unknown matches are dropped. */
  take(kind: number, bytes: Uint8Array, stream: number, received: number): void {
    if (!ABOUT_MATCHES.has(kind)) return;
    const starts = kind === Kind.matchStart;
    const id = starts ? (MatchStart.decode(bytes).match?.matchId ?? '') : matchIdOf(bytes);
    let table = this.#byId.get(id);
    if (starts && id) {
      table ??= this.#open(id, stream);
      table.stream = stream;
    }
    if (!table) return;
    table.player.take(kind, bytes, stream, received);
    this.#clear(table);
  }

  /** Makes the calls that were taken. */
  go(): void {
    for (const caller of this.#callers) caller.go();
  }

  answered(answer: Answer): void {
    const table = this.#byNumber.get(answer.match);
    table?.player.answered(answer, table.stream);
  }

  #open(id: string, stream: number): Table {
    const caller = this.#callers.reduce((a, b) => (b.matches < a.matches ? b : a));
    const events = {
      say: (to: number, item: Uint8Array) => this.mouth.say(to, item),
      call: caller.call.bind(caller),
    };
    const number = ++this.#numbers;
    const player = new Player(number, id, this.log, this.#nonces, events, this.hears);
    const table = { player, caller, stream };
    this.#byId.set(id, table);
    this.#byNumber.set(number, table);
    return table;
  }

  /** Ends matches that ended while the link was lost, and so are not told of again. */
  forget(ids: readonly string[]): void {
    for (const id of ids) {
      const table = this.#byId.get(id);
      if (!table) continue;
      table.player.forget();
      this.#clear(table);
    }
  }

  #clear(table: Table): void {
    const { player } = table;
    if (!player.over) return;
    if (player.diceMismatch) ++this.diceMismatches;
    this.#byId.delete(player.id);
    this.#byNumber.delete(player.number);
  }
}
