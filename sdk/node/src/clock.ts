// The clock that time is counted on: milliseconds of a clock that never steps, the same in every
// thread of the process. (performance.now() begins anew in each thread.)

export function now(): number {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1e3 + nanos / 1e6;
}
