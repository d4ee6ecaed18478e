// The view of a match as the page has it: proto/referee/v1/view.proto, with defaults filled in.

export interface Place { kind: string; name: string; x: number; y: number; seat?: number; landmark: boolean }
export interface Geometry {
  width: number; height: number; places: Place[]; links: { from: number; to: number }[]; seatAngles: number[];
}
export interface SeatFrame { score: number; holding: string; usedUs: number; bankUs?: number; forfeited: boolean }
export interface Piece { kind: string; seat: number; place: number; end: number }
export interface Mark { kind: string; from: number; to: number }
export interface Draw { label: string; sides: number; numbers: number[] }
export interface Frame {
  turn: number; seat?: number; dice: number[]; move: string; legalCount: number; text: string; events: string[];
  pieces: Piece[]; marks: Mark[]; seats: SeatFrame[]; nextSeat?: number; nextDice: number[];
  position: string; drawing: string; draws: Draw[];
}
export interface LedgerEntry {
  turn: number; seat: number; frame?: number; limitUs?: number; chargedUs: number;
  botUs: number; networkUs: number; refereeUs: number; pausedUs: number; mark: string; detail: string;
}
export interface Verdict { ending: string; reason: string; scores: number[]; ranks: number[]; endTime: string }
export interface Match {
  matchId: string; game: string; options: string[]; bots: string[]; timeControl: string; createTime: string;
  geometry?: Geometry; frames: Frame[]; ledger: LedgerEntry[]; verdict?: Verdict; problem: string;
  replay: Uint8Array;
}

export type Json = Record<string, any>;

export const number = (value: any): number => Number(value ?? 0);
export const optional = (value: any): number | undefined => (value === undefined ? undefined : Number(value));
export const text = (value: any): string => String(value ?? '');
export const list = <T>(value: any, item: (json: any) => T): T[] => (value ?? []).map(item);

function geometryOf(json: Json): Geometry {
  return {
    width: number(json.width),
    height: number(json.height),
    places: list(json.places, (place) => ({
      kind: text(place.kind), name: text(place.name), x: number(place.x), y: number(place.y),
      seat: optional(place.seat), landmark: place.landmark === true,
    })),
    links: list(json.links, (link) => ({ from: number(link.from), to: number(link.to) })),
    seatAngles: list(json.seatAngles, number),
  };
}

export function frameOf(json: Json): Frame {
  return {
    turn: number(json.turn), seat: optional(json.seat), dice: list(json.dice, number), move: text(json.move),
    legalCount: number(json.legalCount), text: text(json.text), events: list(json.events, text),
    pieces: list(json.pieces, (piece) => ({
      kind: text(piece.kind), seat: number(piece.seat), place: number(piece.place),
      end: number(piece.end ?? piece.place),
    })),
    marks: list(json.marks, (mark) => ({ kind: text(mark.kind), from: number(mark.from), to: number(mark.to) })),
    seats: list(json.seats, (seat) => ({
      score: number(seat.score), holding: text(seat.holding), usedUs: number(seat.usedUs),
      bankUs: optional(seat.bankUs), forfeited: seat.forfeited === true,
    })),
    nextSeat: optional(json.nextSeat), nextDice: list(json.nextDice, number),
    position: text(json.position), drawing: text(json.drawing),
    draws: list(json.draws, (draw) => ({
      label: text(draw.label), sides: number(draw.sides), numbers: list(draw.numbers, number),
    })),
  };
}

export function verdictOf(json: Json): Verdict {
  return {
    ending: text(json.ending), reason: text(json.reason), scores: list(json.scores, number), ranks: list(json.ranks, number),
    endTime: text(json.endTime),
  };
}

export function matchOf(json: Json): Match {
  return {
    matchId: text(json.matchId), game: text(json.game), options: list(json.options, text),
    bots: list(json.bots, text), timeControl: text(json.timeControl), createTime: text(json.createTime),
    geometry: json.geometry && geometryOf(json.geometry),
    frames: list(json.frames, frameOf),
    ledger: list(json.ledger, (entry) => ({
      turn: number(entry.turn), seat: number(entry.seat), frame: optional(entry.frame),
      limitUs: optional(entry.limitUs), chargedUs: number(entry.chargedUs), botUs: number(entry.botUs),
      networkUs: number(entry.networkUs), refereeUs: number(entry.refereeUs), pausedUs: number(entry.pausedUs),
      mark: text(entry.mark), detail: text(entry.detail),
    })),
    verdict: json.verdict && verdictOf(json.verdict),
    problem: text(json.problem),
    replay: bytesOf(text(json.replay)),
  };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

// Reads what a page holds: JSON, deflated, as base64.
export async function readJson(base64: string): Promise<Json> {
  const stream = new Blob([bytesOf(base64.trim()) as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

export async function readViews(base64: string): Promise<Match[]> {
  return list((await readJson(base64)).matches, matchOf);
}

export const letterOf = (seat: number): string => String.fromCharCode(97 + seat);
export const nameOf = (match: Match, seat: number): string => match.bots[seat] ?? '';

// The last frame with at most so many turns played.
export function frameOfTurn(match: Match, turn: number): number {
  let at = 0;
  match.frames.forEach((frame, index) => {
    if (frame.turn <= turn) at = index;
  });
  return at;
}

export function milliseconds(us: number): string {
  const ms = us / 1000;
  return ms >= 10000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
}
