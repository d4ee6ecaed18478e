// A referee for one bot that says what a test tells it to: BotService.Play over HTTP/2, on a port of
// this machine.
import { createHash } from 'node:crypto';
import http2 from 'node:http2';
import { PlayRequest, PlayResponse } from '../dist/proto/referee/v1/bot_service.js';

/** How long a test waits for what must come, in ms. */
const PATIENCE = 20_000;

/** Values that are waited for in the order in which they come. */
class Queue {
  #values = [];
  #waiting = [];

  put(value) {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(value);
    else this.#values.push(value);
  }

  take(what) {
    if (this.#values.length > 0) return Promise.resolve(this.#values.shift());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), PATIENCE);
      this.#waiting.push((value) => {
        clearTimeout(timer);
        resolve(value);
      });
    });
  }
}

/** One stream of the bot. */
class Stream {
  messages = 0; // that the bot has sent
  #items = new Queue();
  #rest = Buffer.alloc(0);

  constructor(call) {
    this.call = call;
    call.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    call.on('data', (chunk) => this.#receive(chunk));
    call.on('error', () => {});
    call.on('wantTrailers', () => call.sendTrailers(this.trailers));
    this.closed = new Promise((resolve) => call.on('close', resolve));
  }

  #receive(chunk) {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 5 && this.#rest.length >= 5 + this.#rest.readUInt32BE(1)) {
      const end = 5 + this.#rest.readUInt32BE(1);
      ++this.messages;
      const { items } = PlayRequest.decode(this.#rest.subarray(5, end));
      for (const item of items) this.#items.put(item);
      this.#rest = this.#rest.subarray(end);
    }
  }

  /** The next item of the bot, which must be of this kind. */
  async hear(kind) {
    const item = await this.#items.take(kind);
    if (item[kind] === undefined) throw new Error(`expected ${kind}: ${JSON.stringify(item)}`);
    return item[kind];
  }

  /** Sends items, all in one message. */
  say(...items) {
    this.sayBytes(PlayResponse.encode({ items: items.map(whole) }).finish());
  }

  /** Sends a message of any content. */
  sayBytes(message) {
    const frame = Buffer.alloc(5 + message.length);
    frame.writeUInt32BE(message.length, 1);
    frame.set(message, 5);
    this.call.write(frame);
  }

  /** Ends the stream with a status. */
  end(code = 0, message = '') {
    this.trailers = { 'grpc-status': String(code), 'grpc-message': encodeURIComponent(message) };
    this.call.end();
    return this.closed;
  }
}

const DURATION = (ms) => ({ seconds: BigInt(Math.trunc(ms / 1e3)), nanos: (ms % 1e3) * 1e6 });
const TIME = { seconds: 0n, nanos: 0 };

/** Fills in what the encoder needs of an item. */
function whole(item) {
  const { matchStart, turnRequest, matchEnd, fault, turnPlayed } = item;
  if (matchStart) return { matchStart: { seat: 0, ...matchStart, match: match(matchStart.match) } };
  if (turnRequest) {
    const defaults = { turn: 1, seat: 0, dice: [], positionText: 'p', legalMoves: [], request: 0 };
    return { turnRequest: { ...defaults, limit: DURATION(60_000), ...turnRequest } };
  }
  if (turnPlayed) {
    const defaults = { turn: 1, seat: 1, dice: [], notation: '-', legalCount: 1, digest: 0n };
    return { turnPlayed: { ...defaults, substituted: 0, ...turnPlayed } };
  }
  if (matchEnd) return { matchEnd: { ...matchEnd, verdict: verdict(matchEnd.verdict) } };
  if (fault) return { fault: { matchId: '', turn: 0, ...fault } };
  return item;
}

function match(given) {
  return {
    state: 2,
    game: 'pig',
    bots: ['us', 'them'],
    turnsPlayed: 0,
    commitment: sha256(SEED),
    pinned: true,
    createTime: TIME,
    ...given,
  };
}

function verdict(given = {}) {
  const defaults = { state: 3, reason: 'OVER', scores: [1, 0], ranks: [1, 2], forfeits: [] };
  return { ...defaults, seed: SEED, nonces: [], nonceHashes: [], cancelledBy: '', ...given };
}

export const SEED = Buffer.alloc(32, 7);
export const sha256 = (bytes) => createHash('sha256').update(bytes).digest();
export { DURATION };

export class FakeReferee {
  opened = 0; // streams of the bot
  #server;
  #streams = new Queue();
  #sessions = new Set();

  static async start(port = 0) {
    const referee = new FakeReferee();
    const server = (referee.#server = http2.createServer());
    server.on('stream', (call) => {
      ++referee.opened;
      referee.#streams.put(new Stream(call));
    });
    server.on('session', (session) => {
      referee.#sessions.add(session);
      session.on('error', () => {});
      session.on('close', () => referee.#sessions.delete(session));
    });
    await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
    referee.address = `127.0.0.1:${server.address().port}`;
    return referee;
  }

  /** The next stream of the bot, after its Hello. */
  async open() {
    const stream = await this.#streams.take('a stream');
    stream.hello = await stream.hear('hello');
    return stream;
  }

  /** The next stream of the bot, after its Hello and our Welcome, which names `others`. */
  async accept(...others) {
    const stream = await this.open();
    const { maxMatches } = stream.hello;
    const addresses = others.map(({ address }) => address);
    stream.say({ welcome: { bot: 'us', referee: 'fake', maxMatches, addresses } });
    return stream;
  }

  /** Breaks all connections. */
  cut() {
    for (const session of this.#sessions) session.destroy();
  }

  async stop() {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
