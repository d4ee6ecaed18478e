// What a viewer does with keys, mouse and address.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Browser, stepOf, viewsOf, writePage } from './browser.js';

const { matches: [match] } = viewsOf('hypnosia');
const last = match.frames.length - 1;
const events = match.frames.flatMap((frame, step) => (frame.events ? [step] : []));

let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.stop());

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  return stepOf(page);
}

const happened = (page) => page.locator('.happened').textContent();

describe('keys', () => {
  test('left and right go a step, and stop at the ends', async () => {
    const { page } = await browser.open('hypnosia');
    assert.equal(await stepOf(page), 0);
    assert.equal(await press(page, 'ArrowLeft'), 0);
    assert.equal(await press(page, 'ArrowRight', 'ArrowRight'), 2);
    assert.equal(await press(page, 'ArrowLeft'), 1);
    assert.ok((await happened(page)).includes(match.frames[1].text));
    assert.equal(await press(page, 'End'), last);
    assert.equal(await press(page, 'ArrowRight'), last);
    assert.equal(await press(page, 'Home'), 0);
    await page.close();
  });

  test('down and up go to every event, and say when there is none', async () => {
    const { page } = await browser.open('hypnosia');
    for (const step of events) assert.equal(await press(page, 'ArrowDown'), step);
    assert.equal(await press(page, 'ArrowDown'), last);
    assert.equal(await page.locator('.note').textContent(), 'No event after this.');
    for (const step of events.slice(0, -1).reverse()) assert.equal(await press(page, 'ArrowUp'), step);
    await page.close();
  });

  test('digits go to tenths', async () => {
    const { page } = await browser.open('hypnosia');
    for (const tenth of [0, 1, 5, 9]) assert.equal(await press(page, String(tenth)), Math.round((last * tenth) / 10));
    await page.close();
  });

  test('g and a number go to that turn; Escape leaves', async () => {
    const { page } = await browser.open('hypnosia');
    assert.equal(await press(page, 'g', '1', '2', 'Enter'), 12);
    assert.equal(await press(page, 'ArrowRight'), 13);
    assert.equal(await press(page, 'g', '9', '9', '9', 'Enter'), last);
    await press(page, 'g', 'Escape');
    assert.equal(await press(page, 'Home'), 0);
    await page.close();
  });

  test('space plays at the pace that < and > set, and stops', async () => {
    const { page } = await browser.open('hypnosia', { clock: true });
    await press(page, ' ');
    await page.clock.runFor(2500);
    assert.equal(await stepOf(page), 2);
    await press(page, '>');
    await page.clock.runFor(1600);
    assert.equal(await stepOf(page), 5);
    await press(page, '<', '<');
    await page.clock.runFor(2100);
    assert.equal(await stepOf(page), 6);
    await press(page, ' ');
    await page.clock.runFor(9000);
    assert.equal(await stepOf(page), 6);
    await press(page, 'End', ' ');
    assert.equal(await stepOf(page), 0, 'from the end it begins anew');
    await page.close();
  });

  test('f puts the next seat below', async () => {
    const { page } = await browser.open('hypnosia');
    // The place of a seat's own that is furthest down, by its title.
    const lowest = () => page.locator('.home').evaluateAll((places) => places
      .map((place) => ({ edge: place.getAttribute('class').match(/edge(\d)/)[1], y: place.getBoundingClientRect().y }))
      .sort((a, b) => b.y - a.y)[0].edge);
    for (const seat of ['0', '1', '2', '0']) {
      assert.equal(await lowest(), seat);
      await press(page, 'f');
    }
    await page.close();
  });

  test('l goes to the end of a match that is over, and says so', async () => {
    const { page } = await browser.open('hypnosia');
    assert.equal(await press(page, 'l'), last);
    assert.match(await page.locator('.note').textContent(), /over/);
    await page.close();
  });

  test('? explains every key, and keys wait until it is closed', async () => {
    const { page } = await browser.open('hypnosia');
    await press(page, '?');
    const dialog = page.locator('dialog');
    assert.ok(await dialog.isVisible());
    const text = await dialog.textContent();
    for (const key of ['←', '→', '↑', '↓', 'Space', '<', 'Home', 'End', '0', 'g', 'f', 'l', '?']) {
      assert.ok(text.includes(key), key);
    }
    assert.equal(await press(page, 'ArrowRight'), 0);
    await press(page, 'Escape');
    assert.ok(!(await dialog.isVisible()));
    assert.equal(await press(page, 'ArrowRight'), 1);
    await page.close();
  });

  test('a button that has the focus takes space for itself', async () => {
    const { page } = await browser.open('hypnosia');
    await page.getByRole('button', { name: 'Step on' }).focus();
    assert.equal(await press(page, ' '), 1);
    await page.close();
  });
});

