// Options of games as text.

import { RulesError } from './errors.js';
import type { OptionTexts } from './game.js';

/**
 * `given` over `defaults`. Throws RulesError for an option that there is not, and for a value that
 * is none of `choices`.
 */
export function settled<Names extends string>(
  defaults: Readonly<Record<Names, string>>,
  choices: Readonly<Partial<Record<Names, readonly string[]>>>,
  given: OptionTexts,
): Readonly<Record<Names, string>> {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, name)) {
      const known = Object.keys(defaults).join(', ');
      throw new RulesError(`option "${name}": there is no such option; known: ${known}`);
    }
    const possible = choices[name as Names];
    if (possible && !possible.includes(value)) {
      throw new RulesError(`${name} "${value}": it must be ${possible.join(' or ')}`);
    }
  }
  return { ...defaults, ...given };
}

/** Leaves those out that are empty. */
export function withoutEmpty(options: OptionTexts): OptionTexts {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ''));
}
