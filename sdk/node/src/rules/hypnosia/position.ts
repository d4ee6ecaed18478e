// Position strings of Hypnosia, both ways. The grammar is in referee/games/hypnosia/RULES.md.

import { FieldReader, isDigit } from '../fields.js';
import { LANE_SPACES } from './board.js';
import type { Rules } from './moves.js';
import { isStack, ownerOf, PAWNS, pawnsIn, singleOf, stackOf, Table } from './table.js';

/** What a position string says. */
export interface Read {
  readonly table: Table;
  readonly forfeits: readonly number[];
  /** -1: over. */
  readonly mover: number;
  readonly dice: readonly number[];
}

const letter = (seat: number) => String.fromCharCode(97 + seat);

export class PositionReader extends FieldReader {
  readonly #rules: Rules;
  readonly #start: boolean;
  readonly #read: { table: Table; forfeits: number[]; mover: number; dice: number[] };
  readonly #pawns: number[]; // of each seat, so far
  #outside: number[] = []; // in lanes and on rings

  /** With `start` it is a position to start from, which is not over and may lack its dice. */
  constructor(rules: Rules, text: string, start: boolean) {
    super(text);
    this.#rules = rules;
    this.#start = start;
    this.#read = { table: new Table(rules.board, rules.seats), forfeits: [], mover: -1, dice: [] };
    this.#pawns = new Array<number>(rules.seats).fill(0);
  }

  /** Throws PositionError. */
  read(): Read {
    this.readFields([
      ['rings', () => this.#rings()],
      ['lanes', () => this.#lanes()],
      ['centre', () => this.#centre()],
      ['points', () => this.#points()],
      ['forfeits', () => this.#forfeits()],
      ['turn', () => this.#turn()],
      ['dice', () => this.#dice()],
    ]);
    return this.#read;
  }

  /** The seat of a letter; -1 if it is none of this match. */
  #seatOf(c: string, first = 'a'): number {
    const seat = c === '' ? -1 : c.charCodeAt(0) - first.charCodeAt(0);
    return seat >= 0 && seat < this.#rules.seats ? seat : -1;
  }
  get #seatRange(): string {
    return `a to ${letter(this.#rules.seats - 1)}`;
  }

  #rings(): void {
    const { ringSizes } = this.#rules.board;
    for (const ring of ringSizes.keys()) {
      if (ring > 0 && !this.skip('/')) {
        const name = String.fromCharCode(65 + ring);
        this.bad(`expected '/' and ring ${name}: the board has ${ringSizes.length} rings`);
      }
      this.#ring(ring);
    }
  }

  #ring(ring: number): void {
    const { ringSizes, ringOffsets } = this.#rules.board;
    const size = ringSizes[ring]!;
    const wrongSize = (spaces: number): never => {
      const name = String.fromCharCode(65 + ring);
      return this.bad(`ring ${name} has ${size} spaces, not ${spaces > size ? 'more' : spaces}`);
    };
    let index = 0;
    while (!this.atEnd && this.peek() !== '/') {
      if (isDigit(this.peek())) {
        index += this.#run();
        if (index > size) wrongSize(index);
        continue;
      }
      if (index >= size) wrongSize(size + 1);
      this.#piece(ringOffsets[ring]! + index);
      ++index;
    }
    if (index !== size) wrongSize(index);
  }

  #run(): number {
    if (this.peek() === '0') this.bad('a run of empty spaces does not begin with 0');
    const start = this.at;
    while (isDigit(this.peek())) this.advance();
    if (this.since(start).length > 2) this.bad('a ring has at most 99 spaces', start);
    return Number(this.since(start));
  }

  #piece(space: number): void {
    const c = this.peek();
    const stack = c >= 'A' && c <= 'Z';
    const seat = this.#seatOf(c, stack ? 'A' : 'a');
    if (seat < 0) {
      this.bad(
        `expected a number of empty spaces, or a seat's letter, ${this.#seatRange}, in capitals ` +
          'for a stack',
      );
    }
    const cell = stack ? stackOf(seat) : singleOf(seat);
    this.#count(seat, pawnsIn(cell));
    this.#read.table.cells[space] = cell;
    this.advance();
  }

  #count(seat: number, pawns: number): void {
    this.#pawns[seat]! += pawns;
    if (this.#pawns[seat]! > PAWNS) this.bad(`seat ${letter(seat)} has more than ${PAWNS} pawns`);
  }

  #lanes(): void {
    const { table } = this.#read;
    for (let seat = 0; seat < this.#rules.seats; ++seat) {
      if (seat > 0 && !this.skip(',')) this.bad(`expected ',' and the lane of seat ${letter(seat)}`);
      table.lanes[seat] = 0;
      for (let k = 0; k < LANE_SPACES; ++k) {
        const c = this.peek();
        if (c !== '0' && c !== '1') this.bad('expected four digits, each 0 or 1');
        this.#count(seat, Number(c));
        table.lanes[seat]! |= Number(c) << k;
        this.advance();
      }
    }
    this.#outside = this.#pawns.slice();
    table.outside = this.#outside.reduce((sum, pawns) => sum + pawns, 0);
  }

