// The signature of a replay file: Ed25519, by WebCrypto, which Node and browsers have.

import type { webcrypto } from 'node:crypto';
import type { Parts } from './file.js';
import type { KeyRing } from './key_ring.js';

/** There is no Ed25519 here to check a signature with. */
export class UncheckedSignature extends Error {
  constructor() {
    super('the signature: there is no Ed25519 in the WebCrypto here');
  }
}

/** WebCrypto; in Node 18 it is no global. */
async function subtle(): Promise<webcrypto.SubtleCrypto> {
  const { crypto } = globalThis as { crypto?: { subtle?: webcrypto.SubtleCrypto } };
  if (crypto?.subtle) return crypto.subtle;
  const module: string = 'node:crypto'; // not for a bundler to find
  try {
    return (await import(module)).webcrypto.subtle;
  } catch {
    throw new UncheckedSignature(); // a page that did not come over HTTPS has none
  }
}

const P = (1n << 255n) - 19n;
const Y8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd83d3d706a17c7n;

/** The heights of the points of small order: anybody can sign as a key that is one of them. */
const SMALL_ORDER: ReadonlySet<bigint> = new Set([0n, 1n, P - 1n, P, P + 1n, Y8, P - Y8]);

/** Whether the encoded point has a small order, whatever its sign. */
function hasSmallOrder(point: Uint8Array): boolean {
  const y = [...point].reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
  return SMALL_ORDER.has(BigInt.asUintN(255, y));
}

/**
 * What is wrong with who signed a match that ended then (microseconds; undefined if that is not
 * known); empty if nothing is. Throws UncheckedSignature.
 */
export async function signatureProblem(
  parts: Parts,
  keys: KeyRing | undefined,
  end: bigint | undefined,
): Promise<string> {
  const changed = 'signature: it is not that of this file, which was changed after it was signed';
  // WebCrypto need not refuse them, and the referee does.
  if ([parts.publicKey, parts.signature.subarray(0, 32)].some(hasSmallOrder)) return changed;
  const crypto = await subtle();
  let key: webcrypto.CryptoKey;
  try {
    key = await crypto.importKey('raw', parts.publicKey, 'Ed25519', false, ['verify']);
  } catch (error) {
    if ((error as Error).name === 'NotSupportedError') throw new UncheckedSignature();
    return 'signature: the public key in the file is none';
  }
  if (!(await crypto.verify('Ed25519', key, parts.signature, parts.signed))) {
    return changed;
  }
  return keys?.problem(parts.publicKey, end) ?? '';
}
