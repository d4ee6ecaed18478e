// What the pages of a site show, with defaults filled in: the answers of refgate's routes
// (referee/gate/GATE.md), as ProtoJSON.
import { Json, list, number, optional, text } from './view.js';

export interface Competition {
  id: string; name: string; description: string; format: string; game: string; seats: number; state: string; created: string; started: string; finished: string;
  counted: number; running: number; left?: number; waitsFor: string; season: number; test?: Test;
}
export interface Test {
  bot: string; against: string; ratio: number; lower: number; upper: number; decision: string;
  estimate?: Rating;
}
export interface Conduct { voids: number; timeLosses: number; lostLinks: number; givenBack: string }
// In Elo. The bounds of its 95 % interval as far as they are shown: one of an interval that is too wide,
// neither where there is no rating.
export interface Rating { elo: number; atLeast?: number; atMost?: number }
export interface Standing extends Rating {
  rank: number; bot: string; version: string; blocks: number; wins: number; draws: number; losses: number; forfeits: number;
  points: number; share?: number; tieBreaks: { name: string; value?: number }[]; remark: string; provisional: boolean; succeeded: boolean;
  conduct: Conduct;
}
export interface Pair {
  bot: string; botVersion: string; opponent: string; opponentVersion: string;
  blocks: number; wins: number; draws: number; losses: number; points: number;
}
export interface Pairing {
  round: number; place: number; bots: string[]; state: string; winner: string; decision: string; points: number[];
  won: number[]; reason: string;
}
export interface SiteMatch {
  matchId: string; competition: string; bots: string[]; scores: number[]; ranks: number[];
  forfeits: { seat: number; cause: string }[]; ended: string; state: string;
}
export interface History { bot: string; version: string; points: RatingPoint[] }
export interface RatingPoint extends Rating { block: number }
export interface RunningMatch { matchId: string; game: string; bots: string[]; turns: number; created: string }

// "COMPETITION_STATE_RUNNING" without what all of its kind begin with: "running".
const widestShownElo = 600;
const word = (value: any, prefix: string): string => text(value).replace(prefix, '').toLowerCase().replace(/_/g, ' ');

function gameOf(options: Json | undefined): string {
  const game = Object.keys(options ?? {})[0] ?? '';
  return game === 'general' ? text(options?.general?.game) : game;
}

// As IntervalToShow in rating/shown_interval.h.
function shownRating(elo: number, low: number, high: number): Rating {
  const both = Number.isFinite(low) && Number.isFinite(high);
  const wide = both && high - low > widestShownElo;
  return {
    elo, atLeast: Number.isFinite(low) && !(wide && elo < 0) ? low : undefined,
    atMost: Number.isFinite(high) && !(wide && elo >= 0) ? high : undefined,
  };
}

function testOf(json: Json): Test {
  const { estimate } = json;
  return {
    bot: text(json.bot), against: text(json.against), ratio: number(json.logLikelihoodRatio), lower: number(json.lowerBound),
    upper: number(json.upperBound), decision: word(json.decision, 'TEST_DECISION_'),
    estimate: estimate && shownRating(number(estimate.elo), number(estimate.eloLow), number(estimate.eloHigh)),
  };
}

export function competitionOf(json: Json): Competition {
  const spec: Json = json.spec ?? {};
  return {
    id: text(json.competitionId), name: text(spec.name), format: word(spec.format, 'COMPETITION_FORMAT_'), game: gameOf(spec.options),
    description: text(spec.description), seats: number(spec.seats ?? 2), state: word(json.state, 'COMPETITION_STATE_'), created: text(json.createTime),
    started: text(json.startTime), finished: text(json.finishTime), counted: number(json.blocksCounted),
    running: number(json.blocksRunning), left: optional(json.blocksLeft), waitsFor: text(json.waitsFor),
    season: number(json.season), test: json.test && testOf(json.test),
  };
}

const ratingOf = (json: Json): Rating => ({ elo: number(json.elo), atLeast: optional(json.eloAtLeast), atMost: optional(json.eloAtMost) });

