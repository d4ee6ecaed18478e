// Checks the dice of a match, once their seed is revealed, against what the referee had told
// before: the commitment, the hashes of the nonces, the bot's own nonce, and each roll that the bot
// saw.

import { allEqual, equal, hex } from './bytes.js';
import { asksNonces, type Nonce } from './nonce.js';
import { ForfeitCause, MatchState, type Match, type Verdict } from './proto/referee/v1/match.js';
import { matchKey, roll, sha256 } from './refdice.js';

/** The games of which it is known that every turn of a seat has one roll of two dice. */
const rollsOnceATurn = (match: Match) => match.game === 'hypnosia';

interface Seen {
  readonly turn: number;
  readonly seat: number;
  readonly roll: number;
  readonly dice: readonly number[];
}

function nonceProblem(seat: number, nonce: Uint8Array, hash: Uint8Array): string {
  if (nonce.length > 32) return `the nonce of seat ${seat} has over 32 bytes`;
  const fits = sha256(nonce);
  // Without a nonce, nothing was revealed: see forfeitProblem.
  if (nonce.length === 0 || equal(hash, fits)) return '';
  return `the nonce of seat ${seat} has the hash ${hex(fits)}, but ${hex(hash)} was told`;
}

/**
 * Whether all seats but one resigned before the first turn was played. The match is over then, and
 * does not wait for the nonce of the last seat.
 */
function decidedAtTheStart({ forfeits, nonces }: Verdict): boolean {
  const resigned = forfeits.filter(
    ({ cause, turn }) => cause === ForfeitCause.RESIGNED && turn <= 1,
  );
  return resigned.length + 1 >= nonces.length;
}

/** Who does not reveal a nonce gives its match up: else it could choose between two sets of dice. */
function forfeitProblem(verdict: Verdict): string {
  if (decidedAtTheStart(verdict)) return '';
  const hashOfNone = sha256('');
  for (const [seat, nonce] of verdict.nonces.entries()) {
    if (nonce.length > 0 || equal(verdict.nonceHashes[seat]!, hashOfNone)) continue;
    if (verdict.forfeits.some((forfeit) => forfeit.seat === seat && forfeit.turn <= 1)) continue;
    return `the nonce of seat ${seat} was not revealed, and yet the seat did not forfeit before turn 1`;
  }
  return '';
}

function ownProblem(own: Nonce, verdict: Verdict): string {
  const { revealed, seat } = own;
  if (!revealed && own.cameBack) return '';
  const counted = seat === undefined ? undefined : verdict.nonces[seat];
  if (counted === undefined) {
    return 'this bot was not asked for its nonce, neither in this match nor in another of its block';
  }
  if (revealed && !allEqual(verdict.nonceHashes, revealed.hashes)) {
    return 'the hashes of the nonces are not those that were told before they were revealed';
  }
  if (counted.length === 0 || (revealed && equal(counted, revealed.nonce))) return '';
  const had = revealed ? hex(revealed.nonce) : 'none';
  return `this bot's nonce is ${hex(counted)}, but it had revealed ${had}`;
}

function noncesProblem(told: Match, verdict: Verdict, own: Nonce): string {
  const { nonces, nonceHashes: hashes } = verdict;
  const expected = told.pinned ? 0 : told.bots.length;
  if (nonces.length !== expected || hashes.length !== expected) {
    return `there are ${nonces.length} nonces and ${hashes.length} hashes, and should be ${expected} of each`;
  }
  if (told.pinned) return '';
  for (const [seat, nonce] of nonces.entries()) {
    const problem = nonceProblem(seat, nonce, hashes[seat]!);
    if (problem) return problem;
  }
  const problem = ownProblem(own, verdict);
  // The forfeits are those of the match that asks for the nonces. A match of a block that is broken
  // off may end before a forfeit that was due.
  const showsForfeits = asksNonces(told) && verdict.state === MatchState.FINISHED;
  if (problem || !showsForfeits || own.cameBack) return problem;
  return forfeitProblem(verdict);
}

export class DiceCheck {
  readonly #seen: Seen[] = [];
  readonly #rolls = new Map<number, number>();
  #missed = false;

  /**
   * Notes a turn with its dice, one's own or another's. Of what comes after a turn that was missed
   * nothing is kept: it is not known which roll of its seat it is.
   */
  sawTurn(turn: number, seat: number, dice: readonly number[]): void {
    const last = this.#seen.at(-1);
    // A seat that forfeits does not use its turn up: the next one has the same number.
    const again = turn === last?.turn;
    if (this.#missed || (again && seat === last.seat)) return;
    this.#missed = !again && turn !== (last ? last.turn + 1 : 1);
    if (this.#missed) return;
    const k = this.#rolls.get(seat) ?? 0;
    this.#rolls.set(seat, k + 1);
    this.#seen.push({ turn, seat, roll: k, dice });
  }

  /**
   * What does not fit, in one sentence with what was told and what should be; empty if nothing.
   * `told` is the match as its first start said, `own` the bot's part.
   */
  problem(told: Match, verdict: Verdict, own: Nonce): string {
    const finished = verdict.state === MatchState.FINISHED;
    if (verdict.seed.length === 0) return finished ? 'the seed was not revealed' : '';
    const commitment = sha256(verdict.seed);
    if (!equal(commitment, told.commitment)) {
      return (
        `the seed has the commitment ${hex(commitment)}, but ${hex(told.commitment)} was told ` +
        'before the first move'
      );
    }
    if (!finished && verdict.nonces.length === 0 && this.#seen.length === 0) return '';
    const problem = noncesProblem(told, verdict, own);
    return problem || this.#rollProblem(told, matchKey(verdict.seed, verdict.nonces));
  }

  #rollProblem(told: Match, key: Uint8Array): string {
    if (!rollsOnceATurn(told)) return '';
    for (const seen of this.#seen) {
      const expected = roll(key, seen.seat, seen.roll);
      if (seen.dice.join() === expected.join()) continue;
      return (
        `in turn ${seen.turn} seat ${seen.seat} had the dice ${seen.dice.join(' ')}, but the key ` +
        `gives ${expected.join(' ')}`
      );
    }
    return '';
  }
}
