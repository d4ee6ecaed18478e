// The pages of a site as refgate --export wrote them, opened from disk.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { violations } from './axe.js';
import { Browser, fileOf, folder } from './browser.js';

const htmlIn = (path) => readdirSync(join(folder, 'site', path)).filter((name) => name.endsWith('.html'))
  .map((name) => join('site', path, name.slice(0, -5)));
const pages = [...htmlIn('.'), ...htmlIn('competitions'), ...htmlIn('bots')];
const harm = readFileSync(join(folder, 'harm'), 'utf8');
const harmful = 'site/competitions/=3cimg=20src=3dx=20onerror=3dalert=281=29=3e=2f..=2f=22=26=27=3b=20=c3=a9=3c=2fscript=3e';

let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.stop());

async function openDetails(page) {
  for (const summary of await page.locator('summary').all()) await summary.click();
}

describe('axe finds nothing, nothing is asked for, every link leads to a page, and a narrow screen is wide enough', () => {
  let links = 0;

  for (const name of pages) {
    for (const colours of ['light', 'dark']) {
      test(`${name}, ${colours}`, async () => {
        const size = colours === 'light' ? { width: 1280, height: 1000 } : { width: 320, height: 600 };
        const { page, requests, problems } = await browser.open(name, { colours, size });
        await openDetails(page);
        assert.deepEqual(await violations(page), []);
        assert.deepEqual([requests, problems], [[], []]);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
        const targets = await page.locator('a').evaluateAll((all) => all.map((one) => one.href));
        for (const target of targets.filter((href) => !href.includes('#'))) {
          ++links;
          assert.ok(existsSync(fileURLToPath(target)), target);
        }
        await page.close();
      });
    }
  }

  test('there are many links', () => assert.ok(links > 200, `${links} links`));
});

test('names are text, whatever they are', async () => {
  const { page, problems } = await browser.open('site/index');
  assert.equal(await page.locator('h1').textContent(), 'Games <b>of</b> autumn');
  const link = page.getByRole('link', { name: harm });
  assert.equal(await link.count(), 1);
  await link.click();
  await page.waitForSelector('html[data-ready]');
  assert.equal(await page.locator('h1').textContent(), harm);
  assert.equal(await page.locator('header p').first().textContent(), `About ${harm}`);
  assert.equal(await page.title(), harm);
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(problems, []);
  assert.ok(existsSync(fileOf(harmful)));
  await page.close();
});

test('a round robin has its table, pairs, rounds, ratings and matches', async () => {
  const { page } = await browser.open('site/competitions/league');
  assert.equal(await page.locator('.rank').count(), 4);
  assert.equal(await page.locator('.crosstable tbody tr').count(), 4);
  assert.equal(await page.locator('.crosstable td.figure').count(), 12);
  // A bot is in a round once; how many there are depends on who was free when a block began.
  assert.equal(await page.locator('.round .pairing').count(), 18);
  const rounds = await page.locator('.round').all();
  assert.ok(rounds.length >= 9);
  for (const round of rounds) {
    const names = await round.locator('.name').allTextContents();
    assert.ok(names.length > 0);
    assert.equal(new Set(names).size, names.length);
  }
  // Of a bot that wins nearly all a bound is known, which is no line.
  const curves = await page.locator('.ratings .curve').count();
  assert.ok(curves >= 2 && curves <= 4, `${curves} curves`);
  assert.equal(await page.getByRole('row', { name: /^Match \w{8} / }).count(), 36);
  await page.close();
});

test('a cup has a bracket with who won it', async () => {
  const { page } = await browser.open('site/competitions/cup');
  const rounds = page.locator('.bracket .round');
  assert.equal(await rounds.count(), 2);
  assert.equal(await rounds.nth(0).locator('.pairing').count(), 2);
  const winner = await rounds.nth(1).locator('.won .name').textContent();
  assert.equal(winner, await page.locator('tbody tr').first().locator('.name').textContent());
  await page.close();
});

test('a bot has its ratings, and what it made against each other one', async () => {
  const { page } = await browser.open('site/bots/=41nn');
  assert.equal(await page.locator('h1').textContent(), 'Ann');
  const league = page.locator('section', { has: page.getByRole('heading', { name: 'league' }) });
  assert.equal(await league.getByRole('region', { name: 'Against each other bot in league' }).locator('tbody tr').count(), 3);
  const drawn = await league.locator('.band').count();
  assert.equal(await league.getByText('Too wide an interval').count(), 1 - drawn);
  await page.close();
});

describe('the archive', () => {
  const found = async (page) => Number((await page.locator('[role=status].muted').textContent()).split(' ')[0]);

  test('is searched by bot, match, competition and outcome', async () => {
    const { page } = await browser.open('site/archive');
    const all = await found(page);
    await page.keyboard.press('/');
    await page.keyboard.type('ann BOB');
    const both = await found(page);
    assert.ok(both > 0 && both < all, `${both} of ${all}`);
    for (const row of await page.locator('tbody tr').all()) {
      assert.match(await row.textContent(), /Ann.*bob|bob.*Ann/);
    }
    await page.getByLabel('Competition').selectOption('league');
    assert.equal(await found(page), 6);
    const id = await page.locator('tbody th [title]').first().getAttribute('title');
    for (const [words, matches] of [[id.slice(8, -4), 0], [id.slice(-8), 1], [id, 1]]) {
      await page.getByLabel('Bot or match').fill(words);
      assert.equal(await found(page), matches, words);
    }
    await page.getByLabel('Outcome').selectOption('without a result');
    assert.equal(await found(page), 0);
    await page.close();
  });

  test('has a page for each of the newest matches of a competition', async () => {
    const { page } = await browser.open('site/archive');
    await page.getByLabel('Competition').selectOption('league');
    assert.equal(await page.locator('tbody th a').count(), 12);
    await page.locator('tbody th a').first().click();
    await page.waitForSelector('.checks.holds');
    await page.close();
  });
});

test('pages are small: what each has beside its data, compressed, and all of it', () => {
  const weight = (name) => gzipSync(readFileSync(fileOf(name), 'utf8').replace(/(id="(views|data)">)[^<]*/, '$1'), { level: 9 }).length;
  assert.ok(weight('site/index') <= 24 * 1024);
  assert.ok(weight(htmlIn('replays')[0]) <= 24 * 1024);
  assert.ok(statSync(fileOf('site/competitions/league')).size < 200 * 1024);
});
