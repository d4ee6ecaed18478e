// Reads one zstd frame (RFC 8878) without a dictionary: for readers of replays here, and for the page
// that shows one (referee/view/web). Nothing here needs Node.
//
// Whatever the frame, its bytes and the size that its content is to have bound the time and the
// memory that it takes: each step uses up bits or makes bytes, and there are no more than these.

interface Huffman {
  log: number;
  symbol: Uint8Array;
  bits: Uint8Array;
}
interface FseTable extends Huffman {
  base: Uint16Array;
}
/** What the codes of one kind stand for; a table of them has at most 2^maxLog entries. */
interface Codes {
  maxLog: number;
  most: number;
  usualLog: number;
  usual: number[];
}

const MAGIC = 0xfd2fb528;
const CHECKSUM_BYTES = 4;
/** The most that a block may have, packed or not. */
const MAX_BLOCK = 1 << 17;
const MAX_WEIGHT = 11;
const MOST_WEIGHTS = 255;

const times = (count: number, value: number): number[] => Array<number>(count).fill(value);

const LITERALS: Codes = {
  maxLog: 9,
  most: 35,
  usualLog: 6,
  usual: [
    ...[4, 3, ...times(11, 2), ...times(3, 1), ...times(9, 2), 3, 2],
    ...[...times(5, 1), ...times(4, -1)],
  ],
};
const OFFSETS: Codes = {
  maxLog: 8,
  most: 31,
  usualLog: 5,
  usual: [...times(6, 1), ...times(3, 2), ...times(15, 1), ...times(5, -1)],
};
const MATCHES: Codes = {
  maxLog: 9,
  most: 52,
  usualLog: 6,
  usual: [1, 4, 3, ...times(6, 2), ...times(37, 1), ...times(7, -1)],
};
const WEIGHTS: Codes = { maxLog: 6, most: MAX_WEIGHT, usualLog: 0, usual: [] };

const MORE_BITS = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const literalBits = [...times(16, 0), ...times(4, 1), 2, 2, 3, 3, 4, 6, ...MORE_BITS];
const matchBits = [...times(32, 0), ...times(4, 1), 2, 2, 3, 3, 4, 4, 5, ...MORE_BITS];
const literalBase = basesOf(literalBits, 0);
const matchBase = basesOf(matchBits, 3);

/** Each code begins where the one before it ends. */
function basesOf(bits: number[], first: number): number[] {
  let next = first;
  return bits.map((count) => {
    const base = next;
    next += 2 ** count;
    return base;
  });
}

const log2 = (value: number): number => 31 - Math.clz32(value);

function fail(what: string): never {
  throw new Error(`the records cannot be decompressed: ${what}`);
}

/** The number in `count` bytes from `at` on; of those beyond the end zeros. */
function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; --i) value = value * 256 + (bytes[at + i] ?? 0);
  return value;
}

/** Bits from the end of a range to its beginning, as entropy coders leave them. */
class BackwardBits {
  /** How many were not taken; below zero once more were pulled than there are. */
  left: number;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly start: number,
    end: number,
  ) {
    if (end <= start || end > bytes.length || bytes[end - 1] === 0) fail('a bit stream has no end');
    this.left = 8 * (end - start - 1) + log2(bytes[end - 1]);
  }

  /** The next bits, 24 at most, without taking them; zeros beyond the beginning. */
  peek(count: number): number {
    const { bytes } = this;
    const low = Math.max(0, this.left - count);
    const there = Math.max(0, this.left - low);
    const first = this.start + (low >> 3);
    const word =
      bytes[first] | (bytes[first + 1] << 8) | (bytes[first + 2] << 16) | (bytes[first + 3] << 24);
    return ((word >>> (low & 7)) & ((1 << there) - 1)) << (count - there);
  }

  /** The next bits, 24 at most; zeros beyond the beginning. */
  pull(count: number): number {
    const value = this.peek(count);
    this.left -= count;
    return value;
  }

  /** The next bits, 40 at most. */
  take(count: number): number {
    if (count > this.left) fail('a bit stream is too short');
    if (count > 24) return this.pull(count - 16) * 65536 + this.pull(16);
    return this.pull(count);
  }
}

function fseTable(log: number, counts: number[]): FseTable {
  const size = 1 << log;
  const symbol = new Uint8Array(size);
  const bits = new Uint8Array(size);
  const base = new Uint16Array(size);
  const next = counts.map((count) => Math.abs(count));
  let high = size;
  counts.forEach((count, code) => {
    if (count === -1) symbol[--high] = code;
  });
  let at = 0;
  counts.forEach((count, code) => {
    for (let i = 0; i < count; ++i) {
      symbol[at] = code;
      do at = (at + (size >> 1) + (size >> 3) + 3) & (size - 1);
      while (at >= high);
    }
  });
  for (let i = 0; i < size; ++i) {
    const state = next[symbol[i]]++;
    bits[i] = log - log2(state);
    base[i] = (state << bits[i]) - size;
  }
  return { log, symbol, bits, base };
}

