// refdice-v1, by which all dice of a match follow from a seed and nonces: what a bot needs to check
// the referee, and to roll as it does. How it works: referee/dice/DICE.md. Pure functions, which
// need nothing of Node.

import { hmac } from '@noble/hashes/hmac';
import { sha256 as hash } from '@noble/hashes/sha2';

/** Of text the UTF-8. */
export const sha256: (bytes: Uint8Array | string) => Uint8Array = hash;

function keyedHash(key: Uint8Array, ...parts: (Uint8Array | string)[]): Uint8Array {
  const mac = hmac.create(hash, key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** The seed of a match that is pinned to a number of 64 bits. */
export function pinnedSeed(number: bigint): Uint8Array {
  return sha256(`refdice-v1/pinned/${number}`);
}

/** The match key; of pinned dice there are no nonces. Each nonce has at most 32 bytes. */
export function matchKey(seed: Uint8Array, nonces: readonly Uint8Array[]): Uint8Array {
  const lengths = nonces.flatMap((nonce) => [Uint8Array.of(nonce.length), nonce]);
  return keyedHash(seed, 'refdice-v1/key', ...lengths);
}

/** The first `count` numbers of uniform(label, n), 0 to n - 1 each. `n` is 2 to 65536. */
export function uniform(key: Uint8Array, label: string, n: number, count: number): number[] {
  const wide = n > 256;
  const range = wide ? 65536 : 256;
  const fair = range - (range % n);
  const numbers: number[] = [];
  for (let i = 0; numbers.length < count; ++i) {
    const block = keyedHash(key, `refdice-v1/${label}/${i}`);
    for (let at = 0; at < block.length && numbers.length < count; at += wide ? 2 : 1) {
      const drawn = wide ? block[at]! * 256 + block[at + 1]! : block[at]!;
      if (drawn < fair) numbers.push(drawn % n);
    }
  }
  return numbers;
}

/** The k-th roll, from 0, of a seat's turns: two dice, 1 to 6 each. */
export function roll(key: Uint8Array, seat: number, k: number): number[] {
  return uniform(key, `roll/${seat}/${k}`, 6, 2).map((number) => number + 1);
}
