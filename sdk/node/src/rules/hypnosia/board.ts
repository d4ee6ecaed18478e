// A board of Hypnosia: rings, bridges, lanes and centre, checked, with every step computed.
//
// A place is a small number: ring spaces from 0, ring after ring, then the centre, then L1 to L4 of
// the mover's own lane.

import { RulesError } from '../errors.js';
import type { BoardSpec } from './board_file.js';

export const DIE_SIDES = 6;
export const LANES = 6;
export const LANE_SPACES = 4;

const MIN_RING_SIZE = 7; // so that no die leads around a ring to where it began
const MAX_RING_SIZE = 99;
const MAX_RINGS = 8;
const MAX_CENTRE_PLACES = 24;
/** No such place. */
export const NOWHERE = -1;

function badBoard(field: string, why: string): never {
  throw new RulesError(`board: ${field}: ${why}`);
}

function checkRange(field: string, value: number, low: number, high: number): void {
  if (value < low || value > high) badBoard(field, `${value} is not a number from ${low} to ${high}`);
}

function checkBridges(spec: BoardSpec, r: number): void {
  const ring = spec.rings[r]!;
  const next = spec.rings[r + 1];
  const field = `rings[${r}].bridges`;
  if (ring.bridges.length === 0) badBoard(field, 'a ring has at least one bridge');
  const starts = new Set<number>();
  for (const [b, { from, to }] of ring.bridges.entries()) {
    checkRange(`${field}[${b}].from`, from, 0, ring.size - 1);
    if (starts.has(from)) badBoard(`${field}[${b}].from`, `another bridge starts from space ${from}`);
    starts.add(from);
    if (!next && to !== undefined) {
      badBoard(
        `${field}[${b}].to`,
        "bridges of the innermost ring lead to the centre and have no 'to'",
      );
    }
    if (!next) continue;
    if (to === undefined) {
      badBoard(
        `${field}[${b}].to`,
        'not set; it is the space of the next ring that the bridge leads to',
      );
    }
    checkRange(`${field}[${b}].to`, to, 0, next.size - 1);
  }
}

function check(spec: BoardSpec): void {
  if (!/^[a-z0-9-]{1,64}$/.test(spec.name)) {
    badBoard('name', `"${spec.name}" is not 1 to 64 lower-case letters, digits and '-'`);
  }
  const rings = spec.rings.length;
  if (rings < 1 || rings > MAX_RINGS) {
    badBoard('rings', `there are ${rings} rings, not 1 to ${MAX_RINGS}`);
  }
  for (const [r, { size }] of spec.rings.entries()) {
    checkRange(`rings[${r}].size`, size, MIN_RING_SIZE, MAX_RING_SIZE);
  }
  for (const r of spec.rings.keys()) checkBridges(spec, r);
  const entries = spec.laneEntries;
  if (entries.length !== LANES) {
    badBoard('lane_entries', `there are ${entries.length} lane entries, not ${LANES}`);
  }
  for (const [lane, entry] of entries.entries()) {
    checkRange(`lane_entries[${lane}]`, entry, 0, spec.rings[0]!.size - 1);
    if (entries.indexOf(entry) < lane) {
      badBoard(`lane_entries[${lane}]`, `another lane opens onto space ${entry}`);
    }
  }
  checkRange('centre_places', spec.centrePlaces, 1, MAX_CENTRE_PLACES);
}

export const SPIRAL = 'spiral-36-24-12';

/** The built-in board. */
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

/** How a step starts: from where, and whether a stack moves as one. */
export interface Start {
  readonly place: number;
  readonly stack: boolean;
  readonly text: string; // with the '>'
}
/** How a step ends: where, and how many pawns it captures. */
export interface Landing {
  readonly place: number;
  readonly captured: number;
  readonly text: string;
}

const byText = (a: { text: string }, b: { text: string }) =>
  a.text < b.text ? -1 : a.text > b.text ? 1 : 0;

