// The public keys of one referee, those in use now and before (key.ring, or the key.pub of one key).

import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import { sha256 } from '../refdice.js';

/** A key, and until when it was in use: microseconds since 1970 UTC; undefined: still, or not known. */
export interface RingKey {
  /** 64 hex digits. */
  readonly key: string;
  readonly until: bigint | undefined;
  readonly untilText: string;
}

/** 32 hex digits by which people tell public keys apart. */
export function fingerprint(publicKey: Uint8Array): string {
  return bytesToHex(sha256(publicKey).subarray(0, 16));
}

const TIME = /^(\d{4})-(\d\d)-(\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/i;

/** Microseconds of an RFC 3339 time; undefined if it is none. */
function micros(text: string): bigint | undefined {
  const [, year, month, rest, fraction = '', sign, hours = '0', minutes = '0'] =
    TIME.exec(text) ?? [];
  const written = `${year}-${month}-${rest?.toUpperCase()}`;
  const millis = Date.parse(`${written}Z`);
  // Date.parse takes the 31st of February for a day in March.
  const known = !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(written);
  if (!known || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  return BigInt(millis - offset) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

export class KeyRing {
  private constructor(readonly keys: readonly RingKey[]) {}

  /** Reads a ring. Throws Error that names the line. */
  static parse(text: string): KeyRing {
    const keys: RingKey[] = [];
    for (const [i, line] of text.split('\n').entries()) {
      const words = line.split('#', 1)[0]!.split(/[ \t\r\v\f]+/).filter(Boolean);
      const [key, from = '-', until = '-', ...more] = words;
      if (key === undefined) continue;
      const times = [from, until].every((time) => time === '-' || micros(time) !== undefined);
      if (!/^[0-9a-f]{64}$/i.test(key) || !times || more.length > 0) {
        throw new Error(
          `keys: line ${i + 1}: expected 64 hex digits and, if they are known, from when and until ` +
            'when, such as 2026-11-22T10:00:00Z',
        );
      }
      if (keys.some((known) => known.key === key.toLowerCase())) {
        throw new Error(`keys: line ${i + 1}: expected another key than in the lines before it`);
      }
      keys.push({ key: key.toLowerCase(), until: micros(until), untilText: until });
    }
    if (keys.length === 0) throw new Error('keys: there is no key in it');
    return new KeyRing(keys);
  }

  /**
   * What is wrong with a signature by a key under a match that ended then (microseconds; undefined
   * if that is not known); empty if nothing is.
   */
  problem(publicKey: Uint8Array, end: bigint | undefined): string {
    const signer = bytesToHex(publicKey);
    const known = this.keys.find(({ key }) => key === signer);
    const print = fingerprint(publicKey);
    if (!known) {
      const ours = this.keys.map(({ key }) => fingerprint(hexToBytes(key))).join(' or ');
      return `signature: not this referee's: by the key with fingerprint ${print}, not ${ours}`;
    }
    if (known.until === undefined || end === undefined || end <= known.until) return '';
    return (
      `signature: by the former key with fingerprint ${print}, which was in use until ` +
      `${known.untilText}, but the match ended later`
    );
  }
}
