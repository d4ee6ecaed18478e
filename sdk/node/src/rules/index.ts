// The rules of the games, for bots that look ahead, and for pages that show matches: nothing here
// needs Node.
//
//   const game = rulesOf(turn.match);
//   const state = game.parsePosition(turn.positionText);
//   return game.notation(state.legalMoves()[0]);

import type { GameOptions } from '../proto/referee/v1/game.js';
import { RulesError } from './errors.js';
import type { Game, OptionTexts } from './game.js';
import { makeHypnosia } from './hypnosia/hypnosia.js';
import { makeIsaac } from './isaac/isaac.js';
import { optionValues } from './option_values.js';

export { IllegalMoveError, NotationError, PositionError, RulesError } from './errors.js';
export * from './game.js';
export { HypnosiaState } from './hypnosia/hypnosia.js';
export { IsaacState } from './isaac/isaac.js';
export { optionValues };

/**
 * Makes a game with its options, those that are not given having their defaults. Throws RulesError
 * that names the game, the seats or the option that does not fit.
 */
export function makeGame(name: string, seats: number, options: OptionTexts = {}): Game {
  if (name === 'hypnosia') return makeHypnosia(seats, options);
  if (name === 'isaac') return makeIsaac(seats, options);
  throw new RulesError(`game "${name}": there is no such game; known: hypnosia, isaac`);
}

/**
 * The rules that a match is played by; worth keeping for the whole match. Throws RulesError if the
 * referee is newer than these rules, and plays a game or an option that they do not know.
 */
export function rulesOf(match: {
  readonly game: string;
  readonly seats: number;
  readonly options: GameOptions;
}): Game {
  return makeGame(match.game, match.seats, optionValues(match.options));
}
