// Plays one match as far as the protocol goes: keeps its dice and its answers, and has the bot
// called. Knows neither threads nor transport.

import type { Answer, Caller, Due, Method } from './calls.js';
import { DiceCheck } from './dice_check.js';
import { fromWire } from './durations.js';
import { encodeItem, encodeMove, Kind, readTurn, type RawTurn } from './items.js';
import type { Logger } from './log.js';
import { Match } from './match.js';
import { asksNonces, type Nonce, type Nonces } from './nonce.js';
import { Fault, MatchEnd, MatchStart, RevealNonce } from './proto/referee/v1/bot_service.js';
import {
  ForfeitCause,
  MatchState,
  SeatForfeited,
  TurnPlayed,
  Verdict,
  type Match as WireMatch,
} from './proto/referee/v1/match.js';

/** How long onMatchStart may take where nothing limits it, in ms. */
const LONG = 10_000;

export interface Outlet {
  /** Says an encoded BotItem, if the stream is still open. */
  say(item: Uint8Array): void;
}

/** A turn that the bot has been asked for, or has answered. */
interface Asked {
  readonly seq: number;
  readonly turn: number;
  readonly position: string;
  stream: Outlet;
  request: number;
  readonly due: Due;
  readonly bytes: Uint8Array; // the request, in case it is to be answered anew
  readonly received: number;
  move?: Uint8Array;
}

/** "; won by alice; scores: alice 16, bob -1"; empty without a result. */
function resultText(match: Match, verdict: Verdict): string {
  const { ranks, scores } = verdict;
  const complete = ranks.length === match.seats && scores.length === match.seats;
  if (verdict.state !== MatchState.FINISHED || !complete) return '';
  const first = match.bots.filter((_, seat) => ranks[seat] === 1);
  const how = ranks[match.seat] !== 1 ? 'lost to' : first.length === 1 ? 'won by' : 'shared by';
  const listed = match.bots.map((bot, seat) => `${bot} ${scores[seat]}`);
  return `; ${how} ${first.join(' and ')}; scores: ${listed.join(', ')}`;
}

export class Player {
  over = false;
  /** Whether its dice did not fit what was told of them. */
  diceMismatch = false;
  #match: Match | undefined;
  #firstTold: WireMatch | undefined; // as its first start said: what its dice are held to
  #nonce: Nonce | undefined;
  readonly #dice = new DiceCheck();
  #seq = 0;
  #starting: { seq: number; stream: Outlet; wire: WireMatch; asked: boolean } | undefined;
  #asked: Asked | undefined; // the last turn
  #resigned: string | undefined; // why it has

  /**
   * `hears` says of which methods the bot's class has one of its own: it is not called for others.
   */
  constructor(
    readonly number: number,
    readonly id: string,
    readonly log: Logger,
    readonly nonces: Nonces,
    readonly caller: Caller,
    readonly hears: ReadonlySet<Method>,
  ) {}

