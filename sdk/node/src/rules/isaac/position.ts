// Position strings of Isaac, both ways. The grammar is in referee/games/isaac/RULES.md.

import { FieldReader, isDigit } from '../fields.js';
import {
  CELLS,
  cellsOf,
  fits,
  MAX_LENGTH,
  MIN_LENGTH,
  SEATS,
  STOCK,
  Table,
  TARGET,
} from './table.js';

/** The options that say which positions there can be. */
export interface Rules {
  readonly exactAdvance: boolean;
  /** The seat that begins; -1: drawn. */
  readonly firstPlayer: number;
  readonly firstToPassStarts: boolean;
}

export type Stage = 'placement' | 'scoring' | 'over';

/** What a position string says. */
export interface Read {
  readonly table: Table;
  stage: Stage;
  mover: number;
  first: number;
}

/** With 99 points a seat may score up to 72 more. */
const MAX_SCORE = 171;

const letter = (seat: number) => (seat === 0 ? 'a' : 'b');

export class PositionReader extends FieldReader {
  readonly #rules: Rules;
  readonly #read: Read = { table: new Table(), stage: 'placement', mover: -1, first: -1 };
  /** The pieces of each seat and length on the board. */
  readonly #known = [STOCK.map(() => 0), STOCK.map(() => 0)];

  constructor(rules: Rules, text: string) {
    super(text);
    this.#rules = rules;
  }

  /** Throws PositionError. */
  read(): Read {
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
    return this.#read;
  }

  /** The seat of the next letter; -1 if it is none. */
  #seat(): number {
    return this.peek() === 'a' ? 0 : this.peek() === 'b' ? 1 : -1;
  }

  #pieces(): void {
    if (this.skipNone()) return;
    let last = -1;
    do last = this.#piece(last);
    while (this.skip(','));
  }

  #piece(last: number): number {
    const start = this.at;
    const seat = this.#seat();
    if (seat < 0) this.bad("expected a piece such as a7h33, or '-' for none");
    this.advance();
    const length = isDigit(this.peek()) ? Number(this.peek()) : 0;
    if (length < MIN_LENGTH || length > MAX_LENGTH) {
      this.bad('expected the length of a piece, 3 to 7');
    }
    this.advance();
    const direction = this.peek();
    if (direction !== 'h' && direction !== 'v') this.bad("expected 'h' or 'v'");
    this.advance();
    const cellStart = this.at;
    for (let i = 0; i < 2; ++i) {
      if (!isDigit(this.peek())) this.bad('expected a cell, 00 to 99');
      this.advance();
    }
    const anchor = Number(this.since(cellStart));
    if (anchor < last) this.bad('pieces are sorted by their anchors', start);
    this.#put(seat, length, direction === 'v', anchor, start);
    return anchor;
  }

  #put(seat: number, length: number, vertical: boolean, anchor: number, start: number): void {
    const { table } = this.#read;
    const piece = { seat, length, vertical, anchor };
    if (!fits(piece)) this.bad(`"${this.since(start)}" leaves the board`, start);
    if (cellsOf(piece).some((cell) => table.covered[cell] !== 0)) {
      this.bad(`"${this.since(start)}" lies over another piece`, start);
    }
    const index = length - MIN_LENGTH;
    if (++this.#known[seat]![index]! > STOCK[index]!) this.#tooMany(seat, index, start);
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
        if (!isDigit(this.peek())) this.bad('expected five digits for each seat');
        const count = Number(this.peek());
        if (this.#known[seat]![i]! + count > most) this.#tooMany(seat, i, this.at);
        this.#read.table.unplayed[seat]![i] = count;
        this.advance();
      }
    });
  }

  #scores(): void {
    const { scores } = this.#read.table;
    this.#eachSeat((seat) => {
      const start = this.at;
      while (isDigit(this.peek()) && Number(this.since(start)) <= MAX_SCORE) this.advance();
      const digits = this.since(start);
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
    this.#eachSeat((seat) => {
      const floor = isDigit(this.peek()) ? Number(this.peek()) : -1;
      if (floor !== 0 && (floor < MIN_LENGTH || floor > MAX_LENGTH)) {
        this.bad('expected the length that a removed piece must reach, 3 to 7, or 0');
      }
      this.#read.table.floors[seat] = floor;
      this.advance();
    });
  }

  #out(): void {
    const { out } = this.#read.table;
    if (this.skipNone()) return;
    if (this.atEnd) this.bad("expected seats in order, or '-'");
    for (; !this.atEnd; this.advance()) {
      const seat = this.#seat();
      if (seat < 0) this.bad('expected a seat, a or b');
      if (out.includes(seat)) this.bad('a seat passes or is out once');
      out.push(seat);
    }
  }

  #phase(): void {
    const { scores, floors, out } = this.#read.table;
    if (this.skipNone()) {
      this.#read.stage = 'over';
      return;
    }
    const phase = this.peek();
    if (phase !== 'P' && phase !== 'S') {
      this.bad("expected P (placement), S (scoring) or '-' for a match that is over");
    }
    if (scores.some((score) => score >= TARGET)) {
      this.bad("a seat has 100 points: the match is over, expected '-'");
    }
    const placing = phase === 'P';
    if (placing && scores.some((score) => score !== 0)) this.bad('nobody has points in the placement');
    if (placing && floors.some((floor) => floor !== 0)) this.bad('floors are 0 in the placement');
    if (placing && out.length === SEATS) {
      this.bad('both seats have passed: the scoring begins, expected S');
    }
    if (out.length === SEATS) this.bad("both seats are out: the match is over, expected '-'");
    if (!placing) this.#read.stage = 'scoring';
    this.advance();
  }

  #turn(): void {
    if (this.#read.stage === 'over') {
      if (!this.skipNone()) this.bad("expected '-': the match is over");
      return;
    }
    const seat = this.#seat();
    if (seat < 0) this.bad('expected the seat to move, a or b');
    if (this.#read.table.out.includes(seat)) {
      this.bad(`seat ${letter(seat)} has passed or is out: it is not to move`);
    }
    this.#read.mover = seat;
    this.advance();
  }

  #first(): void {
    const seat = this.#seat();
    if (seat < 0) this.bad('expected the seat that began the placement, a or b');
    const { firstPlayer } = this.#rules;
    if (firstPlayer >= 0 && seat !== firstPlayer) {
      this.bad('another seat begins in this match (first_player)');
    }
    this.#read.first = seat;
    this.advance();
  }
}

export function positionText({ table, stage, mover, first }: Read): string {
  const pieces: string[] = [];
  for (const piece of table.pieces) {
    if (!piece) continue;
    const { seat, length, vertical, anchor } = piece;
    const zero = anchor < 10 ? '0' : '';
    pieces.push(`${letter(seat)}${length}${vertical ? 'v' : 'h'}${zero}${anchor}`);
  }
  return [
    pieces.join() || '-',
    table.unplayed.map((counts) => counts.join('')).join(),
    table.scores.join(),
    table.floors.join(),
    table.out.map(letter).join('') || '-',
    { placement: 'P', scoring: 'S', over: '-' }[stage],
    stage === 'over' ? '-' : letter(mover),
    letter(first),
  ].join(' ');
}
