// Looks at a bot before it plays: whether it has what a bot needs.

import { Bot, type BotClass } from './bot.js';
import { invalid } from './errors.js';

/** A class, of which each match has an object of its own, or an object that plays all matches. */
export type GivenBot = BotClass | Bot;

/** How many letters are to be changed to make one text of another. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let j = 1; j <= b.length; ++j) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

const NEAR = 4;

/** The methods that the author may have meant to be chooseTurn. */
function nearMisses(bot: object): string[] {
  const names = new Set<string>();
  for (let of: object | null = bot; of && of !== Bot.prototype && of !== Object.prototype; ) {
    for (const name of Object.getOwnPropertyNames(of)) names.add(name);
    of = Object.getPrototypeOf(of) as object | null;
  }
  const near = (name: string) =>
    distance(name.replaceAll('_', '').toLowerCase(), 'chooseturn') <= NEAR;
  return [...names].filter((name) => !(name in Bot.prototype) && near(name)).sort();
}

function hasMethods(bot: Partial<Bot>): boolean {
  return typeof bot.chooseTurn === 'function';
}

/**
 * An object that has the methods that bots of `given` have. Throws INVALID_ARGUMENT that says what it
 * lacks.
 */
export function checkedBot(given: unknown): Bot {
  const isClass = typeof given === 'function';
  const prototype = (isClass ? given.prototype : given) as Partial<Bot> | null | undefined;
  const name = (isClass ? given.name : prototype?.constructor?.name) || 'what was given to run';
  if (typeof prototype !== 'object' || prototype === null || typeof prototype.onMatchEnd !== 'function') {
    throw invalid(`${isClass ? name : String(given)} is not a bot: write class ... extends Bot`);
  }
  if (hasMethods(prototype)) return prototype as Bot;
  // It may have them as fields.
  const made = isClass ? new (given as BotClass)() : prototype;
  if (hasMethods(made)) return made as Bot;
  const near = nearMisses(made);
  const meant = near.length > 0 ? `; is its ${near.join(' or ')} meant to be that?` : '';
  throw invalid(`${name} has no method chooseTurn(turn)${meant}`);
}

/** The bot of a new match. */
export function botOf(given: GivenBot): Bot {
  return typeof given === 'function' ? new given() : given;
}
