// How a bot follows a referee that refers it to others: whom, and with how many of its places.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Client } from 'referee-sdk';
import { BLOCK, divide, grant, served, weight } from '../dist/places.js';
import { nextInCircle, Referral, whyNotFollowed } from '../dist/refer.js';
import { Told } from './bots.js';
import { DURATION, FakeReferee } from './fake_referee.js';
import { begin, end, play } from './play.js';
import { goldenLines } from './vectors.js';

const vectors = (of) => goldenLines('referral.jsonl').filter(({ kind }) => kind === of);
const share = ([places, turns]) => ({ places, turns });
const sum = (shares, member) => shares.reduce((all, each) => all + each[member], 0);

// --- What is pure ---

test('it divides as the other SDKs do', () => {
  for (const line of vectors('divide')) {
    const divided = divide(share(line.promised), line.homes, line.here);
    assert.deepEqual(divided, line.shares.map(share), JSON.stringify(line));
  }
});

test('it divides so that a home has enough for a block, or nothing', () => {
  for (let places = 1; places < 40; ++places) {
    for (let homes = 1; homes <= 8; ++homes) {
      for (const turns of [0, 1, places >> 1, places]) {
        const first = served({ places, turns }, homes);
        for (const [i, each] of divide({ places, turns }, homes, false).slice(0, -1).entries()) {
          if (i < first) assert(each.places >= Math.min(BLOCK, places));
          else assert.deepEqual(each, { places: 0, turns: 0 });
        }
      }
    }
  }
});

test('it weighs as the other SDKs do', () => {
  for (const { shift, address, weight: known } of vectors('weight')) {
    assert.equal(weight(shift, address), known, address);
  }
});

test('it grants as the other SDKs do', () => {
  for (const line of vectors('grant')) {
    const granted = grant(share(line.promised), line.wanted.map(share), line.held.map(share));
    assert.deepEqual(granted, line.granted.map(share), JSON.stringify(line));
  }
});

test('it follows as the other SDKs do', () => {
  for (const line of vectors('follow')) {
    const { address, tls, insecure } = line;
    const options = { address, tls, insecure, referDomain: line.refer_domain };
    const follows = whyNotFollowed(line.to, options) === undefined;
    assert.equal(follows, line.follows, JSON.stringify(line));
  }
});

test('it makes the circle that the other SDKs make', () => {
  const log = { info() {}, warning() {} };
  for (const line of vectors('circle')) {
    const { address, tls, own } = line;
    const options = { address, tls, insecure: false, referDomain: line.refer_domain };
    const circle = new Referral(options, log).circle({ others: line.others }, { ...options, address: own });
    assert.deepEqual(circle.map((place) => place.address), line.circle, JSON.stringify(line));
  }
});

test('it dials the next in the circle as the other SDKs do', () => {
  for (const { circle, current, homes, next } of vectors('next')) {
    const places = circle.map((address) => ({ address }));
    assert.equal(nextInCircle(places, current, new Set(homes))?.address ?? '', next);
  }
});

test('it never divides more than it has promised, and all of it', () => {
  for (let places = 1; places < 40; ++places) {
    for (let homes = 0; homes <= 8; ++homes) {
      for (const turns of [0, 1, places >> 1, places]) {
        for (const here of [false, true]) {
          const divided = divide({ places, turns }, homes, here);
          assert.equal(sum(divided, 'places'), places);
          assert.equal(sum(divided, 'turns'), turns);
          assert(divided.every((each) => each.turns <= each.places));
        }
      }
    }
  }
});

// --- Streams ---

const draining = (willReturn) => ({ draining: { timeLeft: DURATION(1000), willReturn } });

function referTo(homes, others, patience = 0) {
  const addresses = homes.map((home) => home.address ?? home);
  return {
    refer: {
      homes: addresses.map((address) => ({ address, competitions: ['cup'] })),
      here: false,
      others: others.map(({ address }) => address),
      patience: DURATION(patience),
    },
  };
}
const refer = (...homes) => referTo(homes, []);

/** Hears what the bot takes, and answers. */
async function takeCapacity(stream) {
  const capacity = await stream.hear('capacity');
  stream.say({ capacity });
  return [capacity.maxMatches, capacity.parallelTurns];
}

