// For everybody: what axe finds, narrow screens, reduced motion; and names that mean harm.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { violations } from './axe.js';
import { Browser, checksOf, stepOf, viewsOf, writePage } from './browser.js';

let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.stop());

async function openAll(page) {
  await checksOf(page);
  for (const summary of await page.locator('summary').all()) await summary.click();
}

describe('axe finds nothing', () => {
  for (const name of ['hypnosia', 'isaac']) {
    for (const colours of ['light', 'dark']) {
      for (const size of [{ width: 1280, height: 1000 }, { width: 360, height: 740 }]) {
        test(`in ${name}, ${colours}, ${size.width} wide, with everything open`, async () => {
          const { page, requests, problems } = await browser.open(name, { hash: '#turn=20', colours, size });
          await openAll(page);
          assert.deepEqual(await violations(page), []);
          await page.keyboard.press('End');
          await page.keyboard.press('?');
          assert.deepEqual(await violations(page), []);
          assert.deepEqual([requests, problems], [[], []]);
          await page.close();
        });
      }
    }
  }
});

test('nothing is wider than a narrow screen', async () => {
  for (const name of ['hypnosia', 'isaac', 'golden']) {
    const { page } = await browser.open(name, { size: { width: 320, height: 600 } });
    await openAll(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), name);
    await page.close();
  }
});

describe('motion', () => {
  // How many pieces a step sets in motion, counted before time goes on.
  const moved = (page) => page.evaluate(() => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    return document.getAnimations().length;
  });

  // The first step in which a piece goes from place to place.
  const moving = () => viewsOf('hypnosia').matches[0].frames.findIndex(({ marks = [], pieces, seat }) =>
    marks.some(({ kind, to }) => kind === 'MARK_KIND_MOVED' &&
      pieces.some((piece) => piece.place === to && piece.seat === seat)));

  test('pieces move when a step is taken', async () => {
    const step = moving();
    const { page } = await browser.open('hypnosia', { hash: `#turn=${step - 1}`, motion: 'no-preference' });
    assert.ok((await moved(page)) > 0);
    assert.equal(await stepOf(page), step);
    await page.close();
  });

  test('unless less motion is asked for', async () => {
    const step = moving();
    const { page } = await browser.open('hypnosia', { hash: `#turn=${step - 1}` });
    assert.equal(await moved(page), 0);
    assert.equal(await stepOf(page), step);
    await page.close();
  });
});

test('each turn is told to those who hear the page, not while it plays by itself', async () => {
  const { page } = await browser.open('hypnosia');
  const happened = page.locator('.happened');
  assert.equal(await happened.getAttribute('role'), 'status');
  assert.equal(await happened.getAttribute('aria-live'), 'polite');
  await page.keyboard.press(' ');
  assert.equal(await happened.getAttribute('aria-live'), 'off');
  await page.close();
});

const hostile = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(2)>',
  '"><svg onload=alert(3)>',
  "javascript:alert(4)//' onmouseover='alert(5)",
  '\u202egnihtemos\u2066 esle',
  '{{constructor.constructor("alert(6)")()}}',
  '\u0000\u0007\u001b[31m',
  'W'.repeat(3000),
];

describe('what comes from outside is text', () => {
  for (const text of hostile) {
    test(JSON.stringify(text.slice(0, 40)), async () => {
      const views = viewsOf('hypnosia');
      const [match] = views.matches;
      match.bots = match.bots.map(() => text);
      for (const field of ['game', 'timeControl', 'createTime', 'problem']) match[field] = text;
      match.verdict.reason = text;
      for (const place of match.geometry.places) place.name = text.slice(0, 50);
      for (const frame of match.frames) {
        Object.assign(frame, { text, move: text, position: text });
        for (const seat of frame.seats) seat.holding = text;
      }
      for (const entry of match.ledger) Object.assign(entry, { mark: text, detail: text });
      views.matches.push(match);
      const { page, requests, problems } = await browser.open(writePage('hypnosia', 'hostile', views),
        { hash: '#turn=3', size: { width: 800, height: 900 } });
      await openAll(page);
      for (const key of ['ArrowRight', 'End', 'f']) await page.keyboard.press(key);
      assert.ok((await page.locator('header bdi').first().textContent()).startsWith(text.slice(0, 5)));
      assert.equal(await page.locator('img, iframe, script:not(#views)').count(), 1, 'its own script alone');
      assert.equal(await page.evaluate(() => [...document.querySelectorAll('*')].flatMap((element) =>
        [...element.attributes].filter(({ name }) => name.startsWith('on'))).length), 0);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'it fits');
      assert.deepEqual([requests, problems], [[], []]);
      await page.close();
    });
  }
});
