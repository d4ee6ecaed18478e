// Reads one zstd frame (RFC 8878) without a dictionary. Browsers cannot, and what a replay's
// signature covers is the compressed frame. Throws RangeError or Error on what is no such frame.

interface FseTable { log: number; symbol: Uint8Array; bits: Uint8Array; base: Uint16Array }
interface Huffman { log: number; symbol: Uint8Array; bits: Uint8Array }

const predefined = {
  literals: [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1,
    -1, -1, -1, -1],
  offsets: [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
  matches: [1, 4, 3, 2, 2, 2, 2, 2, 2, ...Array(37).fill(1), -1, -1, -1, -1, -1, -1, -1],
};
const literalBits = [...Array(16).fill(0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const matchBits = [...Array(32).fill(0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const literalBase = basesOf(literalBits, 0);
const matchBase = basesOf(matchBits, 3);

// Each code begins where the one before it ends.
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
  throw new Error(`the compressed records cannot be read: ${what}`);
}

// Bits from the end of a range to its beginning, as entropy coders leave them.
class BackwardBits {
  left: number;
  constructor(private readonly bytes: Uint8Array, private readonly start: number, end: number) {
    if (end <= start || end > bytes.length || bytes[end - 1] === 0) fail('a bit stream has no end');
    this.left = 8 * (end - start - 1) + log2(bytes[end - 1]);
  }
  // The next bits, without taking them; zeros beyond the beginning.
  peek(count: number): number {
    let value = 0;
    for (let i = 1; i <= count; ++i) {
      const at = this.left - i;
      value = value * 2 + (at < 0 ? 0 : (this.bytes[this.start + (at >> 3)] >> (at & 7)) & 1);
    }
    return value;
  }
  take(count: number): number {
    const value = this.peek(count);
    this.left -= count;
    return value;
  }
}

function fseTable(log: number, counts: number[]): FseTable {
  const size = 1 << log;
  const symbol = new Uint8Array(size), bits = new Uint8Array(size), base = new Uint16Array(size);
  const next = counts.map((count) => Math.abs(count));
  let high = size;
  counts.forEach((count, code) => {
    if (count === -1) symbol[--high] = code;
  });
  let at = 0;
  counts.forEach((count, code) => {
    for (let i = 0; i < count; ++i) {
      symbol[at] = code;
      do at = (at + (size >> 1) + (size >> 3) + 3) & (size - 1); while (at >= high);
    }
  });
  for (let i = 0; i < size; ++i) {
    const state = next[symbol[i]]++;
    bits[i] = log - log2(state);
    base[i] = (state << bits[i]) - size;
  }
  return { log, symbol, bits, base };
}

// Reads how often each code comes. Returns the table and where its description ends.
function readFseTable(bytes: Uint8Array, start: number, end: number, maxLog: number): [FseTable, number] {
  let bit = 8 * start;
  const take = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; ++i, ++bit) value |= ((bytes[bit >> 3] >> (bit & 7)) & 1) << i;
    if (bit > 8 * end) fail('a table goes beyond its end');
    return value;
  };
  const log = take(4) + 5;
  if (log > maxLog) fail('a table is too large');
  const counts: number[] = [];
  let remaining = 1 << log;
  while (remaining > 0) {
    const width = log2(remaining + 1) + 1;
    const mask = (1 << (width - 1)) - 1, spare = (1 << width) - 1 - (remaining + 1);
    let value = take(width);
    if ((value & mask) < spare) {
      --bit;
      value &= mask;
    } else if (value > mask) {
      value -= spare;
    }
    counts.push(value - 1);
    remaining -= Math.abs(value - 1);
    if (value === 1) {
      let zeros;
      do {
        zeros = take(2);
        for (let i = 0; i < zeros; ++i) counts.push(0);
      } while (zeros === 3);
    }
    if (counts.length > 256) fail('a table has too many codes');
  }
  if (remaining < 0) fail('a table is wrong');
  return [fseTable(log, counts), (bit + 7) >> 3];
}

// Reads the tree of the literals' code. Returns it and where it ends.
function readHuffman(bytes: Uint8Array, start: number): [Huffman, number] {
  const head = bytes[start];
  const weights: number[] = [];
  let end;
  if (head >= 128) {
    const count = head - 127;
    end = start + 1 + ((count + 1) >> 1);
    for (let i = 0; i < count; ++i) {
      const pair = bytes[start + 1 + (i >> 1)];
      weights.push(i % 2 === 0 ? pair >> 4 : pair & 15);
    }
  } else {
    end = start + 1 + head;
    const [table, body] = readFseTable(bytes, start + 1, end, 6);
    const bits = new BackwardBits(bytes, body, end);
    const states = [bits.take(table.log), bits.take(table.log)];
    for (let turn = 0; ; turn ^= 1) {  // two states take turns until the bits are used up
      const state = states[turn];
      weights.push(table.symbol[state]);
      states[turn] = table.base[state] + bits.take(table.bits[state]);
      if (bits.left < 0) {
        weights.push(table.symbol[states[turn ^ 1]]);
        break;
      }
      if (weights.length > 255) fail('a tree has too many codes');
    }
  }
  return [huffman(weights), end];
}

function huffman(weights: number[]): Huffman {
  const sum = weights.reduce((total, weight) => total + (weight > 0 ? 1 << (weight - 1) : 0), 0);
  if (sum === 0) fail('a tree is empty');
  const log = log2(sum) + 1;
  const left = (1 << log) - sum;
  if (log > 11 || (left & (left - 1)) !== 0) fail('a tree is wrong');
  const all = [...weights, log2(left) + 1];
  const symbol = new Uint8Array(1 << log), bits = new Uint8Array(1 << log);
  let at = 0;
  for (let weight = 1; weight <= log; ++weight) {
    all.forEach((own, code) => {
      if (own !== weight) return;
      symbol.fill(code, at, at + (1 << (weight - 1)));
      bits.fill(log + 1 - weight, at, at + (1 << (weight - 1)));
      at += 1 << (weight - 1);
    });
  }
  return { log, symbol, bits };
}

function readStream(tree: Huffman, bytes: Uint8Array, start: number, end: number, out: Uint8Array): void {
  const stream = new BackwardBits(bytes, start, end);
  for (let i = 0; i < out.length; ++i) {
    const code = stream.peek(tree.log);
    out[i] = tree.symbol[code];
    stream.left -= tree.bits[code];
  }
  if (stream.left !== 0) fail('literals do not end where they should');
}

// What blocks of a frame hand to those after them.
class Decoder {
  readonly out: Uint8Array;
  size = 0;
  private tree?: Huffman;
  private tables: (FseTable | undefined)[] = [];
  private recent = [1, 4, 8];

  constructor(private readonly bytes: Uint8Array, outSize: number) {
    this.out = new Uint8Array(outSize);
  }

  append(bytes: Uint8Array): void {
    this.out.set(bytes, this.size);  // throws RangeError where there is no room
    this.size += bytes.length;
  }

  block(start: number, end: number): void {
    const [literals, at] = this.literals(start, end);
    this.sequences(literals, at, end);
  }

  private literals(start: number, end: number): [Uint8Array, number] {
    const bytes = this.bytes;
    const kind = bytes[start] & 3, form = (bytes[start] >> 2) & 3;
    const read = (count: number) => {
      let value = 0;
      for (let i = count - 1; i >= 0; --i) value = value * 256 + bytes[start + i];
      return value;
    };
    if (kind < 2) {
      const headSize = form === 1 ? 2 : form === 3 ? 3 : 1;
      const size = Math.floor(read(headSize) / (headSize === 1 ? 8 : 16));
      const at = start + headSize;
      if (kind === 0) return [bytes.subarray(at, at + size), at + size];
      return [new Uint8Array(size).fill(bytes[at]), at + 1];
    }
    const width = [10, 10, 14, 18][form], headSize = [3, 3, 4, 5][form];
    const head = Math.floor(read(headSize) / 16);
    const size = head % 2 ** width, packed = Math.floor(head / 2 ** width);
    let at = start + headSize;
    const stop = at + packed;
    if (stop > end || size > 131072) fail('literals are too long');
    if (kind === 2) [this.tree, at] = readHuffman(bytes, at);
    if (this.tree === undefined) fail('there is no tree');
    const out = new Uint8Array(size);
    if (form === 0) {
      readStream(this.tree, bytes, at, stop, out);
      return [out, stop];
    }
    const quarter = (size + 3) >> 2;
    let from = at + 6;
    for (let i = 0; i < 4; ++i) {
      const to = i === 3 ? stop : from + bytes[at + 2 * i] + 256 * bytes[at + 2 * i + 1];
      readStream(this.tree, bytes, from, to, out.subarray(i * quarter, i === 3 ? size : (i + 1) * quarter));
      from = to;
    }
    return [out, stop];
  }

  private sequences(literals: Uint8Array, start: number, end: number): void {
    const bytes = this.bytes;
    let at = start, count = bytes[at++];
    if (count === 255) {
      count = bytes[at] + 256 * bytes[at + 1] + 0x7f00;
      at += 2;
    } else if (count > 127) {
      count = (count - 128) * 256 + bytes[at++];
    }
    if (count === 0) return this.append(literals);
    const modes = bytes[at++];
    at = this.table(0, modes >> 6, at, end, 6, 9, predefined.literals);
    at = this.table(1, (modes >> 4) & 3, at, end, 5, 8, predefined.offsets);
    at = this.table(2, (modes >> 2) & 3, at, end, 6, 9, predefined.matches);
    const bits = new BackwardBits(bytes, at, end);
    const [ll, of, ml] = this.tables as FseTable[];
    let l = bits.take(ll.log), o = bits.take(of.log), m = bits.take(ml.log), taken = 0;
    for (let i = 0; i < count; ++i) {
      const raw = 2 ** of.symbol[o] + bits.take(of.symbol[o]);
      const length = matchBase[ml.symbol[m]] + bits.take(matchBits[ml.symbol[m]]);
      const before = literalBase[ll.symbol[l]] + bits.take(literalBits[ll.symbol[l]]);
      this.append(literals.subarray(taken, taken + before));
      taken += before;
      this.copy(this.offset(raw, before), length);
      if (i + 1 === count) break;
      l = ll.base[l] + bits.take(ll.bits[l]);
      m = ml.base[m] + bits.take(ml.bits[m]);
      o = of.base[o] + bits.take(of.bits[o]);
    }
    if (bits.left !== 0 || taken > literals.length) fail('sequences do not end where they should');
    this.append(literals.subarray(taken));
  }

  private table(which: number, mode: number, at: number, end: number, log: number, maxLog: number,
      counts: number[]): number {
    if (mode === 0) this.tables[which] = fseTable(log, counts);
    if (mode === 1) {
      this.tables[which] =
        { log: 0, symbol: this.bytes.subarray(at, at + 1), bits: new Uint8Array(1), base: new Uint16Array(1) };
      return at + 1;
    }
    if (mode === 2) {
      const [table, after] = readFseTable(this.bytes, at, end, maxLog);
      this.tables[which] = table;
      return after;
    }
    if (this.tables[which] === undefined) fail('there is no table');
    return at;
  }

  private offset(raw: number, literals: number): number {
    if (raw > 3) {
      this.recent = [raw - 3, this.recent[0], this.recent[1]];
      return raw - 3;
    }
    const index = raw - 1 + (literals === 0 ? 1 : 0);
    const offset = index < 3 ? this.recent[index] : this.recent[0] - 1;
    if (index > 0) this.recent = [offset, this.recent[0], index === 1 ? this.recent[2] : this.recent[1]];
    return offset;
  }

  private copy(offset: number, length: number): void {
    if (offset < 1 || offset > this.size || this.size + length > this.out.length) fail('it copies from nowhere');
    for (let i = 0; i < length; ++i, ++this.size) this.out[this.size] = this.out[this.size - offset];
  }
}

// The content of a frame, of `size` bytes.
export function decompress(frame: Uint8Array, size: number): Uint8Array {
  if (frame.length < 6 || frame[0] !== 0x28 || frame[1] !== 0xb5 || frame[2] !== 0x2f || frame[3] !== 0xfd) {
    fail('it is no frame');
  }
  const descriptor = frame[4], single = (descriptor >> 5) & 1;
  let at = 5 + (single ? 0 : 1) + [0, 1, 2, 4][descriptor & 3] + [single, 2, 4, 8][descriptor >> 6];
  const decoder = new Decoder(frame, size);
  for (let last = 0; !last;) {
    if (at + 3 > frame.length) fail('it is cut');
    const head = frame[at] + 256 * frame[at + 1] + 65536 * frame[at + 2];
    last = head & 1;
    const kind = (head >> 1) & 3, blockSize = head >> 3;
    at += 3;
    if (at + (kind === 1 ? 1 : blockSize) > frame.length) fail('it is cut');
    if (kind === 0) decoder.append(frame.subarray(at, at + blockSize));
    else if (kind === 1) decoder.append(new Uint8Array(blockSize).fill(frame[at]));
    else if (kind === 2) decoder.block(at, at + blockSize);
    else fail('a block of no known kind');
    at += kind === 1 ? 1 : blockSize;
  }
  if (decoder.size !== size) fail('it has another size');
  return decoder.out;
}