describe('address', () => {
  test('it opens a turn with a seat below, and follows what is shown', async () => {
    const { page } = await browser.open('hypnosia', { hash: '#turn=12&seat=b' });
    assert.equal(await stepOf(page), 12);
    await press(page, 'ArrowRight', 'f');
    await page.waitForFunction(() => location.hash === '#turn=13&seat=c');
    await page.evaluate(() => {
      location.hash = '#turn=3';
    });
    await page.waitForFunction(() => document.querySelector('input[type=range]').value === '3');
    await page.close();
  });

  test('what it cannot mean is the nearest that it can', async () => {
    for (const [hash, step] of [['#turn=9999&seat=z', last], ['#turn=-4&match=77', 0], ['#%00&turn=x&seat=%F0', 0]]) {
      const { page, problems } = await browser.open('hypnosia', { hash });
      assert.equal(await stepOf(page), step, hash);
      assert.deepEqual(problems, []);
      await page.close();
    }
  });

  test('it chooses among matches', async () => {
    const { page } = await browser.open('golden', { hash: '#match=3' });
    assert.equal(await page.locator('select').inputValue(), '2');
    await page.locator('select').selectOption('0');
    assert.ok((await page.locator('header').textContent()).includes(viewsOf('golden').matches[0].matchId));
    await page.close();
  });
});

describe('mouse', () => {
  test('a click on the course of the match goes there', async () => {
    const { page } = await browser.open('hypnosia');
    const box = await page.locator('.chart').boundingBox();
    const step = Math.round(last / 2);
    const share = (58 + (906 * step) / last) / 1000;  // of the width: its axis lies from 58 to 964
    await page.mouse.click(box.x + box.width * share, box.y + box.height / 2);
    assert.equal(await stepOf(page), step);
    await page.close();
  });

  test('a row of the table of turns goes there', async () => {
    const { page } = await browser.open('hypnosia');
    await page.getByText('All turns and their time').click();
    await page.getByRole('button', { name: 'Go to turn 7', exact: true }).click();
    assert.equal(await stepOf(page), 7);
    await page.close();
  });
});

describe('what is shown', () => {
  test('the position as a table names every piece', async () => {
    const { page } = await browser.open('hypnosia', { hash: '#turn=5' });
    await page.getByText('Position as a table').click();
    const frame = match.frames[5];
    const rows = page.locator('details table tbody tr');
    await rows.first().waitFor();  // the table is made when it is opened, a moment after the click
    assert.equal(await rows.count(), frame.pieces.length);
    assert.ok((await page.locator('details').first().textContent()).includes(frame.position));
    await page.close();
  });

  test('a game without places is drawn as its text', async () => {
    const views = viewsOf('isaac');
    delete views.matches[0].geometry;
    for (const frame of views.matches[0].frames) frame.drawing = `<b>board</b> ${frame.turn ?? 0}\n`;
    const { page, problems } = await browser.open(writePage('isaac', 'text', views), { hash: '#turn=4' });
    assert.equal(await page.locator('.drawing').textContent(), '<b>board</b> 4\n');
    assert.equal(await page.locator('.board').count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a match that did not start has its verdict', async () => {
    const views = viewsOf('isaac');
    views.matches[0].frames = [];
    views.matches[0].verdict = { ending: 'VOID', reason: 'no bot came' };
    const { page, problems } = await browser.open(writePage('isaac', 'unstarted', views));
    assert.match(await page.locator('header').textContent(), /VOID: no bot came/);
    await pressAll(page);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('faults and forfeits have their cause and their words', async () => {
    const { matches } = viewsOf('golden');
    const index = matches.findIndex((one) => one.ledger?.some((entry) => /forfeit, ILLEGAL/.test(entry.mark)));
    const entry = matches[index].ledger.find(({ mark }) => /forfeit, ILLEGAL/.test(mark));
    const { page } = await browser.open('golden', { hash: `#match=${index + 1}&turn=${entry.turn}` });
    await press(page, 'ArrowDown', 'ArrowUp');
    while (!/forfeits/.test(await happened(page))) await press(page, 'ArrowLeft');
    assert.ok((await page.locator('.fault').textContent()).includes(entry.detail));
    await page.close();
  });
});

// Every key where there is nothing to go to.
async function pressAll(page) {
  for (const key of ['ArrowRight', 'ArrowDown', ' ', 'End', '5', 'g', 'f', 'l', '>']) await page.keyboard.press(key);
}
