// The pages as refgate serves them: of a match that runs, through a gate that is killed meanwhile.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { violations } from './axe.js';
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

describe('a bot that plays beside 25 newer competitions', () => {
  let gate, root;
  const looks = [{}, { size: { width: 360, height: 740 } }, { colours: 'dark' }, { size: { width: 360, height: 740 }, colours: 'dark' }];
  before(async () => {
    refctl('bot', 'add', 'cyd', '--save-token', join(work, 'cyd'));
    const create = (name, bots) => refctl('competition', 'create', name, '--format', 'round-robin', '--rounds', '1', '--game', 'isaac', '--bots', bots);
    create('old', 'Ann,bob');
    for (let i = 0; i < 25; ++i) create(`newer ${i}`, i < 5 ? 'Ann,cyd' : 'bob,cyd');
    gate = await startGate(0);
    root = `http://127.0.0.1:${gate.port}`;
  });

  test('has its page, 20 times at once after one another, on a fresh gate', async () => {
    let refused = 0, asked = 0, slowest = 0;
    for (let i = 0; i < 20; ++i) {
      const begun = Date.now();
      const { page, problems } = await browser.open('', {
        url: `${root}/bots/Ann`, ...looks[i % looks.length],
        meter: async (one) => one.on('response', (response) => {
          asked += 1;
          if (response.status() !== 200) refused += 1;
        }),
      });
      slowest = Math.max(slowest, Date.now() - begun);
      assert.equal(await page.locator('h1').textContent(), 'Ann');
      assert.equal(await page.getByRole('region', { name: /^In the table of/ }).count(), 4, `look ${i}`);
      assert.ok(await page.getByText('old').count() > 0, `look ${i}`);
      const text = await page.locator('body').innerText();
      assert.ok(!/too much|is in no competition|Nothing to show|takes a moment/.test(text), `look ${i}: ${text}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `look ${i}`);
      if (refused === 0) assert.deepEqual(problems, []);
      await page.close();
    }
    console.log(`20 of 20 looks: ${asked} requests, ${refused} refused for a moment, slowest ${slowest} ms`);
  });

  test('and what is not there is said on a page, without a word of programs', async () => {
    for (const path of ['/nothing', '/nothing/at/all', '/competitions/none', '/bots/nobody', '/replays/01arz3ndektsv4rrffq69g5fav', '/matches/01arz3ndektsv4rrffq69g5fav']) {
      const page = await browser.context.newPage();
      await page.goto(root + path);
      await page.getByText(/nothing here|Nothing to show|in no competition/).first().waitFor();
      const text = await page.locator('body').innerText();
      assert.ok(!/refctl|\{"error"/.test(text), `${path}: ${text}`);
      assert.deepEqual(await violations(page), [], path);
      await page.close();
    }
  });
});
