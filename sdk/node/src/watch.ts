// Notices calls of a bot that are not answered in time, and has the log say where the bot is. By timers
// of the main thread: for bots in workers, and for those that wait for a promise.

import type { Answer, Call } from './calls.js';
import { now } from './clock.js';
import { formatDuration } from './durations.js';
import type { Logger } from './log.js';

const MAX_TOLD = 1024;
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * What the log says of a call that is late. The call may not have begun, as its thread is at another
 * one. `stack` is that of the thread; empty if it waits, undefined if it is not known.
 */
export function lateText(call: Pick<Call, 'received' | 'due'>, stack: string | undefined): string {
  const { id, turn } = call.due!;
  const about = turn > 0 ? `turn ${turn}` : 'onMatchStart';
  const spent = formatDuration(Math.trunc(now() - call.received));
  const text = `match ${id}: ${about}: the time is up, and the bot has not answered in ${spent}`;
  if (stack === undefined) return text;
  return `${text}; ${stack ? `its thread is at\n${stack}` : 'it waits for something, or has not begun'}`;
}

export class Watch {
  readonly #calls = new Map<number, Call>(); // by match
  readonly #late = new Set<Call>(); // while their stack is looked for
  readonly #told = new Set<string>(); // matches, by id
  #timer: NodeJS.Timeout | undefined;
  #until = Infinity; // when it looks next

  /** `stack` finds where the bot's thread is, as lateText takes it. */
  constructor(
    readonly log: Logger,
    readonly stack: () => Promise<string | undefined>,
  ) {}

  called(call: Call): void {
    if (!call.due) {
      if (call.method === 'onMatchEnd') this.#calls.delete(call.match);
      return;
    }
    this.#calls.set(call.match, call);
    // Else it looks earlier anyway: calls that return in time set no timers.
    if (call.due.until < this.#until) this.#lookAt(call.due.until);
  }

  answered({ match, seq }: Answer): void {
    if (this.#calls.get(match)?.seq === seq) this.#calls.delete(match);
    for (const call of this.#late) {
      if (call.match === match && call.seq === seq) this.#late.delete(call);
    }
  }

  /** Forgets all calls. Those that come after it are watched. */
  close(): void {
    this.#calls.clear();
    this.#late.clear();
    this.#lookAt(Infinity);
  }

  #lookAt(until: number): void {
    this.#until = until;
    clearTimeout(this.#timer);
    if (until === Infinity) return;
    const delay = Math.min(Math.max(0, until - now()) + 1, LONGEST_TIMEOUT);
    this.#timer = setTimeout(() => this.#look(), delay).unref();
  }

  #look(): void {
    const at = now();
    let next = Infinity;
    const late: Call[] = [];
    for (const call of this.#calls.values()) {
      if (call.due!.until <= at) late.push(call);
      else next = Math.min(next, call.due!.until);
    }
    for (const call of late) this.#calls.delete(call.match);
    this.#lookAt(next);
    void this.#report(late.filter(({ due }) => !this.#told.has(due!.id)));
  }

  /** Once a match: in the next turn a bot is likely to be at the same place. */
  async #report(late: readonly Call[]): Promise<void> {
    if (late.length === 0 || !this.log.enabled('warning')) return;
    for (const call of late) this.#late.add(call);
    const stack = await this.stack();
    for (const call of late) {
      if (!this.#late.delete(call)) continue; // it was answered meanwhile
      if (this.#told.size === MAX_TOLD) this.#told.clear();
      this.#told.add(call.due!.id);
      this.log.warning(lateText(call, stack));
    }
  }
}
