// A client of refgate, whose routes are in referee/gate/GATE.md.
//
// A page on disk holds the answers that it needs. Other pages repeat requests that are refused as
// too many or that fail, until they succeed.
import { Json } from './view.js';

const pageSize = 100;
const leastWaitMs = 500, mostWaitMs = 30000;

// The delay after this many failed tries. Random, so that pages do not retry at the same time.
function waitMs(tries: number, response?: Response): number {
  const asked = 1000 * Number(response?.headers.get('retry-after') ?? 0);
  const least = Math.min(leastWaitMs * 2 ** tries, mostWaitMs);
  return Math.max(least, Number.isFinite(asked) ? asked : 0) * (1 + Math.random() / 2);
}

const sleep = (ms: number) => new Promise((resolve) => { window.setTimeout(resolve, ms); });

// Undefined: no answer came.
async function answerTo(url: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response | undefined> {
  try {
    return await fetch(url, { headers, signal });
  } catch {
    return undefined;
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  let why = `${response.status} ${response.statusText}`;
  try {
    why = String((await response.json()).error ?? why);
  } catch { /* no JSON: the status must do */ }
  return new Refusal(response.status, why);
}

// The content of a page on disk. `replays`: the matches that have a page beside it.
export interface Held { title: string; name: string; leftOut: number; replays: string[]; answers: Record<string, Json> }

export class Gate {
  private late = 0;  // requests that are being repeated

  // `root`: the relative path to the first page, such as "../". `say` shows why data is late; an
  // empty text clears it. `held`: the answers that the page holds, by path; then it makes no
  // requests.
  constructor(private readonly root: string, private readonly say: (text: string) => void, private readonly held?: Record<string, Json>) {}

  // Whether answers may change, and more may come.
  get isLive(): boolean {
    return this.held === undefined;
  }

  routeOf(path: string): string {
    return `${this.root}api/v1/${path}`;
  }

  // Returns the answer, after as many tries as needed. Throws a refusal, as a text for people.
  async get(path: string): Promise<Json> {
    if (this.held !== undefined) return this.held[path] ?? {};
    const response = await this.untilAnswered(this.routeOf(path), { accept: 'application/json' });
    if (!response.ok) throw await refusalOf(response);
    return response.json();
  }

  // Why a route refuses events: undefined if it does not. `over`: the route will have no more
  // events.
  async refusalAt(path: string): Promise<{ refusal?: Refusal; over: boolean }> {
    const stop = new AbortController();
    const response = await this.untilAnswered(this.routeOf(path), { accept: 'text/event-stream' }, stop.signal);
    const refusal = response.ok ? undefined : await refusalOf(response);
    stop.abort();
    return { refusal, over: response.status === 204 };
  }

  private async untilAnswered(url: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    for (let tries = 0; ; ++tries) {
      const response = await answerTo(url, headers, signal);
      if (response !== undefined && response.status !== 429 && response.status !== 503) {
        if (tries > 0 && --this.late === 0) this.say('');
        return response;
      }
      if (tries === 0) ++this.late;
      this.say(response === undefined ? 'The connection is lost; it is tried again.' : 'This takes a moment; it comes by itself.');
      await sleep(waitMs(tries, response));
    }
  }

  // Reads a list page by page, until there are `most` entries. A page on disk returns all that it
  // holds.
  async list(path: string, key: string, most: number): Promise<Json[]> {
    if (!this.isLive) return (await this.get(path))[key] ?? [];
    const all: Json[] = [];
    let token = '';
    do {
      const page = token === '' ? '' : `&page=${encodeURIComponent(token)}`;
      const answer = await this.get(`${path}${path.includes('?') ? '&' : '?'}size=${Math.min(pageSize, most)}${page}`);
      all.push(...(answer[key] ?? []));
      token = String(answer.nextPageToken ?? '');
    } while (token !== '' && all.length < most);
    return all.slice(0, most);
  }

  // Reads a list that this competition may not have.
  async listIfThere(path: string, key: string, most: number): Promise<Json[]> {
    try {
      return await this.list(path, key, most);
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) return [];
      throw error;
    }
  }
}

export class Refusal extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

// The callbacks of a page for events.
export interface Heard {
  on: Record<string, (json: any) => void>;  // by name of the event
  lost(): void;  // the stream broke; the browser reconnects
  refused(refusal: Refusal): void;  // the stream ends with this refusal
}

// The events of a route, until close() or their end. A browser reopens a broken stream, but gives
// up a refused one: this class opens a refused stream again.
export class Events {
  private source?: EventSource;
  private lastId = '';
  private closed = false;
  private tries = 0;

  constructor(private readonly gate: Gate, private readonly path: string, private readonly heard: Heard) {
    this.open();
  }

  close(): void {
    this.closed = true;
    this.source?.close();
  }

  private get here(): string {
    return this.lastId === '' ? this.path : `${this.path}?after=${encodeURIComponent(this.lastId)}`;
  }

  private open(): void {
    const source = new EventSource(this.gate.routeOf(this.here));
    this.source = source;
    for (const [name, take] of Object.entries(this.heard.on)) {
      source.addEventListener(name, (event) => {
        const { data, lastEventId } = event as MessageEvent<string>;
        this.lastId = lastEventId;
        this.tries = 0;
        take(JSON.parse(data));
      });
    }
    source.addEventListener('error', () => {
      if (this.closed) return;
      this.heard.lost();
      if (source.readyState === EventSource.CLOSED) void this.openAgain();
    });
  }

  private async openAgain(): Promise<void> {
    const { refusal, over } = await this.gate.refusalAt(this.here);
    if (this.closed) return;
    if (refusal !== undefined || over) {
      this.closed = true;
      if (refusal !== undefined) this.heard.refused(refusal);
      return;
    }
    await sleep(waitMs(this.tries++));
    if (!this.closed) this.open();
  }
}
