// The clock that time is counted on: milliseconds of a clock that never steps, the same in every
// thread of the process. (performance.now() begins anew in each thread.)

export function now(): number {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1e3 + nanos / 1e6;
}

const STEPS = 10;

/**
 * Calls `act` after so many ms in which the event loop ran, and all that had arrived was read. Time in
 * which a bot blocks the loop does not count. The result cancels the call.
 */
export function afterRunning(ms: number, act: () => void): () => void {
  let left = STEPS;
  let last: NodeJS.Immediate | undefined;
  // After a blocked loop an interval is due once, however long that was.
  const steps = setInterval(() => {
    if (--left > 0) return;
    clearInterval(steps);
    last = setImmediate(act);
  }, ms / STEPS);
  return () => {
    clearInterval(steps);
    clearImmediate(last);
  };
}
