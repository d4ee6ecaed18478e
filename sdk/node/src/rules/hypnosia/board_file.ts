// Reads board files: games.hypnosia.v1.Board in protobuf text format.

import { RulesError } from '../errors.js';

/** What a board file says. */
export interface BoardSpec {
  name: string;
  /** From the outermost inwards. */
  rings: RingSpec[];
  laneEntries: number[];
  centrePlaces: number;
}
export interface RingSpec {
  size: number;
  bridges: BridgeSpec[];
}
export interface BridgeSpec {
  from: number;
  /** Not set on the innermost ring, whose bridges lead to the centre. */
  to?: number;
}

const MAX_BYTES = 65536;
const MAX_NUMBER = 0xffffffff;

type TokenKind = 'end' | 'word' | 'number' | 'string' | 'sign';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

const TOKEN =
  /(?<blank>\s+|#[^\n]*)|(?<number>\d\w*)|(?<word>\w+)|(?<string>"[^"\n]*"?|'[^'\n]*'?)|(?<sign>[^])/gy;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  for (const { 0: found, index, groups } of text.matchAll(TOKEN)) {
    const kind = (['number', 'word', 'string', 'sign'] as const).find((name) => groups?.[name]);
    if (kind) tokens.push({ kind, text: found, line, column: index - lineStart + 1 });
    for (let at = found.indexOf('\n'); at >= 0; at = found.indexOf('\n', at + 1)) {
      ++line;
      lineStart = index + at + 1;
    }
  }
  tokens.push({ kind: 'end', text: '', line, column: text.length - lineStart + 1 });
  return tokens;
}

class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  readBoard(): BoardSpec {
    const board: BoardSpec = { name: '', rings: [], laneEntries: [], centrePlaces: 0 };
    const seen = new Set<string>();
    while (this.#token.kind !== 'end') {
      this.#readField((field) => {
        switch (field.text) {
          case 'name':
            this.#once(field, seen);
            board.name = this.#readString();
            return;
          case 'ring':
            return this.#readMessages(() => void board.rings.push(this.#readRing()));
          case 'lane_entry':
            return this.#readNumbers(board.laneEntries);
          case 'centre_places':
            this.#once(field, seen);
            board.centrePlaces = this.#readNumberField();
            return;
          default:
            this.#unknown(field, 'a board has name, ring, lane_entry and centre_places');
        }
      });
    }
    return board;
  }

  #readRing(): RingSpec {
    const ring: RingSpec = { size: 0, bridges: [] };
    const seen = new Set<string>();
    this.#readMessage((field) => {
      if (field.text === 'size') {
        this.#once(field, seen);
        ring.size = this.#readNumberField();
      } else if (field.text === 'bridge') {
        this.#readMessages(() => void ring.bridges.push(this.#readBridge()));
      } else {
        this.#unknown(field, 'a ring has size and bridge');
      }
    });
    return ring;
  }

  #readBridge(): BridgeSpec {
    const bridge: BridgeSpec = { from: 0 };
    const seen = new Set<string>();
    this.#readMessage((field) => {
      if (field.text !== 'from' && field.text !== 'to') {
        this.#unknown(field, 'a bridge has from and to');
      }
      this.#once(field, seen);
      bridge[field.text as 'from' | 'to'] = this.#readNumberField();
    });
    return bridge;
  }

  /** The name of a field, what `value` reads, and a separator if there is one. */
  #readField(value: (field: Token) => void): void {
    const field = this.#token;
    if (field.kind !== 'word') this.#fail(field, "a field's name");
    ++this.#next;
    value(field);
    if (this.#is(',') || this.#is(';')) ++this.#next;
  }

  /** "{ fields }" or "< fields >". */
  #readMessage(field: (field: Token) => void): void {
    if (!this.#is('{') && !this.#is('<')) this.#fail(this.#token, "'{'");
    const close = this.#is('{') ? '}' : '>';
    ++this.#next;
    while (!this.#is(close)) {
      if (this.#token.kind === 'end') this.#fail(this.#token, `'${close}'`);
      this.#readField(field);
    }
    ++this.#next;
  }

  /** A message, or a list of them, with or without a colon before. */
  #readMessages(message: () => void): void {
    if (this.#is(':')) ++this.#next;
    if (this.#is('[')) return this.#readList(message);
    message();
  }

  /** ": number" or ": [numbers]". */
  #readNumbers(into: number[]): void {
    this.#colon();
    const number = () => void into.push(this.#readNumber());
    if (this.#is('[')) return this.#readList(number);
    number();
  }

  #readList(element: () => void): void {
    ++this.#next;
    if (this.#is(']')) {
      ++this.#next;
      return;
    }
    for (let more = true; more; ++this.#next) {
      element();
      more = this.#is(',');
      if (!more && !this.#is(']')) this.#fail(this.#token, "',' or ']'");
    }
  }

  #readNumberField(): number {
    this.#colon();
    return this.#readNumber();
  }

  #readNumber(): number {
    const { kind, text } = this.#token;
    const number = Number(text);
    if (kind !== 'number' || !/^(0|[1-9]\d*)$/.test(text) || number > MAX_NUMBER) {
      this.#fail(this.#token, 'a number in decimal, 0 to 4294967295');
    }
    ++this.#next;
    return number;
  }

  #readString(): string {
    this.#colon();
    const { kind, text } = this.#token;
    if (kind !== 'string') this.#fail(this.#token, 'a string in quotes');
    if (text.length < 2 || text.at(-1) !== text[0]) {
      this.#fail(this.#token, 'a string that ends in its line');
    }
    if (text.includes('\\')) this.#fail(this.#token, 'a string without escapes');
    ++this.#next;
    return text.slice(1, -1);
  }

  get #token(): Token {
    return this.#tokens[this.#next]!;
  }
  #is(sign: string): boolean {
    return this.#token.kind === 'sign' && this.#token.text === sign;
  }
  #colon(): void {
    if (!this.#is(':')) this.#fail(this.#token, "':'");
    ++this.#next;
  }
  #once(field: Token, seen: Set<string>): void {
    if (seen.has(field.text)) this.#failWith(field, `'${field.text}' is given twice`);
    seen.add(field.text);
  }

  #unknown(field: Token, known: string): never {
    return this.#failWith(field, `there is no field ${shown(field)}; ${known}`);
  }
  #fail(token: Token, expected: string): never {
    return this.#failWith(token, `${shown(token)} where there must be ${expected}`);
  }
  #failWith({ line, column }: Token, why: string): never {
    throw new RulesError(`board: line ${line}, column ${column}: ${why}`);
  }
}

function shown(token: Token): string {
  return token.kind === 'end' ? 'the file ends' : `'${token.text.slice(0, 40)}'`;
}

/** Throws RulesError that names line and column. What the numbers mean is checked by Board. */
export function parseBoardFile(text: string): BoardSpec {
  if (text.length > MAX_BYTES) {
    throw new RulesError(`option "board": has ${text.length} bytes, at most ${MAX_BYTES}`);
  }
  return new Reader(text).readBoard();
}
