// Reads what the main thread needs of the referee's items, and writes the bot's. Of the many items
// of a turn only a few fields are decoded here; the rest is for whoever calls the bot.

import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { fromWire } from './durations.js';
import { Duration } from './proto/google/protobuf/duration.js';
import { BotItem } from './proto/referee/v1/bot_service.js';

/** The fields of RefereeItem. */
export const Kind = {
  welcome: 1,
  matchStart: 2,
  turnRequest: 3,
  turnPlayed: 4,
  seatForfeited: 5,
  matchEnd: 6,
  fault: 7,
  draining: 8,
  ping: 9,
  revealNonce: 40,
  notice: 110,
  fleet: 192,
} as const;

const ITEMS = 1; // PlayResponse.items
const LENGTH_DELIMITED = 2;

/** Calls `visit` with the kind and the bytes of each item of an encoded PlayResponse. */
export function forEachItem(
  message: Uint8Array,
  visit: (kind: number, bytes: Uint8Array) => void,
): void {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field !== ITEMS) {
      reader.skip(type, field);
      continue;
    }
    const end = reader.uint32() + reader.pos;
    while (reader.pos < end) {
      const [kind, kindType] = reader.tag();
      if (kindType === LENGTH_DELIMITED) visit(kind, reader.bytes());
      else reader.skip(kindType, kind);
    }
  }
}

/** The first field of an item, which names its match. */
export function matchIdOf(bytes: Uint8Array): string {
  return bytes[0] === 0x0a ? ascii(bytes, [2, 2 + bytes[1]!]) : '';
}

export type Range = readonly [begin: number, end: number];

function ascii(bytes: Uint8Array, range: Range): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString('latin1', ...range);
}

/** Passes over a length-delimited field. */
function skipped(reader: BinaryReader): Range {
  const length = reader.uint32();
  const begin = reader.pos;
  reader.pos += length;
  return [begin, reader.pos];
}

/** A TurnRequest, of which the position and the legal moves are not decoded. Times are in ms. */
export interface RawTurn {
  turn: number;
  seat: number;
  dice: number[];
  position: Range;
  positionText: string;
  limit: number;
  bankLeft: number | undefined;
  /** Where each legal move begins and ends. */
  legal: number[];
  request: number;
}

export function readTurn(bytes: Uint8Array): RawTurn {
  const raw: RawTurn = {
    turn: 0,
    seat: 0,
    dice: [],
    position: [0, 0],
    positionText: '',
    limit: 0,
    bankLeft: undefined,
    legal: [],
    request: 0,
  };
  const reader = new BinaryReader(bytes);
  const duration = () => fromWire(Duration.decode(reader, reader.uint32()));
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 2) raw.turn = reader.uint32();
    else if (field === 3) raw.seat = reader.uint32();
    else if (field === 4 && type === LENGTH_DELIMITED) {
      for (const end = reader.uint32() + reader.pos; reader.pos < end; ) {
        raw.dice.push(reader.uint32());
      }
    } else if (field === 4) raw.dice.push(reader.uint32());
    else if (field === 5) raw.position = skipped(reader);
    else if (field === 6) raw.positionText = ascii(bytes, skipped(reader));
    else if (field === 7) raw.limit = duration();
    else if (field === 8) raw.bankLeft = duration();
    else if (field === 9) raw.legal.push(...skipped(reader));
    else if (field === 10) raw.request = reader.uint32();
    else reader.skip(type, field);
  }
  return raw;
}

export function encodeItem(item: Partial<BotItem>): Uint8Array {
  return BotItem.encode(item as BotItem).finish();
}

/** A BotItem with a MoveReply, whose move is encoded already. */
export function encodeMove(
  matchId: string,
  turn: number,
  request: number,
  move: Uint8Array,
): Uint8Array {
  const writer = new BinaryWriter();
  writer.uint32(26).fork();
  writer.uint32(10).string(matchId).uint32(16).uint32(turn).uint32(26).bytes(move);
  if (request !== 0) writer.uint32(32).uint32(request);
  return writer.join().finish();
}
