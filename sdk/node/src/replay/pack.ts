// Packs, in which an archive keeps the replays of a day (referee/replay/FORMAT.md, "Packs").

import { crc32c, hasAt, viewOf } from '../bytes.js';
import { ReplayError } from './errors.js';

const MAGIC = 'refpack';
const VERSION = 1;
const HEADER_BYTES = 8;
const ENTRY_HEAD_BYTES = 8;
const ID_BYTES = 26;

export interface PackEntry {
  readonly matchId: string;
  /** A replay file, in the memory of the pack. */
  readonly file: Uint8Array;
  /** Its checksum is wrong: neither `matchId` nor `file` is to be relied on. */
  readonly damaged: boolean;
}

/** Whether these are the bytes of a pack, and not of a replay file. */
export function isPack(bytes: Uint8Array): boolean {
  return hasAt(bytes, MAGIC, 0);
}

/**
 * The replays in a pack, in the order in which they were added; of several of one match the last
 * counts. Ends without a word where the last entry is not whole, as in a copy that was made while the
 * referee wrote, and where there is no entry. Throws ReplayError for bytes that are no pack.
 */
export function* readPack(bytes: Uint8Array): Generator<PackEntry> {
  if (!isPack(bytes)) throw new ReplayError('byte 0: this is not a pack of replays');
  const version = bytes[MAGIC.length];
  if (version !== VERSION) {
    const known = `this program knows version ${VERSION}`;
    throw new ReplayError(`byte ${MAGIC.length}: a pack of format version ${version}; ${known}`);
  }
  const view = viewOf(bytes);
  for (let at = HEADER_BYTES; at + ENTRY_HEAD_BYTES <= bytes.length;) {
    const begin = at + ENTRY_HEAD_BYTES;
    const end = begin + view.getUint32(at, true);
    if (end <= begin + ID_BYTES || end > bytes.length) return;
    const entry = bytes.subarray(begin, end);
    yield {
      matchId: String.fromCharCode(...entry.subarray(0, ID_BYTES)),
      file: entry.subarray(ID_BYTES),
      damaged: crc32c(entry) !== view.getUint32(at + 4, true),
    };
    at = end;
  }
}
