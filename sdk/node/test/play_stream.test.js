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
  call = new EventEmitter();
  request() {
    return this.call;
  }
  destroy() {
    this.destroyed = true;
  }
}

test('a stream whose socket is closed has ended, though HTTP/2 is silent', PATIENCE, async (t) => {
  const session = new Silent();
  mock.method(http2, 'connect', () => session);
  const server = net.createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const statuses = [];
  const closed = new Promise((resolve) => {
    const target = { address: `127.0.0.1:${server.address().port}`, userAgent: 'test' };
    const events = { message() {}, closed: (status) => resolve(statuses.push(status)) };
    new PlayStream(1, target, events);
  });
  const [connection] = await accepted;
  connection.resetAndDestroy();
  await closed;
  assert.ok(session.destroyed);
  assert.equal(statuses.length, 1);
  assert.equal(statuses[0].code, 'UNAVAILABLE');
  assert.match(statuses[0].message, /ECONNRESET/);
});
