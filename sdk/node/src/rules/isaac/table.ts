// What lies where in Isaac. Cells are numbered as in notation, by seat a's view: 10 x row + column.

export const SEATS = 2;
export const SIDE = 10;
export const CELLS = SIDE * SIDE;
export const MIN_LENGTH = 3;
export const MAX_LENGTH = 7;
export const TARGET = 100; // points
/** How many pieces of the lengths 3 to 7 a seat has, and what one is worth. */
export const STOCK = [5, 4, 3, 2, 1] as const;
const VALUES = [1, 2, 3, 4, 6] as const;

export const rowOf = (cell: number) => Math.floor(cell / SIDE);
export const columnOf = (cell: number) => cell % SIDE;
export const otherSeat = (seat: number) => 1 - seat;

/** A straight piece; `anchor` is its lowest cell. */
export interface Piece {
  readonly seat: number;
  readonly length: number;
  readonly vertical: boolean;
  readonly anchor: number;
}

export function fits({ length, vertical, anchor }: Omit<Piece, 'seat'>): boolean {
  return (vertical ? rowOf(anchor) : columnOf(anchor)) + length <= SIDE;
}

/** The cells of a piece that fits, its anchor first. */
export function cellsOf({ length, vertical, anchor }: Omit<Piece, 'seat'>): number[] {
  const stride = vertical ? SIDE : 1;
  return Array.from({ length }, (_, i) => anchor + i * stride);
}

export class Table {
  /** By cell: the piece that is anchored there. */
  readonly pieces: (Piece | undefined)[];
  /** By cell: 1 if a piece covers it. */
  readonly covered: Uint8Array;
  /** How many pieces cover a cell of each row, and of each column. */
  readonly inRow: Uint8Array;
  readonly inColumn: Uint8Array;
  /** By seat, how many pieces of the lengths 3 to 7 are not placed. */
  readonly unplayed: readonly [number[], number[]];
  readonly scores: number[];
  /** By seat, the length that a removed piece must reach; 0 before the first. */
  readonly floors: number[];
  /** The seats that have passed in the placement, or are out in the scoring, in order. */
  out: number[];

  /** The empty board, or a copy of `from`. */
  constructor(from?: Table) {
    this.pieces = from ? from.pieces.slice() : new Array<Piece | undefined>(CELLS).fill(undefined);
    this.covered = from ? from.covered.slice() : new Uint8Array(CELLS);
    this.inRow = from ? from.inRow.slice() : new Uint8Array(SIDE);
    this.inColumn = from ? from.inColumn.slice() : new Uint8Array(SIDE);
    const [a, b] = from ? from.unplayed : [STOCK, STOCK];
    this.unplayed = [a.slice(), b.slice()];
    this.scores = from ? from.scores.slice() : [0, 0];
    this.floors = from ? from.floors.slice() : [0, 0];
    this.out = from ? from.out.slice() : [];
  }

  clone(): Table {
    return new Table(this);
  }

  put(piece: Piece): void {
    this.pieces[piece.anchor] = piece;
    this.#count(piece, 1);
  }

  take(anchor: number): void {
    this.#count(this.pieces[anchor]!, -1);
    this.pieces[anchor] = undefined;
  }

  #count(piece: Piece, change: 1 | -1): void {
    for (const cell of cellsOf(piece)) {
      this.covered[cell] = change === 1 ? 1 : 0;
      if (piece.vertical) this.inRow[rowOf(cell)]! += change;
      else this.inColumn[columnOf(cell)]! += change;
    }
    if (piece.vertical) this.inColumn[columnOf(piece.anchor)]! += change;
    else this.inRow[rowOf(piece.anchor)]! += change;
  }

  /** Where a counter stands that is on the board. */
  counter(seat: number): number {
    return seat === 0 ? this.scores[0]! : CELLS - 1 - this.scores[1]!;
  }

  /** Whether a counter stands on a piece. */
  hasCounter(piece: Piece): boolean {
    return cellsOf(piece).some((cell) => cell === this.counter(0) || cell === this.counter(1));
  }

  /** What removing a piece scores, both counters being on the board. */
  pointsFor({ length, vertical, anchor }: Piece): number {
    const lineOf = vertical ? columnOf : rowOf;
    const line = lineOf(anchor);
    const others = (vertical ? this.inColumn : this.inRow)[line]! - 1;
    const counters = [0, 1].filter((seat) => lineOf(this.counter(seat)) === line).length;
    return (others * VALUES[length - MIN_LENGTH]!) << counters;
  }

  /** The sum of the lengths of a seat's unplayed pieces. */
  unplayedLine(seat: number): number {
    return this.unplayed[seat]!.reduce((sum, count, i) => sum + count * (MIN_LENGTH + i), 0);
  }
}
