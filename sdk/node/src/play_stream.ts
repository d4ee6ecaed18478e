// One BotService.Play stream: gRPC over Node's own HTTP/2. It sends what is queued as fast as the
// transport takes it, one write at a time, so that what is queued meanwhile goes out together.
// Knows nothing of what the messages say.

import http2 from 'node:http2';
import net from 'node:net';
import tls from 'node:tls';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { readAddress, type TlsFiles } from './address.js';
import { CODES, type Code, type Status } from './errors.js';
import { afterRunning, now } from './clock.js';

const METHOD = '/referee.v1.BotService/Play';

/** When the referee is asked whether it is there, in ms. */
export interface Keepalive {
  /** When it has been silent for that long, and so often at most: the referee takes no more pings. */
  readonly silence: number;
  /** How long it may take to answer. */
  readonly answer: number;
}

export const KEEPALIVE: Keepalive = { silence: 6_000, answer: 4_000 };

/** In so many looks at the link its silence is noticed. */
const LOOKS = 12;
/**
 * After a write that takes so long, or that nothing was heard of for so long, in ms, the referee is
 * asked whether it is there. It may not read, or have nothing to say. But where TLS finds the link
 * lost as it writes, as after this process stood still, Node takes it for written and says nothing.
 */
const UNHEARD = 1_000;
const UNHEARD_ANSWER = 3_000;

/** How much the referee may send before it is read: a bot that comes back hears much at once. */
const WINDOW = 4 << 20;

/** A message may have 4096 items and 262144 bytes; an item has some dozen bytes, or a few hundred. */
const MAX_ITEMS_IN_MESSAGE = 512;

const PREFIX = 5; // a byte for compression, four for the length
const ITEM_TAG = 0x0a; // PlayRequest.items

export interface StreamEvents {
  /** A message of the referee; `bytes` are valid for good. `received`: when, on clock.ts. */
  message(bytes: Uint8Array, received: number): void;
  closed(status: Status): void;
}

export interface Target {
  readonly address: string;
  readonly tls: TlsFiles | undefined;
  readonly userAgent: string;
}

function socketTo(target: Target): net.Socket {
  const { place } = readAddress(target.address);
  const to = 'path' in place ? place : { ...place, autoSelectFamily: true, noDelay: true };
  if (target.tls === undefined) return net.connect(to);
  const host = 'host' in place ? place.host : 'localhost';
  return tls.connect({
    ...to,
    ...target.tls,
    ALPNProtocols: ['h2'],
    servername: net.isIP(host) ? '' : host,
  });
}

/** As gRPC has it for servers that answer without knowing gRPC. */
function codeOfHttp(status: number): Code {
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 403) return 'PERMISSION_DENIED';
  if (status === 404) return 'UNIMPLEMENTED';
  if (status === 429 || (status >= 502 && status <= 504)) return 'UNAVAILABLE';
  return 'UNKNOWN';
}

function unescaped(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}

function statusOf(headers: http2.IncomingHttpHeaders): Status | undefined {
  const code = headers['grpc-status'];
  if (code === undefined) return undefined;
  const message = headers['grpc-message'];
  return {
    code: CODES[Number(code)] ?? 'UNKNOWN',
    message: typeof message === 'string' ? unescaped(message) : '',
  };
}

function describe(error: Error): string {
  // Of a name with several addresses the errors of all.
  const { errors } = error as Error & { errors?: Error[] };
  if (errors?.length) return errors.map((one) => one.message).join('; ');
  const { code } = error as NodeJS.ErrnoException;
  return code && !error.message.includes(code) ? `${error.message} (${code})` : error.message;
}

/** Frames as many of `items` as one message takes; removes them. */
function framed(items: Uint8Array[]): Buffer {
  const writer = new BinaryWriter();
  for (const item of items.splice(0, MAX_ITEMS_IN_MESSAGE)) writer.uint32(ITEM_TAG).bytes(item);
  const message = writer.finish();
  const frame = Buffer.alloc(PREFIX + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX);
  return frame;
}

export class PlayStream {
  readonly #events: StreamEvents;
  readonly #session: http2.ClientHttp2Session;
  readonly #call: http2.ClientHttp2Stream;
  #queued: Uint8Array[] = [];
  #writing = false;
  #closed = false;
  #ended: Status | undefined;
  #failure: Error | undefined; // of the connection
  #rest: Buffer | undefined; // of a message that is not all there yet
  #heard = now();
  #wrote = 0; // when the last write was begun
  #asked = -Infinity; // when the last ping was sent
  #endPing: (() => void) | undefined; // while it is not answered
  #looks: NodeJS.Timeout | undefined;

