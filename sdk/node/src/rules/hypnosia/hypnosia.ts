// Hypnosia: the rules that referee/games/hypnosia/RULES.md tells.

import type { Chance, Game, Move, OptionTexts, Outcome, Phase, State } from '../game.js';
import { checkSeat, IllegalMoveError, RulesError } from '../errors.js';
import { settled, withoutEmpty } from '../options.js';
import { Board, DIE_SIDES, SPIRAL } from './board.js';
import { parseBoardFile, spiralBoard } from './board_file.js';
import { legalMoves, notation, parseMove, stepsOf, type Rules } from './moves.js';
import { PositionReader, positionText } from './position.js';
import { Table } from './table.js';

const MAX_TURN_LIMIT = 100_000;
const DICE = 2;

type End = 'LAST_SEAT' | 'CENTRE_FULL' | 'NO_PAWNS' | 'TURN_LIMIT';

/** The start rolls: who rolls in this round, and what came so far. */
interface Setup {
  readonly round: number;
  readonly rolling: readonly number[];
  readonly sums: readonly number[];
}

export class HypnosiaState implements State {
  readonly rules: Rules;
  phase: Phase = 'chance';
  firstSeat = -1;
  table: Table;
  forfeits: number[] = [];
  dice: readonly number[] = [];
  seatToMove = -1;
  #turns = 0;
  #rolls: number[]; // that each seat has had so far
  #end: End | undefined;
  #setup: Setup;

  /** Before the first roll, or a copy of `from`. */
  constructor(rules: Rules, from?: HypnosiaState) {
    this.rules = rules;
    this.table = from ? from.table.clone() : new Table(rules.board, rules.seats);
    this.#rolls = from ? from.#rolls.slice() : new Array<number>(rules.seats).fill(0);
    this.#setup = from ? from.#setup : { round: 0, rolling: [...this.#rolls.keys()], sums: [] };
    if (!from) return;
    this.phase = from.phase;
    this.firstSeat = from.firstSeat;
    this.forfeits = from.forfeits.slice();
    this.dice = from.dice;
    this.seatToMove = from.seatToMove;
    this.#turns = from.#turns;
    this.#end = from.#end;
  }

  /** A state to move in, or that is over. Throws PositionError. */
  static parse(rules: Rules, text: string): HypnosiaState {
    const state = new HypnosiaState(rules);
    new PositionReader(rules, text, false, state).read();
    state.phase = 'turn';
    // What the position does not show can only be the turn limit.
    if (state.seatToMove < 0) state.#finish(state.#endOnTable() ?? 'TURN_LIMIT');
    return state;
  }

  /** A state that waits for the dice of the seat to move. Throws PositionError. */
  static start(rules: Rules, text: string): HypnosiaState {
    const state = new HypnosiaState(rules);
    new PositionReader(rules, text, true, state).read();
    state.dice = [];
    state.firstSeat = state.seatToMove;
    return state;
  }

  clone(): HypnosiaState {
    return new HypnosiaState(this.rules, this);
  }

  chance(): Chance {
    const { round, rolling, sums } = this.#setup;
    const label =
      this.seatToMove < 0
        ? `setup/${round}/${rolling[sums.length]}`
        : `roll/${this.seatToMove}/${this.#rolls[this.seatToMove]}`;
    return { label, sides: DIE_SIDES, count: DICE };
  }

  applyChance(outcome: readonly number[]): void {
    const [one = 0, other = 0] = outcome;
    if (this.seatToMove < 0) return this.#applySetupRoll(one + other);
    this.dice = [one + 1, other + 1];
    ++this.#rolls[this.seatToMove]!;
    this.phase = 'turn';
  }

  #applySetupRoll(sum: number): void {
    const { round, rolling } = this.#setup;
    const sums = [...this.#setup.sums, sum];
    this.#setup = { round, rolling, sums };
    if (sums.length < rolling.length) return;
    const highest = Math.max(...sums);
    const tied = rolling.filter((_, i) => sums[i] === highest);
    if (tied.length === 1) {
      this.firstSeat = this.seatToMove = tied[0]!;
    } else {
      this.#setup = { round: round + 1, rolling: tied, sums: [] };
    }
  }

  legalMoves(): Move[] {
    return legalMoves(this.rules, this.table, this.seatToMove, this.dice);
  }

  resolve(text: string): Move {
    const move = parseMove(this.rules.board, text);
    const legal = this.legalMoves();
    if (legal.includes(move)) return move;
    if (text === '-') throw new IllegalMoveError(text, 'a pass is for a seat that can play no die');
    if (legal[0] === 0) {
      throw new IllegalMoveError(text, 'no die can be played: the turn is a pass');
    }
    throw new IllegalMoveError(text, 'it is not among the legal moves');
  }

