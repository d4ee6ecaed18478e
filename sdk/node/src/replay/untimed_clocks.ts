// The clocks of the first replays, which do not say where the time of their turns went: what was
// charged is held to the time control, and no more.

import { ForfeitCause } from '../proto/referee/v1/match.js';
import type { ForfeitRecord, TurnRecord } from '../proto/referee/v1/replay.js';
import type { Replay } from './replay.js';
import { termsOf, UNLIMITED, type Terms } from './terms.js';

export const nanos = (time: bigint) => (time >= UNLIMITED ? 'unlimited time' : `${time} ns`);

export const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

/** Whether a match is one of those: nothing in it is of later. */
export function isUntimed({ opening, records }: Replay): boolean {
  const terms = termsOf(opening);
  const hasTerms =
    !terms.former ||
    terms.onTimeout.action !== 'forfeit' ||
    terms.onIllegal.action !== 'forfeit' ||
    terms.linkGrace !== 0n ||
    terms.lagPerMove !== 0n ||
    terms.firstMove !== 0n ||
    terms.match !== UNLIMITED ||
    opening.blockId !== '';
  const shouldHaveTimes = records.some(
    ({ turn, forfeit }) => turn || (forfeit && forfeit.usedNs > 0n),
  );
  const isLater = records.some(
    ({ turn, forfeit, fault, noContest, resumed }) =>
      turn?.timing || turn?.substituted || forfeit?.timing || fault || noContest || resumed,
  );
  return !hasTerms && shouldHaveTimes && !isLater;
}

/** Each of the two says what is wrong with a record; empty if nothing is. */
export class UntimedClocks {
  readonly #terms: Terms;
  readonly #banks: bigint[];

  constructor({ opening }: Replay) {
    this.#terms = termsOf(opening);
    this.#banks = opening.bots.map(() => this.#terms.bank);
  }

  #limit(seat: number): bigint {
    return smaller(this.#terms.perMove, this.#banks[seat]!);
  }

  turn(turn: TurnRecord, pass: boolean): string {
    const limit = this.#limit(turn.seat);
    const used = turn.usedNs;
    if (used < 0n) return 'clock: less than no time used';
    if (pass && used > 0n) return `clock: ${nanos(used)} used for a pass, which costs none`;
    if (used > limit) return `clock: ${nanos(used)} used, but the limit was ${nanos(limit)}`;
    const hasBank = this.#terms.bank < UNLIMITED;
    if (hasBank && !pass) this.#banks[turn.seat]! += this.#terms.increment - used;
    const left = hasBank ? this.#banks[turn.seat]! : 0n;
    if (turn.bankLeftNs === left) return '';
    return `clock: ${nanos(turn.bankLeftNs)} left in the bank, but it should be ${nanos(left)}`;
  }

  forfeit(forfeit: ForfeitRecord, toMove: number): string {
    const { seat, cause, usedNs: used } = forfeit;
    const mover = seat === toMove;
    const limit = this.#limit(seat);
    if (used < 0n) return 'clock: less than no time used';
    if (used !== 0n && !mover) return 'time used, but it was not to move';
    const beyond = `after ${nanos(used)}, but the limit was ${nanos(limit)}`;
    if (cause === ForfeitCause.RESIGNED) return '';
    if (cause === ForfeitCause.ILLEGAL) {
      if (!mover) return 'for a move, but it was not to move';
      return used <= limit ? '' : `for a move ${beyond}`;
    }
    // Before the first turn: for not being ready.
    if (forfeit.number === 1 && used === 0n) return '';
    if (!mover) return 'for its time, but it was not to move';
    return used > limit ? '' : `for its time ${beyond}`;
  }
}
