// What stands where in Hypnosia, and what a step does to it.

import { LANE_SPACES, type Board } from './board.js';

export const PAWNS = 4; // of a seat

/** What stands on a space of a ring: 0 for nothing, else a seat's pawn or its stack. */
export const singleOf = (seat: number) => 1 + 2 * seat;
export const stackOf = (seat: number) => 2 + 2 * seat;
export const isStack = (cell: number) => cell !== 0 && cell % 2 === 0;
export const pawnsIn = (cell: number) => (cell === 0 ? 0 : 2 - (cell % 2));
export const ownerOf = (cell: number) => (cell - 1) >> 1;

/** How many pawns a unit of `seat` captures by landing on `cell`; -1 if it may not land there. */
export function captures(seat: number, stack: boolean, cell: number): number {
  if (cell === 0) return 0;
  if (cell === stackOf(seat)) return -1;
  if (cell === singleOf(seat)) return stack ? -1 : 0;
  if (isStack(cell)) return stack ? 2 : -1;
  return 1;
}

export class Table {
  /** By ring space. */
  readonly cells: Uint8Array;
  /** By seat; bit k - 1: a pawn on Lk. */
  readonly lanes: number[];
  /** Seats in order of arrival. */
  readonly centre: number[];
  /** Captures minus losses, by seat. */
  readonly points: number[];
  /** Pawns in lanes and on rings, of all seats. */
  outside: number;

  /** All pawns in their lanes, or a copy of `from`. */
  constructor(
    readonly board: Board,
    readonly seats: number,
    from?: Table,
  ) {
    this.cells = from ? from.cells.slice() : new Uint8Array(board.spaces);
    this.lanes = from ? from.lanes.slice() : new Array<number>(seats).fill((1 << LANE_SPACES) - 1);
    this.centre = from ? from.centre.slice() : [];
    this.points = from ? from.points.slice() : new Array<number>(seats).fill(0);
    this.outside = from ? from.outside : seats * PAWNS;
  }

  clone(): Table {
    return new Table(this.board, this.seats, this);
  }

  get freePlaces(): number {
    return this.board.centrePlaces - this.centre.length;
  }
  /** Whether the game ends here, be it in the middle of a turn. */
  get isOver(): boolean {
    return this.freePlaces === 0 || this.outside === 0;
  }

  hasPawns(seat: number): boolean {
    return this.lanes[seat] !== 0 || this.cells.some((cell) => cell !== 0 && ownerOf(cell) === seat);
  }

  play(seat: number, from: number, stack: boolean, to: number): void {
    const { board } = this;
    // With one place left in the centre, one pawn of a stack enters, as if it had moved alone.
    const both = stack && (to !== board.centre || this.freePlaces >= 2);
    if (from >= board.lane) this.lanes[seat]! &= ~(1 << (from - board.lane));
    else this.cells[from] = isStack(this.cells[from]!) && !both ? singleOf(seat) : 0;
    if (to === board.centre) {
      for (let pawn = 0; pawn < (both ? 2 : 1); ++pawn) {
        this.centre.push(seat);
        --this.outside;
      }
      return;
    }
    this.#land(seat, stack, to);
  }

  #land(seat: number, stack: boolean, to: number): void {
    const cell = this.cells[to]!;
    if (cell === singleOf(seat)) {
      this.cells[to] = stackOf(seat);
      return;
    }
    if (cell !== 0) {
      const pawns = pawnsIn(cell);
      this.points[seat]! += pawns;
      this.points[ownerOf(cell)]! -= pawns;
      this.outside -= pawns;
    }
    this.cells[to] = stack ? stackOf(seat) : singleOf(seat);
  }

  /** Takes all pawns of a seat out of its lane and off the rings. */
  remove(seat: number): void {
    for (let lane = this.lanes[seat]!; lane !== 0; lane &= lane - 1) --this.outside;
    this.lanes[seat] = 0;
    for (const [space, cell] of this.cells.entries()) {
      if (cell === 0 || ownerOf(cell) !== seat) continue;
      this.outside -= pawnsIn(cell);
      this.cells[space] = 0;
    }
  }

  /** The points of a seat: captures less losses, and what its pawns in the centre are worth. */
  score(seat: number): number {
    return this.centre.reduce(
      (sum, owner, i) => (owner === seat ? sum + this.board.centrePlaces - i : sum),
      this.points[seat]!,
    );
  }
}
