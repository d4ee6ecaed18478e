// Divides what a bot has promised among its streams, so that it holds in sum. Pure.
//
// The streams are those of the homes, the more important first, and last the letter box: the one that
// nobody referred the bot to. tests/golden/referral.jsonl has examples, for all SDKs.

/** What is promised to one referee, or to all together. */
export interface Share {
  /** Matches at once. */
  readonly places: number;
  /** Turns that are thought about at once; 0 of a promise: as many as places. */
  readonly turns: number;
}

export const NOTHING: Share = { places: 0, turns: 0 };

export function sameShare(a: Share, b: Share): boolean {
  return a.places === b.places && a.turns === b.turns;
}

/** One for each while there are any; the rest is for the first `sharing` of them. */
function split(count: number, streams: number, sharing: number): number[] {
  const rest = Math.max(0, count - streams);
  const each = Math.floor(rest / sharing);
  return Array.from({ length: streams }, (_, stream) => {
    const one = stream < count ? 1 : 0;
    return stream < sharing ? one + each + (stream < rest % sharing ? 1 : 0) : one;
  });
}

/**
 * What each stream is to have: the homes in their order, and the letter box. Each gets one place
 * while there are any, and the homes the rest; `here`: the letter box counts as a home. Who may not
 * think about a turn has no place, either.
 */
export function divide(promised: Share, homes: number, here: boolean): Share[] {
  const streams = homes + 1;
  const sharing = here || homes === 0 ? streams : homes;
  if (promised.turns === 0) {
    return split(promised.places, streams, sharing).map((places) => ({ places, turns: 0 }));
  }
  const served = Math.min(promised.turns, streams);
  const places = split(promised.places, served, Math.min(served, sharing));
  return split(promised.turns, streams, sharing).map((turns, stream) => ({
    places: places[stream] ?? 0,
    turns,
  }));
}

function grantOne(promised: number, wanted: readonly number[], held: readonly number[]): number[] {
  let spare = Math.max(0, promised - held.reduce((sum, has) => sum + has, 0));
  return wanted.map((want, stream) => {
    const has = held[stream]!;
    const more = Math.min(Math.max(0, want - has), spare);
    spare -= more;
    return Math.min(want, has + more);
  });
}

/**
 * What can be promised to each stream now, towards what it is to have. `held`: what each may still
 * take at most, or plays. Who has too much gets less at once, but others get that only when it is
 * held no more.
 */
export function grant(promised: Share, wanted: readonly Share[], held: readonly Share[]): Share[] {
  const of = (member: keyof Share) =>
    grantOne(
      promised[member],
      wanted.map((share) => share[member]),
      held.map((share) => share[member]),
    );
  const places = of('places');
  if (promised.turns === 0) return places.map((each) => ({ places: each, turns: 0 }));
  return of('turns').map((turns, stream) => {
    const each = places[stream]!;
    return turns > 0 && each > 0 ? { places: each, turns: Math.min(turns, each) } : NOTHING;
  });
}
