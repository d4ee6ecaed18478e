// What the page checks by itself, and that it finds what was tampered with.
import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Browser, checksOf, viewsOf, writePage } from './browser.js';

let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.stop());

test('every golden replay holds, of all kinds of dice', async () => {
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
  assert.match(unchecked[0].text, /board, its pieces .*points .*words .*start are not derived from the file/);
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
  'another ending': ['Shown as signed', (match) => { match.verdict.ending = 'CANCELLED'; }],
  'another time of the end': ['Shown as signed', (match) => { match.verdict.endTime = '1999-01-01T00:00:00Z'; }],
  'another time of its making': ['Shown as signed', (match) => { match.createTime = '1999-01-01T00:00:00Z'; }],
  'other options': ['Shown as signed', (match) => { match.options = ['x=y']; }],
  'another value of an option': ['Shown as signed', (match) => { match.options[2] = 'turn_limit=16'; }],
  'another time control': ['Shown as signed', (match) => { match.timeControl = '1h'; }],
  'time that the bot did not take': ['Shown as signed', (match) => { match.ledger[2].botUs = '1'; }],
  'time that the network did not take': ['Shown as signed', (match) => { match.ledger[2].networkUs = '999999'; }],
  'time that the referee did not take': ['Shown as signed', (match) => { match.ledger[2].refereeUs = '999999'; }],
  'time of a link that was not lost': ['Shown as signed', (match) => { match.ledger[2].pausedUs = '999999'; }],
  'another limit': ['Shown as signed', (match) => { match.ledger[2].limitUs = '5'; }],
  'a mark at a turn': ['Shown as signed', (match) => { match.ledger[2].mark = 'played for, TIMEOUT'; }],
  'an invented forfeit among the times': ['Shown as signed', (match) => {
    match.ledger.push({ turn: 3, seat: 0, mark: 'forfeit, ILLEGAL', detail: 'cheated' });
  }],
  'times left out': ['Shown as signed', (match) => { match.ledger.pop(); }],
  'an event that did not happen': ['Shown as signed', (match) => { match.frames[3].events = ['FRAME_EVENT_FORFEIT']; }],
  'a seat shown as out': ['Shown as signed', (match) => { match.frames[3].seats[0].forfeited = true; }],
  'another time used so far': ['Shown as signed', (match) => { match.frames[3].seats[0].usedUs = '1'; }],
  'a bank that nobody has': ['Shown as signed', (match) => { match.frames[3].seats[0].bankUs = '1'; }],
  'other points at the end': ['Shown as signed', (match) => { match.frames[match.frames.length - 1].seats[0].score = 99; }],
  'another seat to move': ['Shown as signed', (match) => { match.frames[3].nextSeat = (match.frames[3].nextSeat + 1) % 3; }],
  'no draws at all': ['Dice', (match) => { for (const frame of match.frames) delete frame.draws; }],
  'no draws of who begins': ['Dice', (match) => { match.frames[0].draws.splice(0, match.frames[0].draws.length - 1); }],
  'one roll left out': ['Dice', (match) => { delete match.frames[3].draws; }],
  'a roll of later': ['Dice', (match) => {
    const [draw] = match.frames[3].draws;
    draw.label = draw.label.replace(/\d+$/, (count) => Number(count) + 1);
  }],
  'a draw too many': ['Dice', (match) => { match.frames[3].draws.unshift({ label: 'other/1', sides: 6, numbers: [1] }); }],
  'a die with no sides': ['Dice', (match) => { match.frames[3].draws[0].sides = 0; }],
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

test('the page finds another cause of a forfeit, and another bank', async () => {
  const { matches } = viewsOf('golden');
  const forfeit = matches.find(({ ledger }) => ledger?.some(({ mark }) => mark === 'forfeit, ILLEGAL'));
  forfeit.ledger.find(({ mark }) => mark === 'forfeit, ILLEGAL').mark = 'forfeit, RESIGNED';
  const bank = matches.find(({ frames, timeControl }) => timeControl.startsWith('300ms+2s') && frames !== undefined);
  bank.frames[4].seats[1].bankUs = '1';
  const { page } = await browser.open(writePage('golden', 'lies', { matches }));
  for (const lie of [forfeit, bank]) {
    await page.locator('select').selectOption(String(matches.indexOf(lie)));
    const failed = (await checksOf(page)).filter(({ result }) => result === 'fails');
    assert.equal(failed.length, 1);
    assert.match(failed[0].text, lie === forfeit ? /mark: the page shows forfeit, RESIGNED/ : /time in the bank/);
  }
  await page.close();
});

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

// A replay file of these records, stored as they are, signed by nobody.
function fileOf(records) {
  const blocks = [];
  for (let at = 0; at < records.length; at += 1 << 17) {
    const block = records.subarray(at, at + (1 << 17));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(block.length * 8 + (at + block.length === records.length ? 1 : 0));
    blocks.push(head.subarray(0, 3), block);
  }
  const size = Buffer.alloc(4);
  size.writeUInt32LE(records.length);
  const frame = Buffer.concat([Buffer.from('28b52ffda0', 'hex'), size, ...blocks]);
  const head = Buffer.from('refrepl\x01........', 'latin1');
  head.writeUInt32LE(frame.length, 8);
  head.writeUInt32LE(records.length, 12);
  return Buffer.concat([head, frame, Buffer.alloc(96)]);
}

// The checks of a page whose replay file is another.
async function checksWith(replay) {
  const views = viewsOf('isaac');
  views.matches[0].replay = replay.toString('base64');
  const { page } = await browser.open(writePage('isaac', 'replaced', views));
  const found = await checksOf(page);
  await page.close();
  return found;
}

test('a small file with millions of restarts is not read to its end', async () => {
  const resumed = (count) => fileOf(Buffer.alloc(3 * count, Buffer.from('025200', 'hex')));
  const [refused] = await checksWith(resumed(100001));
  assert.equal(refused.result, 'fails');
  assert.match(refused.text, /more than 100000 times/);
  assert.doesNotMatch((await checksWith(resumed(100000)))[0].text, /100000/);
});

const order = 2n ** 252n + 27742317777372353535851937790883648493n;
const toInteger = (bytes) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const fromInteger = (value) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
const sha512 = (...parts) => createHash('sha512').update(Buffer.concat(parts)).digest();
const neutral = fromInteger(1n);
const accepts = (key, signature, signed) => verify(null, signed, createPublicKey({
  key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') }, format: 'jwk' }), signature);

// A key that everybody can sign with, and a signature whose R says nothing. Node takes both.
const weak = {
  'a key of small order': (content) => {
    const base = Buffer.alloc(32, 0x66);
    base[0] = 0x58;
    return { key: neutral, signature: Buffer.concat([base, fromInteger(1n)]), content };
  },
  'an R of small order': (content) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const key = Buffer.from(publicKey.export({ format: 'jwk' }).x, 'base64url');
    const half = sha512(Buffer.from(privateKey.export({ format: 'jwk' }).d, 'base64url')).subarray(0, 32);
    half[0] &= 248;
    half[31] = (half[31] & 127) | 64;
    const challenge = toInteger(sha512(neutral, key, content, key));
    return { key, signature: Buffer.concat([neutral, fromInteger((challenge * toInteger(half)) % order)]), content };
  },
};

for (const [name, forge] of Object.entries(weak)) {
  test(`a signature with ${name} is refused`, async () => {
    const file = Buffer.from(viewsOf('isaac').matches[0].replay, 'base64');
    const { key, signature, content } = forge(file.subarray(0, file.length - 96));
    assert.ok(accepts(key, signature, Buffer.concat([content, key])), 'the forgery is a good one');
    const found = await checksWith(Buffer.concat([content, key, signature]));
    assert.deepEqual(found.filter(({ result }) => result === 'fails').length, 1);
    assert.match(found[0].text, /FAILS: Signature/);
  });
}

test('only what a browser does not have is left unchecked', async () => {
  const resultsWhere = async (before) => {
    const { page } = await browser.open('hypnosia', { before });
    const [{ result }] = await checksOf(page);
    await page.close();
    return result;
  };
  assert.equal(await resultsWhere(() => {
    crypto.subtle.verify = () => Promise.reject(new DOMException('no Ed25519', 'NotSupportedError'));
  }), 'unchecked');
  assert.equal(await resultsWhere(() => {
    crypto.subtle.importKey = () => Promise.reject(new DOMException('not a key', 'DataError'));
  }), 'fails');
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
