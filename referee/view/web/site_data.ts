// The data of the pages of a site: answers of refgate (referee/gate/GATE.md) as ProtoJSON, with
// defaults filled in.
import { all, flag, Json, list, maybe, number, optional, reader, text } from './view.js';

// Shortens an enumerator: "COMPETITION_STATE_RUNNING" becomes "running".
const word = (prefix: string) => (value: any): string => text(value).replace(prefix, '').toLowerCase().replace(/_/g, ' ');

// A rating in Elo, with the bounds of its 95 % interval that are shown: one bound of an interval
// that is too wide, none without a rating.
export interface Rating { elo: number; atLeast?: number; atMost?: number }

const ratingOf = (json: Json): Rating => ({ elo: number(json.elo), atLeast: optional(json.eloAtLeast), atMost: optional(json.eloAtMost) });

// As in IntervalToShow of rating/shown_interval.h.
const widestShownElo = 600;
function shownRating(json: Json): Rating {
  const [elo, low, high] = [json.elo, json.eloLow, json.eloHigh].map(number);
  const both = Number.isFinite(low) && Number.isFinite(high);
  const wide = both && high - low > widestShownElo;
  return {
    elo, atLeast: Number.isFinite(low) && !(wide && elo < 0) ? low : undefined,
    atMost: Number.isFinite(high) && !(wide && elo >= 0) ? high : undefined,
  };
}

const testOf = reader({
  logLikelihoodRatio: number, lowerBound: number, upperBound: number, decision: word('TEST_DECISION_'), estimate: maybe(shownRating),
});

function gameOf(options: Json | undefined): string {
  const game = Object.keys(options ?? {})[0] ?? '';
  return game === 'general' ? text(options?.general?.game) : game;
}

const competitionFields = reader({
  competitionId: text, state: word('COMPETITION_STATE_'), createTime: text, blocksCounted: number, blocksRunning: number,
  blocksLeft: optional, waitsFor: text, season: number, test: maybe(testOf),
});
const specOf = reader({
  name: text, description: text, format: word('COMPETITION_FORMAT_'), options: gameOf, seats: (value: any) => number(value ?? 2),
});
export type Competition = ReturnType<typeof competitionOf>;
export const competitionOf = (json: Json) => {
  const { options: game, ...spec } = specOf(json.spec);
  return { ...competitionFields(json), ...spec, game };
};

const standingFields = reader({
  rank: number, bot: text, version: text, blocks: number, wins: number, draws: number, losses: number, forfeits: number, points: number,
  share: optional, tieBreaks: all(reader({ tieBreak: word('TIE_BREAK_'), value: optional })), remark: text, provisional: flag, succeeded: flag,
  conduct: reader({ voids: number, timeLosses: number, lostLinks: number }),
});
export type Standing = ReturnType<typeof standingOf>;
export const standingOf = (json: Json) => ({ ...standingFields(json), ...ratingOf(json) });

export type Pair = ReturnType<typeof pairOf>;
export const pairOf = reader({
  bot: text, botVersion: text, opponent: text, opponentVersion: text, blocks: number, wins: number, draws: number, losses: number, points: number,
});

export type Pairing = ReturnType<typeof pairingOf>;
export const pairingOf = reader({
  round: number, place: number, bots: all(text), state: word('ROUND_PAIRING_STATE_'), winner: text, decision: word('TIE_DECISION_'),
  points: all(number), reason: text,
});

const pointOf = (json: Json) => ({ block: number(json.block), ...ratingOf(json) });
export type RatingPoint = ReturnType<typeof pointOf>;
export type History = ReturnType<typeof historyOf>;
export const historyOf = reader({ bot: text, version: text, points: all(pointOf) });

// The common fields of a match of a block and of a replay's outcome.
const resultOf = reader({
  scores: all(number), ranks: all(number), forfeits: all(reader({ seat: number, cause: word('FORFEIT_CAUSE_') })),
});
export interface SiteMatch extends ReturnType<typeof resultOf> { matchId: string; competition: string; bots: string[]; ended: string; state: string }

// The matches of a block, newest attempt first.
export function matchesOfBlock(json: Json, competition: string): SiteMatch[] {
  const bots = list(json.bots, text);
  const match = (one: Json, state: string, ended: string): SiteMatch => ({
    matchId: text(one.matchId), competition, bots: bots.map((_, seat) => bots[(seat + number(one.rotation)) % bots.length]),
    ...resultOf(one), ended, state: (one.ranks ?? []).length > 0 ? '' : state,
  });
  const state = word('BLOCK_STATE_')(json.state);
  return [
    ...list(json.matches, (one) => match(one, state === 'running' || state === 'void' ? state : '', text(json.endTime))),
    ...list([...(json.attempts ?? [])].reverse(), (attempt) =>
      list(attempt.matches, (one) => match(one, word('MATCH_STATE_')(attempt.state), text(attempt.endTime)))).flat(),
  ].filter(({ matchId }) => matchId !== '');
}

// Ids sort by time.
export const newestFirst = (matches: SiteMatch[]): SiteMatch[] => matches.sort((a, b) => (a.matchId < b.matchId ? 1 : -1));

// A replay of the archive. If the index lacks the replay, only its time is known. `names`: names of
// competitions, by id.
export function replayOf(json: Json, names: Map<string, string>): SiteMatch {
  const outcome: Json = json.outcome ?? {};
  const state = word('MATCH_STATE_')(outcome.state);
  return {
    matchId: text(json.matchId), competition: names.get(text(outcome.competitionId)) ?? '', bots: list(outcome.bots, text),
    ...resultOf(outcome), ended: text(outcome.endTime ?? json.createTime), state: state === 'finished' ? '' : state,
  };
}

export type RunningMatch = ReturnType<typeof runningOf>;
export const runningOf = reader({ matchId: text, game: text, bots: all(text), turnsPlayed: number, createTime: text });
