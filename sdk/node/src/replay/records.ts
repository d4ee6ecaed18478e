// The records of a replay, read and held to their form: their order, what each must have, and that
// they are encoded in the one way that FORMAT.md allows. Whether they are true: verifier.ts.

import { BinaryReader } from '@bufbuild/protobuf/wire';
import { equal } from '../bytes.js';
import { demand, ReplayError } from './errors.js';
import { checkTerms } from './terms.js';
import { isPlain } from '../text.js';
import { ForfeitCause, MatchState } from '../proto/referee/v1/match.js';
import {
  DrawKind,
  Record,
  type EndRecord,
  type OpeningRecord,
  type StartRecord,
} from '../proto/referee/v1/replay.js';

const MAX_SEATS = 10;
const MAX_NAME_BYTES = 64;
const MAX_NONCE_BYTES = 32;
const MAX_OPTIONS = 64;
const MAX_OPTION_BYTES = 64 * 1024;
const MAX_MOVE_BYTES = 256;
const MAX_RESUMED = 100_000;
const MAX_DRAWS = 10_000;
const MAX_FAULTS_OF_TURN = 1_000;
/** Ids of matches and blocks. */
const ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const MAX_TIME_US = 253402300799999999n;

type Kind = Exclude<keyof Record, '$type'>;

/** The member of a record that is set; undefined if none is that is known. */
function kindOf(record: Record): Kind | undefined {
  return (Object.keys(record) as Kind[]).find((kind) => record[kind] !== undefined);
}

/** The number of the turn that a record is about; 0 if about none. */
function turnOf({ turn, forfeit, fault, noContest }: Record): number {
  return (turn ?? forfeit ?? fault ?? noContest)?.number ?? 0;
}

/** What may come after a record of this kind; '' is the beginning. */
const NEXT: Readonly<{ [kind in Kind | '']?: readonly Kind[] }> = {
  '': ['opening'],
  opening: ['start', 'end'],
  start: ['draw', 'turn', 'forfeit', 'fault', 'noContest', 'end'],
  draw: ['draw', 'turn', 'forfeit', 'fault', 'noContest', 'end'],
  turn: ['turn', 'forfeit', 'fault', 'noContest', 'end'],
  forfeit: ['turn', 'forfeit', 'fault', 'noContest', 'end'],
  fault: ['turn', 'forfeit', 'fault', 'noContest', 'end'],
  noContest: ['end'],
  end: [],
};

function checkTime(micros: bigint): void {
  demand(micros >= 0n && micros <= MAX_TIME_US, 'a time is out of range');
}

function checkName(what: string, name: string): void {
  const bytes = new TextEncoder().encode(name).length;
  const good = bytes >= 1 && bytes <= MAX_NAME_BYTES && isPlain(name);
  demand(
    good,
    `${what} ${JSON.stringify(name)}: it must have 1 to ${MAX_NAME_BYTES} bytes, and no control characters`,
  );
}

function checkLength(what: string, bytes: Uint8Array): void {
  demand(bytes.length === 32, `${what} has ${bytes.length} bytes, not 32`);
}

function checkDice(dice: readonly number[]): void {
  demand(dice.length <= 2, 'there are too many dice');
  demand(
    dice.every((die) => die >= 1 && die <= 6),
    'a die is not 1 to 6',
  );
}

function checkBlock({ blockId, rotation, bots }: OpeningRecord): void {
  if (!blockId) return demand(rotation === 0, 'it is a rotation, and in no block');
  demand(ID.test(blockId), `block id ${JSON.stringify(blockId)}: it is none`);
  demand(rotation < bots.length, `it is rotation ${rotation} of a block of ${bots.length} seats`);
}

