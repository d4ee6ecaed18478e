// A replay that was read: its records, and the match played again from them. Whether they are true
// is another question: verifier.ts.

import type {
  EndRecord,
  ForfeitRecord,
  OpeningRecord,
  Record,
  StartRecord,
  TurnRecord,
} from '../proto/referee/v1/replay.js';
import { matchKey, uniform } from '../refdice.js';
import { RulesError } from '../rules/errors.js';
import type { Chance, Game, OptionTexts, State } from '../rules/game.js';
import { makeGame } from '../rules/index.js';
import { ReplayError } from './errors.js';
import { split, unpack, type Parts } from './file.js';
import { decodeRecords, isPinned } from './records.js';

/** A position of a match, and what led to it; neither at the start. */
export interface Step {
  /** One's own: it may be played on. */
  readonly state: State;
  readonly turn?: TurnRecord;
  readonly forfeit?: ForfeitRecord;
}

/** Makes the draws that a state waits for, with the dice of a match. */
export function drawChance(
  key: Uint8Array,
  state: State,
  onDrawn: (chance: Chance, outcome: readonly number[]) => void = () => undefined,
): void {
  while (state.phase === 'chance') {
    const chance = state.chance();
    const outcome = uniform(key, chance.label, chance.sides, chance.count);
    state.applyChance(outcome);
    onDrawn(chance, outcome);
  }
}

export class Replay {
  /** What was settled before the match. */
  readonly opening: OpeningRecord;
  /** The start; undefined if the match ended before its bots were ready. */
  readonly start: StartRecord | undefined;
  readonly end: EndRecord;

  /** REQUIRES: `records` came from decodeRecords. */
  constructor(readonly records: readonly Record[]) {
    this.opening = records[0]!.opening!;
    this.start = records.find(({ start }) => start)?.start;
    this.end = records.at(-1)!.end!;
  }

  /** Reads the bytes of a replay file. Throws ReplayError, which names the byte, record or turn. */
  static parse(bytes: Uint8Array): Replay {
    return Replay.ofParts(split(bytes));
  }

  /** Reads a file that was taken apart. Throws ReplayError. */
  static ofParts(parts: Parts): Replay {
    return new Replay(decodeRecords(unpack(parts), parts.frame.length));
  }

  get matchId(): string {
    return this.opening.matchId;
  }
  /** Names, by seat. */
  get bots(): readonly string[] {
    return this.opening.bots;
  }
  get turns(): readonly TurnRecord[] {
    return this.records.flatMap(({ turn }) => turn ?? []);
  }

  get options(): OptionTexts {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }); // which leaves it in
    return Object.fromEntries(
      this.opening.options.map(({ name, value }) => [name, text.decode(value)]),
    );
  }

  /** The game that was played. Throws ReplayError if its rules are not in this package. */
  game(): Game {
    const { game, bots } = this.opening;
    try {
      return makeGame(game, bots.length, this.options);
    } catch (error) {
      if (error instanceof RulesError) throw new ReplayError(error.message);
      throw error;
    }
  }

  /** The key that all dice follow from; undefined if the match never had one. */
  key(): Uint8Array | undefined {
    if (isPinned(this.opening)) return matchKey(this.end.seed, []);
    return this.start && matchKey(this.end.seed, this.start.nonces);
  }

  /**
   * The position at the start, and what each turn and forfeit led to; nothing if the match did not
   * start. Throws ReplayError if the rules are not here, or a record cannot be played.
   */
  *steps(): Generator<Step> {
    const key = this.key();
    if (!this.start || !key) return;
    let state = this.game().newState();
    drawChance(key, state);
    yield { state: state.clone() };
    const forfeited = new Set<number>();
    for (const { turn, forfeit } of this.records) {
      if (!turn && !forfeit) continue;
      const { number } = (turn ?? forfeit)!;
      if (state.phase !== 'turn')
        throw new ReplayError(`turn ${number}: the game was over before it`, number);
      if (turn) playTurn(state, turn);
      if (forfeit) {
        if (forfeited.has(forfeit.seat))
          throw new ReplayError(`turn ${number}: a forfeit that cannot be`, number);
        forfeited.add(forfeit.seat);
        state.forfeit(forfeit.seat);
      }
      drawChance(key, state);
      yield { state: state.clone(), ...(turn && { turn }), ...(forfeit && { forfeit }) };
    }
  }
}

function playTurn(state: State, { number, move }: TurnRecord): void {
  try {
    state.apply(state.resolve(move));
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    throw new ReplayError(`turn ${number}: ${error.message}`, number);
  }
}
