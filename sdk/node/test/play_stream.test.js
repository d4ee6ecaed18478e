// What a stream says of its end, with an HTTP/2 that the test has in its hands.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import { afterEach, mock, test } from 'node:test';
import { afterRunning } from '../dist/clock.js';
import { PlayStream } from '../dist/play_stream.js';

const PATIENCE = { timeout: 20_000 };

afterEach(() => mock.restoreAll());

/** Neither a session nor a call of HTTP/2 that ever says anything. */
class Silent extends EventEmitter {
  destroyed = false;
  pings = 0;
  call = Object.assign(new EventEmitter(), { write() {} });
  request() {
    return this.call;
  }
  setLocalWindowSize() {}
  ping() {
    ++this.pings;
  }
  destroy() {
    this.destroyed = true;
  }
}

/** Opens a stream over `session`, to a server that takes connections and says nothing. */
async function openStream(context, session) {
  mock.method(http2, 'connect', () => session);
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  context.after(async () => {
    (await accepted)[0].destroy();
    server.close();
  });
  const statuses = [];
  let stream;
  const closed = new Promise((resolve) => {
    const target = { address: `127.0.0.1:${server.address().port}`, userAgent: 'test' };
    const events = { message() {}, closed: (status) => resolve(statuses.push(status)) };
    stream = new PlayStream(target, events);
  });
  return { stream, statuses, accepted, closed };
}

test('a stream whose socket is closed has ended, though HTTP/2 is silent', PATIENCE, async (t) => {
  const session = new Silent();
  const { statuses, accepted, closed } = await openStream(t, session);
  const [connection] = await accepted;
  connection.resetAndDestroy();
  await closed;
  assert.ok(session.destroyed);
  assert.equal(statuses.length, 1);
  assert.equal(statuses[0].code, 'UNAVAILABLE');
  assert.match(statuses[0].message, /ECONNRESET/);
});

/** A stream on a clock that the test sets; its timers are called by the test. */
async function openOnClock(context, session) {
  const clock = { at: 0 };
  mock.method(process, 'hrtime', () => [Math.trunc(clock.at / 1000), (clock.at % 1000) * 1e6]);
  const opened = await openStream(context, session);
  const intervals = [];
  mock.method(globalThis, 'setInterval', (act) => (intervals.push(act), undefined));
  session.emit('connect');
  const look = () => intervals[0]();
  /** The time for the answer to the last ping has passed, and what had arrived is read. */
  const waitForAnswer = (arrived = () => {}) => {
    const step = intervals.at(-1);
    for (let i = 0; i < 10; ++i) step();
    arrived();
    return new Promise((resolve) => setImmediate(resolve));
  };
  return { ...opened, clock, look, waitForAnswer };
}

// What Node does with a write on a link that is lost: nothing, or it takes it for written.
const LOST_WRITES = { 'never ends': () => {}, 'is taken for written': (_bytes, done) => done() };

for (const [what, write] of Object.entries(LOST_WRITES)) {
  test(`a link is lost whose write ${what} and that answers no ping`, PATIENCE, async (t) => {
    const session = new Silent();
    session.call.write = write;
    const { stream, statuses, clock, look, waitForAnswer } = await openOnClock(t, session);
    clock.at = 4_000;
    look();
    assert.equal(session.pings, 0, 'nothing was written');
    stream.say(new Uint8Array(3));
    stream.send();
    clock.at += 900;
    look();
    assert.equal(session.pings, 0, 'it has just begun');
    clock.at += 100;
    look();
    look();
    assert.equal(session.pings, 1);
    assert.deepEqual(statuses, []);
    await waitForAnswer();
    assert.equal(statuses.length, 1);
    assert.equal(statuses[0].code, 'UNAVAILABLE');
    assert.match(statuses[0].message, /no answer to a ping/);
  });
}

test('a link that is silent for six seconds is asked, and is lost without an answer', async (t) => {
  const session = new Silent();
  const { statuses, clock, look, waitForAnswer } = await openOnClock(t, session);
  clock.at = 5_400;
  look();
  assert.equal(session.pings, 0);
  clock.at = 6_000;
  look();
  assert.equal(session.pings, 1);
  await waitForAnswer();
  assert.match(statuses[0].message, /no answer to a ping/);
});

test('a referee that is heard after the bot has blocked the loop is not taken for silent', async (t) => {
  const session = new Silent();
  const { stream, statuses, clock, look, waitForAnswer } = await openOnClock(t, session);
  clock.at = 30_000;
  look();
  await waitForAnswer(() => session.call.emit('data', Buffer.alloc(5)));
  assert.deepEqual(statuses, []);
  stream.cancel('enough');
});

test('time in which the loop is blocked does not count', async () => {
  let over = false;
  const cancel = afterRunning(200, () => (over = true));
  for (const end = Date.now() + 400; Date.now() < end; );
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  assert.equal(over, false);
  cancel();
});
