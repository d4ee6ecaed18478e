// The pages that ask a gate, and go on as matches and competitions do.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { violations } from './axe.js';
import { Browser, fileOf, stepOf, viewsOf } from './browser.js';
import { shellOf, ToldGate, withScriptOf } from './told_gate.js';

const disk = readFileSync(fileOf('site/index'), 'utf8');
const shell = (kind, root) => shellOf(disk, kind, root);
const matchShell = withScriptOf(shell('match', '../'), readFileSync(fileOf('hypnosia'), 'utf8'));
const dataOf = (name) => JSON.parse(inflateRawSync(Buffer.from(
  /id="data">([^<]*)</.exec(readFileSync(fileOf(name), 'utf8'))[1], 'base64')));

const held = dataOf('site/competitions/league').answers;
const leaguePath = 'competitions/league';
const { competition, standings } = held[`${leaguePath}/standings`];
const histories = Object.entries(held).filter(([path]) => path.startsWith(`${leaguePath}/ratings`)).flatMap(([, one]) => one.histories ?? []);
const [match] = viewsOf('hypnosia').matches;
const matchPath = `/api/v1/matches/${match.matchId}/events`;
const view = (count) => ({ ...match, frames: match.frames.slice(0, count), verdict: undefined, ledger: [], replay: '' });
const frameEvent = (from, to) => ({ event: 'frame', id: to, data: match.frames.slice(from, to) });

const running = { ...competition, state: 'COMPETITION_STATE_RUNNING', competitionId: 'id-of-league' };
const block = {
  number: '0', bots: ['Ann', 'bob'], state: 'BLOCK_STATE_PLAYED', endTime: '2026-11-01T12:00:00Z',
  matches: [{ matchId: match.matchId, scores: [5, 1], ranks: [1, 2] }, { matchId: `${match.matchId.slice(0, -1)}z`, rotation: 1, scores: [3, 4], ranks: [2, 1] }],
};
const replayOf = (last, outcome) => ({
  matchId: match.matchId.slice(0, -1) + last, createTime: '2026-11-01T12:00:00Z', totalBytes: '5', outcome,
});
const played = (bots) => ({
  game: 'hypnosia', bots, ranks: [1, 2], scores: [3, 1], state: 'MATCH_STATE_FINISHED', competitionId: 'id-of-league', endTime: '2026-11-01T12:05:00Z',
});
const replays = [replayOf('0', played(['<b>', 'bob'])), replayOf('1', played(['Ann', 'bob'])), replayOf('2')];
const pages = {
  '/': shell('index', ''), '/replays': shell('archive', ''), [`/matches/${match.matchId}`]: matchShell,
  '/competitions/league': shell('competition', '../'), '/bots/Ann': shell('bot', '../'), '/competitions/none': shell('competition', '../'),
};
const answers = {
  '/api/v1/matches': { matches: [{ matchId: match.matchId, game: 'hypnosia', bots: ['<b>', 'bob'], turnsPlayed: 3, createTime: '2026-11-01T12:00:00Z' }] },
  '/api/v1/competitions': { competitions: [running] },
  '/api/v1/competitions/league/standings': { competition: running, standings },
  '/api/v1/competitions/league/pairs': held[`${leaguePath}/pairs`],
  '/api/v1/competitions/league/rounds': held[`${leaguePath}/rounds`],
  '/api/v1/competitions/league/ratings': (parameters) => held[`${leaguePath}/ratings?bot=${parameters.get('bot')}`],
  '/api/v1/competitions/league/blocks': (parameters) => (parameters.get('page') === null
    ? { blocks: [block], nextPageToken: 'a b' } : { blocks: [{ ...block, number: parameters.get('page') }] }),
  '/api/v1/replays': (parameters) => ({
    replays: replays.filter(({ outcome }) => !parameters.has('bot') || outcome?.bots.includes(parameters.get('bot'))),
  }),
};

const isDrawn = ({ points }) => points.some(({ eloAtLeast, eloAtMost }) => eloAtLeast !== undefined && eloAtMost !== undefined);

let browser, gate;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.stop());
beforeEach(async () => {
  gate = await ToldGate.start(pages, answers);
});
afterEach(() => gate.stop());

// Opens a page of the gate. Its requests are to the gate only.
async function open(path, options = {}) {
  const opened = await browser.open('', { url: gate.root + path, ...options });
  assert.deepEqual(opened.requests.filter((url) => !url.startsWith(`${gate.root}/api/v1/`)), []);
  return opened;
}

