// Text from outside: tokens as people give them, and plain text for others to read.

import { invalid } from './errors.js';

const MAX_TOKEN_BYTES = 256;

const MARK = '\ufeff'; // of byte order
/** Not trim(): that takes blanks that are not ASCII, too. */
const AROUND = /^[ \t\r\n\v\f]+|[ \t\r\n\v\f]+$/g;

/** What plain text has none of. */
const NOT_PLAIN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufeff]/u;
const NOT_PLAIN_RUNS = new RegExp(`(?:${NOT_PLAIN.source})+`, 'gu');

/** Whether a text has what names may have, and nothing else. */
export function isPlain(text: string): boolean {
  return !NOT_PLAIN.test(text);
}

/** The beginning of a text as plain text on one line, at most `most` bytes of UTF-8. */
export function plain(text: string, most: number): string {
  const line = text.slice(0, 4 * most).replace(/[\t\n\r]/g, ' ');
  return cut(line.replace(NOT_PLAIN_RUNS, '?'), most);
}

/** The beginning of a text, at most `most` bytes of UTF-8, cut between two characters. */
export function cut(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}

/** A text without a byte order mark before it and blanks around it. */
export function withoutMark(text: string): string {
  return (text.startsWith(MARK) ? text.slice(1) : text).replace(AROUND, '');
}

function shown(byte: number): string {
  if (byte === 0x20) return 'a blank';
  if (byte > 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `0x${byte.toString(16).padStart(2, '0')}`;
}

function badByte(source: string, at: number, byte: number, what: string): never {
  throw invalid(`${source}: byte ${at + 1} is ${shown(byte)}, which no token has: ${what}`);
}

/**
 * The token that `source`, such as a flag, has; empty if it has nothing. Leaves out blanks, line ends
 * and a byte order mark around it. Throws INVALID_ARGUMENT, which names the source and the byte, for
 * what is no token.
 */
export function readToken(source: string, raw: string | Uint8Array): string {
  const bytes = Buffer.from(raw as Uint8Array).toString('latin1');
  const mark = Buffer.from(MARK).toString('latin1');
  const token = (bytes.startsWith(mark) ? bytes.slice(mark.length) : bytes).replace(AROUND, '');
  for (let at = 0; at < token.length; ++at) {
    const byte = token.charCodeAt(at);
    if (byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x27) continue;
    badByte(source, at, byte, 'copy the token as it was printed, all of it and nothing else');
  }
  if (token.length <= MAX_TOKEN_BYTES) return token;
  throw invalid(
    `${source}: the token has ${token.length} bytes: 1 to ${MAX_TOKEN_BYTES} are possible`,
  );
}

/** The token in the first line of a file that is not blank; otherwise as readToken. */
export function readTokenFile(source: string, bytes: Buffer): string {
  const [first = 0, second = 0] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    badByte(source, 0, first, 'it is UTF-16; save it as UTF-8');
  }
  const mark = bytes.subarray(0, 3).equals(Buffer.from(MARK)) ? 3 : 0;
  const text = bytes.subarray(mark).toString('latin1').replace(AROUND, '');
  const token = readToken(source, Buffer.from(text.split('\n', 1)[0]!, 'latin1'));
  if (token === '') throw invalid(`${source}: it holds no token`);
  return token;
}
