// Reads board files: games.hypnosia.v1.Board as JSON, with the field names of the protocol.

import { RulesError } from '../errors.js';

/** What a board file says. */
export interface BoardSpec {
  name: string;
  /** From the outermost inwards. */
  rings: RingSpec[];
  laneEntries: number[];
  centrePlaces: number;
}
export interface RingSpec {
  size: number;
  bridges: BridgeSpec[];
}
export interface BridgeSpec {
  from: number;
  /** Not set on the innermost ring, whose bridges lead to the centre. */
  to?: number;
}

const MAX_BYTES = 65536;
const MAX_NUMBER = 0xffffffff;

function bad(path: string, why: string): never {
  throw new RulesError(`board: ${path}: ${why}`);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' && value ? 'object' : JSON.stringify(value).slice(0, 80);
}

function readObject(path: string, value: unknown, names: string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    bad(path, `${shown(value)} is not an object with ${names.join(', ')}`);
  }
  for (const name of Object.keys(value)) {
    if (names.includes(name)) continue;
    bad(path, `there is no field '${name.slice(0, 64)}'; it has ${names.join(', ')}`);
  }
  return value as Record<string, unknown>;
}

function readNumber(path: string, value: unknown = 0): number {
  const good = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_NUMBER;
  if (!good) bad(path, `${shown(value)} is not a whole number from 0 to ${MAX_NUMBER}`);
  return value as number;
}

function readText(path: string, value: unknown = ''): string {
  return typeof value === 'string' ? value : bad(path, `${shown(value)} is not a string`);
}

function readList<T>(
  path: string,
  read: (path: string, element: unknown) => T,
  value: unknown = [],
): T[] {
  if (!Array.isArray(value)) bad(path, `${shown(value)} is not a list`);
  return value.map((element, i) => read(`${path}[${i}]`, element));
}

function readBridge(path: string, value: unknown): BridgeSpec {
  const { from, to } = readObject(path, value, ['from', 'to']);
  const bridge = { from: readNumber(`${path}.from`, from) };
  return to === undefined ? bridge : { ...bridge, to: readNumber(`${path}.to`, to) };
}

function readRing(path: string, value: unknown): RingSpec {
  const { size, bridges } = readObject(path, value, ['size', 'bridges']);
  return {
    size: readNumber(`${path}.size`, size),
    bridges: readList(`${path}.bridges`, readBridge, bridges),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return bad('the file is not JSON', (error as Error).message);
  }
}

/** Throws RulesError that names the field. What the numbers mean is checked by Board. */
export function parseBoardFile(text: string): BoardSpec {
  if (text.length > MAX_BYTES) {
    throw new RulesError(`option "board": has ${text.length} bytes, at most ${MAX_BYTES}`);
  }
  const names = ['name', 'rings', 'lane_entries', 'centre_places'];
  const board = readObject('the file', parseJson(text), names);
  return {
    name: readText('name', board.name),
    rings: readList('rings', readRing, board.rings),
    laneEntries: readList('lane_entries', readNumber, board.lane_entries),
    centrePlaces: readNumber('centre_places', board.centre_places),
  };
}
