// Checks that the page shows what the records of its file say.
//
// It does not compare what only the rules give: places of pieces, intermediate points,
// descriptions, and the start position.
import { hex, sha256 } from './refdice.js';
import { kinds, Message, ofKind, ReplayFile } from './records.js';
import { causeName, ledgerOf, microseconds, TimeControl, timeControlOf, timeControlText, timeText } from './times.js';
import { Frame, Match } from './view.js';

export class Problem extends Error {}

export function same(what: string, shown: unknown, signed: unknown): void {
  if (String(shown) !== String(signed)) throw new Problem(`${what}: the page shows ${shown}, the file says ${signed}`);
}

// The games whose file names this program knows, and in which a seat rolls once a turn.
export const known = new Set(['hypnosia', 'isaac']);

const endings = ['', '', '', 'FINISHED', 'VOID', 'CANCELLED'];

async function checkOptions(match: Match, opening: Message): Promise<void> {
  const options = ofField(opening, 4);
  same('how many options', match.options.length, options.length);
  for (let i = 0; i < options.length; ++i) {
    const name = options[i].text(1), value = options[i].text(2), shown = match.options[i];
    const isFile = !/^[\w.-]{0,64}$/.test(value);
    if (!isFile || shown === `${name}=${value}`) {
      same(`option ${name}`, shown, `${name}=${value}`);
      continue;
    }
    // An option that is a file shows as a name in the file and its digest.
    same('an option', shown.split('=')[0], name);
    const digest = hex((await sha256(options[i].bytes(2))).subarray(0, 4));
    if (known.has(match.game)) same(`option ${name}, the file's digest`, shown.slice(-8), digest);
  }
}

const ofField = (message: Message, field: number): Message[] =>
  message.allBytes(field).map((bytes) => new Message(bytes));

async function checkSetup(match: Match, opening: Message): Promise<void> {
  same('the match', match.matchId, opening.text(1));
  same('when it was created', match.createTime, timeText(opening.number(2)));
  same('the game', match.game, opening.text(3));
  await checkOptions(match, opening);
  const bots = opening.allBytes(5).map((name) => new TextDecoder().decode(name));
  same('the bots', JSON.stringify(match.bots), JSON.stringify(bots));
  same('the time control', match.timeControl, timeControlText(timeControlOf(opening)));
}

async function checkPosition(frame: Frame, signed: Uint8Array): Promise<void> {
  const digest = hex((await sha256(new TextEncoder().encode(frame.position))).subarray(0, 8));
  same(`the position after turn ${frame.turn}`, digest, hex(Uint8Array.from(signed).reverse()));
}

// Checks the frames against the records one by one, and tracks the clocks.
class Frames {
  step = 0;
  private turns = 0;
  private faulted = false;
  private readonly seats;

  constructor(private readonly match: Match, control: TimeControl) {
    this.seats = match.bots.map(() => ({ used: 0, bank: control.bank, forfeited: false }));
  }

  start(): void {
    const [frame] = this.match.frames;
    if (frame === undefined) throw new Problem(`the page has no start: ${this.match.problem}`);
    same('the start, who played', frame.seat, undefined);
    same('the start, dice and move', [frame.dice, frame.move, frame.legalCount], [[], '', 0]);
    this.checkFrame(frame, 'the start', false, false);
  }
  fault(): void {
    this.faulted = true;
  }
  async turn(record: Message): Promise<void> {
    const frame = this.next(), seat = record.number(2), where = `turn ${record.number(1)}`;
    this.turns = record.number(1);
    same(`${where}, who was to move`, this.match.frames[this.step - 1].nextSeat, seat);
    same(`${where}, who played`, frame.seat, seat);
    same(`${where}, dice`, frame.dice, record.numbers(3));
    same(`${where}, move`, frame.move, record.text(4));
    same(`${where}, legal moves`, frame.legalCount, record.number(5));
    await checkPosition(frame, record.bytes(6));
    this.seats[seat].used += record.number(7);
    if (this.seats[seat].bank < Infinity) this.seats[seat].bank = record.number(8);
    this.checkFrame(frame, where, false, this.faulted || record.has(10));
  }
  async forfeit(record: Message): Promise<void> {
    const frame = this.next(), seat = record.number(1);
    const where = `the forfeit before turn ${record.number(3)}, ${causeName(record.number(2))}`;
    same(`${where}, whose`, frame.seat, seat);
    same(`${where}, dice and move`, [frame.dice, frame.move, frame.legalCount], [[], '', 0]);
    await checkPosition(frame, record.bytes(4));
    this.seats[seat].used += record.number(5);
    this.seats[seat].forfeited = true;
    this.checkFrame(frame, where, true, false);
  }

