// What a stream says of its end, with an HTTP/2 that the test has in its hands.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import { afterEach, mock, test } from 'node:test';
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
  context.after(() => server.close());
  await once(server, 'listening');
  const accepted = once(server, 'connection');
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

// What Node does with a write on a link that is lost: nothing, or it takes it for written.
const LOST_WRITES = { 'never ends': () => {}, 'is taken for written': (_bytes, done) => done() };

for (const [what, write] of Object.entries(LOST_WRITES)) {
  test(`a link is lost whose write ${what} and that answers no ping`, PATIENCE, async (t) => {
    const session = new Silent();
    session.call.write = write;
    let at = 0;
    mock.method(process, 'hrtime', () => [Math.trunc(at / 1000), (at % 1000) * 1e6]);
    const { stream, statuses } = await openStream(t, session);
    let look, answerIsLate;
    mock.method(globalThis, 'setInterval', (callback) => ((look = callback), undefined));
    mock.method(globalThis, 'setTimeout', (callback) => ((answerIsLate = callback), undefined));
    session.emit('connect');
    at = 9_000;
    look();
    assert.equal(session.pings, 0, 'nothing was written');
    stream.say(new Uint8Array(3));
    stream.send();
    at += 900;
    look();
    assert.equal(session.pings, 0, 'it has just begun');
    at += 100;
    look();
    look();
    assert.equal(session.pings, 1);
    assert.deepEqual(statuses, []);
    answerIsLate();
    assert.equal(statuses.length, 1);
    assert.equal(statuses[0].code, 'UNAVAILABLE');
    assert.match(statuses[0].message, /no answer to a ping/);
  });
}