/** Runs `body` with a letter box that a client is connected to, and two homes. */
const fleet = (options, body) =>
  play(
    { referees: 3, maxMatches: 8, parallelTurns: options.maxMatches ?? 8, ...options },
    ({ all: [letterBox, one, two], stream: box, ...more }) =>
      body({ letterBox, one, two, box, ...more }),
  );

/** Refers the client to the first home; returns its stream. */
async function goHome({ box, one }) {
  box.say(refer(one));
  assert.deepEqual(await takeCapacity(box), [1, 0]);
  const home = await one.accept();
  assert.equal(home.hello.maxMatches, 7);
  return home;
}

test('it plays at a home and at its letter box', () =>
  fleet({}, async (all) => {
    const home = await goHome(all);
    assert.equal(home.hello.token, 't');
    await begin(home, 'm');
    await begin(all.box, 'n');
    home.say({ turnRequest: { matchId: 'm' } });
    all.box.say({ turnRequest: { matchId: 'n' } });
    assert.equal((await home.hear('move')).matchId, 'm');
    assert.equal((await all.box.hear('move')).matchId, 'n');
  }));

test('a home gets no place before the letter box has given it up', () =>
  fleet({ maxMatches: 8 }, async ({ box, one }) => {
    for (const id of ['a', 'b', 'c']) await begin(box, id);
    box.say(refer(one));
    // It plays three, and was told one: of eight places five are free.
    assert.deepEqual(await takeCapacity(box), [1, 0]);
    const home = await one.accept();
    assert.equal(home.hello.maxMatches, 5);
    box.say(end('a'));
    assert.deepEqual(await takeCapacity(home), [6, 0]);
    box.say(end('b'));
    assert.deepEqual(await takeCapacity(home), [7, 0]);
  }));

test('a bot that thinks about one turn has one referee at a time', () =>
  fleet({ maxMatches: 0 }, async ({ box, one, letterBox }) => {
    assert.equal(box.hello.parallelTurns, 1);
    await begin(box, 'm');
    box.say(refer(one));
    assert.deepEqual(await takeCapacity(box), [0, 0]);
    box.say({ turnRequest: { matchId: 'm' } });
    await box.hear('move');
    assert.equal(one.opened, 0);
    box.say(end('m'));
    const { hello } = await one.accept();
    assert.deepEqual([hello.maxMatches, hello.parallelTurns, hello.takesNone], [8, 1, false]);
    box.end();
    assert.equal((await letterBox.accept()).hello.takesNone, true);
  }));

test('homes that have too little at a time have it one after the other', () =>
  fleet({ maxMatches: 0, shift: 50 }, async ({ box, one, two }) => {
    box.say(refer(one, two));
    assert.deepEqual(await takeCapacity(box), [0, 0]);
    // Both are answered until each has had it twice.
    const turns = [0, 0];
    await new Promise((enough, fail) => {
      const answer = async (home, number) => {
        const stream = await home.accept();
        let has = !stream.hello.takesNone;
        for (;;) {
          turns[number] += Number(has);
          if (Math.min(...turns) >= 2) enough();
          has = String(await takeCapacity(stream)) === '8,1';
        }
      };
      [one, two].forEach((home, number) => answer(home, number).catch(fail));
    });
  }));

test('it finishes the matches of a home that is not named any more', () =>
  fleet({}, async (all) => {
    const home = await goHome(all);
    await begin(home, 'm');
    all.box.say(refer(all.two));
    assert.deepEqual(await takeCapacity(home), [0, 0]);
    const second = await all.two.accept();
    assert.equal(second.hello.maxMatches, 6);
    home.say({ turnRequest: { matchId: 'm' } });
    await home.hear('move');
    home.say(end('m'));
    await home.closed;
    assert.deepEqual(await takeCapacity(second), [7, 0]);
    assert.equal(all.one.opened, 1);
  }));

