// A replay file taken apart: magic, version, sizes, one zstd frame, key, signature
// (referee/replay/FORMAT.md, "Replay file").

import { hasAt, viewOf } from '../bytes.js';
import { ReplayError } from './errors.js';
import { xxh64 } from './xxh64.js';
import { decompress, headOf } from './zstd.js';

const MAGIC = 'refrepl';
const VERSION = 1;
const HEADER_BYTES = 16;
const CHECKSUM_BYTES = 4; // of the frame
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const MAX_BYTES = 64 * 1024 * 1024;
// Options shrink to next to nothing; each later record has a byte that is new, and is below 1 KiB.
const OPENING_BYTES = 8 * 1024 * 1024;
const RECORD_BYTES_PER_BYTE = 1024;

/** The parts of a file; they share its memory. */
export interface Parts {
  readonly recordsSize: number;
  readonly frame: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
  /** What the signature is over. */
  readonly signed: Uint8Array;
}

const bad = (byte: number, problem: string) => new ReplayError(`byte ${byte}: ${problem}`);

function tooLarge(bytes: number): ReplayError {
  return new ReplayError(`the replay has ${bytes} bytes; at most ${MAX_BYTES} are read`);
}

/** Throws ReplayError, which names the byte. */
export function split(bytes: Uint8Array): Parts {
  if (bytes.length > MAX_BYTES) throw tooLarge(bytes.length);
  if (!hasAt(bytes, MAGIC, 0)) throw bad(0, 'this is not a replay file');
  if (bytes.length < HEADER_BYTES + KEY_BYTES + SIGNATURE_BYTES) {
    throw bad(bytes.length, 'the file is cut: it ends too early');
  }
  const version = bytes[MAGIC.length]!;
  if (version !== VERSION) {
    const known = `this program knows version ${VERSION}`;
    throw bad(MAGIC.length, `a replay of format version ${version}; ${known}`);
  }
  const head = viewOf(bytes);
  const frameEnd = HEADER_BYTES + head.getUint32(8, true);
  const recordsSize = head.getUint32(12, true);
  const size = frameEnd + KEY_BYTES + SIGNATURE_BYTES;
  if (bytes.length < size) {
    throw bad(bytes.length, `the file is cut: it should have ${size} bytes`);
  }
  if (bytes.length > size) {
    throw bad(size, `the file goes on after its end: it should have ${size} bytes`);
  }
  if (recordsSize > MAX_BYTES) throw tooLarge(recordsSize);
  const frameSize = frameEnd - HEADER_BYTES;
  if (recordsSize > OPENING_BYTES + RECORD_BYTES_PER_BYTE * frameSize) {
    throw bad(12, `a frame of ${frameSize} bytes cannot hold records of ${recordsSize}`);
  }
  return {
    recordsSize,
    frame: bytes.subarray(HEADER_BYTES, frameEnd),
    publicKey: bytes.subarray(frameEnd, frameEnd + KEY_BYTES),
    signature: bytes.subarray(frameEnd + KEY_BYTES),
    signed: bytes.subarray(0, frameEnd + KEY_BYTES),
  };
}

/** Unpacks the records: one zstd frame, with its content size and its checksum. Throws ReplayError. */
export function unpack({ frame, recordsSize }: Parts): Uint8Array {
  const head = headOf(frame);
  if (head?.contentSize !== recordsSize) {
    throw bad(HEADER_BYTES, 'the records are not one zstd frame of the size stated');
  }
  if (!head.hasChecksum) throw bad(HEADER_BYTES, 'the zstd frame of the records has no checksum');
  let records: Uint8Array;
  try {
    records = decompress(frame, recordsSize);
  } catch (error) {
    throw bad(HEADER_BYTES, (error as Error).message);
  }
  const checksum = viewOf(frame).getUint32(frame.length - CHECKSUM_BYTES, true);
  if (Number(xxh64(records) & 0xffffffffn) === checksum) return records;
  throw bad(HEADER_BYTES, 'the records cannot be decompressed: they do not match their checksum');
}