  /** Handles one item of the match, which came on `stream` at `received`. */
  take(kind: number, bytes: Uint8Array, stream: Outlet, received: number): void {
    if (kind === Kind.matchStart) return this.#start(bytes, stream, received);
    if (!this.#match || this.over) return;
    if (kind === Kind.matchEnd) {
      return this.#end(this.#match, MatchEnd.decode(bytes).verdict ?? Verdict.decode(NOTHING));
    }
    if (this.#resigned !== undefined) return;
    switch (kind) {
      case Kind.revealNonce:
        return this.#reveal(this.#match, RevealNonce.decode(bytes), stream);
      case Kind.turnRequest: {
        const turn = readTurn(bytes);
        this.#dice.sawTurn(turn.turn, turn.seat, turn.dice);
        return this.#choose(turn, bytes, stream, received);
      }
      case Kind.turnPlayed: {
        const { turn, seat, dice } = TurnPlayed.decode(bytes);
        this.#dice.sawTurn(turn, seat, dice);
        this.#call('onTurnPlayed', bytes, received);
        return;
      }
      case Kind.seatForfeited:
        this.#logForfeit(this.#match, SeatForfeited.decode(bytes));
        this.#call('onForfeit', bytes, received);
        return;
      case Kind.fault:
        this.#tryAgain(Fault.decode(bytes), stream);
    }
  }

  /** What the referee speaks of no more has ended while the link was lost. */
  forget(): void {
    if (this.#match && !this.over) this.#end(this.#match, Verdict.decode(NOTHING));
    this.over = true;
  }

  /** Takes what came of a call. `stream`: on which the referee last told of the match. */
  answered(answer: Answer, stream: Outlet): void {
    if (this.over || this.#resigned !== undefined) return;
    if (answer.threw !== undefined) return this.#resign(stream, answer.threw);
    if (answer.seq === this.#starting?.seq) return this.#ready();
    const asked = this.#asked;
    // Else it has been asked anew since, for another position.
    if (answer.seq !== asked?.seq || !answer.move) return;
    asked.move = answer.move;
    this.#sayMove(asked);
  }

  #call(method: Method, bytes: Uint8Array, received: number, due?: Due): number {
    const seq = ++this.#seq;
    if (this.hears.has(method)) {
      this.caller.call({ match: this.number, method, seq, received, due, bytes });
    }
    return seq;
  }

  #start(bytes: Uint8Array, stream: Outlet, received: number): void {
    const start = MatchStart.decode(bytes);
    const wire = start.match;
    if (!wire) return;
    this.#match = new Match(start, wire, this.log);
    this.#firstTold ??= wire;
    this.#nonce ??= this.nonces.of(wire);
    this.#nonce.noteStart(start);
    const how = start.resumed ? 'goes on' : 'starts';
    this.#match.log.info(`${how}, seat ${start.seat} of ${wire.bots.length}`);
    // The resignation may have been lost with the link.
    if (this.#resigned !== undefined) return this.#resign(stream, this.#resigned);
    const until = received + (start.readyLimit ? fromWire(start.readyLimit) : LONG);
    const seq = this.#call('onMatchStart', bytes, received, { until, id: this.id, turn: 0 });
    this.#starting = { seq, stream, wire, asked: start.readyLimit !== undefined };
    if (this.#nonce.isForCommitment(wire.commitment)) return;
    this.#tellMismatch(
      'the commitment is not the one that was told first of this match, or of its block: the seed ' +
        'may have been chosen by the nonces',
    );
  }

  #ready(): void {
    const { stream, wire, asked } = this.#starting!;
    this.#starting = undefined;
    if (!asked) return;
    const nonceHash = asksNonces(wire) ? this.#nonce!.hash() : NOTHING;
    stream.say(encodeItem({ ready: { matchId: this.id, nonceHash } }));
  }

  #reveal(match: Match, reveal: RevealNonce, stream: Outlet): void {
    const nonce = this.#nonce?.reveal(reveal.nonceHashes, match.seat);
    if (nonce) return stream.say(encodeItem({ nonce: { matchId: this.id, nonce } }));
    if (!this.#nonce?.drawn) {
      return match.log.warning(
        'the nonce of this match was drawn by another process of this bot, and cannot be revealed ' +
          'without it: the match will be forfeited',
      );
    }
    this.#tellMismatch(
      'the hashes that were told before the nonces are to be revealed are not those of before, or ' +
        "the one of this bot's seat is not its own; its nonce stays secret",
    );
  }

  #choose(turn: RawTurn, bytes: Uint8Array, stream: Outlet, received: number): void {
    const asked = this.#asked;
    if (asked?.turn === turn.turn && asked.position === turn.positionText) {
      // Asked again, as the link was lost: not to be thought about twice.
      asked.stream = stream;
      asked.request = turn.request;
      if (asked.move) this.#sayMove(asked);
      return;
    }
    const { positionText: position, request } = turn;
    const due = { until: received + turn.limit, id: this.id, turn: turn.turn };
    const seq = this.#call('chooseTurn', bytes, received, due);
    this.#asked = { seq, turn: turn.turn, position, stream, request, due, bytes, received };
  }

  /**
   * The match allows another try after an illegal move: the bot is asked the same turn anew, on the
   * clock that runs on. The log says why.
   */
  #tryAgain(fault: Fault, stream: Outlet): void {
    const asked = this.#asked;
    if (asked?.turn !== fault.turn || !asked.move) return;
    const seq = this.#call('chooseTurn', asked.bytes, asked.received, asked.due);
    this.#asked = { ...asked, seq, stream, move: undefined };
  }

  #sayMove({ stream, turn, request, move }: Asked): void {
    stream.say(encodeMove(this.id, turn, request, move!));
  }

  #resign(stream: Outlet, reason: string): void {
    this.#resigned = reason;
    stream.say(encodeItem({ resign: { matchId: this.id, reason } }));
  }

  #logForfeit(match: Match, forfeit: SeatForfeited): void {
    const own = forfeit.seat === match.seat;
    const who = own ? 'this bot forfeits' : `${match.bots[forfeit.seat] ?? 'a seat'} forfeits`;
    const cause = ForfeitCause[forfeit.cause] ?? `cause ${forfeit.cause}`;
    match.log.log(
      own ? 'warning' : 'info',
      `${who} in turn ${forfeit.turn}, ${cause}: ${forfeit.detail}`,
    );
  }

  #end(match: Match, verdict: Verdict): void {
    this.over = true;
    if (verdict.state === MatchState.UNSPECIFIED) {
      match.log.warning('ended while the link was lost');
    } else {
      match.log.info(`ended: ${verdict.reason}${resultText(match, verdict)}`);
    }
    const nonce = this.#nonce!;
    const problem = this.#dice.problem(this.#firstTold!, verdict, nonce);
    if (problem) {
      this.#tellMismatch(problem);
    } else if (verdict.nonces.length > 0 && !nonce.agreesWith(verdict)) {
      this.#tellMismatch('the nonces are not those that another match of the block ended with');
    }
    this.#call('onMatchEnd', Verdict.encode(verdict).finish(), 0);
  }

  /** Once a match: what follows from the first would only repeat it. */
  #tellMismatch(problem: string): void {
    if (this.diceMismatch) return;
    this.diceMismatch = true;
    this.#match!.log.error(`THE DICE DO NOT FIT: ${problem}`);
    this.#call('onDiceMismatch', Buffer.from(problem), 0);
  }
}

const NOTHING = new Uint8Array();
