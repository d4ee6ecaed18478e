// The view of a match in the page: proto/referee/v1/view.proto, with defaults filled in.

export type Json = Record<string, any>;

// Readers of fields; a missing field has its default.
export const number = (value: any): number => Number(value ?? 0);
export const text = (value: any): string => String(value ?? '');
export const flag = (value: any): boolean => value === true;
export const list = <T>(value: any, item: (json: any) => T): T[] => (value ?? []).map(item);
export const all = <T>(item: (json: any) => T) => (value: any): T[] => list(value, item);
export const maybe = <T>(read: (json: any) => T) => (value: any): T | undefined => (value === undefined ? undefined : read(value));
export const optional = maybe(Number);

// Reads a message with these fields.
export function reader<Fields extends Record<string, (value: any) => any>>(fields: Fields) {
  const entries = Object.entries(fields);
  return (json: Json | undefined): { [Name in keyof Fields]: ReturnType<Fields[Name]> } => {
    const read: Json = {};
    for (const [name, field] of entries) read[name] = field(json?.[name]);
    return read as { [Name in keyof Fields]: ReturnType<Fields[Name]> };
  };
}

const placeOf = reader({ kind: text, name: text, x: number, y: number, seat: optional, landmark: flag });
const geometryOf = reader({
  width: number, height: number, places: all(placeOf), links: all(reader({ from: number, to: number })), seatAngles: all(number),
});
const markOf = reader({ kind: text, from: number, to: number });
const drawOf = reader({ label: text, sides: number, numbers: all(number) });
const pieceFields = reader({ kind: text, seat: number, place: number, end: optional });
const pieceOf = (json: Json) => {
  const piece = pieceFields(json);
  return { ...piece, end: piece.end ?? piece.place };
};
export const frameOf = reader({
  turn: number, seat: optional, dice: all(number), move: text, legalCount: number, text, events: all(text), pieces: all(pieceOf),
  marks: all(markOf), seats: all(reader({ score: number, holding: text, usedUs: number, bankUs: optional, forfeited: flag })),
  nextSeat: optional, nextDice: all(number), position: text, drawing: text, draws: all(drawOf),
});
const ledgerEntryOf = reader({
  turn: number, seat: number, frame: optional, limitUs: optional, chargedUs: number, botUs: number, networkUs: number, refereeUs: number,
  pausedUs: number, mark: text, detail: text,
});
export const verdictOf = reader({ ending: text, reason: text, scores: all(number), ranks: all(number), endTime: text });
export const matchOf = reader({
  matchId: text, game: text, options: all(text), bots: all(text), timeControl: text, createTime: text, geometry: maybe(geometryOf),
  frames: all(frameOf), ledger: all(ledgerEntryOf), verdict: maybe(verdictOf), problem: text, replay: (value: any) => bytesOf(text(value)),
});

export type Geometry = ReturnType<typeof geometryOf>;
export type Piece = ReturnType<typeof pieceOf>;
export type Mark = ReturnType<typeof markOf>;
export type Draw = ReturnType<typeof drawOf>;
export type Frame = ReturnType<typeof frameOf>;
export type LedgerEntry = ReturnType<typeof ledgerEntryOf>;
export type Match = ReturnType<typeof matchOf>;

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

// Reads the data of a page: JSON, deflated, as base64.
export async function readJson(base64: string): Promise<Json> {
  const stream = new Blob([bytesOf(base64.trim()) as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

export async function readViews(base64: string): Promise<Match[]> {
  return list((await readJson(base64)).matches, matchOf);
}

export const letterOf = (seat: number): string => String.fromCharCode(97 + seat);
export const nameOf = (match: Match, seat: number): string => match.bots[seat] ?? '';

// The last frame with at most `turn` turns played.
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
