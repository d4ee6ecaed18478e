// Verifies a replay from its bytes alone: its signature, its form and, by playing the match again,
// its dice, turns, clocks and result. It checks what refctl replay verify checks.

import { ForfeitCause, MatchState } from '../proto/referee/v1/match.js';
import {
  DrawKind,
  type DrawRecord,
  type EndRecord,
  type ForfeitRecord,
  type Record,
  type TurnRecord,
} from '../proto/referee/v1/replay.js';
import { pinnedSeed, sha256 } from '../refdice.js';
import { RulesError } from '../rules/errors.js';
import { letter } from '../rules/fields.js';
import type { Game, State } from '../rules/game.js';
import { equal, hex, viewOf } from '../bytes.js';
import { Clocks, type Legal } from './clocks.js';
import { demand, ReplayError } from './errors.js';
import { split } from './file.js';
import type { KeyRing } from './key_ring.js';
import { isPinned } from './records.js';
import { drawChance, Replay } from './replay.js';
import { signatureProblem, UncheckedSignature } from './signature.js';

/** Who had a part in the dice: bots whose nonces were settled before any was shown, or the organiser
 * alone. */
export type DiceOrigin = 'two steps' | 'pinned';

export interface Verification {
  /** Nothing that was checked is wrong, and all was checked that the file can show. */
  readonly ok: boolean;
  /** The first thing that is wrong, with its turn, in one line; empty if nothing is. */
  readonly problem: string;
  /** The turn at which it is wrong; 0 if at none. */
  readonly turn: number;
  /** What was not checked, and why, a sentence each. Not all of it is a reason for `ok` to be false. */
  readonly notChecked: readonly string[];
  /** What was read; undefined if it could not be. */
  readonly replay: Replay | undefined;
  /** Where its dice come from; undefined if the match did not start, or could not be read. */
  readonly dice: DiceOrigin | undefined;
}

const digestText = (digest: bigint) => digest.toString(16).padStart(16, '0');
const rollText = (dice: readonly number[]) => dice.join('') || 'no dice';
const sameNumbers = (a: readonly number[], b: readonly number[]) => a.join() === b.join();

/** Throws ReplayError that says what is wrong, unless it is empty. */
const refuse = (problem: string) => demand(!problem, problem);

/** What is wrong with the seed; empty if nothing is. */
function seedProblem({ opening, end }: Replay): string {
  const commitment = sha256(end.seed);
  if (!equal(commitment, opening.commitment)) {
    return `seed: its SHA-256 is ${hex(commitment)}, but the commitment is ${hex(opening.commitment)}`;
  }
  const { pinnedNumber, pinnedSeed: given } = opening;
  if (pinnedNumber !== undefined && !equal(pinnedSeed(pinnedNumber), end.seed)) {
    return `seed: it is not the one that the number ${pinnedNumber} gives`;
  }
  if (given && !equal(given, end.seed))
    return 'seed: it is not the one that the match was pinned to';
  return '';
}

/**
 * Whether a seat was still in when the first turn was played, as far as the records show. When all
 * other seats resign first, the match is over before the seat has to reveal its nonce.
 */
function stayedIn({ records, end, opening }: Replay, seat: number): boolean {
  if (end.state !== MatchState.FINISHED) return false;
  let resigned = 0;
  for (const { turn, forfeit, resumed } of records.slice(records.findIndex(({ start }) => start))) {
    // A referee that was killed in between may have lost who was to go.
    if (resumed || forfeit?.seat === seat) return false;
    if (turn) return true;
    const unasked = forfeit && !forfeit.timing && !forfeit.interruptsTurn;
    if (unasked && forfeit.cause === ForfeitCause.RESIGNED) ++resigned;
  }
  return resigned + 1 < opening.bots.length;
}

/** What is wrong with the nonces and their hashes; empty if nothing is. */
function nonceProblem(replay: Replay): string {
  const { start, opening } = replay;
  const own = !opening.blockId || opening.rotation === 0; // else they are of the seats of rotation 0
  for (const [seat, told] of (start?.nonceHashes ?? []).entries()) {
    const nonce = start!.nonces[seat]!;
    const hash = sha256(nonce);
    if (equal(hash, told)) continue;
    const who = `nonce of seat ${letter(seat)}: `;
    if (nonce.length > 0) {
      const before = told.length > 0 ? hex(told) : 'no hash';
      return `${who}its SHA-256 is ${hex(hash)}, but ${before} was told before`;
    }
    if (own && stayedIn(replay, seat)) {
      return `${who}it was not revealed, and yet the seat was not taken out`;
    }
  }
  return '';
}

