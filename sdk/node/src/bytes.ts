// Bytes: compared, written for people, and summed as packs sum them.

import { bytesToHex } from '@noble/hashes/utils';

export const hex = bytesToHex;

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export function allEqual(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return a.length === b.length && a.every((bytes, i) => equal(bytes, b[i]!));
}

/** Whether `bytes` has `text`, which is ASCII, at `at`. */
export function hasAt(bytes: Uint8Array, text: string, at: number): boolean {
  return [...text].every((c, i) => bytes[at + i] === c.charCodeAt(0));
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** CRC-32C (Castagnoli), by a table of what each byte does. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
