// What one referee may take of a bot, and what it plays. Pure.

import { sameShare, type Share } from './places.js';

export class Holding {
  /** What was said on the open stream: the first holds, the others were not answered yet. */
  #said: Share[] = [];
  #given: number | undefined; // of the first: as many matches as Welcome said
  #turns = 0; // the most that it might take since it last played nothing
  readonly #matches = new Map<string, object>(); // with the stream on which each was last told of

  /** How many matches it plays, as far as is known. */
  get matches(): number {
    return this.#matches.size;
  }

  /** What it may take at most, or plays. */
  get held(): Share {
    return { places: Math.max(this.#places(), this.#matches.size), turns: this.#turns };
  }

  /** A stream is opened, whose Hello says this. */
  opened(share: Share): void {
    this.#said = [share];
    this.#given = undefined;
    this.#noteTurns();
  }

  /** The referee gives no more than that. */
  welcomed(maxMatches: number): void {
    const [first] = this.#said;
    if (first) this.#given = Math.min(first.places, maxMatches);
  }

  /** Notes that this is to hold from now on; returns whether it has to be said. */
  say(share: Share): boolean {
    const last = this.#said.at(-1);
    if (!last || sameShare(last, share)) return false;
    this.#said.push(share);
    this.#noteTurns();
    return true;
  }

  /** The referee holds to the next of what was said. */
  answered(): void {
    if (this.#said.length > 1) {
      this.#said.shift();
      this.#given = undefined;
    }
    this.#noteTurns();
  }

  /** The stream has ended: what it plays goes on. */
  closed(): void {
    this.#said = [];
    this.#given = undefined;
    this.#noteTurns();
  }

  /**
   * A match is told on a stream. Returns those that must be over: a match that ended while the link
   * was lost is not told again, and when there would be more matches than the referee may take,
   * those that were not told on this stream must be such.
   */
  begun(match: string, stream: object): string[] {
    const full = !this.#matches.has(match) && this.#matches.size >= this.#places();
    const over = full ? this.forgetAllBut(stream) : [];
    this.#matches.set(match, stream);
    return over;
  }

  /** Drops the matches that were not told on that stream, or all, and returns them. */
  forgetAllBut(stream?: object): string[] {
    const over = [...this.#matches].filter(([, told]) => told !== stream).map(([match]) => match);
    this.ended(over);
    return over;
  }

  /** These matches are over. */
  ended(matches: readonly string[]): void {
    for (const match of matches) this.#matches.delete(match);
    this.#noteTurns();
  }

  #places(): number {
    const said = this.#said.map(({ places }, i) => (i === 0 ? (this.#given ?? places) : places));
    return Math.max(0, ...said);
  }

  #noteTurns(): void {
    const said = Math.max(0, ...this.#said.map(({ turns }) => turns));
    this.#turns = this.#matches.size > 0 ? Math.max(said, this.#turns) : said;
  }
}
