// The golden replays, and replays that say something else than what was played, signed by whoever
// changed them.
import { generateKeyPairSync, sign } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Replay } from 'referee-sdk/replay';
import { Record } from '../dist/proto/referee/v1/replay.js';
import { xxh64 } from '../dist/replay/xxh64.js';
import { golden } from './vectors.js';

const root = new URL('replays/', golden);

/** The golden replays: the form's folder, the path, the bytes, and the public keys as text. */
export function* goldenReplays() {
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const form = entry.name;
    const keys = readFileSync(new URL(`${form}/key.ring`, root), 'utf8');
    for (const name of readdirSync(new URL(`${form}/`, root)).sort()) {
      const path = new URL(`${form}/${name}`, root).pathname;
      if (name.endsWith('.rpl')) yield { form, path, bytes: readFileSync(path), keys };
    }
  }
}

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const ownKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);

function u32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

function varint(number) {
  const bytes = [];
  for (; number >= 0x80; number = Math.floor(number / 0x80)) bytes.push((number % 0x80) | 0x80);
  return Buffer.from([...bytes, number]);
}

/** A raw block of zstd. */
export function rawBlock(bytes, last) {
  return Buffer.concat([u32(bytes.length * 8 + (last ? 1 : 0)).subarray(0, 3), bytes]);
}

/** A compressed block of zstd, which is not the last. */
export function packedBlock(bytes) {
  return Buffer.concat([u32(bytes.length * 8 + 4).subarray(0, 3), bytes]);
}

export const checksumOf = (bytes) => u32(Number(xxh64(bytes) & 0xffffffffn));

/** The head of a zstd frame: one segment, its size in four bytes, and whether it has a checksum. */
export function frameHead(size, checksum = true) {
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, checksum ? 0xa4 : 0xa0]), u32(size)]);
}

/** A zstd frame that compresses nothing. */
export function zstdFrame(bytes) {
  const blocks = [];
  const most = 128 * 1024;
  for (let at = 0; at === 0 || at < bytes.length; at += most) {
    blocks.push(rawBlock(bytes.subarray(at, at + most), at + most >= bytes.length));
  }
  return Buffer.concat([frameHead(bytes.length), ...blocks, checksumOf(bytes)]);
}

/** A replay file of bytes that are to be records, with a signature of our own. */
export function fileOf(records, frame = zstdFrame(records)) {
  const head = Buffer.from('refrepl\x01', 'latin1');
  const signed = Buffer.concat([head, u32(frame.length), u32(records.length), frame, ownKey]);
  return Buffer.concat([signed, sign(null, signed, privateKey)]);
}

/** The bytes of records, each after its length. */
export function encode(records) {
  const bodies = records.map((record) => Record.encode(record).finish());
  return Buffer.concat(bodies.flatMap((body) => [varint(body.length), body]));
}

/** The file with what `change` does to a copy of its records, signed anew. */
export function tampered(bytes, change) {
  const records = structuredClone(Replay.parse(bytes).records);
  return fileOf(encode(change(records) ?? records));
}

const isNumber = (value) => typeof value === 'number' || typeof value === 'bigint';

/** Every way to change one number, flag, byte or string of a message; each is undone again. */
function* changesOf(message, path) {
  for (const [name, value] of Object.entries(message)) {
    const here = `${path}.${name}`;
    if (value instanceof Uint8Array) {
      if (value.length === 0) continue;
      const changed = value.slice();
      changed[0] ^= 1;
      yield* changeOf(message, name, here, [changed]);
    } else if (typeof value === 'object' && value !== null) {
      yield* changesOf(value, here);
      if (!Array.isArray(message)) yield* changeOf(message, name, here, [undefined]);
    } else if (isNumber(value)) {
      const one = typeof value === 'bigint' ? 1n : 1;
      const far = typeof value === 'bigint' ? 10n ** 12n : 3;
      yield* changeOf(message, name, here, [
        value + one,
        value + far,
        value > 0 ? value - one : -one * far,
      ]);
    } else if (typeof value === 'boolean') {
      yield* changeOf(message, name, here, [!value]);
    } else if (typeof value === 'string') {
      yield* changeOf(message, name, here, [`${value}0`, '-']);
    }
  }
}

function* changeOf(message, name, path, values) {
  const before = message[name];
  for (const value of values) {
    message[name] = value;
    yield `${path}: ${value}`;
  }
  message[name] = before;
}

/** Each way to say one thing otherwise than `records` do, or to leave one out, or to have it twice. */
function* changed(records) {
  for (const [i, record] of records.entries()) {
    const kind = Object.keys(record).find((name) => record[name] !== undefined);
    const path = `record ${i + 1}, ${kind}`;
    for (const what of changesOf(record[kind], path)) yield { what, records };
    yield { what: `${path}: left out`, records: [...records.slice(0, i), ...records.slice(i + 1)] };
    yield {
      what: `${path}: twice`,
      records: [...records.slice(0, i), record, ...records.slice(i)],
    };
  }
}

/** One of so many files that each tell one lie about the match in `bytes`. */
export function* lies(bytes, oneOf) {
  let count = 0;
  for (const { what, records } of changed(structuredClone(Replay.parse(bytes).records))) {
    if (count++ % oneOf !== 0) continue;
    let file;
    try {
      file = fileOf(encode(records));
    } catch {
      continue; // a number that its field cannot hold
    }
    yield { what, file };
  }
}
