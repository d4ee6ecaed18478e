// A board of Hypnosia: rings, bridges, lanes and centre, with every step computed.
//
// A place is a small number: ring spaces from 0, ring after ring, then the centre, then L1 to L4 of
// the mover's own lane.

import type { Board as BoardSpec } from '../../proto/games/hypnosia/v1/hypnosia.js';

export const DIE_SIDES = 6;
export const LANES = 6;
export const LANE_SPACES = 4;

export const SPIRAL = 'spiral-36-24-12';
export const NOWHERE = -1;

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

  constructor(spec: BoardSpec) {
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