/** Reads how often each code comes. Returns the table and where its description ends. */
function readFseTable(
  bytes: Uint8Array,
  start: number,
  end: number,
  { maxLog, most }: Codes,
): [FseTable, number] {
  let bit = 8 * start;
  const take = (count: number): number => {
    if (bit + count > 8 * end) fail('a table goes beyond its end');
    const value = (littleEndian(bytes, bit >> 3, 3) >> (bit & 7)) & ((1 << count) - 1);
    bit += count;
    return value;
  };
  const log = take(4) + 5;
  if (log > maxLog) fail('a table is too large');
  const counts: number[] = [];
  let remaining = 1 << log;
  while (remaining > 0) {
    const width = log2(remaining + 1) + 1;
    const mask = (1 << (width - 1)) - 1;
    const spare = (1 << width) - 1 - (remaining + 1);
    // The last bit is there only where it tells something.
    let value = take(width - 1);
    if (value >= spare) {
      value += take(1) << (width - 1);
      if (value > mask) value -= spare;
    }
    counts.push(value - 1);
    remaining -= Math.abs(value - 1);
    for (let zeros = value === 1 ? 3 : 0; zeros === 3;) {
      zeros = take(2);
      counts.push(...times(zeros, 0));
    }
    if (counts.length > most + 1) fail('a table has too many codes');
  }
  if (remaining < 0) fail('a table is wrong');
  return [fseTable(log, counts), (bit + 7) >> 3];
}

/** Reads the tree of the literals' code. Returns it and where it ends. */
function readHuffman(bytes: Uint8Array, start: number, end: number): [Huffman, number] {
  const head = bytes[start];
  const stop = start + 1 + (head >= 128 ? (head - 126) >> 1 : head);
  if (stop > end) fail('a tree goes beyond its end');
  const weights: number[] = [];
  if (head >= 128) {
    for (let i = 0; i < head - 127; ++i) {
      const pair = bytes[start + 1 + (i >> 1)];
      weights.push(i % 2 === 0 ? pair >> 4 : pair & 15);
    }
    return [huffman(weights), stop];
  }
  const [table, body] = readFseTable(bytes, start + 1, stop, WEIGHTS);
  const bits = new BackwardBits(bytes, body, stop);
  const states = [bits.take(table.log), bits.take(table.log)];
  // Two states take turns until the bits are used up.
  for (let turn = 0; bits.left >= 0 && weights.length <= MOST_WEIGHTS; turn ^= 1) {
    const state = states[turn];
    weights.push(table.symbol[state]);
    states[turn] = table.base[state] + bits.pull(table.bits[state]);
    if (bits.left < 0) weights.push(table.symbol[states[turn ^ 1]]);
  }
  return [huffman(weights), stop];
}

function huffman(weights: number[]): Huffman {
  if (weights.length > MOST_WEIGHTS) fail('a tree has too many codes');
  if (weights.some((weight) => weight > MAX_WEIGHT)) fail('a tree is too high');
  const sum = weights.reduce((total, weight) => total + ((1 << weight) >> 1), 0);
  if (sum === 0) fail('a tree is empty');
  const log = log2(sum) + 1;
  const left = (1 << log) - sum;
  if (log > MAX_WEIGHT || (left & (left - 1)) !== 0) fail('a tree is wrong');
  const all = [...weights, log2(left) + 1];
  const symbol = new Uint8Array(1 << log);
  const bits = new Uint8Array(1 << log);
  let at = 0;
  for (let weight = 1; weight <= log; ++weight) {
    const size = 1 << (weight - 1);
    all.forEach((own, code) => {
      if (own !== weight) return;
      symbol.fill(code, at, at + size);
      bits.fill(log + 1 - weight, at, at + size);
      at += size;
    });
  }
  return { log, symbol, bits };
}

function readStream(
  tree: Huffman,
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Uint8Array,
): void {
  const stream = new BackwardBits(bytes, start, end);
  for (let i = 0; i < out.length; ++i) {
    const code = stream.peek(tree.log);
    out[i] = tree.symbol[code];
    stream.left -= tree.bits[code];
  }
  if (stream.left !== 0) fail('literals do not end where they should');
}

