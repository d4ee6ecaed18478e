// What the readers of position strings have in common: fields separated by one space, read from
// left to right, and errors that name the field and the byte.

import { PositionError } from './errors.js';

/** The letter of a seat. */
export const letter = (seat: number) => String.fromCharCode(97 + seat);

const MAX_BYTES = 16384;

export abstract class FieldReader {
  readonly #text: string;
  #field = '';
  #at = 0;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the fields in order: each from here on, and up to its end. */
  protected readFields(fields: readonly (readonly [name: string, read: () => void])[]): void {
    const text = this.#text;
    if (text.length > MAX_BYTES) {
      throw new PositionError('length', MAX_BYTES, `a position has at most ${MAX_BYTES} bytes`);
    }
    for (const [name, read] of fields) {
      this.#field = name;
      if (this.#at > text.length) {
        this.bad(`is missing; a position has ${fields.length} fields`, text.length);
      }
      const space = text.indexOf(' ', this.#at);
      this.#end = space < 0 ? text.length : space;
      read();
      if (this.#at < this.#end) {
        this.bad(`ends before "${text.slice(this.#at, this.#end)}"`);
      }
      this.#at = this.#end + 1;
    }
    if (this.#end === text.length) return;
    this.bad(`the position ends here, after ${fields.length} fields`, this.#at - 1);
  }

  protected bad(why: string, byte = this.#at): never {
    throw new PositionError(this.#field, byte, why);
  }

  protected get at(): number {
    return this.#at;
  }
  protected get atEnd(): boolean {
    return this.#at >= this.#end;
  }
  /** The next character of the field; '' at its end. */
  protected peek(): string {
    return this.atEnd ? '' : this.#text[this.#at]!;
  }
  /** Reads what a sticky pattern matches, which has no space; else says that `expected` was. */
  protected take(pattern: RegExp, expected = ''): string {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? this.bad(`expected ${expected}`);
    this.#at += found.length;
    return found;
  }
  protected skip(c: string): boolean {
    if (this.peek() !== c) return false;
    ++this.#at;
    return true;
  }
  /** Skips a field that is "-"; returns false, and skips nothing, if it is not. */
  protected skipNone(): boolean {
    if (this.#text.slice(this.#at, this.#end) !== '-') return false;
    ++this.#at;
    return true;
  }
}