  private next(): Frame {
    const frame = this.match.frames[++this.step];
    if (frame === undefined) throw new Problem(`the page stops before the file does: ${this.match.problem}`);
    return frame;
  }
  private checkFrame(frame: Frame, where: string, forfeit: boolean, fault: boolean): void {
    this.faulted = false;
    same(`${where}, turns played`, frame.turn, this.turns);
    const events = { FORFEIT: forfeit, FAULT: fault, END: this.step > 0 && this.step === this.match.frames.length - 1 };
    for (const [event, signed] of Object.entries(events)) {
      same(`${where}, whether ${event}`, frame.events.includes(`FRAME_EVENT_${event}`), signed);
    }
    same(`${where}, seats`, frame.seats.length, this.seats.length);
    this.seats.forEach(({ used, bank, forfeited }, seat) => {
      const shown = frame.seats[seat];
      same(`${where}, time used`, shown.usedUs, microseconds(used));
      same(`${where}, time in the bank`, shown.bankUs, bank < Infinity ? microseconds(bank) : undefined);
      same(`${where}, who has forfeited`, shown.forfeited, forfeited);
    });
  }
}

function checkLedger(match: Match, file: ReplayFile, control: TimeControl): void {
  const signed = ledgerOf(file, control, match.bots.length);
  same('entries of times', match.ledger.length, signed.length);
  signed.forEach((entry, index) => {
    const shown = match.ledger[index];
    for (const [field, value] of Object.entries(entry)) {
      same(`times, turn ${entry.turn}, ${field}`, shown[field as keyof typeof shown], value);
    }
  });
}

function checkVerdict(match: Match, end: Message | undefined): void {
  if (end === undefined || match.verdict === undefined) throw new Problem('there is no end');
  same('how it ended', match.verdict.ending, endings[end.number(1)]);
  same('the reason of the end', match.verdict.reason, end.text(2));
  same('the scores', match.verdict.scores, end.signedNumbers(3));
  same('the ranks', match.verdict.ranks, end.numbers(4));
  same('when it ended', match.verdict.endTime, timeText(end.number(6)));
  const last = match.frames[match.frames.length - 1];
  if (last === undefined || match.verdict.ending !== 'FINISHED') return;
  same('the scores in the last position', last.seats.map(({ score }) => score), end.signedNumbers(3));
  same('who is to move at the end', last.nextSeat, undefined);
}

// Throws the first difference. Returns what was compared.
export async function checkShown(match: Match, file: ReplayFile): Promise<string> {
  const [opening] = ofKind(file, kinds.opening);
  if (opening === undefined) throw new Problem('the file has no opening');
  await checkSetup(match, opening);
  const control = timeControlOf(opening), frames = new Frames(match, control);
  const started = ofKind(file, kinds.start).length > 0;
  if (started) frames.start();
  for (const record of file.records) {
    const turn = record.message(kinds.turn), forfeit = record.message(kinds.forfeit);
    if (record.has(kinds.fault)) frames.fault();
    if (turn !== undefined) await frames.turn(turn);
    if (forfeit !== undefined) await frames.forfeit(forfeit);
  }
  same('the steps', match.frames.length, started ? frames.step + 1 : 0);
  checkLedger(match, file, control);
  checkVerdict(match, ofKind(file, kinds.end)[0]);
  return `setup, ${frames.step} turns and forfeits with their moves, dice, position strings and times, and the result`;
}