describe('a match that runs', () => {
  const at = { path: `/matches/${match.matchId}` };
  const openAt = async (count, options) => {
    gate.first = () => [{ event: 'view', id: count, data: view(count) }];
    return open(at.path, options);
  };
  const reaches = (page, step) => page.waitForFunction((to) => document.querySelector('input[type=range]')?.value === String(to), step);
  const grows = (page, last) => page.waitForFunction((to) => document.querySelector('input[type=range]')?.max === String(to), last);

  test('goes on for who looks at the newest step', async () => {
    const { page, problems } = await openAt(10);
    assert.equal(await stepOf(page), 9);
    gate.tell(matchPath, frameEvent(10, 11));
    await reaches(page, 10);
    assert.match(await page.locator('.happened').textContent(), new RegExp(match.frames[10].move.replace(/[^\w]/g, '.')));
    gate.tell(matchPath, frameEvent(11, 15));
    await reaches(page, 14);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('leaves who went back where they are, until they ask for what happens now', async () => {
    const { page } = await openAt(10);
    await page.keyboard.press('ArrowLeft');
    gate.tell(matchPath, frameEvent(10, 12));
    await grows(page, 11);
    assert.equal(await stepOf(page), 8);
    assert.match(await page.locator('.live-bar').textContent(), /3 steps back/);
    await page.keyboard.press('l');
    assert.equal(await stepOf(page), 11);
    gate.tell(matchPath, frameEvent(12, 13));
    await reaches(page, 12);
    await page.close();
  });

  test('begins when its bots have come', async () => {
    const { page } = await openAt(0);
    assert.match(await page.locator('.happened').textContent(), /waits for its bots/);
    gate.tell(matchPath, frameEvent(0, 1));
    await reaches(page, 0);
    await page.close();
  });

  test('ends with its verdict and a way to its replay', async () => {
    const { page } = await openAt(match.frames.length);
    gate.tell(matchPath, { event: 'verdict', id: 'end', data: match.verdict });
    await page.getByRole('link', { name: 'Its replay, with checks' }).waitFor();
    assert.match(await page.locator('header .verdict').textContent(), new RegExp(match.verdict.reason));
    const href = await page.getByRole('link', { name: 'Its replay, with checks' }).evaluate((link) => link.href);
    assert.equal(href, `${gate.root}/replays/${match.matchId}`);
    await page.close();
  });

  test('is told again from the start where too much was missed, and who went back stays', async () => {
    const { page } = await openAt(10);
    await page.keyboard.press('Home');
    gate.tell(matchPath, { event: 'view', id: 20, data: view(20) });
    await grows(page, 19);
    assert.equal(await stepOf(page), 0);
    await page.close();
  });

  test('comes back by itself when the connection was lost', async () => {
    const { page } = await openAt(10);
    gate.first = () => [frameEvent(10, 12)];
    gate.hangUp();
    await reaches(page, 11);
    await page.close();
  });

  for (const colours of ['light', 'dark']) {
    test(`axe finds nothing, ${colours}`, async () => {
      const { page } = await openAt(20, { colours });
      assert.deepEqual(await violations(page), []);
      await page.close();
    });
  }
});

describe('a competition that runs', () => {
  const events = '/api/v1/competitions/league/events';
  const swapped = () => {
    const [first, second, ...rest] = standings;
    return { event: 'standings', id: '1', data: { competition: { ...running, blocksCounted: '99' }, standings: [{ ...second, rank: 1 }, { ...first, rank: 2 }, ...rest] } };
  };
  const names = (page) => page.locator('section').first().locator('tbody .name').allTextContents();

  test('has lines that change places', async () => {
    const { page, problems } = await open('/competitions/league', { motion: 'no-preference' });
    const [first, second] = await names(page);
    gate.tell(events, swapped());
    await page.waitForFunction(() => document.getAnimations().length > 0);
    assert.deepEqual((await names(page)).slice(0, 2), [second, first]);
    assert.match(await page.locator('header').textContent(), /99 blocks count/);
    assert.equal(await page.locator('.sr[role=status]').textContent(), `${second} is now 1.`);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('which do not move where less motion is asked for', async () => {
    const { page } = await open('/competitions/league');
    gate.tell(events, swapped());
    await page.waitForFunction(() => document.querySelector('header').textContent.includes('99 blocks'));
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
    await page.close();
  });

  test('is read page by page', async () => {
    const { page } = await open('/competitions/league');
    assert.ok(gate.asked.includes('/api/v1/competitions/league/blocks?order=newest&size=50&page=a%20b'));
    assert.equal(await page.getByRole('row', { name: /^Match \w{8} / }).count(), 4);
    await page.close();
  });

  test('draws how the ratings of the first went', async () => {
    const { page } = await open('/competitions/league');
    assert.equal(await page.locator('.ratings .curve').count(), histories.filter(isDrawn).length);
    assert.ok(histories.some(isDrawn));
    await page.close();
  });
});

test('the first page has what is being played', async () => {
  const { page } = await open('/');
  const link = page.getByRole('link', { name: /^Match / });
  assert.equal(await link.evaluate((one) => one.href), `${gate.root}/matches/${match.matchId}`);
  assert.equal(await page.getByRole('link', { name: '<b>' }).evaluate((one) => one.href), `${gate.root}/bots/%3Cb%3E`);
  await page.close();
});

test('a bot that is in many competitions has those that go on first, and the others when they are opened', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `cup ${i}`);
  const saved = answers['/api/v1/competitions'];
  const cup = (name) => ({ ...running, state: 'COMPETITION_STATE_FINISHED', spec: { ...running.spec, name } });
  answers['/api/v1/competitions'] = (parameters) => ({
    competitions: [...names.map(cup), ...(parameters.get('bot') === 'Ann' ? [running] : [])],
  });
  for (const name of names) {
    const path = `/api/v1/competitions/${encodeURIComponent(name)}`;
    answers[`${path}/standings`] = { competition: cup(name), standings };
    for (const list of ['ratings', 'pairs', 'blocks']) answers[`${path}/${list}`] = {};
  }
  const { page } = await open('/bots/Ann');
  assert.deepEqual(await page.locator('main > section > h2').allTextContents(), ['league', 'cup 0', 'cup 1', 'cup 2', 'Other competitions', 'Matches']);
  assert.ok(gate.asked.length <= 20, `${gate.asked.length} requests`);
  assert.equal(await page.locator('details', { hasText: 'cup 7' }).locator('table').count(), 0);
  await page.locator('summary', { hasText: 'cup 7' }).click();
  await page.getByRole('region', { name: 'In the table of cup 7' }).waitFor();
  assert.deepEqual(await violations(page), []);
  answers['/api/v1/competitions'] = saved;
  await page.close();
});

test('a bot has its lines in all competitions', async () => {
  const { page } = await open('/bots/Ann');
  assert.equal(await page.getByRole('heading', { name: 'league' }).count(), 1);
  assert.equal(await page.locator('.ratings .curve').count(), histories.filter((one) => one.bot === 'Ann' && isDrawn(one)).length);
  assert.equal(await page.getByRole('row', { name: /^Match \w{8} / }).count(), 4);
  await page.close();
});

test('the archive is that of a competition where one is chosen', async () => {
  const { page } = await open('/replays');
  assert.equal(await page.locator('tbody tr').count(), 3);
  await page.getByLabel('Competition').selectOption('league');
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 4);
  await page.close();
});

test('the archive says who played, and asks for all of a bot that is looked for', async () => {
  const { page } = await open('/replays');
  assert.match(await page.locator('tbody tr').first().textContent(), /<b>.*bob.*league/);
  const asked = page.waitForRequest((request) => request.url().includes('/api/v1/replays?bot=Ann'));
  await page.getByLabel('Bot or match').fill('Ann');
  await page.keyboard.press('Enter');
  await asked;
  await page.getByText(/^1 of 1 matches/).waitFor();
  await page.close();
});

test('what is not there is said, as a sentence', async () => {
  const { page } = await browser.open('', { url: `${gate.root}/competitions/none` });
  assert.match(await page.locator('main').textContent(), /There is no such thing\./);
  await page.close();
});

describe('what a gate refuses for a moment is asked again, and nobody reads of it', () => {
  // Refuses each path so many times.
  const refuse = (status, times, only = /^\/api\//) => {
    const left = new Map();
    gate.refuses = (path) => {
      if (!only.test(path)) return undefined;
      const rest = left.get(path) ?? times;
      left.set(path, rest - 1);
      return rest > 0 ? status : undefined;
    };
  };
  const seen = () => {
    window.seen = [];
    new MutationObserver(() => window.seen.push(document.getElementById('site')?.textContent ?? '')).observe(document, { subtree: true, childList: true, characterData: true });
  };

  for (const status of [429, 503]) {
    test(`${status}`, async () => {
      refuse(status, 2);
      const { page } = await browser.open('', { url: `${gate.root}/bots/Ann`, before: seen });
      assert.equal(await page.getByRole('heading', { name: 'league' }).count(), 1);
      const texts = await page.evaluate(() => window.seen);
      assert.ok(texts.some((text) => text.includes('This takes a moment')));
      assert.ok(!texts.some((text) => /too much|\b(429|503)\b/.test(text)));
      assert.equal(await page.locator('.problem').textContent(), '');
      await page.close();
    });
  }

  test('events, too', async () => {
    refuse(503, 2, /events$/);
    gate.first = () => [{ event: 'view', id: 10, data: view(10) }];
    const { page } = await browser.open('', { url: `${gate.root}/matches/${match.matchId}` });
    assert.equal(await stepOf(page), 9);
    await page.close();
  });

  test('but events of what is not there end', async () => {
    refuse(404, 1000, /events$/);
    const { page } = await browser.open('', { url: `${gate.root}/matches/${match.matchId}` });
    assert.match(await page.locator('main').textContent(), /Nothing to show/);
    await page.close();
  });
});

describe('ratings', () => {
  const standing = (bot, rank, rating) => ({ rank, bot, blocks: '3', points: 3, tieBreaks: [{ tieBreak: 'TIE_BREAK_BUCHHOLZ', value: 4.5 }, { tieBreak: 'TIE_BREAK_DIRECT_ENCOUNTER' }], ...rating });
  const told = {
    competition: { ...running, spec: { ...running.spec, format: 'COMPETITION_FORMAT_SWISS' } },
    standings: [
      standing('Ann', 1, { elo: 80, eloError: 60, eloAtLeast: 20, eloAtMost: 140 }),
      standing('bob', 2, { elo: 900, eloError: 700, eloAtLeast: 200 }),
      standing('cyd', 0, { eloError: 'Infinity', blocks: '0' }),
    ],
  };
  const rows = (page) => page.locator('section').first().locator('tbody tr').allTextContents();

  test('are one number in table and chart, a bound where the interval is wide, none without a block', async () => {
    const saved = { ...answers };
    answers['/api/v1/competitions/league/standings'] = told;
    answers['/api/v1/competitions/league/ratings'] = (parameters) => ({
      histories: {
        Ann: [{ bot: 'Ann', points: [{ block: '1', elo: 700, eloAtLeast: 100 }, { block: '2', elo: 60, eloAtLeast: -100, eloAtMost: 220 }, { block: '3', elo: 80, eloAtLeast: 20, eloAtMost: 140 }] }],
        bob: [{ bot: 'bob', points: [{ block: '3', elo: 900, eloAtLeast: 200 }] }],
      }[parameters.get('bot')] ?? [],
    });
    try {
      const { page } = await open('/competitions/league');
      const [ann, bob, cyd] = await rows(page);
      assert.match(ann, /^1\. Ann3?.*4\.5–.*\+80 ± 60/);
      assert.match(bob, /at least \+200/);
      assert.match(cyd, /^– cyd/);
      const heads = await page.locator('section').first().locator('thead th').allTextContents();
      assert.deepEqual(heads.slice(0, 4), ['Bot', 'Points', 'Buchholz', 'Direct encounter']);
      assert.equal(await page.locator('.ratings .curve').count(), 1);
      const marks = await page.locator('.chart.ratings text').allTextContents();
      assert.ok(marks.includes('+100') && marks.includes('-100'), marks.join());
      const ratings = page.locator('section', { has: page.getByRole('heading', { name: 'Ratings' }) });
      assert.match(await ratings.textContent(), /Too wide an interval to be drawn: bob at least \+200\./);
      await ratings.locator('summary').click();
      assert.match(await ratings.locator('tbody tr').first().textContent(), /^Ann3\+80 ± 60$/);
      await page.close();
    } finally {
      Object.assign(answers, saved);
    }
  });
});

describe('axe finds nothing', () => {
  for (const path of ['/', '/competitions/league', '/bots/Ann', '/replays']) {
    for (const colours of ['light', 'dark']) {
      test(`at ${path}, ${colours}`, async () => {
        const { page } = await open(path, { colours });
        assert.deepEqual(await violations(page), []);
        await page.close();
      });
    }
  }
});
