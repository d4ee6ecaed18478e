// How long to wait before trying again.

const FIRST = 20;
const LONGEST = 10_000;

/**
 * The longest while matches are waited for that others take over in the end, in ms: a referee that
 * is started again in time has them still.
 */
export const LONGEST_OF_MATCHES = 1_000;

/**
 * Exponential with full jitter, in ms: anything between zero and the first backoff doubled
 * `attempt` times, or the longest. `random` is from 0 up to 1.
 */
export function fullJitter(attempt: number, random: number = Math.random()): number {
  return random * Math.min(FIRST * 2 ** Math.min(attempt, 10), LONGEST);
}
