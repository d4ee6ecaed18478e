// A bot in TypeScript, of everything that has a type: it only has to compile.
import { Bot, Client, run, type Choice, type Match, type Turn } from 'referee-sdk';
import type { SeatForfeited, TurnPlayed, Verdict } from 'referee-sdk';
import { roll } from 'referee-sdk/dice';
import { KeyRing, Replay, verify, type Verification } from 'referee-sdk/replay';
import { rulesOf, type Game, type Move } from 'referee-sdk/rules';

export class Typed extends Bot {
  #rules: Game | undefined;

  override onMatchStart(match: Match): void {
    this.#rules = rulesOf(match);
    match.log.info(`against ${match.opponents.join(' and ')}`);
  }

  override async chooseTurn(turn: Turn): Promise<Choice> {
    const ends: number[] = turn.moves[0]?.hypnosia?.steps.map((step) => step.to?.index ?? 0) ?? [];
    const pieces = turn.position.isaac?.pieces.length ?? 0;
    const left: number = turn.timeLeft + turn.limit + (turn.bankLeft ?? 0) + turn.deadline;
    const state = this.#rules?.parsePosition(turn.positionText);
    const move: Move | undefined = state?.legalMoves()[0];
    if (move !== undefined && ends.length + pieces + left > 0) return this.#rules!.notation(move);
    // @ts-expect-error: a turn is not to be changed.
    turn.dice[0] = 6;
    return turn.rng.choice(turn.moves);
  }

  override onTurnPlayed(_match: Match, turn: TurnPlayed): void {
    const key: number[] = roll(new Uint8Array(32), turn.seat, 0);
    key.push(turn.legalCount);
  }
  override onForfeit(_match: Match, forfeit: SeatForfeited): void {
    void forfeit.detail.length;
  }
  override onMatchEnd(_match: Match, verdict: Verdict): void {
    void verdict.ranks.indexOf(1);
  }
}

// @ts-expect-error: a bot has to choose.
export class Silent extends Bot {}

export const start = () => run(Typed, import.meta.url, { maxMatches: 64, logLevel: 'debug' });
export const client = () => new Client(Typed, { address: 'unix:referee', token: 't' }).run();

export async function check(bytes: Uint8Array, keys: string): Promise<Verification> {
  for (const { state, turn } of Replay.parse(bytes).steps()) {
    const used: bigint = turn?.usedNs ?? 0n;
    if (used > 0n) state.position();
  }
  return verify(bytes, KeyRing.parse(keys));
}