  #centre(): void {
    const { table } = this.#read;
    if (this.skipNone()) return;
    if (this.atEnd) this.bad("expected seats in order of arrival, or '-'");
    for (; !this.atEnd; this.advance()) {
      const seat = this.#seatOf(this.peek());
      if (seat < 0) this.bad(`expected a seat, ${this.#seatRange}`);
      if (table.freePlaces === 0) this.bad(`the centre holds ${table.board.centrePlaces}`);
      this.#count(seat, 1);
      table.centre.push(seat);
    }
  }

  #points(): void {
    // Points that no match leads to are read too. The bounds move by one with each pawn that is
    // captured, so that whatever is played from here leads to positions that can be read.
    const missing = this.#pawns.map((pawns) => PAWNS - pawns);
    const allMissing = missing.reduce((sum, pawns) => sum + pawns, 0);
    for (const [seat, own] of missing.entries()) {
      const least = -PAWNS - own;
      const most = PAWNS * (this.#rules.seats - 1) + allMissing - own;
      if (seat > 0 && !this.skip(',')) {
        this.bad(`expected ',' and the points of seat ${letter(seat)}`);
      }
      const start = this.at;
      while (!this.atEnd && this.peek() !== ',') this.advance();
      const text = this.since(start);
      const points = Number(text);
      if (!/^(0|-?[1-9]\d*)$/.test(text) || points < least || points > most) {
        this.bad(`"${text}" is not a number from ${least} to ${most}`, start);
      }
      this.#read.table.points[seat] = points;
    }
  }

  #forfeits(): void {
    const { forfeits } = this.#read;
    if (this.skipNone()) return;
    if (this.#start) this.bad("expected '-': nobody forfeits before the start");
    if (this.atEnd) this.bad("expected seats in order of forfeiting, or '-'");
    for (; !this.atEnd; this.advance()) {
      const seat = this.#seatOf(this.peek());
      if (seat < 0) this.bad(`expected a seat, ${this.#seatRange}`);
      if (forfeits.includes(seat)) this.bad('a seat forfeits once');
      if (this.#outside[seat]! > 0) this.bad('a seat that has forfeited has no pawns to move');
      if (forfeits.length === this.#rules.seats - 1) this.bad('one seat is always left');
      forfeits.push(seat);
    }
  }

  #turn(): void {
    if (!this.#start && this.skipNone()) return;
    const seat = this.#seatOf(this.peek());
    if (seat < 0) {
      this.bad(
        this.#start
          ? `expected the seat that begins, ${this.#seatRange}`
          : `expected a seat, ${this.#seatRange}, or '-' for a game over`,
      );
    }
    if (this.#read.table.freePlaces === 0) {
      this.bad("the centre is full: the game is over, expected '-'");
    }
    if (this.#read.forfeits.length === this.#rules.seats - 1) {
      this.bad("one seat is left: the game is over, expected '-'");
    }
    if (this.#outside[seat] === 0) this.bad('the seat to move has no pawn to move');
    this.#read.mover = seat;
    this.advance();
  }

  #dice(): void {
    if (this.#read.mover < 0) {
      if (!this.skipNone()) this.bad("expected '-': the game is over");
      return;
    }
    if (this.#start && this.skipNone()) return;
    for (let i = 0; i < 2; ++i) {
      const c = this.peek();
      if (!(c >= '1' && c <= '6')) this.bad('expected two dice, 1 to 6 each');
      this.#read.dice.push(Number(c));
      this.advance();
    }
  }
}

function ringText(cells: Uint8Array): string {
  let text = '';
  let empty = 0;
  for (const cell of cells) {
    if (cell === 0) {
      ++empty;
      continue;
    }
    if (empty > 0) text += empty;
    empty = 0;
    text += String.fromCharCode((isStack(cell) ? 65 : 97) + ownerOf(cell));
  }
  return empty > 0 ? text + empty : text;
}

const seatsText = (seats: readonly number[]) => seats.map(letter).join('') || '-';

export function positionText({ table, forfeits, mover, dice }: Read): string {
  const { ringSizes, ringOffsets } = table.board;
  const rings = ringSizes.map((size, r) =>
    ringText(table.cells.subarray(ringOffsets[r]!, ringOffsets[r]! + size)),
  );
  const lanes = table.lanes.map((lane) => [0, 1, 2, 3].map((k) => (lane >> k) & 1).join(''));
  return [
    rings.join('/'),
    lanes.join(),
    seatsText(table.centre),
    table.points.join(),
    seatsText(forfeits),
    mover < 0 ? '-' : letter(mover),
    mover < 0 ? '-' : dice.join(''),
  ].join(' ');
}
