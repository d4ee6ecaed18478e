// The zstd frame of a replay file: one frame, with its content size and its checksum
// (referee/replay/FORMAT.md, "Replay file").

import { viewOf } from '../bytes.js';
import { xxh64 } from './xxh64.js';
import { decompress, headOf } from './zstd.js';

const CHECKSUM_BYTES = 4;

/** The `size` bytes in a frame. Throws Error that says what is wrong with it. */
export function unpackFrame(frame: Uint8Array, size: number): Uint8Array {
  const head = headOf(frame);
  if (head?.contentSize !== size) {
    throw new Error('the records are not one zstd frame of the size stated');
  }
  if (!head.hasChecksum) throw new Error('the zstd frame of the records has no checksum');
  const records = decompress(frame, size);
  const checksum = viewOf(frame).getUint32(frame.length - CHECKSUM_BYTES, true);
  if (Number(xxh64(records) & 0xffffffffn) !== checksum) {
    throw new Error('the records cannot be decompressed: they do not match their checksum');
  }
  return records;
}
