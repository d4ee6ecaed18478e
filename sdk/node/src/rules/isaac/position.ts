// Position strings of Isaac, both ways. The grammar is in referee/games/isaac/RULES.md.

import { FieldReader, letter } from '../fields.js';
import { CELLS, cellsOf, fits, MIN_LENGTH, SEATS, STOCK, TARGET, type Piece, type Table } from './table.js';

/** The options that say which positions there can be. */
export interface Rules {
  readonly exactAdvance: boolean;
  /** The seat that begins; -1: drawn. */
  readonly firstPlayer: number;
  readonly firstToPassStarts: boolean;
}

export type Stage = 'placement' | 'scoring' | 'over';

/** What a position string says. */
export interface Shown {
  readonly table: Table;
  stage: Stage;
  mover: number;
  firstSeat: number;
}

/** With 99 points a seat may score up to 72 more. */
const MAX_SCORE = 171;

export class PositionReader extends FieldReader {
  readonly #rules: Rules;
  readonly #state: Shown;
  /** The pieces of each seat and length on the board. */
  readonly #known = [STOCK.map(() => 0), STOCK.map(() => 0)];

  /** `state` is one before the first move. */
  constructor(rules: Rules, text: string, state: Shown) {
    super(text);
    this.#rules = rules;
    this.#state = state;
  }

  /** Puts what the string says into the state. Throws PositionError. */
  read(): void {
    this.readFields([
      ['pieces', () => this.#pieces()],
      ['unplayed', () => this.#unplayed()],
      ['scores', () => this.#scores()],
      ['floors', () => this.#floors()],
      ['out', () => this.#out()],
      ['phase', () => this.#phase()],
      ['turn', () => this.#turn()],
      ['first', () => this.#first()],
    ]);
  }

  #seat(expected: string): number {
    return this.take(/[ab]/y, expected) === 'a' ? 0 : 1;
  }

  #pieces(): void {
    if (this.skipNone()) return;
    let last = -1;
    do last = this.#piece(last);
    while (this.skip(','));
  }

  #piece(last: number): number {
    const start = this.at;
    const seat = this.#seat("a piece such as a7h33, or '-' for none");
    const length = Number(this.take(/[3-7]/y, 'the length of a piece, 3 to 7'));
    const vertical = this.take(/[hv]/y, "'h' or 'v'") === 'v';
    const digit = () => this.take(/\d/y, 'a cell, 00 to 99');
    const anchor = Number(digit() + digit());
    if (anchor < last) this.bad('pieces are sorted by their anchors', start);
    this.#put({ seat, length, vertical, anchor }, start);
    return anchor;
  }

  #put(piece: Piece, start: number): void {
    const { table } = this.#state;
    if (!fits(piece)) this.bad(`"${pieceText(piece)}" leaves the board`, start);
    if (cellsOf(piece).some((cell) => table.covered[cell] !== 0)) {
      this.bad(`"${pieceText(piece)}" lies over another piece`, start);
    }
    const index = piece.length - MIN_LENGTH;
    const known = ++this.#known[piece.seat]![index]!;
    if (known > STOCK[index]!) this.#tooMany(piece.seat, index, start);
    table.put(piece);
  }

  #tooMany(seat: number, index: number, byte: number): never {
    const most = STOCK[index]!;
    return this.bad(
      `seat ${letter(seat)} has more than ${most} ${most === 1 ? 'piece' : 'pieces'} of length ` +
        (MIN_LENGTH + index),
      byte,
    );
  }

  /** Calls `read` for each seat, with ',' before all but the first. */
  #eachSeat(read: (seat: number) => void): void {
    for (let seat = 0; seat < SEATS; ++seat) {
      if (seat > 0 && !this.skip(',')) this.bad("expected ',' and what belongs to seat b");
      read(seat);
    }
  }

  #unplayed(): void {
    this.#eachSeat((seat) => {
      for (const [i, most] of STOCK.entries()) {
        const byte = this.at;
        const count = Number(this.take(/\d/y, 'five digits for each seat'));
        if (this.#known[seat]![i]! + count > most) this.#tooMany(seat, i, byte);
        this.#state.table.unplayed[seat]![i] = count;
      }
    });
  }

