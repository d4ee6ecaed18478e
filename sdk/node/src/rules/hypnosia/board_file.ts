// Reads board files: games.hypnosia.v1.Board as JSON, with the field names of the protocol.

import type { Board as BoardSpec, Board_Ring } from '../../proto/games/hypnosia/v1/hypnosia.js';
import { RulesError } from '../errors.js';
import { LANES, SPIRAL } from './board.js';

const MAX_BYTES = 65536;
const MIN_RING_SIZE = 7; // so that no die leads around a ring to where it began
const MAX_RING_SIZE = 99;
const MAX_RINGS = 8;
const MAX_CENTRE_PLACES = 24;

export function spiralBoard(): BoardSpec {
  const six = [0, 1, 2, 3, 4, 5];
  return {
    name: SPIRAL,
    rings: [
      { size: 36, bridges: six.map((j) => ({ from: 6 * j + 3, to: 4 * j })) },
      { size: 24, bridges: six.map((j) => ({ from: 4 * j + 2, to: 2 * j })) },
      { size: 12, bridges: six.map((j) => ({ from: 2 * j + 1 })) },
    ],
    laneEntries: six.map((j) => 6 * j),
    centrePlaces: 5,
  };
}

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

function readNumber(path: string, value: unknown = 0, low: number, high: number): number {
  if (Number.isInteger(value) && (value as number) >= low && (value as number) <= high) {
    return value as number;
  }
  return bad(path, `${shown(value)} is not a whole number from ${low} to ${high}`);
}

function readList(path: string, value: unknown = []): unknown[] {
  return Array.isArray(value) ? value : bad(path, `${shown(value)} is not a list`);
}

function checkDistinct(path: string, spaces: readonly number[], what: string): void {
  for (const [i, space] of spaces.entries()) {
    if (spaces.indexOf(space) < i) bad(path.replace('*', String(i)), `another ${what} space ${space}`);
  }
}

/** Reads a ring; `next` is the size of the one inside of it, undefined for the innermost. */
function readRing(path: string, size: number, bridges: unknown, next: number | undefined): Board_Ring {
  const field = `${path}.bridges`;
  const read = readList(field, bridges).map((value, b) => {
    const { from: start, to } = readObject(`${field}[${b}]`, value, ['from', 'to']);
    const from = readNumber(`${field}[${b}].from`, start, 0, size - 1);
    if (next !== undefined && to !== undefined) {
      return { from, to: readNumber(`${field}[${b}].to`, to, 0, next - 1) };
    }
    if (next === undefined && to === undefined) return { from };
    return bad(
      `${field}[${b}].to`,
      next === undefined
        ? "bridges of the innermost ring lead to the centre and have no 'to'"
        : 'not set; it is the space of the next ring that the bridge leads to',
    );
  });
  if (read.length === 0) bad(field, 'a ring has at least one bridge');
  checkDistinct(`${field}[*].from`, read.map(({ from }) => from), 'bridge starts from');
  return { size, bridges: read };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return bad('the file is not JSON', (error as Error).message);
  }
}

/** Throws RulesError that names the field. */
export function parseBoardFile(text: string): BoardSpec {
  if (text.length > MAX_BYTES) {
    throw new RulesError(`option "board": has ${text.length} bytes, at most ${MAX_BYTES}`);
  }
  const names = ['name', 'rings', 'lane_entries', 'centre_places'];
  const board = readObject('the file', parseJson(text), names);
  const { name = '' } = board;
  if (typeof name !== 'string') return bad('name', `${shown(name)} is not a string`);
  if (!/^[a-z0-9-]{1,64}$/.test(name)) {
    bad('name', `"${name}" is not 1 to 64 lower-case letters, digits and '-'`);
  }
  const given = readList('rings', board.rings).map((ring, r) =>
    readObject(`rings[${r}]`, ring, ['size', 'bridges']),
  );
  if (given.length < 1 || given.length > MAX_RINGS) {
    bad('rings', `there are ${given.length} rings, not 1 to ${MAX_RINGS}`);
  }
  const sizes = given.map(({ size }, r) =>
    readNumber(`rings[${r}].size`, size, MIN_RING_SIZE, MAX_RING_SIZE),
  );
  const rings = given.map(({ bridges }, r) =>
    readRing(`rings[${r}]`, sizes[r]!, bridges, sizes[r + 1]),
  );
  const laneEntries = readList('lane_entries', board.lane_entries).map((entry, lane) =>
    readNumber(`lane_entries[${lane}]`, entry, 0, sizes[0]! - 1),
  );
  if (laneEntries.length !== LANES) {
    bad('lane_entries', `there are ${laneEntries.length} lane entries, not ${LANES}`);
  }
  checkDistinct('lane_entries[*]', laneEntries, 'lane opens onto');
  const centrePlaces = readNumber('centre_places', board.centre_places, 1, MAX_CENTRE_PLACES);
  return { name, rings, laneEntries, centrePlaces };
}
