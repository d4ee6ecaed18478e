// Notices calls of a bot that do not return in time, and has the log say where the bot is. By timers
// of the main thread: for bots in workers, and for those that wait for a promise.

import type { Answer, Call } from './calls.js';
import { now } from './clock.js';
import { formatDuration } from './durations.js';
import type { Logger } from './log.js';

const MAX_TOLD = 1024;
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** What the log says of a call that is late; `stack` is empty if the bot waits. */
export function lateText(call: Pick<Call, 'received' | 'due'>, stack: string): string {
  const { id, turn } = call.due!;
  const method = turn > 0 ? 'chooseTurn' : 'onMatchStart';
  const about = turn > 0 ? `turn ${turn}` : method;
  const spent = formatDuration(Math.trunc(now() - call.received));
  const where = stack ? `the bot is at\n${stack}` : 'the bot waits for something';
  return `match ${id}: ${about}: the time is up, and ${method} has not returned in ${spent}; ${where}`;
}

export class Watch {
  readonly #calls = new Map<number, Call>(); // by match
  readonly #told = new Set<string>(); // matches, by id
  #timer: NodeJS.Timeout | undefined;
  #until = Infinity; // when it looks next

  /** `stack` finds where the bot is; empty if it waits. */
  constructor(
    readonly log: Logger,
    readonly stack: () => Promise<string>,
  ) {}

  called(call: Call): void {
    if (!call.due) {
      if (call.method === 'end') this.#calls.delete(call.match);
      return;
    }
    this.#calls.set(call.match, call);
    // Else it looks earlier anyway: calls that return in time set no timers.
    if (call.due.until < this.#until) this.#lookAt(call.due.until);
  }

  answered({ match, seq }: Answer): void {
    if (this.#calls.get(match)?.seq === seq) this.#calls.delete(match);
  }

  close(): void {
    this.#calls.clear();
    clearTimeout(this.#timer);
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
    if (this.#told.size + late.length > MAX_TOLD) this.#told.clear();
    for (const { due } of late) this.#told.add(due!.id);
    const stack = await this.stack();
    for (const call of late) this.log.warning(lateText(call, stack));
  }
}
