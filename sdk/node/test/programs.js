// The referee's programs, as a user runs them. REFEREE_BIN says where they are.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';

export const bin =
  process.env.REFEREE_BIN ?? fileURLToPath(new URL('../../../build/release/bin', import.meta.url));
export const sampleBots = fileURLToPath(new URL('../../../sample-bots/node/', import.meta.url));

/** Why tests that need the programs are skipped; false where they are. */
export const noPrograms = existsSync(`${bin}/refctl`) ? false : `there is no refctl in ${bin}`;

// No test reads what the user's environment says of another referee.
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('REFEREE_')),
);

/** Runs a program to its end; its exit status, stdout and stderr. */
export async function execute(program, args, more = {}) {
  const options = { env: { ...environment, ...more }, maxBuffer: 1 << 28 };
  try {
    return { status: 0, ...(await promisify(execFile)(program, args, options)) };
  } catch (error) {
    return { status: error.code, stdout: error.stdout, stderr: error.stderr };
  }
}

/** Runs refctl; its stdout. Throws if it fails. */
export async function refctl(args, more = {}) {
  const { status, stdout, stderr } = await execute(`${bin}/refctl`, args, more);
  if (status !== 0) throw new Error(`refctl ${args.join(' ')}: status ${status}: ${stderr}`);
  return stdout;
}

/** A process that goes on until it is ended. */
export class Running {
  stderr = '';

  constructor(program, args, more = {}) {
    this.child = spawn(program, args, {
      env: { ...environment, ...more },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    this.exited = new Promise((resolve) => this.child.on('close', (code) => resolve(code)));
  }

  end(signal = 'SIGTERM') {
    this.child.kill(signal);
    return this.exited;
  }
}

/** Asks again until `done` is true of what `ask` gives, for two minutes at most: the machine may be busy. */
export async function until(what, ask, done) {
  for (const end = Date.now() + 120_000; ; await new Promise((wake) => setTimeout(wake, 50))) {
    const answer = await ask();
    if (done(answer)) return answer;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}: ${JSON.stringify(answer)}`);
  }
}

/** A folder for one test, which removes it. */
export function folderFor(test) {
  const folder = mkdtempSync(`${tmpdir()}/referee-node-`);
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
