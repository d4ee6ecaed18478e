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
  refer: 190,
  capacity: 191,
} as const;

const ITEMS = 1; // PlayResponse.items

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
      if (kindType !== 2) {
        reader.skip(kindType, kind);
        continue;
      }
      const length = reader.uint32();
      const at = reader.pos;
      reader.pos = at + length;
      visit(kind, message.subarray(at, at + length));
    }
  }
}

/** The first field of an item, which names its match. */
export function matchIdOf(bytes: Uint8Array): string {
  return bytes[0] === 0x0a ? ascii(bytes, 2, 2 + bytes[1]!) : '';
}

function ascii(bytes: Uint8Array, at: number, end: number): string {
  return (bytes as Buffer).toString('latin1', at, end);
}

/** What is common to TurnRequest and TurnPlayed, and what else is needed of a request. */
export interface SeenTurn {
  readonly turn: number;
  readonly seat: number;
  readonly dice: readonly number[];
  /** Of a request: its position string and its number. */
  readonly position: string;
  readonly request: number;
  /** Of a request: its time limit, in ms. */
  readonly limit: number;
}

/** Reads a TurnRequest, or, with `played`, a TurnPlayed. */
export function readTurn(bytes: Uint8Array, played: boolean): SeenTurn {
  const reader = new BinaryReader(bytes);
  const dice: number[] = [];
  let turn = 0;
  let seat = 0;
  let position = '';
  let request = 0;
  let limit = 0;
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 2) turn = reader.uint32();
    else if (field === 3) seat = reader.uint32();
    else if (field === 4 && type === 2) {
      for (const end = reader.uint32() + reader.pos; reader.pos < end; ) dice.push(reader.uint32());
      if (played) break; // nothing after it is needed
    } else if (field === 4) dice.push(reader.uint32());
    else if (field === 6 && !played) {
      const length = reader.uint32();
      position = ascii(bytes, reader.pos, reader.pos + length);
      reader.pos += length;
    } else if (field === 7 && !played) limit = fromWire(Duration.decode(reader, reader.uint32()));
    else if (field === 10 && !played) request = reader.uint32();
    else if (type === 2) reader.pos = reader.uint32() + reader.pos;
    else reader.skip(type, field);
  }
  return { turn, seat, dice, position, request, limit };
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