/** What blocks of a frame hand to those after them. */
class Decoder {
  readonly out: Uint8Array;
  size = 0;
  private room = 0; // where the block that is read must end at the latest
  private tree?: Huffman;
  private readonly tables: (FseTable | undefined)[] = [];
  private readonly recent = [1, 4, 8];

  constructor(
    private readonly bytes: Uint8Array,
    outSize: number,
  ) {
    this.out = new Uint8Array(outSize);
  }

  /** Reads the block whose head is at `at`. Returns where it ends, and whether it is the last. */
  block(at: number): [number, boolean] {
    const start = at + 3;
    const head = littleEndian(this.bytes, at, 3);
    const kind = (head >> 1) & 3;
    const size = head >> 3;
    const end = start + (kind === 1 ? 1 : size);
    if (end > this.bytes.length) fail('the frame is cut');
    if (size > MAX_BLOCK) fail('a block is too large');
    this.room = Math.min(this.out.length, this.size + MAX_BLOCK);
    if (kind === 0) this.append(this.bytes.subarray(start, end));
    else if (kind === 1) this.repeat(this.bytes[start], size);
    else if (kind === 2) this.packed(start, end);
    else fail('a block is of no known kind');
    return [end, (head & 1) === 1];
  }

  private need(bytes: number): void {
    if (this.size + bytes > this.room) fail('the content has not the size stated');
  }

  private append(bytes: Uint8Array): void {
    this.need(bytes.length);
    this.out.set(bytes, this.size);
    this.size += bytes.length;
  }

  private repeat(byte: number, count: number): void {
    this.need(count);
    this.out.fill(byte, this.size, this.size + count);
    this.size += count;
  }

  private copy(offset: number, length: number): void {
    this.need(length);
    if (offset < 1 || offset > this.size) fail('it copies from nowhere');
    const { out } = this;
    const end = this.size + length;
    for (let at = this.size; at < end; ++at) out[at] = out[at - offset];
    this.size = end;
  }

  private packed(start: number, end: number): void {
    const [literals, at] = this.literals(start, end);
    this.sequences(literals, at, end);
  }

  /** Reads the literals of a block. Returns them and where they end. */
  private literals(start: number, end: number): [Uint8Array, number] {
    const { bytes } = this;
    const kind = bytes[start] & 3;
    const form = (bytes[start] >> 2) & 3;
    if (kind > 1) return this.packedLiterals(start, end);
    const headSize = form === 1 ? 2 : form === 3 ? 3 : 1;
    const size = littleEndian(bytes, start, headSize) >> (headSize === 1 ? 3 : 4);
    const at = start + headSize;
    const stop = at + (kind === 0 ? size : 1);
    if (stop > end || size > MAX_BLOCK) fail('literals are too long');
    return [kind === 0 ? bytes.subarray(at, stop) : new Uint8Array(size).fill(bytes[at]), stop];
  }

  private packedLiterals(start: number, end: number): [Uint8Array, number] {
    const { bytes } = this;
    const form = (bytes[start] >> 2) & 3;
    const width = [10, 10, 14, 18][form];
    const headSize = [3, 3, 4, 5][form];
    const head = Math.floor(littleEndian(bytes, start, headSize) / 16);
    const size = head % 2 ** width;
    let at = start + headSize;
    const stop = at + Math.floor(head / 2 ** width);
    if (stop > end || size > MAX_BLOCK) fail('literals are too long');
    if ((bytes[start] & 3) === 2) [this.tree, at] = readHuffman(bytes, at, stop);
    if (this.tree === undefined) fail('there is no tree');
    const out = new Uint8Array(size);
    if (form === 0) {
      readStream(this.tree, bytes, at, stop, out);
      return [out, stop];
    }
    const quarter = (size + 3) >> 2;
    let from = at + 6;
    for (let i = 0; i < 4; ++i) {
      const to = i === 3 ? stop : from + littleEndian(bytes, at + 2 * i, 2);
      if (to > stop) fail('literals are too long');
      const part = out.subarray(i * quarter, i === 3 ? size : (i + 1) * quarter);
      readStream(this.tree, bytes, from, to, part);
      from = to;
    }
    return [out, stop];
  }

  private sequences(literals: Uint8Array, start: number, end: number): void {
    const { bytes } = this;
    if (start >= end) fail('a block has no sequences');
    let at = start + 1;
    let count = bytes[start];
    if (count === 255) {
      count = littleEndian(bytes, at, 2) + 0x7f00;
      at += 2;
    } else if (count > 127) {
      count = (count - 128) * 256 + bytes[at++];
    }
    if (count === 0) {
      if (at !== end) fail('a block does not end where it should');
      return this.append(literals);
    }
    const modes = bytes[at++];
    at = this.table(0, modes >> 6, at, end, LITERALS);
    at = this.table(1, (modes >> 4) & 3, at, end, OFFSETS);
    at = this.table(2, (modes >> 2) & 3, at, end, MATCHES);
    const taken = this.play(count, literals, new BackwardBits(bytes, at, end));
    this.append(literals.subarray(taken));
  }

