// Isaac: the rules that referee/games/isaac/RULES.md tells.

import { checkSeat, IllegalMoveError, RulesError } from '../errors.js';
import type { Chance, Game, Move, OptionTexts, Outcome, Phase, State } from '../game.js';
import { settled, withoutEmpty } from '../options.js';
import { decode, legalMoves, notation, parseMove } from './moves.js';
import { PositionReader, positionText, type Rules, type Stage } from './position.js';
import { MIN_LENGTH, otherSeat, SEATS, Table, TARGET } from './table.js';

type End = 'TARGET_REACHED' | 'NO_MOVES' | 'LAST_SEAT';

export class IsaacState implements State {
  readonly rules: Rules;
  readonly dice: readonly number[] = [];
  table: Table;
  stage: Stage = 'placement';
  firstSeat: number;
  mover: number; // unless it is over
  #end: End | undefined;
  #forfeited = -1;

  /** Before the first move, or a copy of `from`. */
  constructor(rules: Rules, from?: IsaacState) {
    this.rules = rules;
    this.table = from ? from.table.clone() : new Table();
    this.firstSeat = this.mover = rules.firstPlayer;
    if (!from) return;
    this.stage = from.stage;
    this.firstSeat = from.firstSeat;
    this.mover = from.mover;
    this.#end = from.#end;
    this.#forfeited = from.#forfeited;
  }

  /** Throws PositionError. */
  static parse(rules: Rules, text: string): IsaacState {
    const state = new IsaacState(rules);
    new PositionReader(rules, text, state).read();
    if (state.stage !== 'over') return state;
    const { table } = state;
    const won = table.scores.some((score) => score >= TARGET);
    // What the position does not show can only be a forfeit.
    state.#finish(won ? 'TARGET_REACHED' : table.out.length === SEATS ? 'NO_MOVES' : 'LAST_SEAT');
    return state;
  }

  clone(): IsaacState {
    return new IsaacState(this.rules, this);
  }

  get phase(): Phase {
    if (this.#end) return 'over';
    return this.firstSeat < 0 ? 'chance' : 'turn';
  }
  get seatToMove(): number {
    return this.#end ? -1 : this.mover;
  }

  chance(): Chance {
    return { label: 'first-player', sides: SEATS, count: 1 };
  }
  applyChance(outcome: readonly number[]): void {
    this.firstSeat = this.mover = outcome[0]!;
  }

  legalMoves(): Move[] {
    const scoring = this.stage === 'scoring';
    return legalMoves(this.table, this.mover, scoring, this.rules.exactAdvance);
  }

  resolve(text: string): Move {
    const move = parseMove(text);
    if (this.legalMoves().includes(move)) return move;
    const does = this.stage === 'scoring' ? 'remove' : 'place';
    const why =
      text === '-' ? `a pass is for a seat that can ${does} nothing` : 'it is not among the legal moves';
    throw new IllegalMoveError(text, why);
  }

  apply(move: Move): void {
    const play = decode(move);
    if (!play) return this.#pass();
    const seat = this.mover;
    const { table } = this;
    if (play.kind === 'placement') {
      const { length, vertical, cell: anchor } = play;
      table.put({ seat, length, vertical, anchor });
      --table.unplayed[seat]![length - MIN_LENGTH]!;
    } else {
      // Not shorter than the floor, so it is the new one.
      table.floors[seat] = table.pieces[play.cell]!.length;
      table.take(play.cell);
      table.scores[seat]! += play.advance;
      if (table.scores[seat]! >= TARGET) return this.#finish('TARGET_REACHED');
    }
    if (!table.out.includes(otherSeat(seat))) this.mover = otherSeat(seat);
  }

  /** The mover can do nothing more in this stage. */
  #pass(): void {
    const { table } = this;
    table.out.push(this.mover);
    if (table.out.length < SEATS) {
      this.mover = otherSeat(this.mover);
      return;
    }
    if (this.stage === 'scoring') return this.#finish('NO_MOVES');
    this.stage = 'scoring';
    this.mover = this.rules.firstToPassStarts ? table.out[0]! : this.firstSeat;
    table.out = [];
  }

  forfeit(seat: number): void {
    checkSeat(2, seat);
    this.#forfeited = seat;
    this.#finish('LAST_SEAT');
  }

  #finish(end: End): void {
    this.#end = end;
    this.stage = 'over';
  }

  outcome(): Outcome {
    const winner = this.#winner();
    return {
      reason: this.#end ?? 'LAST_SEAT',
      scores: this.table.scores.slice(),
      ranks: [0, 1].map((seat) => (seat === winner ? 1 : 2)),
    };
  }

  #winner(): number {
    if (this.#forfeited >= 0) return otherSeat(this.#forfeited);
    const [a = 0, b = 0] = this.table.scores;
    if (a !== b) return a > b ? 0 : 1;
    const lines = [this.table.unplayedLine(0), this.table.unplayedLine(1)] as const;
    if (lines[0] !== lines[1]) return lines[0] > lines[1] ? 0 : 1;
    return this.firstSeat;
  }

  score(seat: number): number {
    checkSeat(2, seat);
    return this.table.scores[seat]!;
  }

  position(): string {
    return positionText(this);
  }
}

const FIRST_PLAYERS = ['RANDOM', 'SEAT_A', 'SEAT_B'];

/** Throws RulesError that names what does not fit. */
export function makeIsaac(seats: number, options: OptionTexts): Game {
  if (seats !== SEATS) throw new RulesError(`isaac is played by 2 seats, not by ${seats}`);
  const values = settled(
    {
      counter_advance: 'UP_TO',
      first_player: 'RANDOM',
      position: '',
      scoring_starter: 'FIRST_PLAYER',
    },
    {
      counter_advance: ['EXACT', 'UP_TO'],
      first_player: FIRST_PLAYERS,
      scoring_starter: ['FIRST_PLAYER', 'FIRST_TO_PASS'],
    },
    options,
  );
  const rules: Rules = {
    exactAdvance: values.counter_advance === 'EXACT',
    firstPlayer: FIRST_PLAYERS.indexOf(values.first_player) - 1,
    firstToPassStarts: values.scoring_starter === 'FIRST_TO_PASS',
  };
  const start = values.position ? IsaacState.parse(rules, values.position) : undefined;
  if (start?.phase === 'over') {
    throw new RulesError(
      `position "${values.position}": it must be a position in which somebody is to move`,
    );
  }
  return {
    name: 'isaac',
    seats,
    options: withoutEmpty(values),
    newState: () => start?.clone() ?? new IsaacState(rules),
    parsePosition: (text) => IsaacState.parse(rules, text),
    notation,
  };
}