  /** Opens the stream at once; `events` are called later. */
  constructor(
    target: Target,
    events: StreamEvents,
    readonly keepalive: Keepalive = KEEPALIVE,
  ) {
    this.#events = events;
    const scheme = target.tls ? 'https' : 'http';
    const { place } = readAddress(target.address);
    const authority = 'path' in place ? 'localhost' : target.address;
    const socket = socketTo(target);
    // The cause of what the session and the call will say.
    socket.on('error', (error) => (this.#failure ??= error));
    // Of a process that was held up while its link was lost, the session and the call may say nothing.
    socket.on('close', () => setImmediate(() => this.#close()));
    // The socket says where; a URL would refuse names that a resolver takes.
    this.#session = http2.connect(`${scheme}://localhost`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: WINDOW },
    });
    this.#session.on('connect', () => {
      this.#session.setLocalWindowSize(WINDOW);
      this.#looks = setInterval(() => this.#look(), keepalive.silence / LOOKS);
    });
    this.#session.on('error', (error) => this.#fail(error));
    this.#session.on('goaway', (code, _last, text) => {
      if (code === 0) return;
      this.#fail(new Error(`the referee ends the connection: ${text ?? `HTTP/2 error ${code}`}`));
    });
    this.#session.on('close', () => this.#close());
    this.#call = this.#open(target, authority, scheme);
  }

  #open(target: Target, authority: string, scheme: string): http2.ClientHttp2Stream {
    const call = this.#session.request(
      {
        ':method': 'POST',
        ':path': METHOD,
        ':scheme': scheme,
        ':authority': authority,
        te: 'trailers',
        'content-type': 'application/grpc+proto',
        'user-agent': target.userAgent,
      },
      { endStream: false },
    );
    call.on('response', (headers) => this.#respond(headers));
    call.on('trailers', (headers) => (this.#ended ??= statusOf(headers)));
    call.on('data', (chunk: Buffer) => this.#receive(chunk));
    call.on('error', (error) => (this.#failure ??= error));
    // All that was sent has been heard; the status comes at the same time.
    call.on('end', () => setImmediate(() => this.#close()));
    call.on('close', () => this.#close());
    return call;
  }

  /** Queues an encoded BotItem for the next write. Does nothing on a closed stream. */
  say(item: Uint8Array): void {
    if (this.#closed) return;
    this.#queued.push(item);
  }

  /** Begins a write if items are queued and none is under way. */
  send(): void {
    if (this.#writing || this.#queued.length === 0 || this.#closed) return;
    this.#writing = true;
    this.#wrote = now();
    this.#call.write(framed(this.#queued), () => {
      this.#writing = false;
      this.send();
    });
  }

  /** Ends the stream, with what was not sent yet; `message` says why. */
  cancel(message: string): void {
    this.#ended ??= { code: 'CANCELLED', message };
    this.#close();
  }

  #respond(headers: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader): void {
    this.#ended ??= statusOf(headers);
    const status = headers[':status'] ?? 0;
    if (status === 200 || this.#ended) return;
    this.#ended = { code: codeOfHttp(status), message: `HTTP status ${status}` };
    this.#close();
  }

  #hear(): number {
    this.#endPing?.();
    this.#endPing = undefined;
    return (this.#heard = now());
  }

  #receive(chunk: Buffer): void {
    const received = this.#hear();
    let bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    while (bytes.length >= PREFIX && !this.#closed) {
      const end = PREFIX + bytes.readUInt32BE(1);
      if (bytes.length < end) break;
      if (bytes[0] !== 0) {
        return this.#fail(new Error('the referee compresses its messages, which nobody asked for'));
      }
      try {
        this.#events.message(bytes.subarray(PREFIX, end), received);
      } catch (error) {
        return this.#fail(new Error(`cannot read what the referee says: ${(error as Error).stack}`));
      }
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes.length > 0 ? bytes : undefined;
  }

  #look(): void {
    if (this.#session.destroyed) return this.#close();
    const { silence, answer } = this.keepalive;
    const at = now();
    const soon = silence - silence / LOOKS; // the next look would be too late
    if (this.#endPing || at - this.#asked < soon) return;
    const waits = this.#writing || this.#wrote > this.#heard;
    const since = waits ? Math.max(this.#wrote, this.#heard) : at;
    if (at - since >= UNHEARD) return this.#ping(UNHEARD_ANSWER);
    if (at - this.#heard >= soon) this.#ping(answer);
  }

  #ping(limit: number): void {
    this.#asked = now();
    this.#endPing = afterRunning(limit, () =>
      this.#fail(new Error('the link is silent: no answer to a ping')),
    );
    this.#session.ping((error) => {
      if (!error) this.#hear();
    });
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#close();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#looks);
    this.#endPing?.();
    this.#queued = [];
    this.#session.destroy();
    const failure = this.#failure;
    const status: Status = this.#ended ?? {
      code: 'UNAVAILABLE',
      message: failure ? describe(failure) : 'the connection was closed',
    };
    this.#events.closed(status);
  }
}
