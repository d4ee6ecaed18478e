// What every game offers. This is how a match goes:
//
//   const game = makeGame('hypnosia', 2);
//   const state = game.newState();
//   while (state.phase !== 'over') {
//     if (state.phase === 'chance') {
//       const { sides, count } = state.chance();
//       state.applyChance(Array.from({ length: count }, () => Math.floor(Math.random() * sides)));
//       continue;
//     }
//     state.apply(state.legalMoves()[0]);
//   }
//   state.outcome();
//
// The rules are pure: no I/O, no clock, no randomness, nothing of Node.

/** A move as a number; 0 is the pass. Within a game numbers are in the ASCII order of notation. */
export type Move = number;

export const PASS: Move = 0;

export type Phase = 'chance' | 'turn' | 'over';

/** A draw that a state waits for: `count` numbers, each 0 to sides - 1. */
export interface Chance {
  /** Its name in refdice, such as "roll/0/12". */
  readonly label: string;
  readonly sides: number;
  readonly count: number;
}

/** How a match ended. Ranks are competition ranks: 1 2 2 4. */
export interface Outcome {
  readonly reason: string;
  readonly scores: readonly number[];
  readonly ranks: readonly number[];
}

export interface State {
  readonly phase: Phase;
  /** The seat to move, or that is rolled for; -1 while it is not known, and when it is over. */
  readonly seatToMove: number;
  /** The seat that began; -1 before it is known, and in a position that does not say. */
  readonly firstSeat: number;
  /** The dice of the turn due; empty in a game without. */
  readonly dice: readonly number[];

  clone(): State;
  /** The draw that is due. Only in phase 'chance', as is the next. */
  chance(): Chance;
  applyChance(outcome: readonly number[]): void;
  /** The legal moves, sorted; the pass alone when the seat can only pass. In phase 'turn'. */
  legalMoves(): Move[];
  /**
   * The legal move that a notation means. Throws NotationError for what cannot be read, and
   * IllegalMoveError. In phase 'turn'.
   */
  resolve(notation: string): Move;
  /** Plays a legal move. In phase 'turn'. */
  apply(move: Move): void;
  /** Takes a seat that has not forfeited out of the game, whoever is to move. In phase 'turn'. */
  forfeit(seat: number): void;
  /** In phase 'over'. */
  outcome(): Outcome;
  /** The points of a seat so far. Throws RangeError for a seat that there is not. */
  score(seat: number): number;
  /** The position string. Not in phase 'chance'. */
  position(): string;
}

/** The options of a game by name, their values as text. */
export type OptionTexts = Readonly<Record<string, string>>;

/** A game with its options settled. */
export interface Game {
  readonly name: string;
  readonly seats: number;
  /** Every option, sorted by name, with defaults written out; without those that are empty. */
  readonly options: OptionTexts;
  /** A state before the first draw. */
  newState(): State;
  /** A state from a position string; turns are counted from 0. Throws PositionError. */
  parsePosition(text: string): State;
  notation(move: Move): string;
}
