// What is said of what a bot has thrown: its stack, and one line.

import { inspect } from 'node:util';
import { plain } from './text.js';

const MAX_REASON_BYTES = 200;

/** The frames from here on are the SDK's, and tell the author of a bot nothing. */
const CALLER = new URL('caller.js', import.meta.url).href;

function inspected(thrown: unknown): string {
  try {
    return typeof thrown === 'string' ? thrown : inspect(thrown);
  } catch {
    return 'what it threw cannot be read';
  }
}

/** The stack of what was thrown, down to the bot's method. */
export function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return inspected(thrown);
  const lines = inspected(thrown).split('\n');
  const own = lines.findIndex((line) => line.includes(CALLER));
  if (own < 0) return lines.join('\n');
  // What follows the frames, such as a cause, is of interest again.
  const after = lines.findIndex((line, at) => at > own && !/^\s+at /.test(line));
  return [...lines.slice(0, own), ...(after < 0 ? [] : lines.slice(after))].join('\n');
}

/** Name and message of what was thrown, as plain text on one line. */
export function reasonOf(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return plain(`threw ${inspected(thrown)}`, MAX_REASON_BYTES);
    const name = thrown.name === 'Error' ? thrown.constructor.name : thrown.name;
    return plain(thrown.message ? `${name}: ${thrown.message}` : name, MAX_REASON_BYTES);
  } catch {
    return 'Error: its message cannot be read';
  }
}
