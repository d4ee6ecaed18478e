// The moves of Hypnosia as numbers, and which are legal.
//
// A step is 26 bits: the die, the number of its start and that of its landing (board.ts), which are
// in the order of notation. A move is its first step, and the second below it, 0 if there is none:
// 52 bits, as many as a number holds exactly.

import { PASS, type Move } from '../game.js';
import { NotationError } from '../errors.js';
import { LANE_SPACES, NOWHERE, type Board } from './board.js';
import { captures, isStack, ownerOf, type Table } from './table.js';

const LANDING_BITS = 12;
const START_BITS = 11;
const STEP = 2 ** (LANDING_BITS + START_BITS + 3);
const MAX_BYTES = 256;

/** The options that the legal moves depend on. */
export interface Rules {
  readonly board: Board;
  readonly seats: number;
  readonly stackBridges: boolean;
  readonly turnLimit: number;
}

/** A die, played. */
interface Step {
  readonly from: number;
  readonly stack: boolean;
  readonly to: number;
}

/** The place that a pawn of `seat` on lane space `k` comes to with `die`. */
function outOfLane({ board, seats }: Rules, seat: number, k: number, die: number): number {
  const lane = (6 - Math.floor((6 * seat) / seats)) % 6;
  return (board.laneEntries[lane]! + die - k) % board.ringSizes[0]!;
}

const encode = (die: number, start: number, landing: number) =>
  (((die << START_BITS) | start) << LANDING_BITS) | landing;
const dieOf = (step: number) => step >> (LANDING_BITS + START_BITS);
const startOf = (step: number) => (step >> LANDING_BITS) & ((1 << START_BITS) - 1);
const landingOf = (step: number) => step & ((1 << LANDING_BITS) - 1);

/** The numbers of the steps of a move, none for the pass. */
function numbersOf(move: Move): number[] {
  return [Math.floor(move / STEP), move % STEP].filter((number) => number !== 0);
}

function decodeStep(board: Board, number: number): Step {
  const { place: from, stack } = board.starts[startOf(number)]!;
  return { from, stack, to: board.landings[landingOf(number)]!.place };
}

/** The steps of a move, none for the pass. */
export function stepsOf(board: Board, move: Move): Step[] {
  return numbersOf(move).map((number) => decodeStep(board, number));
}

/** Adds the numbers of the steps that `die` makes, in no order. */
function findSteps(rules: Rules, table: Table, seat: number, die: number, out: number[]): void {
  const { board } = rules;
  const add = (from: number, stack: boolean, to: number) => {
    const captured = to === board.centre ? 0 : captures(seat, stack, table.cells[to]!);
    if (captured < 0) return;
    out.push(encode(die, board.startNumber(from, stack), board.landingNumber(to, captured)));
  };
  for (let k = 1; k <= Math.min(die, LANE_SPACES); ++k) {
    if (((table.lanes[seat]! >> (k - 1)) & 1) === 0) continue;
    add(board.lane + k - 1, false, outOfLane(rules, seat, k, die));
  }
  for (let from = 0; from < board.spaces; ++from) {
    const cell = table.cells[from]!;
    if (cell === 0 || ownerOf(cell) !== seat) continue;
    const walked = board.walk(from, die);
    const crossed = board.cross(from, die);
    add(from, false, walked);
    if (crossed !== NOWHERE) add(from, false, crossed);
    if (!isStack(cell)) continue;
    add(from, true, walked);
    if (crossed !== NOWHERE && rules.stackBridges) add(from, true, crossed);
  }
}

/** The legal moves of `seat` with `dice`, sorted; the pass alone if no die can be played. */
export function legalMoves(rules: Rules, table: Table, seat: number, dice: readonly number[]): Move[] {
  const [one = 0, other = 0] = dice;
  const orders = one === other ? [[one, other]] : [[one, other], [other, one]];
  const complete: Move[] = [];
  const single: Move[] = [];
  let bothPlayed = false;
  for (const [first = 0, second = 0] of orders) {
    const firsts: number[] = [];
    findSteps(rules, table, seat, first, firsts);
    for (const number of firsts) {
      const after = table.clone();
      const { from, stack, to } = decodeStep(rules.board, number);
      after.play(seat, from, stack, to);
      single.push(number * STEP);
      if (after.isOver) {
        // It completes the turn, and counts as the dice that it played.
        complete.push(number * STEP);
        continue;
      }
      const seconds: number[] = [];
      findSteps(rules, after, seat, second, seconds);
      for (const next of seconds) complete.push(number * STEP + next);
      bothPlayed ||= seconds.length > 0;
    }
  }
  const moves = bothPlayed ? complete : single;
  return moves.length > 0 ? moves.sort((a, b) => a - b) : [PASS];
}

export function notation(board: Board, move: Move): string {
  const texts = numbersOf(move).map((number) => {
    const start = board.starts[startOf(number)]!;
    const landing = board.landings[landingOf(number)]!;
    return `${dieOf(number)}:${start.text}${landing.text}`;
  });
  return texts.join(' ') || '-';
}

const SPACE = '(X|L[1-4]|[A-H](?:0|[1-9]\\d?))';
const STEP_TEXT = new RegExp(`^([1-6]):${SPACE}(\\*?>)${SPACE}(x{0,2})$`);

/** Reads notation. Throws NotationError for what is none, or names a space that there is not. */
export function parseMove(board: Board, text: string): Move {
  if (text === '-') return PASS;
  if (text.length > MAX_BYTES) {
    throw new NotationError(text, MAX_BYTES, `a move has at most ${MAX_BYTES} bytes`);
  }
  const steps = text.split(' ');
  if (steps.length > 2) throw new NotationError(text, 0, 'a move has at most two steps');
  const [first = 0, second = 0] = steps.map((step, i) => {
    const byte = i === 0 ? 0 : steps[0]!.length + 1;
    const parts = STEP_TEXT.exec(step);
    if (!parts) throw new NotationError(text, byte, 'expected a step such as 5:L2>A3 or 4:A17*>B3xx');
    const [, die, from = '', arrow = '', to = '', captured = ''] = parts;
    const start = board.starts.findIndex((known) => known.text === from + arrow);
    const landing = board.landings.findIndex((known) => known.text === to + captured);
    if (start >= 0 && landing >= 0) return encode(Number(die), start, landing);
    const missing = start < 0 ? from : to;
    throw new NotationError(text, byte, `the board ${board.name} has no space ${missing}`);
  });
  return first * STEP + second;
}
