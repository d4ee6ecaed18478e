// A client that plays for a referee that says what a test tells it to.
import { Client } from 'referee-sdk';
import { LIMITS } from '../dist/link.js';
import { Told } from './bots.js';
import { DURATION, FakeReferee } from './fake_referee.js';
import { until } from './programs.js';

const BOTS = new URL('bots.js', import.meta.url).href;

export const start = (matchId, more = {}) => ({
  matchStart: { match: { matchId, ...more.match }, readyLimit: DURATION(10_000), ...more.start },
});
export const turn = (matchId, positionText = 'p', more = {}) => ({
  turnRequest: { matchId, positionText, ...more },
});
export const end = (matchId) => ({ matchEnd: { matchId } });

/** Starts a match; resolves once the bot is ready. */
export async function begin(stream, matchId = 'm') {
  stream.say(start(matchId));
  const ready = await stream.hear('ready');
  if (ready.matchId !== matchId) throw new Error(`ready for ${ready.matchId}, not ${matchId}`);
}

/** Ends the referee's side for good, after these items. */
export function drain(stream, ...items) {
  stream.say(...items, { draining: { timeLeft: DURATION(0), willReturn: false } });
  return stream.end();
}

/** Waits until the log has this; the whole log then. */
export const logged = (lines, what) =>
  until('the log', async () => lines.join('\n'), (text) => what.test(text));

/**
 * Runs `body` with a client that is connected to the first of as many referees as asked for, or to
 * one; stops them all.
 */
export async function play({ bot = Told, referees = 1, welcomed = true, limits, ...options }, body) {
  const all = await Promise.all(Array.from({ length: referees }, () => FakeReferee.start()));
  const lines = [];
  const logSink = (level, line) => lines.push(`${level} ${line}`);
  const [referee] = all;
  const given = { address: referee.address, token: 't', workers: 0, backoff: () => 5, logSink };
  const client = new Client(bot, { ...given, ...options }, BOTS, { ...LIMITS, ...limits });
  const ended = client.run();
  ended.catch(() => {});
  try {
    const stream = await (welcomed ? referee.accept() : referee.open());
    await body({ referee, all, client, ended, lines, stream });
  } finally {
    client.stop();
    await ended.catch(() => {});
    await Promise.all(all.map((one) => one.stop()));
  }
}