export class Board {
  readonly name: string;
  readonly ringSizes: readonly number[];
  /** The first space of each ring. */
  readonly ringOffsets: readonly number[];
  /** How many spaces the rings have together. */
  readonly spaces: number;
  readonly centre: number;
  /** The place of L1. */
  readonly lane: number;
  readonly centrePlaces: number;
  readonly laneEntries: readonly number[];
  /** Sorted by notation, so that their numbers are in its order. */
  readonly starts: readonly Start[];
  readonly landings: readonly Landing[];
  readonly #walks: Int16Array;
  readonly #crossings: Int16Array;
  readonly #startNumbers: Int16Array; // by place and stack
  readonly #landingNumbers: Int16Array; // by place and captured

  /** Throws RulesError that names the field, as a board file calls it. */
  constructor(spec: BoardSpec) {
    check(spec);
    this.name = spec.name;
    this.ringSizes = spec.rings.map((ring) => ring.size);
    this.ringOffsets = this.ringSizes.map((_, r) =>
      this.ringSizes.slice(0, r).reduce((sum, size) => sum + size, 0),
    );
    this.spaces = this.ringSizes.reduce((sum, size) => sum + size, 0);
    this.centre = this.spaces;
    this.lane = this.centre + 1;
    this.centrePlaces = spec.centrePlaces;
    this.laneEntries = spec.laneEntries;
    this.#walks = new Int16Array(this.spaces * DIE_SIDES);
    this.#crossings = new Int16Array(this.spaces * DIE_SIDES).fill(NOWHERE);
    this.#computeWays(spec);

    const places = Array.from({ length: this.lane + LANE_SPACES }, (_, place) => place);
    this.starts = places
      .flatMap((place) => [false, true].map((stack) => this.#start(place, stack)))
      .sort(byText);
    this.landings = places
      .flatMap((place) => [0, 1, 2].map((captured) => this.#landing(place, captured)))
      .sort(byText);
    this.#startNumbers = new Int16Array(2 * places.length);
    this.#landingNumbers = new Int16Array(3 * places.length);
    for (const [number, start] of this.starts.entries()) {
      this.#startNumbers[2 * start.place + Number(start.stack)] = number;
    }
    for (const [number, landing] of this.landings.entries()) {
      this.#landingNumbers[3 * landing.place + landing.captured] = number;
    }
  }

  /** Where a walk from a ring space ends. */
  walk(space: number, die: number): number {
    return this.#walks[space * DIE_SIDES + die - 1]!;
  }
  /** Where a crossing ends; NOWHERE if there is none, or the die does not make it. */
  cross(space: number, die: number): number {
    return this.#crossings[space * DIE_SIDES + die - 1]!;
  }
  /** The number of a start, and of a landing. */
  startNumber(place: number, stack: boolean): number {
    return this.#startNumbers[2 * place + (stack ? 1 : 0)]!;
  }
  landingNumber(place: number, captured: number): number {
    return this.#landingNumbers[3 * place + captured]!;
  }

  /** Such as "A17", "L3" or "X". */
  text(place: number): string {
    if (place === this.centre) return 'X';
    if (place > this.centre) return `L${place - this.centre}`;
    const ring = this.ringOffsets.filter((offset) => offset <= place).length - 1;
    return String.fromCharCode(65 + ring) + (place - this.ringOffsets[ring]!);
  }

  #start(place: number, stack: boolean): Start {
    return { place, stack, text: `${this.text(place)}${stack ? '*>' : '>'}` };
  }
  #landing(place: number, captured: number): Landing {
    return { place, captured, text: this.text(place) + 'x'.repeat(captured) };
  }

  #computeWays(spec: BoardSpec): void {
    const advanced = (ring: number, index: number, by: number) =>
      this.ringOffsets[ring]! + ((index + by) % this.ringSizes[ring]!);
    for (const [ring, { size, bridges }] of spec.rings.entries()) {
      for (let die = 1; die <= DIE_SIDES; ++die) {
        for (let index = 0; index < size; ++index) {
          const at = (this.ringOffsets[ring]! + index) * DIE_SIDES + die - 1;
          this.#walks[at] = advanced(ring, index, die);
        }
        for (const { from, to } of bridges) {
          const at = (this.ringOffsets[ring]! + from) * DIE_SIDES + die - 1;
          if (to !== undefined) this.#crossings[at] = advanced(ring + 1, to, die - 1);
          else if (die === 1) this.#crossings[at] = this.centre;
        }
      }
    }
  }
}