function checkOpening(opening: OpeningRecord): void {
  const { matchId, bots, options } = opening;
  demand(ID.test(matchId), `match id ${JSON.stringify(matchId)}: it is none`);
  checkTime(opening.createTimeUs);
  demand(
    bots.length >= 1 && bots.length <= MAX_SEATS,
    `there are ${bots.length} bots, not 1 to ${MAX_SEATS}`,
  );
  for (const bot of bots) checkName('bot', bot);
  if (opening.referee) checkName('referee', opening.referee);
  checkName('game', opening.game);
  checkLength('the commitment', opening.commitment);
  if (opening.pinnedSeed) checkLength('the pinned seed', opening.pinnedSeed);
  checkTerms(opening);
  checkBlock(opening);
  demand(options.length <= MAX_OPTIONS, 'there are too many options');
  for (const [i, { name, value }] of options.entries()) {
    demand(value.length <= MAX_OPTION_BYTES, `option ${JSON.stringify(name)} is too long`);
    demand(i === 0 || options[i - 1]!.name < name, 'the options are not sorted by name');
  }
}

/** Whether its dice were chosen, and bots had no part in them. */
export function isPinned({ pinnedNumber, pinnedSeed }: OpeningRecord): boolean {
  return pinnedNumber !== undefined || pinnedSeed !== undefined;
}

function checkStart(start: StartRecord, opening: OpeningRecord): void {
  checkTime(start.startTimeUs);
  const { nonces, nonceHashes } = start;
  const expected = isPinned(opening) ? 0 : opening.bots.length;
  demand(nonces.length === expected, `there are ${nonces.length} nonces, not ${expected}`);
  demand(
    nonces.every((nonce) => nonce.length <= MAX_NONCE_BYTES),
    'a nonce has more than 32 bytes',
  );
  demand(
    nonceHashes.length === expected,
    `there are ${nonceHashes.length} hashes of nonces, not ${expected}`,
  );
  demand(
    nonceHashes.every(({ length }) => length === 0 || length === 32),
    'a hash of a nonce has not 32 bytes',
  );
}

function checkEnd(end: EndRecord, opening: OpeningRecord, started: boolean): void {
  const { state, scores, ranks } = end;
  const finished = state === MatchState.FINISHED;
  demand(
    finished || state === MatchState.VOID || state === MatchState.CANCELLED,
    'it is an end of an unknown kind',
  );
  demand(!finished || started, 'a match that did not start has a result');
  demand(!finished || /^[A-Z_]{1,64}$/.test(end.reason), 'the reason of the end is no word');
  const expected = finished ? opening.bots.length : 0;
  demand(
    scores.length === expected && ranks.length === expected,
    `there are ${scores.length} scores and ${ranks.length} ranks, not ${expected} of each`,
  );
  demand(
    ranks.every((rank) => rank >= 1 && rank <= expected),
    'a rank is out of range',
  );
  checkLength('the seed', end.seed);
  checkTime(end.endTimeUs);
  if (!end.cancelledBy) return;
  demand(state === MatchState.CANCELLED, 'nobody cancelled the match');
  checkName('account', end.cancelledBy);
}

const isFault = (cause: ForfeitCause) =>
  cause === ForfeitCause.TIMEOUT || cause === ForfeitCause.ILLEGAL;

/** Checks a record that is in its place, by itself. */
function checkRecord(record: Record, opening: OpeningRecord, started: boolean): void {
  const { start, draw, turn, fault, forfeit, noContest, resumed, end } = record;
  const seat = (draw ?? turn ?? fault ?? forfeit ?? noContest)?.seat ?? 0;
  demand(seat < opening.bots.length, `there is no seat ${seat}`);
  if (record.opening) checkOpening(record.opening);
  if (start) checkStart(start, opening);
  if (draw) {
    const known = draw.kind === DrawKind.SETUP_ROLL || draw.kind === DrawKind.FIRST_PLAYER;
    demand(known, 'it is a draw of an unknown kind');
    checkDice(draw.dice);
  }
  if (turn) {
    checkDice(turn.dice);
    demand(turn.move.length <= MAX_MOVE_BYTES, 'the move is too long');
    const { substituted } = turn;
    demand(
      substituted === ForfeitCause.UNSPECIFIED || isFault(substituted),
      'its fault is neither TIMEOUT nor ILLEGAL',
    );
  }
  if (fault) demand(isFault(fault.cause), 'its fault is neither TIMEOUT nor ILLEGAL');
  if (forfeit) {
    const known = forfeit.cause >= ForfeitCause.TIMEOUT && forfeit.cause <= ForfeitCause.RESIGNED;
    demand(known, 'it is a forfeit for an unknown cause');
  }
  if (noContest) demand(noContest.timing !== undefined, 'it does not say where the time went');
  if (resumed) checkTime(resumed.resumeTimeUs);
  if (end) checkEnd(end, opening, started);
}

