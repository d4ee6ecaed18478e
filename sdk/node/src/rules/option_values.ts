// The options of a match as text, whichever game they are for.

import type { GameOptions } from '../proto/referee/v1/game.js';
import type { OptionTexts } from './game.js';

/** Isaac's enumerations, by number. */
const ENUMS: Readonly<Record<string, readonly string[]>> = {
  counter_advance: ['', 'EXACT', 'UP_TO'],
  first_player: ['', 'RANDOM', 'SEAT_A', 'SEAT_B'],
  scoring_starter: ['', 'FIRST_PLAYER', 'FIRST_TO_PASS'],
};

/** The options that are set, by name, as the referee's command line takes them. */
export function optionValues(options: GameOptions): OptionTexts {
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
