// The options of a match as text, whichever game they are for.

import type { OptionTexts } from './game.js';

/** GameOptions, as far as it matters here; of the protocol nothing but types is needed. */
export interface WireOptions {
  readonly hypnosia?: object | undefined;
  readonly isaac?: object | undefined;
  readonly general?:
    | { readonly options: readonly { readonly name: string; readonly value: Uint8Array }[] }
    | undefined;
}

/** Isaac's enumerations, by number. */
const ENUMS: Readonly<Record<string, readonly string[]>> = {
  counter_advance: ['', 'EXACT', 'UP_TO'],
  first_player: ['', 'RANDOM', 'SEAT_A', 'SEAT_B'],
  scoring_starter: ['', 'FIRST_PLAYER', 'FIRST_TO_PASS'],
};

/** The options that are set, by name, as the referee's command line takes them. */
export function optionValues(options: WireOptions): OptionTexts {
  const values: Record<string, string> = {};
  for (const { name, value } of options.general?.options ?? []) {
    values[name] = new TextDecoder().decode(value);
  }
  for (const [field, value] of Object.entries(options.hypnosia ?? options.isaac ?? {})) {
    const name = field.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
    const text = typeof value === 'number' && ENUMS[name] ? ENUMS[name][value] : String(value);
    if (value !== undefined && text !== undefined && text !== '') values[name] = text;
  }
  return values;
}
