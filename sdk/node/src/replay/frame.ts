// The zstd frame of a replay file: one frame, with its content size and its checksum
// (referee/replay/FORMAT.md, "Replay file"). fzstd unpacks it; what that leaves unchecked is
// checked here: that the frame ends where it should, how much comes out, and the checksum.

import { decompress } from 'fzstd';
import { sha256 } from '../refdice.js';
import { equal, viewOf } from './bytes.js';
import { xxh64 } from './xxh64.js';

const MAGIC = 0xfd2fb528;
const MAX_HEAD_BYTES = 18;
const CHECKSUM_BYTES = 4;
const BLOCK_HEAD_BYTES = 3;
const RLE = 1;
/** Of the window: fzstd counts in 32 bits. */
const MAX_EXPONENT = 20;

interface Head {
  readonly bytes: number;
  /** Undefined if the frame does not say. */
  readonly contentSize: number | undefined;
  readonly hasChecksum: boolean;
}

const littleEndian = (bytes: Uint8Array) =>
  bytes.reduceRight((number, byte) => number * 256 + byte, 0);

/** The head of a frame; undefined if it is none, or needs a dictionary or too large a window. */
function headOf(frame: Uint8Array): Head | undefined {
  const head = new Uint8Array(MAX_HEAD_BYTES);
  head.set(frame.subarray(0, head.length));
  if (viewOf(head).getUint32(0, true) !== MAGIC) return undefined;
  const flags = head[4]!;
  const oneSegment = (flags >> 5) & 1;
  if (!oneSegment && head[5]! >> 3 > MAX_EXPONENT) return undefined;
  const dictionaryAt = 6 - oneSegment;
  const sizeAt = dictionaryAt + [0, 1, 2, 4][flags & 3]!;
  if (littleEndian(head.subarray(dictionaryAt, sizeAt)) !== 0) return undefined;
  const bytes = sizeAt + [oneSegment, 2, 4, 8][flags >> 6]!;
  const size = littleEndian(head.subarray(sizeAt, bytes)) + (flags >> 6 === 1 ? 256 : 0);
  return {
    bytes,
    contentSize: bytes > sizeAt ? size : undefined,
    hasChecksum: (flags & 4) !== 0,
  };
}

/** Where the head of the last block is, and where that ends; undefined if the frame is cut. */
function lastBlock(frame: Uint8Array, first: number) {
  for (let at = first; at + BLOCK_HEAD_BYTES <= frame.length;) {
    const head = littleEndian(frame.subarray(at, at + BLOCK_HEAD_BYTES));
    const end = at + BLOCK_HEAD_BYTES + (((head >> 1) & 3) === RLE ? 1 : head >> 3);
    if (head & 1) return { at, end };
    at = end;
  }
  return undefined;
}

/**
 * The frame, up to `end`, without its checksum and with one more block, which has the bytes of
 * `mark` as they are.
 */
function withMark(frame: Uint8Array, last: { at: number; end: number }, mark: Uint8Array) {
  const marked = new Uint8Array(last.end + BLOCK_HEAD_BYTES + mark.length);
  marked.set(frame.subarray(0, last.end));
  marked[4]! &= ~4;
  marked[last.at]! &= ~1;
  marked[last.end] = (mark.length << 3) | 1;
  marked[last.end + 1] = mark.length >> 5;
  marked.set(mark, last.end + BLOCK_HEAD_BYTES);
  return marked;
}

/** The `size` bytes in a frame. Throws Error that says what is wrong with it. */
export function unpackFrame(frame: Uint8Array, size: number): Uint8Array {
  const head = headOf(frame);
  const last = head && lastBlock(frame, head.bytes);
  const ends = last?.end === frame.length - (head?.hasChecksum ? CHECKSUM_BYTES : 0);
  if (head?.contentSize !== size || !last || !ends) {
    throw new Error('the records are not one zstd frame of the size stated');
  }
  if (!head.hasChecksum) throw new Error('the zstd frame of the records has no checksum');
  // fzstd does not say how much it has unpacked. So the content is followed by a mark, which no
  // frame can contain, and which must come out after the size stated.
  const mark = sha256(frame);
  const content = new Uint8Array(size + mark.length);
  try {
    decompress(withMark(frame, last, mark), content);
  } catch (error) {
    throw new Error(`the records cannot be decompressed: ${(error as Error).message}`);
  }
  if (!equal(content.subarray(size), mark)) {
    throw new Error('the records cannot be decompressed: they have not the size stated');
  }
  const records = content.subarray(0, size);
  const checksum = viewOf(frame).getUint32(last.end, true);
  if (Number(xxh64(records) & 0xffffffffn) !== checksum) {
    throw new Error('the records cannot be decompressed: they do not match their checksum');
  }
  return records;
}
