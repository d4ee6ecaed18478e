// A replay has one zstd frame, of the size stated and with its checksum: others are refused here as
// the referee refuses them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Replay, verify } from 'referee-sdk/replay';
import { xxh64 } from '../dist/replay/xxh64.js';
import {
  checksumOf,
  encode,
  fileOf,
  frameHead,
  goldenReplays,
  packedBlock,
  rawBlock,
  zstdFrame,
} from './replays.js';

const [sample] = [...goldenReplays()].filter(({ form }) => form === '4-two-steps');
const records = encode(Replay.parse(sample.bytes).records);
const plain = zstdFrame(records);
const packed = sample.bytes.subarray(16, -96);
const more = Buffer.alloc(1000, 'X');

const flipped = (bytes, at) => {
  const changed = Buffer.from(bytes);
  changed[at < 0 ? changed.length + at : at] ^= 1;
  return changed;
};
const joined = (...parts) => Buffer.concat(parts);
/** A frame of blocks that says that `content` comes out of them. */
const framed = (content, ...blocks) =>
  joined(frameHead(content.length), ...blocks, checksumOf(content));
const times = (count, block) => Array(count).fill(block);
/** Blocks of no literals and 98,047 copies, whose length has the code that comes last but one. */
const copies = (code) => Buffer.from([0, 255, 255, 255, 0x54, 0, 0, code, 1]);
const COPIES_OF_34 = copies(31);
const COPIES_OF_ANY = copies(52);
const COPIES_OF_NONE = copies(53);
const large = Buffer.alloc(1 << 20);

test('XXH64 is that of its specification', () => {
  for (const [text, expected] of [
    ['', 0xef46db3751d8e999n],
    ['abc', 0x44bc2cf5ad770999n],
    ['Nobody inspects the spammish repetition', 0xfbcea83c8a378bf1n],
  ]) {
    assert.equal(xxh64(Buffer.from(text)), expected, text);
  }
});

test('a frame of several blocks is unpacked', async () => {
  const [one, other] = [records.subarray(0, 100), records.subarray(100)];
  const empty = rawBlock(Buffer.alloc(0), false);
  const frame = framed(records, rawBlock(one, false), empty, rawBlock(other, true));
  assert.ok((await verify(fileOf(records, frame))).ok);
  // An empty record is refused in its place: so all bytes came out before it.
  const zeros = Buffer.from([(7 << 3) | 3, 0, 0, 0]);
  const longer = joined(records, Buffer.alloc(7));
  const repeated = framed(longer, rawBlock(records, false), zeros);
  assert.throws(() => Replay.parse(fileOf(longer, repeated)), {
    message: new RegExp(`\\(byte ${records.length} of the records\\)`),
  });
});

const NOT_ONE = /^byte 16: the records are not one zstd frame of the size stated/;
const WRONG_END = /^byte 16: the records cannot be decompressed: the frame does not end where it should/;
const WRONG_SIZE = /^byte 16: the records cannot be decompressed: the content has not the size stated/;
const WRONG_SUM = /^byte 16: .* they do not match their checksum/;
const longer = joined(records, more);

for (const [what, frame, said, content = records] of [
  ['a second frame', joined(packed, zstdFrame(Buffer.alloc(0))), WRONG_END],
  ['a skippable frame after it', joined(packed, Buffer.from('502a4d1800000000', 'hex')), WRONG_END],
  ['bytes after it', joined(packed, more), WRONG_END],
  ['its checksum cut off', packed.subarray(0, -4), WRONG_END],
  ['half of its checksum', packed.subarray(0, -2), WRONG_END],
  ['its last block cut', packed.subarray(0, -5), /^byte 16: .* the frame is cut/],
  ['nothing but its head', packed.subarray(0, 6), NOT_ONE],
  ['no bytes', Buffer.alloc(0), NOT_ONE],
  ['another magic', flipped(packed, 0), NOT_ONE],
  ['another size', plain, NOT_ONE, longer],
  ['another checksum', flipped(packed, -1), WRONG_SUM],
  ['other content', flipped(plain, 20), WRONG_SUM],
  [
    'no checksum',
    joined(frameHead(records.length, false), rawBlock(records, true)),
    /^byte 16: the zstd frame of the records has no checksum/,
  ],
  [
    'more content than stated',
    framed(records, rawBlock(records, false), rawBlock(more, true)),
    WRONG_SIZE,
  ],
  [
    'a byte more than stated',
    framed(records, rawBlock(records, false), rawBlock(more.subarray(0, 1), true)),
    WRONG_SIZE,
  ],
  ['less content than stated', framed(longer, rawBlock(records, true)), WRONG_SIZE, longer],
  // Each of these blocks would keep a reader busy for seconds that plays what it says, bits or not.
  [
    'copies that have no room',
    framed(large, rawBlock(more, false), ...times(1000, packedBlock(COPIES_OF_34))),
    WRONG_SIZE,
    large,
  ],
  [
    'copies that no bits tell the length of',
    framed(large, rawBlock(more, false), ...times(1000, packedBlock(COPIES_OF_ANY))),
    /^byte 16: .* a bit stream is too short/,
    large,
  ],
  [
    'copies of no length',
    framed(large, rawBlock(more, false), ...times(1000, packedBlock(COPIES_OF_NONE))),
    /^byte 16: .* a table is wrong/,
    large,
  ],
]) {
  test(`a frame with ${what} is refused`, async () => {
    const { ok, problem } = await verify(fileOf(content, frame));
    assert.ok(!ok);
    assert.match(problem, said);
  });
}