export function standingOf(json: Json): Standing {
  const conduct: Json = json.conduct ?? {};
  return {
    rank: number(json.rank), bot: text(json.bot), version: text(json.version), blocks: number(json.blocks),
    wins: number(json.wins), draws: number(json.draws), losses: number(json.losses), forfeits: number(json.forfeits),
    points: number(json.points), share: optional(json.share), ...ratingOf(json),
    tieBreaks: list(json.tieBreaks, (one) => ({ name: word(one.tieBreak, 'TIE_BREAK_'), value: optional(one.value) })),
    remark: text(json.remark), provisional: json.provisional === true, succeeded: json.succeeded === true,
    conduct: {
      voids: number(conduct.voids), timeLosses: number(conduct.timeLosses), lostLinks: number(conduct.lostLinks),
      givenBack: text(conduct.givenBack),
    },
  };
}

export function pairOf(json: Json): Pair {
  return {
    bot: text(json.bot), botVersion: text(json.botVersion), opponent: text(json.opponent),
    opponentVersion: text(json.opponentVersion), blocks: number(json.blocks), wins: number(json.wins),
    draws: number(json.draws), losses: number(json.losses), points: number(json.points),
  };
}

export function pairingOf(json: Json): Pairing {
  return {
    round: number(json.round), place: number(json.place), bots: list(json.bots, text),
    state: word(json.state, 'ROUND_PAIRING_STATE_'), winner: text(json.winner),
    decision: word(json.decision, 'TIE_DECISION_'), points: list(json.points, number), won: list(json.blocksWon, number),
    reason: text(json.reason),
  };
}

export const historyOf = (json: Json): History => ({
  bot: text(json.bot), version: text(json.version),
  points: list(json.points, (point) => ({ block: number(point.block), ...ratingOf(point) })),
});

const forfeitOf = (json: Json) => ({ seat: number(json.seat), cause: word(json.cause, 'FORFEIT_CAUSE_') });

// The matches of a block, newest attempt first.
export function matchesOfBlock(json: Json, competition: string): SiteMatch[] {
  const bots = list(json.bots, text);
  const match = (one: Json, state: string, ended: string): SiteMatch => ({
    matchId: text(one.matchId), competition,
    bots: bots.map((_, seat) => bots[(seat + number(one.rotation)) % bots.length]),
    scores: list(one.scores, number), ranks: list(one.ranks, number), forfeits: list(one.forfeits, forfeitOf),
    ended, state: (one.ranks ?? []).length > 0 ? '' : state,
  });
  const state = word(json.state, 'BLOCK_STATE_');
  return [
    ...list(json.matches, (one) => match(one, state === 'running' || state === 'void' ? state : '', text(json.endTime))),
    ...list([...(json.attempts ?? [])].reverse(), (attempt) =>
      list(attempt.matches, (one) => match(one, word(attempt.state, 'MATCH_STATE_'), text(attempt.endTime)))).flat(),
  ].filter(({ matchId }) => matchId !== '');
}

// Ids sort by time.
export const newestFirst = (matches: SiteMatch[]): SiteMatch[] => matches.sort((a, b) => (a.matchId < b.matchId ? 1 : -1));

// A replay of the archive; of one that its index does not have only the time is known. `names`: of
// competitions, by their ids.
export function replayOf(json: Json, names: Map<string, string>): SiteMatch {
  const outcome: Json = json.outcome ?? {};
  const state = word(outcome.state, 'MATCH_STATE_');
  return {
    matchId: text(json.matchId), competition: names.get(text(outcome.competitionId)) ?? '', bots: list(outcome.bots, text),
    scores: list(outcome.scores, number), ranks: list(outcome.ranks, number), forfeits: list(outcome.forfeits, forfeitOf),
    ended: text(outcome.endTime ?? json.createTime), state: state === 'finished' ? '' : state,
  };
}

export const runningOf = (json: Json): RunningMatch => ({
  matchId: text(json.matchId), game: text(json.game), bots: list(json.bots, text), turns: number(json.turnsPlayed),
  created: text(json.createTime),
});