  #scores(): void {
    const { scores } = this.#state.table;
    this.#eachSeat((seat) => {
      const start = this.at;
      const digits = this.take(/\d*/y);
      if (!/^(0|[1-9]\d*)$/.test(digits) || Number(digits) > MAX_SCORE) {
        this.bad(`expected a number from 0 to ${MAX_SCORE}`, start);
      }
      scores[seat] = Number(digits);
    });
    const [a = 0, b = 0] = scores;
    if (a >= TARGET && b >= TARGET) this.bad('only one seat reaches 100 points');
    if (!this.#rules.exactAdvance && a + b === CELLS - 1) {
      this.bad('both counters would stand on one cell (counter_advance=UP_TO)');
    }
  }

  #floors(): void {
    const what = 'the length that a removed piece must reach, 3 to 7, or 0';
    this.#eachSeat((seat) => {
      this.#state.table.floors[seat] = Number(this.take(/[03-7]/y, what));
    });
  }

  #out(): void {
    const { out } = this.#state.table;
    if (this.skipNone()) return;
    do {
      const byte = this.at;
      const seat = this.#seat("seats in order, a or b, or '-'");
      if (out.includes(seat)) this.bad('a seat passes or is out once', byte);
      out.push(seat);
    } while (!this.atEnd);
  }

  #phase(): void {
    const { scores, floors, out } = this.#state.table;
    if (this.skipNone()) {
      this.#state.stage = 'over';
      return;
    }
    const byte = this.at;
    const phase = "P (placement), S (scoring) or '-' for a match that is over";
    const placing = this.take(/[PS]/y, phase) === 'P';
    if (scores.some((score) => score >= TARGET)) {
      this.bad("a seat has 100 points: the match is over, expected '-'", byte);
    }
    if (placing && scores.some((score) => score !== 0)) {
      this.bad('nobody has points in the placement', byte);
    }
    if (placing && floors.some((floor) => floor !== 0)) {
      this.bad('floors are 0 in the placement', byte);
    }
    if (out.length === SEATS) {
      const over = placing ? 'have passed: the scoring begins, expected S' : "are out: the match is over, expected '-'";
      this.bad(`both seats ${over}`, byte);
    }
    if (!placing) this.#state.stage = 'scoring';
  }

  #turn(): void {
    if (this.#state.stage === 'over') {
      if (!this.skipNone()) this.bad("expected '-': the match is over");
      return;
    }
    const byte = this.at;
    const seat = this.#seat('the seat to move, a or b');
    if (this.#state.table.out.includes(seat)) {
      this.bad(`seat ${letter(seat)} has passed or is out: it is not to move`, byte);
    }
    this.#state.mover = seat;
  }

  #first(): void {
    const byte = this.at;
    const seat = this.#seat('the seat that began the placement, a or b');
    const { firstPlayer } = this.#rules;
    if (firstPlayer >= 0 && seat !== firstPlayer) {
      this.bad('another seat begins in this match (first_player)', byte);
    }
    this.#state.firstSeat = seat;
  }
}

function pieceText({ seat, length, vertical, anchor }: Piece): string {
  return `${letter(seat)}${length}${vertical ? 'v' : 'h'}${anchor < 10 ? '0' : ''}${anchor}`;
}

export function positionText({ table, stage, mover, firstSeat }: Shown): string {
  const pieces = table.pieces.flatMap((piece) => (piece ? pieceText(piece) : []));
  return [
    pieces.join() || '-',
    table.unplayed.map((counts) => counts.join('')).join(),
    table.scores.join(),
    table.floors.join(),
    table.out.map(letter).join('') || '-',
    { placement: 'P', scoring: 'S', over: '-' }[stage],
    stage === 'over' ? '-' : letter(mover),
    letter(firstSeat),
  ].join(' ');
}
