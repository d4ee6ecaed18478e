// Reads the conformance vectors of tests/golden/vectors.
import { readFileSync } from 'node:fs';

export const golden = new URL('../../../tests/golden/', import.meta.url);

/** Calls `checks[kind]` for each line of a file; what it throws names the line. */
export function forEachVector(name, checks) {
  const seen = new Set();
  const lines = readFileSync(new URL(`vectors/${name}`, golden), 'utf8').trimEnd().split('\n');
  for (const [i, line] of lines.entries()) {
    const vector = JSON.parse(line);
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
