// What a bot author writes. A whole bot:
//
//   import { Bot, run } from 'referee-sdk';
//
//   class FirstMove extends Bot {
//     chooseTurn(turn) {
//       return turn.moves[0];
//     }
//   }
//
//   await run(FirstMove, import.meta.url);

import type { Match, Turn } from './match.js';
import type { Move } from './proto/referee/v1/game.js';
import type { SeatForfeited, TurnPlayed, Verdict } from './proto/referee/v1/match.js';

/** A move: one of turn.moves, one that the bot has made itself, or its notation. */
export type Choice = Move | string;

/**
 * Plays one match: each has an object of its own, so that what is to be remembered from turn to
 * turn is a field. What is to be kept from match to match belongs to the module; with several
 * workers each has its own.
 *
 * Calls about one match come one at a time, in order; those about different matches overlap only
 * where a method awaits something, or with several workers. A method may return a promise.
 *
 * An exception that leaves a method is logged with its stack and costs the bot that match: it is
 * resigned. The other matches go on.
 */
export abstract class Bot {
  /**
   * Returns the move that the bot plays. A move that the rules forbid, or one that comes too late,
   * forfeits the match. A bot that can only pass is not asked.
   */
  abstract chooseTurn(turn: Turn): Choice | Promise<Choice>;

  /**
   * The match begins, or goes on after the link was lost: then match.resumed is its whole state,
   * and the bot may have missed turns.
   */
  onMatchStart(_match: Match): void | Promise<void> {}
  /** Another seat has played, or this bot has passed. */
  onTurnPlayed(_match: Match, _turn: TurnPlayed): void | Promise<void> {}
  /** A seat, perhaps the bot's own, has forfeited. */
  onForfeit(_match: Match, _forfeit: SeatForfeited): void | Promise<void> {}
  /**
   * The dice are not those that follow from what the referee had told before: it cheats, or is
   * broken. The log has said so; `problem` is one sentence with what was told and what should be.
   */
  onDiceMismatch(_match: Match, _problem: string): void | Promise<void> {}
  /**
   * The match is over. The verdict's state is MatchState.UNSPECIFIED when it ended while the bot was
   * away.
   */
  onMatchEnd(_match: Match, _verdict: Verdict): void | Promise<void> {}
}

export type BotClass = new () => Bot;