  /** Plays sequences: literals, and what is copied after them. Returns how many literals it took. */
  private play(count: number, literals: Uint8Array, bits: BackwardBits): number {
    const [ll, of, ml] = this.tables as FseTable[];
    let l = bits.take(ll.log);
    let o = bits.take(of.log);
    let m = bits.take(ml.log);
    let taken = 0;
    for (let i = 1; ; ++i) {
      const raw = 2 ** of.symbol[o] + bits.take(of.symbol[o]);
      const match = ml.symbol[m];
      const length = matchBase[match] + bits.take(matchBits[match]);
      const literal = ll.symbol[l];
      const before = literalBase[literal] + bits.take(literalBits[literal]);
      if (taken + before > literals.length) fail('there are not as many literals');
      if (before > 0) this.append(literals.subarray(taken, taken + before));
      taken += before;
      this.copy(this.offset(raw, before), length);
      if (i === count) break;
      l = ll.base[l] + bits.take(ll.bits[l]);
      m = ml.base[m] + bits.take(ml.bits[m]);
      o = of.base[o] + bits.take(of.bits[o]);
    }
    if (bits.left !== 0) fail('sequences do not end where they should');
    return taken;
  }

  /** Makes the table of one kind of codes. Returns where its description ends. */
  private table(which: number, mode: number, at: number, end: number, codes: Codes): number {
    if (mode === 0) this.tables[which] = fseTable(codes.usualLog, codes.usual);
    if (mode === 1) {
      if (at >= end || this.bytes[at] > codes.most) fail('a table is wrong');
      this.tables[which] = fseTable(0, [...times(this.bytes[at], 0), 1]); // which takes no bits
      return at + 1;
    }
    if (mode === 2) {
      const [table, after] = readFseTable(this.bytes, at, end, codes);
      this.tables[which] = table;
      return after;
    }
    if (this.tables[which] === undefined) fail('there is no table');
    return at;
  }

  /** What a code of an offset means, after so many literals: a new one, or a recent one again. */
  private offset(raw: number, literals: number): number {
    const { recent } = this;
    const index = raw > 3 ? raw : raw - 1 + (literals === 0 ? 1 : 0);
    const offset = index > 3 ? raw - 3 : index === 3 ? recent[0] - 1 : recent[index];
    if (index > 1) recent[2] = recent[1];
    if (index > 0) recent[1] = recent[0];
    recent[0] = offset;
    return offset;
  }
}

export interface FrameHead {
  readonly bytes: number;
  /** How many bytes the content has; undefined if the frame does not say. */
  readonly contentSize: number | undefined;
  readonly hasChecksum: boolean;
}

/** The head of a frame; undefined if it is none, or needs a dictionary. */
export function headOf(frame: Uint8Array): FrameHead | undefined {
  const flags = frame[4];
  if (littleEndian(frame, 0, 4) !== MAGIC || flags === undefined || flags & 8) return undefined;
  const oneSegment = (flags >> 5) & 1;
  const dictionaryAt = 6 - oneSegment;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3];
  if (littleEndian(frame, dictionaryAt, dictionaryBytes) !== 0) return undefined;
  const sizeAt = dictionaryAt + dictionaryBytes;
  const sizeBytes = [oneSegment, 2, 4, 8][flags >> 6];
  const size = littleEndian(frame, sizeAt, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  return {
    bytes: sizeAt + sizeBytes,
    contentSize: sizeBytes > 0 ? size : undefined,
    hasChecksum: (flags & 4) !== 0,
  };
}

/**
 * The content of a frame, which is to have `size` bytes; its checksum is not looked at. Throws an
 * Error that says what is wrong with the frame.
 */
export function decompress(frame: Uint8Array, size: number): Uint8Array {
  const head = headOf(frame);
  if (head === undefined) fail('it is no zstd frame');
  const decoder = new Decoder(frame, size);
  let at = head.bytes;
  for (let last = false; !last;) [at, last] = decoder.block(at);
  if (at + (head.hasChecksum ? CHECKSUM_BYTES : 0) !== frame.length) {
    fail('the frame does not end where it should');
  }
  if (decoder.size !== size) fail('the content has not the size stated');
  return decoder.out;
}
