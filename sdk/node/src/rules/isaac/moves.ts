// The moves of Isaac as numbers, and which are legal.
//
// A placement is its length, direction and cell; a removal, above all placements, its cell,
// direction and the rank of its advance in the ASCII order of digits.

import { NotationError } from '../errors.js';
import { PASS, type Move } from '../game.js';
import { CELLS, fits, MAX_LENGTH, MIN_LENGTH, otherSeat, SIDE, type Table } from './table.js';

const REMOVAL = 1 << 20;
const MAX_ADVANCE = 999;
const MAX_BYTES = 256;

/** Advances by rank, and ranks by advance. */
const ADVANCES = Array.from({ length: MAX_ADVANCE + 1 }, (_, i) => i).sort((a, b) =>
  String(a) < String(b) ? -1 : 1,
);
const RANKS: number[] = [];
for (const [rank, advance] of ADVANCES.entries()) RANKS[advance] = rank;

export type Play =
  | { readonly kind: 'placement'; readonly length: number; readonly vertical: boolean; readonly cell: number }
  | { readonly kind: 'removal'; readonly vertical: boolean; readonly cell: number; readonly advance: number };

function encode(play: Play): Move {
  const vertical = Number(play.vertical);
  if (play.kind === 'placement') return (play.length << 8) | (vertical << 7) | play.cell;
  return REMOVAL | (play.cell << 13) | (vertical << 12) | RANKS[play.advance]!;
}

/** What a move does; undefined for the pass. */
export function decode(move: Move): Play | undefined {
  if (move === PASS) return undefined;
  if (move < REMOVAL) {
    const vertical = ((move >> 7) & 1) === 1;
    return { kind: 'placement', length: move >> 8, vertical, cell: move & 127 };
  }
  const vertical = ((move >> 12) & 1) === 1;
  return { kind: 'removal', cell: (move >> 13) & 127, vertical, advance: ADVANCES[move & 4095]! };
}

const cellText = (cell: number) => String(cell).padStart(2, '0');

export function notation(move: Move): string {
  const play = decode(move);
  if (!play) return '-';
  const direction = play.vertical ? 'v' : 'h';
  if (play.kind === 'placement') return `${play.length}${direction}${cellText(play.cell)}`;
  return `x${cellText(play.cell)}${direction}+${play.advance}`;
}

/** Reads notation. Throws NotationError for what is none. */
export function parseMove(text: string): Move {
  if (text === '-') return PASS;
  if (text.length > MAX_BYTES) {
    throw new NotationError(text, MAX_BYTES, `a move has at most ${MAX_BYTES} bytes`);
  }
  const placed = /^([3-7])([hv])(\d\d)$/.exec(text);
  if (placed) {
    const [, length, direction, cell] = placed;
    return encode({
      kind: 'placement',
      length: Number(length),
      vertical: direction === 'v',
      cell: Number(cell),
    });
  }
  const removed = /^x(\d\d)([hv])\+(0|[1-9]\d*)$/.exec(text);
  if (!removed) throw new NotationError(text, 0, 'expected a move such as 7h33 or x34h+12');
  const [, cell, direction, advance] = removed;
  if (Number(advance) > MAX_ADVANCE) {
    throw new NotationError(text, 5, `expected an advance of at most ${MAX_ADVANCE}`);
  }
  const vertical = direction === 'v';
  return encode({ kind: 'removal', cell: Number(cell), vertical, advance: Number(advance) });
}

function placements(table: Table, seat: number): Move[] {
  const moves: Move[] = [];
  for (let length = MIN_LENGTH; length <= MAX_LENGTH; ++length) {
    if (table.unplayed[seat]![length - MIN_LENGTH] === 0) continue;
    for (const vertical of [false, true]) {
      const stride = vertical ? SIDE : 1;
      for (let cell = 0; cell < CELLS; ++cell) {
        if (!fits({ length, vertical, anchor: cell })) continue;
        let free = 0;
        while (free < length && table.covered[cell + free * stride] === 0) ++free;
        if (free === length) moves.push(encode({ kind: 'placement', length, vertical, cell }));
      }
    }
  }
  return moves;
}

function removals(table: Table, seat: number, exact: boolean): Move[] {
  const moves: Move[] = [];
  // The advance that leads onto the other counter; never 0, since the two would stand together.
  const taken = CELLS - 1 - table.scores[otherSeat(seat)]! - table.scores[seat]!;
  for (const piece of table.pieces) {
    if (piece?.seat !== seat || piece.length < table.floors[seat]!) continue;
    if (table.hasCounter(piece)) continue;
    const points = table.pointsFor(piece);
    const { vertical, anchor: cell } = piece;
    for (let advance = exact ? points : 0; advance <= points; ++advance) {
      if (!exact && advance > 0 && advance === taken) continue;
      moves.push(encode({ kind: 'removal', cell, vertical, advance }));
    }
  }
  return moves.sort((a, b) => a - b);
}

/** The legal moves of `seat`, sorted; the pass alone if it can do nothing. */
export function legalMoves(table: Table, seat: number, scoring: boolean, exact: boolean): Move[] {
  const moves = scoring ? removals(table, seat, exact) : placements(table, seat);
  return moves.length > 0 ? moves : [PASS];
}
