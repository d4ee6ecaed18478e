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
export interface Step {
  readonly die: number;
  readonly from: number;
  readonly stack: boolean;
  readonly to: number;
}

/** The place that a pawn of `seat` on lane space `k` comes to with `die`. */
function outOfLane({ board, seats }: Rules, seat: number, k: number, die: number): number {
  const lane = (6 - Math.floor((6 * seat) / seats)) % 6;
  return (board.laneEntries[lane]! + die - k) % board.ringSizes[0]!;
}

function stepNumber(board: Board, step: Step, captured: number): number {
  const start = board.startNumber(step.from, step.stack);
  const landing = board.landingNumber(step.to, captured);
  return (((step.die << START_BITS) | start) << LANDING_BITS) | landing;
}

function decodeStep(board: Board, number: number): Step {
  const landing = number & ((1 << LANDING_BITS) - 1);
  const start = (number >> LANDING_BITS) & ((1 << START_BITS) - 1);
  const { place: from, stack } = board.starts[start]!;
  return { die: number >> (LANDING_BITS + START_BITS), from, stack, to: board.landings[landing]!.place };
}

/** The steps of a move, none for the pass. */
export function stepsOf(board: Board, move: Move): Step[] {
  return [Math.floor(move / STEP), move % STEP]
    .filter((number) => number !== 0)
    .map((number) => decodeStep(board, number));
}

/** Adds the numbers of the steps that `die` makes, in no order. */
function findSteps(rules: Rules, table: Table, seat: number, die: number, out: number[]): void {
  const { board } = rules;
  const add = (from: number, stack: boolean, to: number) => {
    const captured = to === board.centre ? 0 : captures(seat, stack, table.cells[to]!);
    if (captured >= 0) out.push(stepNumber(board, { die, from, stack, to }, captured));
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

/** The notation of a move. */
export function notation(board: Board, move: Move): string {
  if (move === PASS) return '-';
  return [Math.floor(move / STEP), move % STEP]
    .filter((number) => number !== 0)
    .map((number) => {
      const { die } = decodeStep(board, number);
      const start = board.starts[(number >> LANDING_BITS) & ((1 << START_BITS) - 1)]!;
      const landing = board.landings[number & ((1 << LANDING_BITS) - 1)]!;
      return `${die}:${start.text}${landing.text}`;
    })
    .join(' ');
}

/** One step, as far as it goes. */
const STEP_PARTS: readonly (readonly [part: RegExp, expected: string])[] = [
  [/[1-6]/y, 'a die, 1 to 6'],
  [/:/y, "':' after the die"],
  [/X|L[1-4]|[A-H](0|[1-9]\d?)/y, 'a space such as A17, L3 or X'],
  [/\*?>/y, "'>' or '*>'"],
  [/X|L[1-4]|[A-H](0|[1-9]\d?)/y, 'a space such as A17, L3 or X'],
  [/x{0,2}/y, 'x for each pawn captured'],
];

/** Reads notation. Throws NotationError for what is none, or names a space that there is not. */
export function parseMove(board: Board, text: string): Move {
  if (text === '-') return PASS;
  const expect = (at: number, what: string): never => {
    throw new NotationError(text, at, `expected ${what}`);
  };
  if (text.length > MAX_BYTES) expect(MAX_BYTES, `at most ${MAX_BYTES} bytes`);
  const numbers: number[] = [];
  let at = 0;
  do {
    if (numbers.length === 2) expect(at, 'the end: a move has at most two steps');
    if (numbers.length > 0) ++at;
    const parts: string[] = [];
    for (const [part, expected] of STEP_PARTS) {
      part.lastIndex = at;
      const found = part.exec(text)?.[0] ?? expect(at, expected);
      parts.push(found);
      at += found.length;
    }
    const [die, , from, arrow, to, captured] = parts as [string, string, string, string, string, string];
    const start = board.starts.findIndex((known) => known.text === from + arrow);
    const landing = board.landings.findIndex((known) => known.text === to + captured);
    if (start < 0 || landing < 0) {
      const missing = start < 0 ? from : to;
      throw new NotationError(text, 0, `the board ${board.name} has no space ${missing}`);
    }
    numbers.push((((Number(die) << START_BITS) | start) << LANDING_BITS) | landing);
  } while (text[at] === ' ');
  if (at < text.length) expect(at, "'x', ' ' and another step, or the end");
  return numbers[0]! * STEP + (numbers[1] ?? 0);
}
