// Where a thread is that does not return: its stack, by Node's inspector. Asks nothing of the thread,
// which may be in an endless loop.

import type { Debugger, InspectorNotification, Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';

/** How often it is looked whether a thread waits, which takes no step at which it could stop; in ms. */
const LOOK = 300;
/** How long a thread that does not wait may take to stop: a busy machine may give it no time; in ms. */
const PATIENCE = 30_000;
const MOST_FRAMES = 30;

const OWN = new URL('.', import.meta.url).href;

type Frame = Debugger.CallFrame;

/** What a debugger reports of a thread. */
type Report = (method: string, params: unknown) => void;

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

/**
 * Stops a thread for a moment. Resolves to its stack; empty if it waits, or is not in the bot. `send`
 * sends a command to its debugger, `listen` has a function called with what that reports, and `close`
 * ends the session.
 */
function pausedStack(
  send: (method: string) => void,
  listen: (report: Report) => void,
  close: () => void,
  waits: () => boolean,
): Promise<string> {
  return new Promise((resolve) => {
    const done = (stack: string) => {
      clearInterval(timer);
      send('Debugger.resume');
      send('Debugger.disable');
      close();
      resolve(stack);
    };
    let looks = 0;
    const timer = setInterval(() => {
      if (waits() || ++looks * LOOK >= PATIENCE) done('');
    }, LOOK);
    const scripts = new Map<string, string>(); // their URLs, which frames do not have
    listen((method, params) => {
      if (method === 'Debugger.scriptParsed') {
        const { scriptId, url } = params as Debugger.ScriptParsedEventDataType;
        scripts.set(scriptId, url);
      } else if (method === 'Debugger.paused') {
        const { callFrames } = params as Debugger.PausedEventDataType;
        const url = ({ location }: Frame) => scripts.get(location.scriptId) ?? '';
        done(stackText(callFrames.map((frame) => ({ ...frame, url: url(frame) }))));
      }
    });
    send('Debugger.enable');
    send('Debugger.pause');
  });
}

/** Undefined where Node has no inspector, or somebody debugs the bot. */
async function newSession(): Promise<Session | undefined> {
  try {
    const inspector = await import('node:inspector');
    return inspector.url() ? undefined : new inspector.Session();
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
  return pausedStack(
    (method) => session.post(method),
    (report) =>
      session.on('inspectorNotification', ({ method, params }) => report(method, params)),
    () => session.disconnect(),
    waits,
  );
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
      if (!params.workerInfo.title.includes(`[worker ${threadId}]`)) return;
      clearTimeout(timer);
      resolve(params.sessionId);
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
  let id = 0;
  const send = (method: string) => {
    const message = JSON.stringify({ id: ++id, method });
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
  };
  const listen = (report: Report) =>
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
      const { method, params: reported } = JSON.parse(params.message) as InspectorNotification<unknown>;
      report(method, reported);
    });
  return pausedStack(send, listen, close, waits);
}
