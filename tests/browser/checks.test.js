// What the page checks by itself, and that it finds what was tampered with.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, checksOf, viewsOf, writePage } from './browser.js';

let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.stop());

test('every golden replay holds, of all versions and kinds of dice', async () => {
  const { matches } = viewsOf('golden');
  const { page, problems } = await browser.open('golden');
  for (let index = 0; index < matches.length; ++index) {
    await page.locator('select').selectOption(String(index));
    const found = await checksOf(page);
    const wrong = found.filter(({ result }) => result === 'fails');
    assert.deepEqual(wrong, [], matches[index].matchId);
    assert.equal(found.filter(({ result }) => result === 'holds').length, 4);
  }
  assert.deepEqual(problems, []);
  await page.close();
});

test('it says what it did not check, and what does', async () => {
  const { page } = await browser.open('hypnosia');
  const unchecked = (await checksOf(page)).filter(({ result }) => result === 'unchecked');
  assert.equal(unchecked.length, 1);
  assert.match(unchecked[0].text, /rules.*refctl replay verify/i);
  await page.close();
});

// Each lie, and the check that finds it.
const lies = {
  'another name of a bot': ['Shown as signed', (match) => { match.bots[0] = 'zoe'; }],
  'another move': ['Shown as signed', (match) => { match.frames[4].move = '1:A1>A2'; }],
  'another position': ['Shown as signed', (match) => { match.frames[4].position = '36/24/12 1111,1111,1111 - 0,0,0 - a 25'; }],
  'another time': ['Shown as signed', (match) => { match.ledger[2].chargedUs = '1'; }],
  'another result': ['Shown as signed', (match) => { match.verdict.ranks.reverse(); match.verdict.scores[0] = 99; }],
  'a turn left out': ['Shown as signed', (match) => { match.frames.splice(5, 1); }],
  'a turn too many': ['Shown as signed', (match) => { match.frames.push(match.frames[5]); }],
  'dice of another draw': ['Dice', (match) => { match.frames[3].draws[0].label = 'roll/0/77'; }],
  'dice not drawn': ['Dice', (match) => { match.frames[3].nextDice = [6, 6]; }],
};

for (const [lie, [check, tell]] of Object.entries(lies)) {
  test(`the page finds ${lie}`, async () => {
    const views = viewsOf('hypnosia');
    tell(views.matches[0]);
    const { page } = await browser.open(writePage('hypnosia', 'lie', views));
    const found = await checksOf(page);
    assert.ok(found.some(({ result, text }) => result === 'fails' && text.includes(check)), JSON.stringify(found));
    assert.match(await page.locator('.checks summary').textContent(), /not to be believed/);
    assert.ok(await page.locator('.checks li').first().isVisible(), 'it is not hidden');
    await page.close();
  });
}

test('the page finds a replay file that was changed, cut or made longer, wherever', async () => {
  const views = viewsOf('isaac');
  const file = Buffer.from(views.matches[0].replay, 'base64');
  const broken = [file.subarray(0, file.length - 7), Buffer.concat([file, Buffer.from('x')]), Buffer.alloc(0)];
  for (let at = 0; at < file.length; at += Math.ceil(file.length / 40)) {
    const flipped = Buffer.from(file);
    flipped[at] ^= 0x10;
    broken.push(flipped);
  }
  const [match] = views.matches;
  const { page, problems } = await browser.open(writePage('isaac', 'broken',
    { matches: broken.map((bytes) => ({ ...match, replay: bytes.toString('base64') })) }));
  for (let index = 0; index < broken.length; ++index) {
    await page.locator('select').selectOption(String(index));
    const found = await checksOf(page);
    assert.ok(found.some(({ result }) => result === 'fails'), `${index}: ${JSON.stringify(found)}`);
  }
  assert.deepEqual(problems, []);
  await page.close();
});

test('the replay file is saved byte for byte', async () => {
  const { page } = await browser.open('hypnosia');
  await checksOf(page);
  await page.locator('.checks summary').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'), page.getByRole('button', { name: 'Save the replay file' }).click()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  assert.equal(Buffer.concat(chunks).toString('base64'), viewsOf('hypnosia').matches[0].replay);
  await page.close();
});
