// Reads the records in a replay file (proto/referee/v1/replay.proto), as far as the page's checks
// need.
//
// The format of the file is in referee/replay/FORMAT.md.
import { decompress } from '../../../sdk/node/src/replay/zstd.js';

export interface ReplayFile { signed: Uint8Array; publicKey: Uint8Array; signature: Uint8Array; records: Message[] }

const headSize = 16, tailSize = 96;
const mostResumed = 100000;

// The field numbers of Record, by kind.
export const kinds = { opening: 1, start: 2, draw: 3, turn: 4, forfeit: 5, end: 6, fault: 8, resumed: 10 };

export const ofKind = (file: ReplayFile, kind: number): Message[] =>
  file.records.flatMap((record) => record.message(kind) ?? []);

export function readReplayFile(bytes: Uint8Array): ReplayFile {
  const head = new DataView(bytes.buffer, bytes.byteOffset, headSize);
  const frame = bytes.subarray(headSize, headSize + head.getUint32(8, true));
  if (headSize + frame.length + tailSize !== bytes.length) throw new Error('the replay file has another length');
  const content = decompress(frame, head.getUint32(12, true));
  const records: Message[] = [];
  const reader = new Reader(content);
  let resumed = 0;
  while (reader.at < content.length) {
    const record = new Message(reader.bytes());
    if (record.has(kinds.resumed) && ++resumed > mostResumed) {
      throw new Error(`the replay file says more than ${mostResumed} times that the referee was started again`);
    }
    records.push(record);
  }
  return {
    signed: bytes.subarray(0, bytes.length - 64),
    publicKey: bytes.subarray(bytes.length - tailSize, bytes.length - 64),
    signature: bytes.subarray(bytes.length - 64),
    records,
  };
}

class Reader {
  at = 0;
  constructor(private readonly data: Uint8Array) {}
  // Exact up to 2^53, which is more than any time or count in a record. Records have no negative
  // varints.
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      if (this.at >= this.data.length || scale > 2 ** 63) throw new Error('a record is cut');
      const byte = this.data[this.at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }
  take(count: number): Uint8Array {
    if (this.at + count > this.data.length) throw new Error('a record is cut');
    this.at += count;
    return this.data.subarray(this.at - count, this.at);
  }
  bytes(): Uint8Array {
    return this.take(this.varint());
  }
}

// The fields of a protobuf message, by number.
export class Message {
  private readonly fields = new Map<number, (number | Uint8Array)[]>();

  constructor(data: Uint8Array) {
    const reader = new Reader(data);
    while (reader.at < data.length) {
      const tag = reader.varint();
      const kind = tag % 8;
      const value = kind === 0 ? reader.varint() : kind === 1 ? reader.take(8)
        : kind === 2 ? reader.bytes() : kind === 5 ? reader.take(4) : undefined;
      if (value === undefined) throw new Error('a record has a field of no known kind');
      const field = Math.floor(tag / 8);
      const values = this.fields.get(field);
      if (values === undefined) this.fields.set(field, [value]);
      else values.push(value);
    }
  }

  has(field: number): boolean {
    return this.fields.has(field);
  }
  number(field: number): number {
    const value = this.fields.get(field)?.[0] ?? 0;
    return typeof value === 'number' ? value : 0;
  }
  bytes(field: number): Uint8Array {
    return this.allBytes(field)[0] ?? new Uint8Array();
  }
  allBytes(field: number): Uint8Array[] {
    return (this.fields.get(field) ?? []).filter((value): value is Uint8Array => typeof value !== 'number');
  }
  text(field: number): string {
    return new TextDecoder().decode(this.bytes(field));
  }
  message(field: number): Message | undefined {
    return this.fields.has(field) ? new Message(this.bytes(field)) : undefined;
  }
  // A repeated number field, packed as in proto3.
  numbers(field: number): number[] {
    const packed = this.bytes(field), reader = new Reader(packed), all: number[] = [];
    while (reader.at < packed.length) all.push(reader.varint());
    return all;
  }
  // A repeated sint32 field, packed as in proto3.
  signedNumbers(field: number): number[] {
    return this.numbers(field).map((value) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2));
  }
}
