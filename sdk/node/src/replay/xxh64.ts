// XXH64 with the seed 0, the checksum of a zstd frame.

import { viewOf } from '../bytes.js';

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;
const STRIPE = 32;
const ROTATIONS = [1n, 7n, 12n, 18n];

const u64 = (x: bigint) => BigInt.asUintN(64, x);
const times = (a: bigint, b: bigint) => BigInt.asUintN(64, a * b);
const rotated = (x: bigint, by: bigint) => u64(x << by) | (x >> (64n - by));
const round = (lane: bigint, input: bigint) =>
  times(rotated(u64(lane + times(input, P2)), 31n), P1);

/** The bytes up to `end`, in stripes of four words. */
function stripes(view: DataView, end: number): bigint {
  const lanes = [u64(P1 + P2), P2, 0n, u64(-P1)];
  for (let at = 0; at < end; at += STRIPE) {
    for (let i = 0; i < 4; ++i) lanes[i] = round(lanes[i]!, view.getBigUint64(at + 8 * i, true));
  }
  let hash = lanes.reduce((sum, lane, i) => u64(sum + rotated(lane, ROTATIONS[i]!)), 0n);
  for (const lane of lanes) hash = u64(times(hash ^ round(0n, lane), P1) + P4);
  return hash;
}

function avalanche(hash: bigint): bigint {
  let mixed = times(hash ^ (hash >> 33n), P2);
  mixed = times(mixed ^ (mixed >> 29n), P3);
  return mixed ^ (mixed >> 32n);
}

export function xxh64(bytes: Uint8Array): bigint {
  const view = viewOf(bytes);
  let at = bytes.length - (bytes.length % STRIPE);
  let hash = u64((at > 0 ? stripes(view, at) : P5) + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = rotated(hash ^ round(0n, view.getBigUint64(at, true)), 27n);
    hash = u64(times(hash, P1) + P4);
  }
  if (at + 4 <= bytes.length) {
    hash = rotated(hash ^ times(BigInt(view.getUint32(at, true)), P1), 23n);
    hash = u64(times(hash, P2) + P3);
    at += 4;
  }
  for (; at < bytes.length; ++at) {
    hash = times(rotated(hash ^ times(BigInt(bytes[at]!), P5), 11n), P1);
  }
  return avalanche(hash);
}
