// Ed25519 verification as strict as libsodium: refuses first what only browsers accept.
import { hex } from './refdice.js';

// The points of small order, without the sign of x. With one of them as the key, or as half R of a
// signature, anybody could sign a file, or a signature could fit several files.
const smallOrder = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

function hasSmallOrder(point: Uint8Array): boolean {
  const unsigned = Uint8Array.from(point);
  unsigned[31] &= 127;
  return smallOrder.has(hex(unsigned));
}

// Throws NotSupportedError if the browser lacks Ed25519.
export async function verifies(publicKey: Uint8Array, signature: Uint8Array, signed: Uint8Array): Promise<boolean> {
  if (hasSmallOrder(publicKey) || hasSmallOrder(signature.subarray(0, 32))) return false;
  const key = await crypto.subtle.importKey('raw', publicKey as BufferSource, { name: 'Ed25519' }, false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, signature as BufferSource, signed as BufferSource);
}