test('it comes back to a lost home that it leaves, to finish its matches', () =>
  fleet({}, async (all) => {
    const home = await goHome(all);
    await begin(home, 'm');
    all.box.say(refer());
    assert.deepEqual(await takeCapacity(home), [0, 0]);
    home.end();
    const again = await all.one.accept();
    assert.equal(again.hello.takesNone, true);
    await begin(again, 'm');
    again.say(end('m'));
    await again.closed;
  }));

test('it gives up the matches of a lost home when its lease has ended', () =>
  fleet(
    { maxMatches: 1, backoff: (attempt) => (attempt > 0 ? 3_600_000 : 0) },
    async ({ box, one, two }) => {
      box.say(referTo([one], [one, two], 50));
      assert.deepEqual(await takeCapacity(box), [0, 0]);
      const home = await one.accept();
      await begin(home, 'm');
      await one.stop();
      box.say(referTo([two], [one, two], 50));
      assert.equal((await two.accept()).hello.maxMatches, 1); // the place that the match had
    },
  ));

test('it comes back to a lost home in its lease', () =>
  fleet({}, async (all) => {
    let home = await goHome(all);
    await begin(home, 'm');
    all.box.say(referTo([all.two], [all.one, all.two], 3_600_000));
    assert.deepEqual(await takeCapacity(home), [0, 0]);
    for (let i = 0; i < 5; ++i) {
      home.end(14, 'not yet');
      home = await all.one.accept();
      assert.equal(home.hello.takesNone, true);
    }
    home.say({ turnRequest: { matchId: 'm' } });
    await home.hear('move');
  }));

test('it dials a lost home at once that it left and is referred to again', () =>
  fleet({ backoff: (attempt) => (attempt > 0 ? 3_600_000 : 0) }, async (all) => {
    const home = await goHome(all);
    await begin(home, 'm');
    await all.one.stop();
    all.box.say(refer());
    assert.deepEqual(await takeCapacity(all.box), [7, 0]);
    const again = await FakeReferee.start(Number(all.one.address.split(':')[1]));
    all.box.say(refer(again));
    await again.accept();
    await again.stop();
  }));

test('each stream comes back by itself', () =>
  fleet({}, async (all) => {
    const home = await goHome(all);
    await begin(home, 'm');
    all.letterBox.cut();
    home.say({ turnRequest: { matchId: 'm' } });
    await home.hear('move');
    assert.equal((await all.letterBox.accept()).hello.maxMatches, 1);
    assert.equal(all.one.opened, 1);
  }));

test('a home that drains for good is left alone; one that means to be back is not', () =>
  fleet({}, async (all) => {
    const home = await goHome(all);
    home.say(draining(true));
    assert.deepEqual(await takeCapacity(home), [0, 0]);
    assert.deepEqual(await takeCapacity(all.box), [8, 0]);
    home.end(14, 'stopping');
    assert.deepEqual(await takeCapacity(all.box), [1, 0]);
    const back = await all.one.accept();
    assert.equal(back.hello.maxMatches, 7);
    back.say(draining(false));
    assert.deepEqual(await takeCapacity(back), [0, 0]);
    assert.deepEqual(await takeCapacity(all.box), [8, 0]);
    await back.end();
    await begin(all.box, 'm');
    assert.equal(all.one.opened, 2);
  }));

test('a home that refuses the bot is left alone', () =>
  fleet({}, async ({ box, one, lines }) => {
    box.say(refer(one));
    assert.deepEqual(await takeCapacity(box), [1, 0]);
    await (await one.accept()).end(16, 'the reason');
    assert.deepEqual(await takeCapacity(box), [8, 0]);
    assert(lines.some((line) => line.includes('left alone until the bot is referred there anew')));
  }));

test('it ends when another process takes its place at a home', () =>
  fleet({}, async (all) => {
    const home = await goHome(all);
    home.end(10, 'another');
    await assert.rejects(all.ended, { code: 'ABORTED' });
  }));

test('it ends when the letter box is done and the matches of homes are', () =>
  fleet({}, async (all) => {
    const home = await goHome(all);
    await begin(home, 'm');
    all.box.say(draining(false));
    all.box.end();
    assert.deepEqual(await takeCapacity(home), [0, 0]);
    home.say({ turnRequest: { matchId: 'm' } });
    await home.hear('move');
    home.say({ matchEnd: { matchId: 'm' } });
    await all.ended;
  }));

