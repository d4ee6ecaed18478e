// Durations in milliseconds: as the wire has them, and as flags and the log write them.

import type { Duration } from './proto/google/protobuf/duration.js';

export function fromWire(duration: Duration | undefined): number {
  if (duration === undefined) return 0;
  return Number(duration.seconds) * 1e3 + duration.nanos / 1e6;
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1e3,
  m: 60e3,
  h: 3600e3,
};

/** Reads "500ms", "1m30s", "-1.5h", "0" or "inf"; undefined for what is none. */
export function parseDuration(text: string): number | undefined {
  const match = /^([+-]?)(.*)$/s.exec(text);
  const sign = match?.[1] === '-' ? -1 : 1;
  const rest = match?.[2] ?? '';
  if (rest === '0') return 0;
  if (rest === 'inf') return sign * Infinity;
  if (!/^((\d+\.?\d*|\.\d+)(ns|us|ms|s|m|h))+$/.test(rest)) return undefined;
  let total = 0;
  for (const [, number, unit] of rest.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|ms|s|m|h)/g)) {
    total += Number(number) * (UNITS[unit!] ?? 0);
  }
  return sign * total;
}

/** "1m30s", "1.5s", "20ms", "0", "inf"; to the nanosecond. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms === Infinity) return 'inf';
  if (ms === 0) return '0';
  const trimmed = (value: number, digits: number) => String(Number(value.toFixed(digits)));
  if (ms < 1e-3) return `${trimmed(ms * 1e6, 0)}ns`;
  if (ms < 1) return `${trimmed(ms * 1e3, 3)}us`;
  if (ms < 1e3) return `${trimmed(ms, 6)}ms`;
  const hours = Math.floor(ms / 3600e3);
  const minutes = Math.floor((ms % 3600e3) / 60e3);
  const seconds = trimmed((ms % 60e3) / 1e3, 9);
  return `${hours ? `${hours}h` : ''}${minutes ? `${minutes}m` : ''}${seconds === '0' ? '' : `${seconds}s`}`;
}
