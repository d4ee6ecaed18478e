// The answers of refgate: referee/gate/GATE.md has its routes. A page from disk holds the answers that it
// needs. Elsewhere what is refused as too much at once, or does not arrive, is asked again until it does:
// a spectator has only to wait.
import { Json } from './view.js';

const pageSize = 100;
const leastWaitMs = 500, mostWaitMs = 30000;

// How long to wait after so many tries in vain; not the same for all pages.
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

// What a page from disk holds; `replays`: the matches that have a page beside it.
export interface Held { title: string; name: string; leftOut: number; replays: string[]; answers: Record<string, Json> }

export class Gate {
  private late = 0;  // requests that are asked again

  // `root`: where the first page is, from here, as "../". `say` shows why nothing comes; or nothing.
  // `held`: the answers that the page holds, by path; it asks for no others.
  constructor(private readonly root: string, private readonly say: (text: string) => void, private readonly held?: Record<string, Json>) {}

  // Whether answers may change, and there may be more of them.
  get isLive(): boolean {
    return this.held === undefined;
  }

  routeOf(path: string): string {
    return `${this.root}api/v1/${path}`;
  }

  // The answer, however often it has to be asked for. Throws what is wrong, in words.
  async get(path: string): Promise<Json> {
    if (this.held !== undefined) return this.held[path] ?? {};
    const response = await this.untilAnswered(this.routeOf(path), { accept: 'application/json' });
    if (!response.ok) throw await refusalOf(response);
    return response.json();
  }

  // Why there are no events at a route: undefined if there are some, or there will be no more.
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

  // Page after page of a list, until there are `most`; all that a page from disk holds.
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

  // A list that this competition may not have.
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

// What a page does with events.
export interface Heard {
  on: Record<string, (json: any) => void>;  // by name
  lost(): void;  // the stream broke; it comes back by itself
  refused(refusal: Refusal): void;  // and ends with that
}

// The events of a route, until it is closed or they are over. A browser takes up a stream that broke, but
// gives one up that was refused: that one is begun again here.
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
