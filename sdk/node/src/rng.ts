// The chance of a bot: pseudo-random numbers that depend on the match, the seat and the turn alone,
// so that a bot which draws from them plays the same again when a match with pinned dice is played
// again. Other bots can compute them. What a turn has is what Turn::Chance() of the SDK in C++ is.

const MASK = (1n << 64n) - 1n;
const GOLDEN = 0x9e3779b97f4a7c15n;

/** The finalizer of SplitMix64: each bit of the result depends on each of `x`, of 64 bits. */
function mix(x: bigint): bigint {
  x = (x + GOLDEN) & MASK;
  x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return x ^ (x >> 31n);
}

/**
 * What all chance of a seat in a match follows from. The matches of a block have the same commitment,
 * and another bot in this seat.
 */
export function matchSeed(seat: number, commitment: Uint8Array, bot: string): bigint {
  let seed = mix(BigInt(seat));
  for (const byte of commitment) seed = mix(seed ^ BigInt(byte));
  for (const byte of new TextEncoder().encode(bot)) seed = mix(seed ^ BigInt(byte));
  return seed;
}

/** The chance of one turn: 64 bits. */
export function turnChance(seed: bigint, turn: number): bigint {
  return mix(seed ^ BigInt(turn));
}

/** A sequence of 64 bits each, by SplitMix64; the SDK in Python has the same. */
export class Rng {
  #next: bigint;
  #state: bigint;

  /** Begins with `first`, of 64 bits. */
  constructor(first: bigint) {
    this.#next = this.#state = first;
  }

  /** Draws 64 bits. */
  bits(): bigint {
    const drawn = this.#next;
    this.#next = mix(this.#state);
    this.#state = (this.#state + GOLDEN) & MASK;
    return drawn;
  }

  /** Draws a number from 0 to n - 1. `n` is a whole number from 1. */
  below(n: number): number {
    return Number(this.bits() % BigInt(n));
  }

  /** Draws one of `from`, which is not empty. */
  choice<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
}
