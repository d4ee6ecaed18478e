// Looks at a bot before it plays: whether it has what a bot needs.

import { Bot, type BotClass } from './bot.js';
import { invalid } from './errors.js';

/** A class, of which each match has an object of its own, or an object that plays all matches. */
export type GivenBot = BotClass | Bot;

/** The methods and fields that the author has given a bot. */
function ownNames(bot: object): string[] {
  const names = new Set<string>();
  for (let of: object | null = bot; of && of !== Bot.prototype && of !== Object.prototype; ) {
    for (const name of Object.getOwnPropertyNames(of)) names.add(name);
    of = Object.getPrototypeOf(of) as object | null;
  }
  return [...names].filter((name) => !(name in Bot.prototype)).sort();
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
  const names = ownNames(made).join(', ');
  throw invalid(`${name} has no method chooseTurn(turn)${names && `; it has ${names}`}`);
}

/** The bot of a new match. */
export function botOf(given: GivenBot): Bot {
  return typeof given === 'function' ? new given() : given;
}
