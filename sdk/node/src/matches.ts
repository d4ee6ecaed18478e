// The matches that a bot plays: hands the referee's items to their players, and the players' calls
// to whoever calls the bots. Knows no transport.

import type { Answer, Caller, Method } from './calls.js';
import { Kind, matchIdOf } from './items.js';
import type { Logger } from './log.js';
import { Nonces } from './nonce.js';
import { Player, type Outlet } from './player.js';
import { MatchStart } from './proto/referee/v1/bot_service.js';

interface Table {
  readonly player: Player;
  stream: Outlet; // on which the referee last told of the match
}

export class Matches {
  /** How many matches ended with dice that did not fit what was told of them. */
  diceMismatches = 0;
  /** Who calls the bots; each match is given to the one with the fewest. Set it first. */
  callers: readonly Caller[] = [];
  readonly #byId = new Map<string, Table>();
  readonly #byNumber = new Map<number, Table>();
  readonly #nonces = new Nonces();
  #numbers = 0;

  /** `hears`: which methods the bot's class has. */
  constructor(
    readonly log: Logger,
    readonly hears: ReadonlySet<Method>,
  ) {}

  /** Takes an item about a match; those of unknown matches are dropped. */
  take(kind: number, bytes: Uint8Array, stream: Outlet, received: number): void {
    const starts = kind === Kind.matchStart;
    const id = starts ? (MatchStart.decode(bytes).match?.matchId ?? '') : matchIdOf(bytes);
    let table = this.#byId.get(id);
    if (starts && id) {
      table ??= this.#open(id, stream);
      table.stream = stream;
    }
    if (!table) return;
    table.player.take(kind, bytes, stream, received);
    this.#clear(table.player);
  }

  go(): void {
    for (const caller of this.callers) caller.go();
  }

  answered(answer: Answer): void {
    const table = this.#byNumber.get(answer.match);
    table?.player.answered(answer, table.stream);
  }

  #open(id: string, stream: Outlet): Table {
    const caller = this.callers.reduce((a, b) => (b.matches < a.matches ? b : a));
    const number = ++this.#numbers;
    const player = new Player(number, id, this.log, this.#nonces, caller, this.hears);
    const table = { player, stream };
    this.#byId.set(id, table);
    this.#byNumber.set(number, table);
    return table;
  }

  /** Ends the matches that were not told on that stream: they ended before it. */
  forgetAllBut(stream: Outlet): void {
    for (const { player, stream: last } of this.#byId.values()) {
      if (last === stream) continue;
      player.forget();
      this.#clear(player);
    }
  }

  #clear(player: Player): void {
    if (!player.over) return;
    if (player.diceMismatch) ++this.diceMismatches;
    this.#byId.delete(player.id);
    this.#byNumber.delete(player.number);
  }
}
