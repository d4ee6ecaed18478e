// Bots for Referee; README.md tells how to begin. The rules are in 'referee-sdk/rules', the dice in
// 'referee-sdk/dice'.

export { Bot, type BotClass, type Choice } from './bot.js';
export type { GivenBot } from './bot_check.js';
export { Client } from './client.js';
export { RefereeError, type Code } from './errors.js';
export { Logger, logToStderr, type LogLevel, type LogSink } from './log.js';
export { Match, Turn } from './match.js';
export { notation } from './notation.js';
export type { Options } from './options.js';
export { optionValues } from './rules/option_values.js';
export { Rng } from './rng.js';
export { run } from './run.js';
export { GameOptions, Move, Position } from './proto/referee/v1/game.js';
export {
  ForfeitCause,
  MatchState,
  type SeatForfeited,
  type Snapshot,
  type TimeControl,
  type TurnPlayed,
  type Verdict,
} from './proto/referee/v1/match.js';
export * as hypnosia from './proto/games/hypnosia/v1/hypnosia.js';
export * as isaac from './proto/games/isaac/v1/isaac.js';
