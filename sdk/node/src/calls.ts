// What the main thread, which speaks with the referee, and whoever calls the bots tell each other.
// Both know a match by a number. Bytes are encoded messages of the protocol.

/** A method of Bot. */
export type Method =
  | 'onMatchStart'
  | 'chooseTurn'
  | 'onTurnPlayed'
  | 'onForfeit'
  | 'onDiceMismatch'
  | 'onMatchEnd';

export interface Due {
  readonly until: number; // on clock.ts
  readonly id: string; // of the match
  readonly turn: number; // 0 of onMatchStart
}

/** One call of a bot's method. */
export interface Call {
  readonly match: number;
  readonly method: Method;
  /** Which of the calls about its match this is. */
  readonly seq: number;
  /** When what it tells of came out of the transport, on clock.ts. */
  readonly received: number;
  /** When the time for it is up, if it has a limit. */
  readonly due?: Due;
  /** A MatchStart, TurnRequest, TurnPlayed, SeatForfeited or Verdict; a sentence for onDiceMismatch. */
  readonly bytes: Uint8Array;
}

/** What came of a call: of onMatchStart, of chooseTurn, and of those that threw. */
export interface Answer {
  readonly match: number;
  readonly seq: number;
  /** Why the match is resigned, if the method threw; the log has said more. */
  readonly threw?: string;
  /** The encoded move of a chooseTurn that did not throw. */
  readonly move?: Uint8Array;
}

/** Calls bots: on this thread (caller.ts), or in a worker (pool.ts). */
export interface Caller {
  /** Takes calls about a match that is new, or that this caller has. They are made in order. */
  call(call: Call): void;
  go(): void;
  readonly matches: number;
  /** Asks for no more moves; resolves when every call was made. */
  close(): Promise<void>;
}

export interface AnswerSink {
  answer(answer: Answer): void;
  /** The answers so far are to go out. */
  flush(): void;
}
