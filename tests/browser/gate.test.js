// The pages as refgate serves them: of a match that runs, through a gate that is killed meanwhile.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Browser } from './browser.js';

const bin = process.env.REFEREE_BIN;
const slowBot = `
import time
import referee

class Slow(referee.Bot):
    def choose_turn(self, turn):
        time.sleep(0.2)
        return turn.moves[0]

referee.run(Slow())
`;

let work, address, organiser, browser;
const programs = [];

function start(program, parameters, environment = {}) {
  const child = spawn(program, parameters, { stdio: 'ignore', env: { ...process.env, REFEREE_ADDRESS: address, ...environment } });
  programs.push(child);
  return child;
}

function refctl(...parameters) {
  const ran = spawnSync(join(bin, 'refctl'), parameters, {
    encoding: 'utf8', env: { ...process.env, REFEREE_ADDRESS: address, REFEREE_TOKEN: organiser ?? '' },
  });
  assert.equal(ran.status, 0, `refctl ${parameters.join(' ')}: ${ran.stderr}`);
  return ran.stdout.trim();
}

// Starts a gate, and returns it with its address.
async function startGate(port) {
  const file = join(work, 'port');
  rmSync(file, { force: true });
  const child = start(join(bin, 'refgate'), ['--listen', `127.0.0.1:${port}`, '--port-file', file]);
  while (!existsSync(file) || readFileSync(file, 'utf8').trim() === '') {
    assert.equal(child.exitCode, null, 'refgate has ended');
    await wait(20);
  }
  return { child, port: Number(readFileSync(file, 'utf8')) };
}

before(async () => {
  work = mkdtempSync(join(tmpdir(), 'referee-gate-'));
  address = `unix:${join(work, 'socket')}`;
  start(join(bin, 'refereed'), ['--listen', address, '--data-dir', join(work, 'data')]);
  refctl('match', 'list', '--wait', '60s');
  refctl('bot', 'add', 'olga', '--role', 'organiser', '--data-dir', join(work, 'data'), '--save-token', join(work, 'olga'));
  organiser = readFileSync(join(work, 'olga'), 'utf8').trim();
  writeFileSync(join(work, 'slow.py'), slowBot);
  for (const name of ['Ann', 'bob']) {
    refctl('bot', 'add', name, '--save-token', join(work, name));
    start('/usr/bin/python3', [join(work, 'slow.py'), '--token-file', join(work, name)], {
      PYTHONPATH: new URL('../../sdk/python', import.meta.url).pathname,
    });
  }
  browser = await Browser.start();
});
after(async () => {
  await browser?.stop();
  for (const child of programs) child.kill('SIGKILL');
  await Promise.all(programs.map((child) => child.exitCode ?? child.signalCode ?? new Promise((done) => child.once('exit', done))));
  rmSync(work, { recursive: true, force: true });
});

describe('a match that a gate shows', () => {
  const last = (page) => page.locator('input[type=range]').getAttribute('max').then(Number);
  const reaches = (page, step) => page.waitForFunction(
    (to) => Number(document.querySelector('input[type=range]')?.max) >= to, step);

  test('is found, goes on through a gate that is killed, and ends with its verdict', async () => {
    const id = refctl('match', 'create', '--game', 'isaac', '--bot', 'Ann', '--bot', 'bob', '--time', '10s');
    let gate = await startGate(0);
    const root = `http://127.0.0.1:${gate.port}`;
    const { page, problems, requests } = await browser.open('', { url: `${root}/` });
    await page.locator(`a[href$="matches/${id}"]`).first().press('Enter');
    await page.waitForSelector('html[data-ready] input[type=range]');
    await reaches(page, 4);
    assert.deepEqual(problems, []);

    gate.child.kill('SIGKILL');
    const seen = await last(page);
    gate = await startGate(gate.port);
    await reaches(page, seen + 3);
    assert.equal(await page.locator('input[type=range]').inputValue().then(Number), await last(page));

    refctl('match', 'cancel', id, '--reason', 'enough');
    await page.locator('header .verdict').filter({ hasText: 'enough' }).waitFor();
    assert.deepEqual(requests.filter((url) => !url.startsWith(root)), []);
    await page.close();
  });
});