test('what a home refers to is not followed', () =>
  fleet({}, async (all) => {
    const home = await goHome(all);
    home.say(refer(all.two));
    await begin(home, 'm');
    assert.equal(all.two.opened, 0);
  }));

test('it says once what it does not follow, and why', () =>
  fleet({}, async ({ box, one, letterBox, lines }) => {
    for (let i = 0; i < 2; ++i) box.say(refer('evil.example.net:443', '\n', letterBox, one, one));
    assert.deepEqual(await takeCapacity(box), [1, 0]);
    await one.accept();
    await begin(box, 'm');
    const said = lines.filter((line) => line.includes('not followed'));
    assert.equal(said.length, 2);
    assert.match(said[0], /"evil.example.net:443": it is outside of .*--refer-domain/);
    assert.equal(letterBox.opened, 1);
  }));

// --- When its referee is gone ---

test('it dials another when its referee is gone, and is referred by that one', () =>
  fleet({}, async ({ box, letterBox, one, two }) => {
    box.say(referTo([], [one]));
    await begin(box, 'm'); // it has heard that
    await letterBox.stop();
    const next = await one.accept();
    assert.equal(next.hello.maxMatches, 8);
    await begin(next, 'n');
    next.say(refer(two));
    assert.deepEqual(await takeCapacity(next), [1, 0]);
    assert.equal((await two.accept()).hello.maxMatches, 7);
  }));

test('it goes round until one is there', () =>
  fleet({}, async ({ box, letterBox, one, two }) => {
    box.say(referTo([], [one, two]));
    await begin(box, 'm');
    await Promise.all([one.stop(), letterBox.stop()]);
    await two.accept();
    await two.stop();
    const back = await FakeReferee.start(Number(letterBox.address.split(':')[1]));
    await back.accept();
    await back.stop();
  }));

test('it dials no home, whose stream that would end', () =>
  fleet({}, async (all) => {
    await goHome(all);
    all.box.say(referTo([all.one], [all.one, all.two]));
    await begin(all.box, 'm');
    await all.letterBox.stop();
    await all.two.accept();
    assert.equal(all.one.opened, 1);
  }));

test('it waits for the referee of the matches that it plays', () =>
  fleet({}, async ({ box, letterBox, one }) => {
    box.say(referTo([], [one], 3_600_000));
    await begin(box, 'm');
    let stream = box;
    for (let i = 0; i < 6; ++i) {
      stream.end(14, 'not yet');
      stream = await letterBox.accept();
    }
    stream.say({ turnRequest: { matchId: 'm' } });
    await stream.hear('move');
    assert.equal(one.opened, 0);
  }));

test('it dials often while it waits, so that it is back in time', () =>
  fleet({ backoff: () => 3_600_000 }, async ({ box, letterBox, one }) => {
    box.say(referTo([], [one], 3_600_000));
    await begin(box, 'm');
    box.end(14, 'not yet');
    const again = await letterBox.accept();
    again.say({ turnRequest: { matchId: 'm' } });
    await again.hear('move');
  }));

test('it dials another as soon as it has waited, however seldom it dials then', () =>
  fleet({ backoff: (attempt) => (attempt > 3 ? 3_600_000 : 0) }, async ({ box, letterBox, one }) => {
    box.say(referTo([], [one], 50));
    await begin(box, 'm');
    await letterBox.stop();
    assert.equal((await one.accept()).hello.maxMatches, 8);
  }));

test('it goes to another when its referee ends for good', () =>
  fleet({}, async ({ box, one }) => {
    box.say(referTo([], [one]), draining(false));
    box.end();
    assert.equal((await one.accept()).hello.maxMatches, 8);
  }));

test('it is not ended by what listens where another referee was', () =>
  fleet({}, async ({ box, letterBox, one }) => {
    box.say(referTo([], [one]), draining(false));
    box.end();
    await (await one.accept()).end(12, 'a web server');
    await letterBox.accept();
  }));

test('a refer domain is a domain', () => {
  const options = { address: 'h:1', token: 't', referDomain: 'a b' };
  assert.throws(() => new Client(Told, options), /--refer-domain/);
});