  apply(move: Move): void {
    for (const { from, stack, to } of stepsOf(this.rules.board, move)) {
      this.table.play(this.seatToMove, from, stack, to);
    }
    ++this.#turns;
    const limit = this.#turns >= this.rules.turnLimit ? 'TURN_LIMIT' : undefined;
    this.#finishOrPass(this.#endOnTable() ?? limit);
  }

  forfeit(seat: number): void {
    checkSeat(this.table.points.length, seat);
    this.table.remove(seat);
    this.forfeits.push(seat);
    const end = this.#endOnTable();
    // If another seat is to move, it still is, and keeps its dice.
    if (!end && seat !== this.seatToMove) return;
    this.#finishOrPass(end);
  }

  #endOnTable(): End | undefined {
    if (this.forfeits.length === this.rules.seats - 1) return 'LAST_SEAT';
    if (this.table.freePlaces === 0) return 'CENTRE_FULL';
    return this.table.outside === 0 ? 'NO_PAWNS' : undefined;
  }

  /** Ends the game, or passes the dice to the next seat that has a pawn to move. */
  #finishOrPass(end: End | undefined): void {
    if (end) return this.#finish(end);
    do {
      this.seatToMove = (this.seatToMove + 1) % this.rules.seats;
    } while (!this.table.hasPawns(this.seatToMove)); // nor has a seat that has forfeited
    this.phase = 'chance';
  }

  #finish(end: End): void {
    this.#end = end;
    this.seatToMove = -1;
    this.phase = 'over';
  }

  outcome(): Outcome {
    const scores = this.table.points.map((_, seat) => this.score(seat));
    return { reason: this.#end ?? 'TURN_LIMIT', scores, ranks: this.#ranks(scores) };
  }

  #ranks(scores: readonly number[]): number[] {
    // The place of the first pawn in the order of arrival; after all others if there is none.
    const arrivals = scores.map((_, seat) => {
      const at = this.table.centre.indexOf(seat);
      return at < 0 ? this.table.centre.length : at;
    });
    const better = (a: number, b: number) =>
      scores[a] !== scores[b] ? scores[a]! > scores[b]! : arrivals[a]! < arrivals[b]!;
    const playing = [...scores.keys()].filter((seat) => !this.forfeits.includes(seat));
    return scores.map((_, seat) => {
      // Whoever forfeits first is last.
      const out = this.forfeits.indexOf(seat);
      if (out >= 0) return this.rules.seats - out;
      return 1 + playing.filter((other) => better(other, seat)).length;
    });
  }

  score(seat: number): number {
    checkSeat(this.table.points.length, seat);
    return this.table.score(seat);
  }

  position(): string {
    return positionText(this);
  }
}

function boardOf(value: string): Board {
  if (value === SPIRAL) return new Board(spiralBoard());
  if (/^[\w.-]{0,64}$/.test(value)) {
    throw new RulesError(`board "${value}": it must be a built-in board (${SPIRAL}) or a board file`);
  }
  return new Board(parseBoardFile(value));
}

/** Throws RulesError that names what does not fit. */
export function makeHypnosia(seats: number, options: OptionTexts): Game {
  if (!(seats >= 2 && seats <= 6)) {
    throw new RulesError(`hypnosia is played by 2 to 6 seats, not by ${seats}`);
  }
  const values = settled(
    { board: SPIRAL, position: '', stack_bridges: 'true', turn_limit: '500' },
    { stack_bridges: ['true', 'false'] },
    options,
  );
  const turnLimit = Number(values.turn_limit);
  if (!/^[1-9]\d*$/.test(values.turn_limit) || turnLimit > MAX_TURN_LIMIT) {
    throw new RulesError(
      `turn_limit "${values.turn_limit}": it must be a number from 1 to ${MAX_TURN_LIMIT}`,
    );
  }
  const stackBridges = values.stack_bridges === 'true';
  const rules: Rules = { board: boardOf(values.board), seats, stackBridges, turnLimit };
  const start = values.position && HypnosiaState.start(rules, values.position);
  // The dice in it are not those of the match, whose first roll is due.
  const position = values.position.replace(/[^ ]*$/, values.position && '-');
  return {
    name: 'hypnosia',
    seats,
    options: withoutEmpty({ ...values, position }),
    newState: () => (start ? start.clone() : new HypnosiaState(rules)),
    parsePosition: (text) => HypnosiaState.parse(rules, text),
    notation: (move) => notation(rules.board, move),
  };
}
