// The match that a bot plays, and the turn that it is asked for, as the SDK passes them to its
// methods.
//
// Positions, moves and options are plain objects with the fields of the protocol, in camelCase:
// turn.position.hypnosia, match.options.isaac. They are explained in proto/games/<game>/v1. A game
// that the SDK has no types for, such as an organiser's own, is text: turn.positionText,
// notation(move), optionValues(match.options).

import { now } from './clock.js';
import { readTurn, type RawTurn } from './items.js';
import type { Logger } from './log.js';
import type { MatchStart } from './proto/referee/v1/bot_service.js';
import { Move, Position, type GameOptions } from './proto/referee/v1/game.js';
import type { Match as WireMatch, Snapshot, TimeControl } from './proto/referee/v1/match.js';
import { matchSeed, Rng, turnChance } from './rng.js';

/** A match, from the view of the bot that plays in it. */
export class Match {
  readonly id: string;
  readonly game: string;
  readonly options: GameOptions;
  readonly timeControl: TimeControl | undefined;
  /** The bot's own seat, from 0. */
  readonly seat: number;
  readonly seats: number;
  /** The names of the bots, by seat. */
  readonly bots: readonly string[];
  /** SHA-256 of the seed of the dice, 32 bytes. */
  readonly commitment: Uint8Array;
  /** Whether the organiser has chosen the dice; else nobody has, as long as one party is honest. */
  readonly pinned: boolean;
  /** The whole state if the match goes on after the bot had lost its link. */
  readonly resumed: Snapshot | undefined;
  /** Names the match in each line. */
  readonly log: Logger;
  /** The match as the referee told it. */
  readonly wire: WireMatch;
  #seed: bigint | undefined;

  constructor(start: MatchStart, wire: WireMatch, log: Logger) {
    this.id = wire.matchId;
    this.game = wire.game;
    this.options = wire.options ?? {};
    this.timeControl = wire.timeControl;
    this.seat = start.seat;
    this.seats = wire.bots.length;
    this.bots = wire.bots;
    this.commitment = wire.commitment;
    this.pinned = wire.pinned;
    this.resumed = start.resumed;
    this.log = log.withPrefix(`match ${this.id}: `);
    this.wire = wire;
  }

  /** The names of the others, in the order in which they come after the bot's own seat. */
  get opponents(): readonly string[] {
    return [...this.bots.slice(this.seat + 1), ...this.bots.slice(0, this.seat)];
  }

  /**
   * 64 pseudo-random bits that depend on the commitment, the seat, the bot's name and `turn` alone,
   * for bots that are to play the same again when a match with pinned dice is played again.
   */
  chance(turn: number): bigint {
    this.#seed ??= matchSeed(this.seat, this.commitment, this.bots[this.seat] ?? '');
    return turnChance(this.#seed, turn);
  }
}

/** A turn that the bot is to play. */
export class Turn {
  readonly match: Match;
  readonly #request: Uint8Array;
  readonly #raw: RawTurn;
  readonly #received: number;
  #moves: readonly Move[] | undefined;
  #position: Position | undefined;
  #rng: Rng | undefined;

  /**
   * `request` is an encoded TurnRequest, of which only what is asked for is decoded; `received` is
   * when it came out of the transport, on clock.ts.
   */
  constructor(match: Match, request: Uint8Array, received: number) {
    this.match = match;
    this.#request = request;
    this.#raw = readTurn(request);
    this.#received = received;
  }

  /** The number of the turn, from 1. */
  get number(): number {
    return this.#raw.turn;
  }

  /** The bot's seat, from 0. */
  get seat(): number {
    return this.match.seat;
  }

  /** As rolled; empty in games without dice. */
  get dice(): readonly number[] {
    return this.#raw.dice;
  }

  /** The legal moves, sorted by notation; at least one. Empty if Options.legalMoves is false. */
  get moves(): readonly Move[] {
    return (this.#moves ??= Array.from({ length: this.moveCount }, (_, i) => this.#decode(i)));
  }

  get moveCount(): number {
    return this.#raw.legal.length / 2;
  }

  /** moves[index], without decoding the others. `index` is 0 to moveCount - 1. */
  move(index: number): Move {
    return this.#moves?.[index] ?? this.#decode(index);
  }

  #decode(index: number): Move {
    const { legal } = this.#raw;
    return Move.decode(this.#request.subarray(legal[2 * index], legal[2 * index + 1]));
  }

  /** The position; decoded when it is first asked for. */
  get position(): Position {
    return (this.#position ??= Position.decode(this.#request.subarray(...this.#raw.position)));
  }

  /** The same as a position string. */
  get positionText(): string {
    return this.#raw.positionText;
  }

  /**
   * How long the move may take in all, in ms, counted from the arrival of the request. The reply's
   * way back counts too: finish a little earlier.
   */
  get limit(): number {
    return this.#raw.limit;
  }

  /** What is left in the bank, in ms; undefined without a bank. */
  get bankLeft(): number | undefined {
    return this.#raw.bankLeft;
  }

  /** How much of the limit is left now, in ms; at least zero. */
  get timeLeft(): number {
    return Math.max(this.limit - (now() - this.#received), 0);
  }

  /** When the time is up, on performance.now() of this thread. */
  get deadline(): number {
    return performance.now() + this.limit - (now() - this.#received);
  }

  /** match.chance() of this turn. */
  get chance(): bigint {
    return this.match.chance(this.number);
  }

  /** Draws numbers, the first of which is `chance`. */
  get rng(): Rng {
    return (this.#rng ??= new Rng(this.chance));
  }

  get log(): Logger {
    return this.match.log;
  }
}
