// How a bot goes from one referee of a fleet to another.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import test from 'node:test';
import { Circle, nextInCircle, whyNotTrusted } from '../dist/fleet.js';
import { DURATION, FakeReferee } from './fake_referee.js';
import { begin, logged, play } from './play.js';
import { goldenLines } from './vectors.js';

const vectors = (of) => goldenLines('fleet.jsonl').filter(({ kind }) => kind === of);

// --- What is pure ---

test('it trusts as the other SDKs do', () => {
  for (const line of vectors('trust')) {
    const { address, tls, insecure } = line;
    const options = { address, tls, insecure, fleetDomain: line.fleet_domain };
    const trusted = whyNotTrusted(line.to, options) === undefined;
    assert.equal(trusted, line.trusted, JSON.stringify(line));
  }
});

test('it makes the circle that the other SDKs make', () => {
  const log = { info() {}, warning() {} };
  for (const line of vectors('circle')) {
    const { address, tls, own } = line;
    const options = { address, tls, insecure: false, fleetDomain: line.fleet_domain };
    const circle = new Circle(options, log);
    circle.update(line.others, { ...options, address: own });
    const addresses = circle.referees.map((referee) => referee.address);
    assert.deepEqual(addresses, line.circle, JSON.stringify(line));
  }
});

test('it dials the next in the circle as the other SDKs do', () => {
  for (const { circle, current, next } of vectors('next')) {
    const referees = circle.map((address) => ({ address }));
    assert.equal(nextInCircle(referees, current)?.address ?? '', next);
  }
});

// --- Streams ---

const draining = (willReturn) => ({ draining: { timeLeft: DURATION(1000), willReturn } });

const NAMES_NONE = { fleet: { addresses: [] } };
const naming = (...others) => ({ fleet: { addresses: others.map((one) => one.address ?? one) } });

/** Resolves when the bot has heard all that was said to it. */
async function heard(stream) {
  stream.say({ ping: { number: 1n } });
  await stream.hear('pong');
}

/** Runs `body` with a client whose referee, the first of three, has named the others. */
const fleet = (options, body) =>
  play({ referees: 3, ...options }, async ({ all: [first, second, third], stream, ...more }) => {
    stream.say(naming(second, third));
    await heard(stream);
    await body({ first, second, third, stream, ...more });
  });

/** A referee at the same address. */
const restart = (referee) => FakeReferee.start(Number(referee.address.split(':')[1]));

test('it has one stream, with all that it takes, and dials no other while that lasts', () =>
  fleet({ maxMatches: 12, parallelTurns: 3 }, async ({ stream, second, third }) => {
    assert.deepEqual([stream.hello.maxMatches, stream.hello.parallelTurns], [12, 3]);
    await begin(stream, 'm');
    assert.deepEqual([second.opened, third.opened], [0, 0]);
  }));

test('after a lost stream it dials the same referee first', () =>
  fleet({}, async ({ stream, first, second }) => {
    await begin(stream, 'm');
    first.cut();
    await first.accept();
    assert.equal(second.opened, 0);
  }));

test('when its referee is gone its matches go on at the next', () =>
  fleet({}, async ({ stream, first, second }) => {
    await begin(stream, 'm');
    await first.stop();
    const next = await second.accept();
    await begin(next, 'm');
    next.say({ turnRequest: { matchId: 'm' } });
    assert.equal((await next.hear('move')).matchId, 'm');
  }));

test('it goes round until a referee answers, and does not wait before each', () => {
  const attempts = [];
  const backoff = (attempt) => (attempts.push(attempt), 1);
  return fleet({ backoff }, async ({ first, second, third }) => {
    await Promise.all([first.stop(), second.stop()]);
    await third.accept();
    // Each waits as the first attempt does: all referees have not been dialled yet.
    assert.deepEqual(attempts, [0, 0, 0]);
    await third.stop();
    const back = await restart(first);
    await back.accept();
    await back.stop();
  });
});

for (const willReturn of [false, true]) {
  test(`from a referee that drains it goes to the next, ${willReturn ? 'or' : 'not'} to return`, () =>
    fleet({}, async ({ stream, first, second }) => {
      stream.say(draining(willReturn));
      await stream.end();
      await second.accept();
      assert.equal(first.opened, 1);
    }));
}

test('it comes round to a referee that has drained for good', () =>
  fleet({}, async ({ stream, first, second, third }) => {
    stream.say(draining(false));
    await stream.end();
    const next = await second.accept();
    next.say(naming(third));
    await heard(next);
    next.say(draining(false));
    await next.end();
    const last = await third.accept();
    last.say(draining(false));
    await last.end();
    await first.accept();
  }));