/** Refuses more records of a kind than an honest match has: a small file could hold millions. */
class Counts {
  #draws = 0;
  #restarts = 0;
  #forfeits = 0;
  /** In the turn that is due. */
  #faults = 0;
  /** The last that was played. */
  #turn = 0;

  take({ draw, turn, fault, forfeit, resumed }: Record, seats: number): void {
    if (draw) ++this.#draws;
    demand(this.#draws <= MAX_DRAWS, `there are more than ${MAX_DRAWS} draws`);
    if (resumed) ++this.#restarts;
    demand(this.#restarts <= MAX_RESUMED, `there are more than ${MAX_RESUMED} restarts`);
    if (forfeit) ++this.#forfeits;
    demand(this.#forfeits <= seats, 'there are more forfeits than seats');
    if (fault) ++this.#faults;
    const flood = `there are more than ${MAX_FAULTS_OF_TURN} faults in the turn`;
    demand(this.#faults <= MAX_FAULTS_OF_TURN, flood);
    if (!turn) return;
    demand(turn.number > this.#turn, `its number does not follow turn ${this.#turn}`);
    this.#turn = turn.number;
    this.#faults = 0;
  }
}

/** The bytes of each record after its length, and where they begin. */
function* cut(bytes: Uint8Array): Generator<{ readonly at: number; readonly body: Uint8Array }> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const at = reader.pos;
    let body: Uint8Array | undefined;
    try {
      body = reader.bytes();
    } catch {
      // It goes beyond the end, or is no number.
    }
    const size = body?.length ?? 0;
    // The shortest form: seven bits a byte.
    const shortest = 1 + Math.floor(Math.log2(size || 1) / 7);
    demand(body !== undefined && reader.pos - at === shortest + size, placed(at, 'its length is wrong'));
    yield { at, body };
  }
}

const placed = (at: number, problem: string) => `byte ${at} of the records: ${problem}`;

function decode(body: Uint8Array): Record {
  let record: Record;
  try {
    record = Record.decode(body);
  } catch {
    throw new ReplayError('it is not a record');
  }
  if (equal(Record.encode(record).finish(), body)) return record;
  throw new ReplayError('it says something that this version does not know, or in another form');
}

/**
 * Reads records, of which the first is the opening and the last the end, out of a frame of that size.
 * Throws ReplayError.
 */
export function decodeRecords(bytes: Uint8Array, frameSize: number): Record[] {
  const records: Record[] = [];
  let before: Kind | '' = '';
  let started = false;
  const counts = new Counts();
  for (const { at, body } of cut(bytes)) {
    let turn = 0;
    try {
      demand(
        records.length < MAX_DRAWS + frameSize,
        `a frame of ${frameSize} bytes cannot hold so many records`,
      );
      const record = decode(body);
      turn = turnOf(record);
      const kind = kindOf(record);
      demand(kind !== undefined, 'it is of a kind that this version does not know');
      const resumes = kind === 'resumed' && before !== '' && before !== 'end';
      const due = resumes || (NEXT[before] ?? []).includes(kind);
      demand(
        due,
        'it is not in its place: expected opening, start, draws, turns, faults and forfeits, end',
      );
      started ||= kind === 'start';
      const opening = record.opening ?? records[0]!.opening!;
      counts.take(record, opening.bots.length);
      checkRecord(record, opening, started);
      records.push(record);
      if (!resumes) before = kind;
    } catch (error) {
      if (!(error instanceof ReplayError)) throw error;
      const where = `record ${records.length + 1} (byte ${at} of the records): `;
      throw new ReplayError(`${where}${turn ? `turn ${turn}: ` : ''}${error.message}`, turn);
    }
  }
  if (before === 'end') return records;
  throw new ReplayError(`record ${records.length + 1}: it is missing: a replay ends with an end`);
}