/** What is wrong with the options, which a referee writes out; empty if nothing is. */
function optionsProblem({ options }: Replay, game: Game): string {
  const names = new Set([...Object.keys(options), ...Object.keys(game.options)]);
  for (const name of names) {
    const [told, settled] = [options[name], game.options[name]];
    if (told === settled) continue;
    const value = (text?: string) => (text === undefined ? 'left out' : JSON.stringify(text));
    return `option "${name}": it is ${value(told)}, but the referee writes ${value(settled)}`;
  }
  return '';
}

/** Plays a match again, record by record, beside what it says of itself. */
class Checker {
  readonly #replay: Replay;
  readonly #game: Game;
  readonly #state: State;
  readonly #clocks: Clocks;
  readonly #out = new Set<number>();
  #key: Uint8Array = new Uint8Array();
  #next = 1; // of the records, to be checked
  #turn = 0; // that is due; 0 before the first

  constructor(replay: Replay, game: Game) {
    this.#replay = replay;
    this.#game = game;
    this.#state = game.newState();
    this.#clocks = new Clocks(replay.opening);
  }

  /** Throws ReplayError, which names the turn. */
  run(): void {
    const { records } = this.#replay;
    try {
      while (records[this.#next]!.resumed) ++this.#next;
      if (records[this.#next]!.start) this.#start();
      for (; this.#next < records.length; ++this.#next) this.#check(records[this.#next]!);
    } catch (error) {
      if (!(error instanceof ReplayError || error instanceof RulesError)) throw error;
      const where = this.#turn === 0 ? '' : `turn ${this.#turn}: `;
      throw new ReplayError(where + error.message, this.#turn);
    }
  }

  #check(record: Record): void {
    const { draw, turn, fault, forfeit, noContest, resumed, end } = record;
    demand(!draw, 'a draw that was not due');
    if (turn) this.#checkTurn(turn);
    if (fault) {
      this.#checkMover('fault', fault);
      refuse(this.#clocks.fault(fault));
    }
    if (forfeit) this.#checkForfeit(forfeit);
    if (noContest) {
      this.#checkMover('no contest', noContest);
      refuse(this.#clocks.noContest(noContest));
    }
    if (resumed) this.#clocks.resumed();
    if (end) this.#checkEnd(end);
  }

  /** The start and the draws before the first turn. */
  #start(): void {
    this.#key = this.#replay.key()!;
    ++this.#next;
    drawChance(this.#key, this.#state, (chance, outcome) => {
      const setup = /^setup\/(\d+)\/(\d+)$/.exec(chance.label);
      const first = chance.label === 'first-player';
      if (setup) {
        const dice = outcome.map((drawn) => drawn + 1);
        const round = Number(setup[1]);
        this.#checkDraw({ kind: DrawKind.SETUP_ROLL, round, seat: Number(setup[2]), dice });
      } else if (first) {
        const seat = this.#state.firstSeat;
        this.#checkDraw({ kind: DrawKind.FIRST_PLAYER, round: 0, seat, dice: [] });
      }
    });
    this.#turn = 1;
  }

  #checkDraw(expected: DrawRecord): void {
    const { records, end } = this.#replay;
    // A match that was broken off may lack draws.
    const rest = records.slice(this.#next, -1);
    if (end.state !== MatchState.FINISHED && rest.every(({ resumed }) => resumed)) return;
    const { draw } = records[this.#next]!;
    const who = (seat: number) => `by seat ${letter(seat)}`;
    const what =
      expected.kind === DrawKind.FIRST_PLAYER
        ? 'draw of the first player'
        : `setup roll of seat ${letter(expected.seat)} in round ${expected.round}`;
    demand(draw !== undefined, `${what}: it is missing`);
    const same =
      draw.kind === expected.kind && draw.round === expected.round && draw.seat === expected.seat;
    demand(
      same && sameNumbers(draw.dice, expected.dice),
      `${what}: the record says ${rollText(draw.dice)} ${who(draw.seat)}, the key gives ` +
        `${rollText(expected.dice)} ${who(expected.seat)}`,
    );
    ++this.#next;
  }

  #checkTurn(turn: TurnRecord): void {
    const state = this.#state;
    const { seat, number, dice } = turn;
    demand(number === this.#turn, `the record says turn ${number}`);
    demand(state.phase === 'turn', 'the game was over before it');
    demand(
      seat === state.seatToMove,
      `seat ${letter(seat)} played, but it was the turn of seat ${letter(state.seatToMove)}`,
    );
    demand(
      sameNumbers(dice, state.dice),
      `dice ${rollText(dice)}, but the key gives ${rollText(state.dice)}`,
    );
    const move = this.#checkMove(turn);
    this.#state.apply(move);
    drawChance(this.#key, this.#state);
    this.#checkDigest(turn.digest, 'the turn');
    ++this.#turn;
  }

  /** The move that was played: it is legal, and so is the time that it took. */
  #checkMove(turn: TurnRecord): number {
    const moves = this.#state.legalMoves();
    demand(
      turn.legalCount === moves.length,
      `${turn.legalCount} legal moves, but the rules give ${moves.length}`,
    );
    const move = this.#state.resolve(turn.move);
    const notation = this.#game.notation(move);
    demand(
      notation === turn.move,
      `illegal move ${turn.move}: in this position it is ${notation}`,
    );
    const legal: Legal = {
      count: moves.length,
      isPass: moves.length === 1 && moves[0] === 0,
      notation: (index) => this.#game.notation(moves[index]!),
    };
    refuse(this.#clocks.turn(turn, legal, this.#key));
    return move;
  }

  #checkMover(
    what: string,
    { seat, number }: { readonly seat: number; readonly number: number },
  ): void {
    demand(number === this.#turn, `${what}: the record says turn ${number}`);
    demand(
      this.#state.phase === 'turn' && seat === this.#state.seatToMove,
      `${what}: of seat ${letter(seat)}, but it was not to move`,
    );
  }

  #checkForfeit(forfeit: ForfeitRecord): void {
    const { seat, number } = forfeit;
    const who = `forfeit of seat ${letter(seat)}`;
    demand(number === this.#turn, `${who}: the record says turn ${number}`);
    demand(this.#state.phase === 'turn', `${who}: the game was over before it`);
    demand(!this.#out.has(seat), `${who}: it was out already`);
    refuse(this.#clocks.forfeit(forfeit, this.#state.seatToMove));
    this.#out.add(seat);
    this.#state.forfeit(seat);
    drawChance(this.#key, this.#state);
    this.#checkDigest(forfeit.digest, 'the forfeit');
  }

  #checkDigest(recorded: bigint, after: string): void {
    const digest = viewOf(sha256(this.#state.position())).getBigUint64(0);
    demand(
      recorded === digest,
      `digest ${digestText(recorded)}, but the position after ${after} has ${digestText(digest)}`,
    );
  }

  #checkEnd(end: EndRecord): void {
    refuse(this.#clocks.end(end));
    if (end.state !== MatchState.FINISHED) return;
    demand(this.#state.phase === 'over', 'the match ends before the game is over');
    const { reason, scores, ranks } = this.#state.outcome();
    this.#turn = 0;
    demand(
      end.reason === reason,
      `end: the reason is ${end.reason}, but the rules give ${reason}`,
    );
    const differ = (what: string, told: readonly number[], rules: readonly number[]) =>
      demand(
        sameNumbers(told, rules),
        `end: the ${what} are ${told.join(' ')}, but the rules give ${rules.join(' ')}`,
      );
    differ('scores', end.scores, scores);
    differ('ranks', end.ranks, ranks);
  }
}

/** Checks a match; returns what could not be checked for want of the rules. Throws ReplayError. */
function checkMatch(replay: Replay): string {
  const problem = seedProblem(replay) || nonceProblem(replay);
  if (problem) throw new ReplayError(problem);
  let game: Game;
  try {
    game = replay.game();
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
    return `turns, dice, clocks and result: the rules are not in this package (${error.message})`;
  }
  const unsettled = optionsProblem(replay, game);
  if (unsettled) throw new ReplayError(unsettled);
  new Checker(replay, game).run();
  return '';
}

/**
 * Verifies the bytes of a replay file. With `keys` only a signature by one of them is valid, by a
 * former one only under a match that ended before it was replaced; without, anybody's is.
 */
export async function verify(bytes: Uint8Array, keys?: KeyRing): Promise<Verification> {
  const notChecked: string[] = [];
  let replay: Replay | undefined;
  let inPart = false;
  let problem = '';
  let turn = 0;
  const unchecked = (what: string) => {
    notChecked.push(what);
    inPart = true;
  };
  try {
    const parts = split(bytes);
    try {
      replay = Replay.ofParts(parts);
      const rest = checkMatch(replay);
      if (rest) unchecked(rest);
    } catch (error) {
      if (!(error instanceof ReplayError)) throw error;
      ({ message: problem, turn } = error);
    }
    // What is wrong in the match is named first: it says more.
    const unsigned = await signatureProblem(parts, keys, replay?.end.endTimeUs);
    problem = [problem, unsigned].filter(Boolean).join('; ');
  } catch (error) {
    if (error instanceof UncheckedSignature) unchecked(error.message);
    else if (error instanceof ReplayError) problem = error.message;
    else throw error;
  }
  if (!keys) {
    notChecked.push(
      'whose signature it is: no keys were given, and who signed may have made the match up',
    );
  }
  const pinned = replay && isPinned(replay.opening);
  const dice = pinned ? 'pinned' : replay?.start && 'two steps';
  return { ok: !problem && !inPart, problem, turn, notChecked, replay, dice };
}