test('it ends when its referee drains for good, and there is no other', () =>
  fleet({}, async ({ stream, ended }) => {
    stream.say(NAMES_NONE, draining(false));
    await stream.end();
    await ended;
  }));

test('a Welcome that names nobody takes the place of what was told before', () =>
  fleet({}, async ({ first, ended }) => {
    first.cut();
    const again = await first.accept();
    again.say(draining(false));
    await again.end();
    await ended;
  }));

test('what another referee refuses does not end it', () =>
  fleet({}, async ({ stream, first, second, third }) => {
    stream.say(draining(true));
    await stream.end();
    await (await second.accept()).end(12, 'a web server');
    // That one named nobody in its Welcome, so the circle has the given address only.
    assert.equal(third.opened, 0);
    await (await first.accept()).end();
  }));

test('what the referee at its own address refuses ends it, wherever it was', () =>
  fleet({}, async ({ stream, first, second, ended }) => {
    stream.say(draining(true));
    await stream.end();
    await (await second.accept()).end(14, 'the referee is stopping');
    await (await first.accept()).end(16, 'who?');
    await assert.rejects(ended, { code: 'UNAUTHENTICATED' });
  }));

test('it ends when another process takes its place at any referee', () =>
  fleet({}, async ({ stream, second, ended }) => {
    stream.say(draining(true));
    await stream.end();
    await (await second.accept()).end(10, 'another');
    await assert.rejects(ended, { code: 'ABORTED' });
  }));

test('a stream of its own that a referee still has is not another process', () =>
  fleet({ keepsExisting: true }, async ({ stream, second, third }) => {
    stream.say(draining(true));
    await stream.end();
    await (await second.open()).end(6, 'exists');
    await third.accept();
  }));

test('a stream that exists before it was ever welcomed ends it', async () => {
  await play({ keepsExisting: true, welcomed: false }, async ({ stream, ended }) => {
    await stream.end(6, 'exists');
    await assert.rejects(ended, { code: 'ALREADY_EXISTS' });
  });
});

test('it gives up when no referee of the fleet has answered for so long', () =>
  fleet({ giveUpAfter: 100 }, async ({ first, second, third, ended }) => {
    await Promise.all([first, second, third].map((referee) => referee.stop()));
    await assert.rejects(ended, { code: 'UNAVAILABLE', message: /cannot reach a referee at/ });
  }));

test('it says once which referees it does not trust, and once which it does', () =>
  fleet({}, async ({ stream, first, second, third, lines }) => {
    const some = naming('evil.example.net:443', '\n', first, second, second);
    stream.say(some, some, naming(third, second), naming(second, third), NAMES_NONE);
    await heard(stream);
    const warned = lines.filter((line) => line.includes('does not trust'));
    assert.equal(warned.length, 2);
    assert.match(warned[0], /"evil.example.net:443": it is outside of .*--fleet-domain/);
    const others = lines.filter((line) => line.includes('other referees of the fleet'));
    assert.equal(others.length, 4);
    assert.match(others[1], new RegExp(`info .*: ${second.address}$`));
    assert.match(others[3], /: none$/);
  }));

// --- Referees that hang ---

/** An address of a referee through which nothing comes any more after freeze(). */
async function freezable(context, referee) {
  const sockets = [];
  const server = net.createServer((socket) => {
    const [host, port] = referee.address.split(':');
    const way = net.connect(Number(port), host);
    for (const each of [socket, way]) each.on('error', () => {});
    sockets.push(socket.pipe(way).pipe(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const freeze = () => sockets.forEach((socket) => socket.unpipe().pause());
  return { address: `127.0.0.1:${server.address().port}`, freeze };
}

test('a referee that hangs is noticed', async (context) => {
  const keepalive = { silence: 120, answer: 100 };
  await fleet({ limits: { keepalive } }, async ({ stream, second, third, lines }) => {
    const { address, freeze } = await freezable(context, second);
    stream.say(naming(address, third), draining(true));
    await stream.end();
    const frozen = await second.accept();
    frozen.say(naming(third));
    await heard(frozen);
    freeze();
    await second.accept(); // by a new connection, which is not frozen
    await logged(lines, /lost the referee at .* the link is silent: no answer to a ping/);
  });
});

test('a dial that is not answered is given up', async (context) => {
  const silent = net.createServer(() => {});
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  context.after(() => silent.close());
  await fleet({ limits: { dial: 400 } }, async ({ stream, second, lines }) => {
    stream.say(naming(`127.0.0.1:${silent.address().port}`, second), draining(true));
    await stream.end();
    await second.accept();
    await logged(lines, /cannot reach a referee at .*: it does not answer; trying the one at/);
  });
});
