// A bot's own part in the dice of a match, or of a block, whose matches share it: its nonce, which
// it tells in two steps, the hash first; and what it was told of the others' part.

import { randomBytes } from 'node:crypto';
import { allEqual, equal } from './bytes.js';
import type { MatchStart } from './proto/referee/v1/bot_service.js';
import type { Match, Verdict } from './proto/referee/v1/match.js';
import { sha256 } from './refdice.js';

/** Whether bots have a part in the dice of this very match: it is neither pinned nor a rotation. */
export function asksNonces(match: Match): boolean {
  return !match.pinned && (match.block?.rotation ?? 0) === 0;
}

/** What there is once a nonce was revealed: it, and the hashes that were told before. */
export interface Revealed {
  readonly nonce: Uint8Array;
  readonly hashes: readonly Uint8Array[];
}

export class Nonce {
  /** The bot's seat in the match that asks for nonces, if it was told of its start. */
  seat: number | undefined;
  revealed: Revealed | undefined;
  /**
   * Whether it has come back to a match: it was not told all, its process may be another than the
   * one that told a nonce, or the referee was started again and may have forgotten a forfeit.
   */
  cameBack = false;
  #commitment: Uint8Array | undefined;
  #nonce: Uint8Array | undefined;
  #told: readonly Uint8Array[] | undefined;

  /**
   * Whether this is the commitment that the first call named. One that came later could have been
   * chosen by who has seen the nonce.
   */
  isForCommitment(commitment: Uint8Array): boolean {
    this.#commitment ??= commitment;
    return equal(this.#commitment, commitment);
  }

  noteStart(start: MatchStart): void {
    if (start.match && asksNonces(start.match)) this.seat = start.seat;
    if (!start.readyLimit) this.cameBack = true;
  }

  /**
   * The hash to be ready with. The nonce behind it is drawn anew once it has been revealed: whoever
   * has seen it could choose its own by it.
   */
  hash(): Uint8Array {
    if (this.#nonce === undefined || this.revealed) this.#nonce = randomBytes(32);
    this.revealed = undefined;
    return sha256(this.#nonce);
  }

  /** Whether this process drew a nonce. Another one of the bot may have, and told its hash. */
  get drawn(): boolean {
    return this.#nonce !== undefined;
  }

  /**
   * The nonce to reveal, having been told these hashes, the bot's own at `seat`; undefined if that
   * is not the one that it told, so that another could be chosen for it still.
   */
  reveal(hashes: readonly Uint8Array[], seat: number): Uint8Array | undefined {
    const own = hashes[seat];
    if (!this.#nonce || !own || !equal(own, sha256(this.#nonce))) return undefined;
    // Asked again, since the link was lost: the hashes of the others stand as well.
    if (this.revealed && !allEqual(this.revealed.hashes, hashes)) return undefined;
    this.revealed = { nonce: this.#nonce, hashes };
    return this.#nonce;
  }

  /** Whether nonces and hashes are those of the verdict before: the matches of a block share them. */
  agreesWith(verdict: Verdict): boolean {
    const told = [...verdict.nonces, ...verdict.nonceHashes];
    this.#told ??= told;
    return allEqual(this.#told, told);
  }
}

export class Nonces {
  readonly #ofBlocks = new Map<string, WeakRef<Nonce>>();

  /** The one of a match: the same for all matches of a block, as long as one of them keeps it. */
  of(match: Match): Nonce {
    const block = match.block?.blockId;
    if (!block) return new Nonce();
    const known = this.#ofBlocks.get(block)?.deref();
    if (known) return known;
    for (const [id, nonce] of this.#ofBlocks) if (!nonce.deref()) this.#ofBlocks.delete(id);
    const nonce = new Nonce();
    this.#ofBlocks.set(block, new WeakRef(nonce));
    return nonce;
  }
}
