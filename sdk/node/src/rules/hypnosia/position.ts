// Position strings of Hypnosia, both ways. The grammar is in referee/games/hypnosia/RULES.md.

import { FieldReader, letter } from '../fields.js';
import { LANE_SPACES } from './board.js';
import type { Rules } from './moves.js';
import { isStack, ownerOf, PAWNS, pawnsIn, singleOf, stackOf, type Table } from './table.js';

/** What a position string says. */
export interface Shown {
  readonly table: Table;
  readonly forfeits: number[];
  /** -1: over. */
  seatToMove: number;
  dice: readonly number[];
}

export class PositionReader extends FieldReader {
  readonly #rules: Rules;
  readonly #start: boolean;
  readonly #state: Shown;
  /** Of the seats, and of their stacks. */
  readonly #letters: RegExp;
  readonly #capitals: RegExp;
  readonly #pawns: number[]; // of each seat, so far
  #outside: number[] = []; // in lanes and on rings

  /**
   * With `start` it is a position to start from, which is not over and may lack its dice. `state` is one
   * before the first roll.
   */
  constructor(rules: Rules, text: string, start: boolean, state: Shown) {
    super(text);
    this.#rules = rules;
    this.#start = start;
    this.#state = state;
    const letters = `[a-${letter(rules.seats - 1)}]`;
    this.#letters = new RegExp(letters, 'y');
    this.#capitals = new RegExp(letters.toUpperCase(), 'y');
    this.#pawns = new Array<number>(rules.seats).fill(0);
  }

  /** Puts what the string says into the state. Throws PositionError. */
  read(): void {
    this.readFields([
      ['rings', () => this.#rings()],
      ['lanes', () => this.#lanes()],
      ['centre', () => this.#centre()],
      ['points', () => this.#points()],
      ['forfeits', () => this.#forfeits()],
      ['turn', () => this.#turn()],
      ['dice', () => this.#dice()],
    ]);
  }

  get #seatRange(): string {
    return `a to ${letter(this.#rules.seats - 1)}`;
  }
  /** Reads the letter of a seat. */
  #seat(expected: string): number {
    return this.take(this.#letters, expected).charCodeAt(0) - 97;
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
      if (/\d/.test(this.peek())) {
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
    const start = this.at;
    if (this.peek() === '0') this.bad('a run of empty spaces does not begin with 0');
    const digits = this.take(/\d+/y);
    if (digits.length > 2) this.bad('a ring has at most 99 spaces', start);
    return Number(digits);
  }

  #piece(space: number): void {
    const byte = this.at;
    const stack = /[A-Z]/.test(this.peek());
    const what = `a number of empty spaces, or a seat's letter, ${this.#seatRange}, in capitals for a stack`;
    const seat = this.take(stack ? this.#capitals : this.#letters, what).toLowerCase().charCodeAt(0) - 97;
    const cell = stack ? stackOf(seat) : singleOf(seat);
    this.#count(seat, pawnsIn(cell), byte);
    this.#state.table.cells[space] = cell;
  }

  #count(seat: number, pawns: number, byte: number): void {
    this.#pawns[seat]! += pawns;
    if (this.#pawns[seat]! <= PAWNS) return;
    this.bad(`seat ${letter(seat)} has more than ${PAWNS} pawns`, byte);
  }

  #lanes(): void {
    const { table } = this.#state;
    for (let seat = 0; seat < this.#rules.seats; ++seat) {
      if (seat > 0 && !this.skip(',')) this.bad(`expected ',' and the lane of seat ${letter(seat)}`);
      table.lanes[seat] = 0;
      for (let k = 0; k < LANE_SPACES; ++k) {
        const byte = this.at;
        const pawns = Number(this.take(/[01]/y, 'four digits, each 0 or 1'));
        this.#count(seat, pawns, byte);
        table.lanes[seat]! |= pawns << k;
      }
    }
    this.#outside = this.#pawns.slice();
    table.outside = this.#outside.reduce((sum, pawns) => sum + pawns, 0);
  }

  #centre(): void {
    const { table } = this.#state;
    if (this.skipNone()) return;
    do {
      const byte = this.at;
      const seat = this.#seat(`seats in order of arrival, ${this.#seatRange}, or '-'`);
      if (table.freePlaces === 0) this.bad(`the centre holds ${table.board.centrePlaces}`, byte);
      this.#count(seat, 1, byte);
      table.centre.push(seat);
    } while (!this.atEnd);
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
      const text = this.take(/[^ ,]*/y);
      const points = Number(text);
      if (!/^(0|-?[1-9]\d*)$/.test(text) || points < least || points > most) {
        this.bad(`"${text}" is not a number from ${least} to ${most}`, start);
      }
      this.#state.table.points[seat] = points;
    }
  }

  #forfeits(): void {
    const { forfeits } = this.#state;
    if (this.skipNone()) return;
    if (this.#start) this.bad("expected '-': nobody forfeits before the start");
    do {
      const byte = this.at;
      const seat = this.#seat(`seats in order of forfeiting, ${this.#seatRange}, or '-'`);
      if (forfeits.includes(seat)) this.bad('a seat forfeits once', byte);
      if (this.#outside[seat]! > 0) this.bad('a seat that has forfeited has no pawns to move', byte);
      if (forfeits.length === this.#rules.seats - 1) this.bad('one seat is always left', byte);
      forfeits.push(seat);
    } while (!this.atEnd);
  }

  #turn(): void {
    if (!this.#start && this.skipNone()) return;
    const byte = this.at;
    const range = this.#seatRange;
    const seat = this.#seat(
      this.#start ? `the seat that begins, ${range}` : `a seat, ${range}, or '-' for a game over`,
    );
    if (this.#state.table.freePlaces === 0) {
      this.bad("the centre is full: the game is over, expected '-'", byte);
    }
    if (this.#state.forfeits.length === this.#rules.seats - 1) {
      this.bad("one seat is left: the game is over, expected '-'", byte);
    }
    if (this.#outside[seat] === 0) this.bad('the seat to move has no pawn to move', byte);
    this.#state.seatToMove = seat;
  }

  #dice(): void {
    if (this.#state.seatToMove < 0) {
      if (!this.skipNone()) this.bad("expected '-': the game is over");
      return;
    }
    if (this.#start && this.skipNone()) return;
    const die = () => Number(this.take(/[1-6]/y, 'two dice, 1 to 6 each'));
    this.#state.dice = [die(), die()];
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

export function positionText({ table, forfeits, seatToMove: mover, dice }: Shown): string {
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
