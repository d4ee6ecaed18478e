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

/**
 * A block has a match for each of its seats, and all of them begin together: a stream with fewer
 * places than that may never be given any. No game has more seats.
 */
export const BLOCK = 6;

/**
 * How many of the streams that share have a part at a time; the others have their turn. `sharing`:
 * how many share, 1 at least.
 */
export function served(promised: Share, sharing: number): number {
  const enough = Math.floor(promised.places / BLOCK);
  const thinking = promised.turns > 0 ? Math.min(enough, promised.turns) : enough;
  return Math.max(1, Math.min(thinking, sharing));
}

/**
 * What decides who has a turn in a shift: of those that share, who weighs most in it. All bots that
 * share the same streams are at the same ones at a time, and so can meet there; those whose clocks
 * differ are now and then. Shifts are numbered from the Unix epoch.
 */
export function weight(shift: number, address: string): number {
  // FNV-1a, with the finaliser of MurmurHash3, so that each bit depends on all.
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${shift} ${address}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * What each stream is to have: the homes in their order, and the letter box. The homes share it;
 * `here`: the letter box does, too, and else it has one place of those that blocks do not need.
 * Where there are too many to share, the first have all.
 */
export function divide(promised: Share, homes: number, here: boolean): Share[] {
  const sharing = homes > 0 && !here ? homes : homes + 1;
  const first = served(promised, sharing);
  const box =
    sharing === homes && promised.places > first * BLOCK && promised.turns !== first ? 1 : 0;
  const part = (all: number, stream: number): number => {
    if (all === 0) return 0;
    if (stream === homes && box) return box;
    const each = Math.floor((all - box) / first);
    return stream < first ? each + (stream < (all - box) % first ? 1 : 0) : 0;
  };
  return Array.from({ length: homes + 1 }, (_, stream) => ({
    places: part(promised.places, stream),
    turns: part(promised.turns, stream),
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
