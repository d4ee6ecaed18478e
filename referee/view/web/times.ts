// The times in a replay file: the time control, and how the time of each turn splits up.
//
// Agrees with referee/view/ledger.cc. Times are in nanoseconds; Infinity means no limit.
import { Message, ReplayFile } from './records.js';
import { LedgerEntry } from './view.js';

export interface TimeControl {
  perMove: number; bank: number; increment: number; firstMove: number; ready: number; match: number;
  stallPerMove: number; stallPerMatch: number;
}

const second = 1e9, usualReady = 10 * second, usualStall = second;
const causes = ['', 'TIMEOUT', 'ILLEGAL', 'DISCONNECTED', 'RESIGNED'];

export const causeName = (cause: number): string => causes[cause] ?? '';
export const microseconds = (ns: number): number => Math.floor(ns / 1000);

export function timeControlOf(opening: Message): TimeControl {
  return {
    perMove: opening.number(6) || Infinity, bank: opening.number(7) || Infinity, increment: opening.number(8),
    firstMove: opening.number(13), ready: opening.number(14) || usualReady, match: opening.number(15) || Infinity,
    stallPerMove: opening.number(30), stallPerMatch: opening.number(31),
  };
}

// "1m30s", "2.5ms", "0": the notation of refctl's --time.
export function durationText(ns: number): string {
  if (ns === 0) return '0';
  if (ns < 1e3) return `${ns}ns`;
  if (ns < 1e6) return `${fraction(ns, 1e3)}us`;
  if (ns < second) return `${fraction(ns, 1e6)}ms`;
  const hours = Math.floor(ns / (3600 * second)), minutes = Math.floor(ns / (60 * second)) % 60;
  const rest = ns % (60 * second);
  return `${hours > 0 ? `${hours}h` : ''}${minutes > 0 ? `${minutes}m` : ''}${rest > 0 ? `${fraction(rest, second)}s` : ''}`;
}

function fraction(ns: number, unit: number): string {
  const digits = String(ns % unit).padStart(String(unit).length - 1, '0').replace(/0+$/, '');
  return `${Math.floor(ns / unit)}${digits === '' ? '' : `.${digits}`}`;
}

export function timeControlText(control: TimeControl): string {
  let text = control.perMove < Infinity ? durationText(control.perMove) : 'none';
  if (control.bank < Infinity) {
    text += `+${durationText(control.bank)}`;
    if (control.increment > 0) text += `+${durationText(control.increment)}`;
  }
  if (control.firstMove > 0) text += `,first=${durationText(control.firstMove)}`;
  if (control.ready !== usualReady) text += `,ready=${durationText(control.ready)}`;
  if (control.match < Infinity) text += `,match=${durationText(control.match)}`;
  const perMatch = control.stallPerMatch !== Math.min(60 * control.stallPerMove, 24 * 3600 * second);
  if (control.stallPerMove === usualStall && !perMatch) return text;
  const stall = [control.stallPerMove, ...(perMatch ? [control.stallPerMatch] : [])];
  return `${text},stall=${stall.map((ns) => (ns === 0 ? '0s' : durationText(ns))).join('/')}`;
}

// RFC 3339 in UTC, whole seconds.
export function timeText(us: number): string {
  return `${new Date(us / 1000).toISOString().slice(0, 19)}Z`;
}

// The rows of the time table: turns, faults, forfeits and restarts.
export function ledgerOf(file: ReplayFile, control: TimeControl, seats: number): LedgerEntry[] {
  const ledger: LedgerEntry[] = [];
  const clocks = Array.from({ length: seats }, () => ({ bank: control.bank, moved: false }));
  let used = 0, steps = 0;
  let lengthened = false; // a forfeit of another seat interrupted the current turn, and doubled its limit
  const add = (turn: number, seat: number, charged: number, timing: Message | undefined, stepped: boolean,
    mark: string, detail = ''): void => {
    const { bank, moved } = clocks[seat] ?? { bank: 0, moved: true };
    const limit = Math.min(Math.min(control.perMove * (lengthened ? 2 : 1), bank) + (moved ? 0 : control.firstMove),
      Math.max(0, control.match - used));
    ledger.push({
      turn, seat, frame: stepped ? ++steps : undefined, chargedUs: microseconds(charged),
      limitUs: timing !== undefined && limit < Infinity ? microseconds(limit) : undefined, ...split(timing), mark, detail,
    });
    used += charged;
  };
  for (const record of file.records) {
    const turn = record.message(4), forfeit = record.message(5), fault = record.message(8);
    const noContest = record.message(9), resumed = record.message(10);
    if (turn !== undefined) {
      const seat = turn.number(2), timing = turn.message(9);
      const mark = turn.has(10) ? `played for, ${causeName(turn.number(10))}` : timing === undefined ? 'pass' : '';
      add(turn.number(1), seat, turn.number(7), timing, true, mark);
      lengthened = false;
      if (clocks[seat] === undefined) continue;
      if (control.bank < Infinity) clocks[seat].bank = turn.number(8);
      if (timing !== undefined) clocks[seat].moved = true;
    } else if (fault !== undefined) {
      const late = causeName(fault.number(2)) === 'TIMEOUT';
      const mark = late ? "the match's time is used up" : `illegal after ${durationText(fault.number(4))}`;
      add(fault.number(3), fault.number(1), late ? fault.number(4) : 0, fault.message(30), false, mark,
        late ? '' : fault.text(5));
    } else if (forfeit !== undefined) {
      add(forfeit.number(3), forfeit.number(1), forfeit.number(5), forfeit.message(7), true,
        `forfeit, ${causeName(forfeit.number(2))}`, forfeit.text(6));
      lengthened = !forfeit.has(7) && (lengthened || forfeit.number(8) !== 0);
    } else if (noContest !== undefined) {
      add(noContest.number(2), noContest.number(1), noContest.number(3), noContest.message(6), false,
        `no contest, the referee stood still for ${durationText(noContest.number(5))}`);
    } else if (resumed !== undefined) {
      lengthened = false;
      const when = timeText(resumed.number(1)).replace('T', ' ').replace('Z', ' UTC');
      ledger.push({
        turn: 0, seat: 0, frame: undefined, limitUs: undefined, chargedUs: 0, ...split(undefined),
        mark: `the referee was started again at ${when}`, detail: '',
      });
    }
  }
  return ledger;
}

function split(timing: Message | undefined): Pick<LedgerEntry, 'botUs' | 'networkUs' | 'refereeUs' | 'pausedUs'> {
  if (timing === undefined) return { botUs: 0, networkUs: 0, refereeUs: 0, pausedUs: 0 };
  const [started, read, taken] = [1, 3, 4].map((field) => timing.number(field));
  const paused = timing.number(6), stalled = timing.number(30);
  const ran = Math.max(0, read - started - paused - stalled);
  const network = Math.min(ran, timing.number(5));
  return {
    botUs: microseconds(ran - network), networkUs: microseconds(network),
    refereeUs: microseconds(started + stalled + (taken - read)), pausedUs: microseconds(paused),
  };
}
