// Reads the conformance vectors of tests/golden/vectors.
import { readFileSync } from 'node:fs';

export const golden = new URL('../../../tests/golden/', import.meta.url);

/** The lines of a file of JSON lines in tests/golden. */
export function goldenLines(name) {
  const text = readFileSync(new URL(name, golden), 'utf8').trimEnd();
  return text.split('\n').map((line) => JSON.parse(line));
}

/** Calls `checks[kind]` for each line of a file; what it throws names the line. */
export function forEachVector(name, checks) {
  const seen = new Set();
  for (const [i, vector] of goldenLines(`vectors/${name}`).entries()) {
    if (!checks[vector.kind]) continue;
    seen.add(vector.kind);
    try {
      checks[vector.kind](vector);
    } catch (error) {
      error.message = `${name}:${i + 1}: ${error.message}`;
      throw error;
    }
  }
  for (const kind of Object.keys(checks)) {
    if (!seen.has(kind)) throw new Error(`${name}: no vector of kind ${kind}`);
  }
}

export const bytes = (hex) => Buffer.from(hex, 'hex');
