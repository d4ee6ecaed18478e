// Where a thread is that does not return: its stack, by Node's inspector. Asks nothing of the thread,
// which may be in an endless loop.

import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';

/** How often it is looked whether a thread waits, which takes no step at which it could stop; in ms. */
const LOOK = 300;
/** How long a thread that does not wait may take to stop: a busy machine may give it no time; in ms. */
const PATIENCE = 30_000;
const MOST_FRAMES = 30;

const OWN = new URL('.', import.meta.url).href;

interface Said {
  readonly functionName: string;
  readonly location: {
    readonly scriptId: string;
    readonly lineNumber: number;
    readonly columnNumber?: number;
  };
}

type Frame = Said & { readonly url: string };

/** The debugger of a thread. */
interface Debugger {
  send(method: string): void;
  /** Has `notify` called with what the debugger says. */
  listen(notify: (method: string, params: unknown) => void): void;
  close(): void;
}

function line({ functionName, url, location }: Frame): string {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const where = `${file}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1}`;
  return `    at ${functionName ? `${functionName} (${where})` : where}`;
}

/** The bot's part of a stack; empty if there is none. */
function stackText(frames: readonly Frame[]): string {
  const own = frames.findIndex(({ url }) => url.startsWith(OWN));
  const bots = (own < 0 ? frames : frames.slice(0, own)).filter(({ url }) => !/^node:|^$/.test(url));
  return bots.slice(0, MOST_FRAMES).map(line).join('\n');
}

/** Stops a thread for a moment. Resolves to its stack; empty if it waits, or is not in the bot. */
function pausedStack(debug: Debugger, waits: () => boolean): Promise<string> {
  return new Promise((resolve) => {
    const done = (stack: string) => {
      clearInterval(timer);
      debug.send('Debugger.resume');
      debug.send('Debugger.disable');
      debug.close();
      resolve(stack);
    };
    let looks = 0;
    const timer = setInterval(() => {
      if (waits() || ++looks * LOOK >= PATIENCE) done('');
    }, LOOK);
    const scripts = new Map<string, string>(); // their URLs, which frames do not have
    debug.listen((method, params) => {
      if (method === 'Debugger.scriptParsed') {
        const { scriptId, url } = params as { scriptId: string; url: string };
        scripts.set(scriptId, url);
      } else if (method === 'Debugger.paused') {
        const { callFrames } = params as { callFrames: Said[] };
        const url = ({ location }: Said) => scripts.get(location.scriptId) ?? '';
        done(stackText(callFrames.map((frame) => ({ ...frame, url: url(frame) }))));
      }
    });
    debug.send('Debugger.enable');
    debug.send('Debugger.pause');
  });
}

type Post = (method: string, params?: object) => void;
type Listen = (event: string, listener: (message: { method: string; params: unknown }) => void) => void;

interface Session {
  connect(): void;
  connectToMainThread(): void;
  disconnect(): void;
  post: Post;
  on: Listen;
}

/** Undefined where Node has no inspector, or somebody debugs the bot. */
async function newSession(): Promise<Session | undefined> {
  try {
    const inspector = await import('node:inspector');
    return inspector.url() ? undefined : (new inspector.Session() as unknown as Session);
  } catch {
    return undefined;
  }
}

/**
 * The stack of the main thread, asked for from another one; undefined if it cannot be seen. `waits`
 * says whether the thread has left what it was in.
 */
export async function stackOfMainThread(waits: () => boolean): Promise<string | undefined> {
  const session = await newSession();
  if (!session) return undefined;
  session.connectToMainThread();
  const debug: Debugger = {
    send: (method) => session.post(method),
    listen: (notify) =>
      session.on('inspectorNotification', ({ method, params }) => notify(method, params)),
    close: () => session.disconnect(),
  };
  return pausedStack(debug, waits);
}

interface Attached {
  readonly sessionId: string;
  readonly workerInfo: { readonly title: string };
}

/** The stack of a worker thread, asked for from the main thread; undefined if it cannot be seen. */
export async function stackOfWorker(worker: Worker): Promise<string | undefined> {
  const { threadId } = worker;
  const before = worker.performance.eventLoopUtilization();
  // One that has ended takes no step, either.
  const waits = () =>
    worker.threadId < 0 || worker.performance.eventLoopUtilization(before).idle > 0;
  const session = await newSession();
  if (!session) return undefined;
  session.connect();
  const sessionId = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE, undefined);
    session.on('NodeWorker.attachedToWorker', ({ params }) => {
      const { sessionId: id, workerInfo } = params as Attached;
      if (!workerInfo.title.includes(`[worker ${threadId}]`)) return;
      clearTimeout(timer);
      resolve(id);
    });
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  });
  const close = () => {
    session.post('NodeWorker.disable');
    session.disconnect();
  };
  if (sessionId === undefined) {
    close();
    return undefined;
  }
  let sent = 0;
  const debug: Debugger = {
    send: (method) => {
      const message = JSON.stringify({ id: ++sent, method });
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    },
    listen: (notify) =>
      session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
        const { message } = params as { message: string };
        const { method, params: said } = JSON.parse(message) as { method: string; params: unknown };
        notify(method, said);
      }),
    close,
  };
  return pausedStack(debug, waits);
}
