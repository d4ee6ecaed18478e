// What a turn costs: µs of CPU of a bot that plays at random, and matches a second, beside the same
// bot in C++. Usage:
//
//   npm run bench -- [BIN_DIR]        (default: ../../build/release/bin)
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = resolve(process.argv[2] ?? fileURLToPath(new URL('../../build/release/bin', import.meta.url)));
const bot = fileURLToPath(new URL('../../sample-bots/node/random.js', import.meta.url));
const opponent = `${bin}/bots/random --log-level none`;
const folder = mkdtempSync(`${tmpdir()}/referee-bench-`);

/** The CPU time that `times` of the shell says the children have used, in seconds. */
function childrensTime(file) {
  const [, children] = readFileSync(file, 'utf8').split('\n');
  let seconds = 0;
  for (const [, minutes, rest] of children.matchAll(/(\d+)m([\d.]+)s/g)) {
    seconds += 60 * Number(minutes) + Number(rest);
  }
  return seconds;
}

function measure(name, command, game, concurrency, matches) {
  const times = `${folder}/times`;
  const begun = performance.now();
  const json = execFileSync(
    `${bin}/refctl`,
    [
      ...['duel', '--game', game, '--bot', `bench=trap : TERM; ${command}; times >${times}`],
      ...['--bot', `other=${opponent}`, '--matches', String(matches), '--seed', '1'],
      ...['--concurrency', String(concurrency), '--time', '10s', '--json', '--quiet'],
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const seconds = (performance.now() - begun) / 1e3;
  const { moves } = JSON.parse(json).bots[0];
  const cpu = (childrensTime(times) * 1e6) / moves;
  console.log(
    `${name.padEnd(26)} ${game.padEnd(9)} ${String(concurrency).padStart(3)} at once` +
      `${cpu.toFixed(0).padStart(7)} µs CPU a turn ${(matches / seconds).toFixed(0).padStart(5)} matches a second`,
  );
}

try {
  for (const [game, concurrency, matches] of [
    ['hypnosia', 2, 400],
    ['hypnosia', 64, 2000],
    ['isaac', 64, 2000],
  ]) {
    const quiet = '--log-level warning';
    measure('C++ random', `${bin}/bots/random ${quiet}`, game, concurrency, matches);
    measure('Node random', `node ${bot} ${quiet}`, game, concurrency, matches);
    measure('Node random, --workers 1', `node ${bot} ${quiet} --workers 1`, game, concurrency, matches);
  }
} finally {
  rmSync(folder, { recursive: true });
}
