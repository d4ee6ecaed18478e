// The client as a referee sees it.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import test from 'node:test';
import { Client } from 'referee-sdk';
import { Told } from './bots.js';
import { until } from './programs.js';
import { DURATION, FakeReferee, SEED, sha256 } from './fake_referee.js';
import { begin, drain, logged, play, start, turn } from './play.js';

const folder = mkdtempSync(`${tmpdir()}/referee-client-`);
test.after(() => rmSync(folder, { recursive: true, force: true }));

test('it says who it is, and how much it thinks about at once', () =>
  play({ version: '2.0', software: 'told', games: ['pig'], threads: 2 }, async ({ stream }) => {
    const { hello } = stream;
    assert.equal(hello.token, 't');
    assert.equal(hello.software, 'told');
    assert.equal(hello.version, '2.0');
    assert.deepEqual(hello.games, ['pig']);
    assert.deepEqual([hello.maxMatches, hello.parallelTurns], [8, 2]);
    assert.equal(hello.wantsLegalMoves, true);
  }));

for (const workers of [0, 1]) {
  test(`with ${workers} workers it gets ready and moves`, () =>
    play({ workers }, async ({ stream }) => {
      stream.say(start('m'));
      assert.equal((await stream.hear('ready')).matchId, 'm');
      stream.say(turn('m', 'play best', { turn: 3, request: 2 }));
      const move = await stream.hear('move');
      assert.deepEqual(move, {
        matchId: 'm',
        turn: 3,
        move: { notation: 'best', hypnosia: undefined, isaac: undefined },
        request: 2,
      });
      stream.say(turn('m', 'wait', { turn: 4 }));
      assert.equal((await stream.hear('move')).move.notation, 'waited');
      stream.say(turn('m', 'left', { turn: 5 }));
      assert.equal((await stream.hear('move')).move.notation, 'some');
    }));

  test(`with ${workers} workers a bot that throws as a match starts resigns it`, () =>
    play({ workers }, async ({ stream }) => {
      stream.say(start('broken'));
      assert.equal((await stream.hear('resign')).matchId, 'broken');
    }));
}

test('a Ping is answered while a worker thinks', () =>
  play({ workers: 1 }, async ({ stream }) => {
    await begin(stream);
    const done = `${folder}/done`;
    stream.say(turn('m', `think ${done}`), { ping: { number: 7n } });
    assert.equal((await stream.hear('pong')).number, 7n);
    stream.say({ ping: { number: 8n } });
    assert.equal((await stream.hear('pong')).number, 8n);
    writeFileSync(done, '');
    assert.equal((await stream.hear('move')).move.notation, 'thought 1');
  }));

test('a worker that dies costs the matches that it had, and is replaced', () =>
  play({ workers: 1 }, async ({ stream, lines }) => {
    await begin(stream);
    stream.say(turn('m', 'exit'));
    assert.equal((await stream.hear('resign')).matchId, 'm');
    assert.match(lines.join('\n'), /a worker has ended; 1 matches that it had are resigned/);
    await begin(stream, 'n');
  }));

test('no proxy of the environment is asked', async (context) => {
  const proxy = await FakeReferee.start();
  context.after(() => proxy.stop());
  const names = ['http_proxy', 'https_proxy', 'all_proxy', 'grpc_proxy'];
  for (const name of names.flatMap((one) => [one, one.toUpperCase()])) {
    const before = process.env[name];
    process.env[name] = `http://${proxy.address}`;
    context.after(() => (before === undefined ? delete process.env[name] : (process.env[name] = before)));
  }
  await play({}, async ({ stream }) => assert.equal(stream.hello.token, 't'));
  assert.equal(proxy.opened, 0);
});

test('replies that are ready together go out together', (context) =>
  play({ maxMatches: 64 }, async ({ stream }) => {
    const ids = Array.from({ length: 64 }, (_, i) => `m${i}`);
    stream.say(...ids.map((id) => start(id)));
    for (const _ of ids) await stream.hear('ready');
    // On a clock that stands still every move is quick, however slow this machine is.
    const time = process.hrtime();
    context.mock.method(process, 'hrtime', () => time);
    const before = stream.messages;
    stream.say(...ids.map((id) => turn(id, 'play on')));
    for (const _ of ids) await stream.hear('move');
    assert.equal(stream.messages - before, 1, 'messages for 64 moves');
  }));

test('a bot that blocks the event loop does not take its referee for silent', () =>
  play({ limits: { keepalive: { silence: 60, answer: 40 } } }, async ({ stream, referee }) => {
    await begin(stream);
    for (let number = 1; number <= 3; ++number) {
      stream.say(turn('m', 'loop 200', { turn: number }));
      assert.equal((await stream.hear('move')).turn, number);
    }
    assert.equal(referee.opened, 1);
  }));

test('a turn that is asked again after a lost link is not thought about twice', () =>
  play({ workers: 1 }, async ({ stream, referee }) => {
    await begin(stream);
    const done = `${folder}/again`;
    stream.say(turn('m', `think ${done}`, { turn: 2 }));
    referee.cut();
    const second = await referee.accept();
    second.say(start('m', { start: { readyLimit: undefined } }));
    second.say(turn('m', `think ${done}`, { turn: 2 }));
    writeFileSync(done, '');
    assert.equal((await second.hear('move')).move.notation, 'thought 1');
    second.say({ ping: { number: 1n } });
    await second.hear('pong'); // and no second move before it
    second.say(turn('m', `think ${done}`, { turn: 2, request: 1 }));
    const again = await second.hear('move');
    assert.deepEqual([again.move.notation, again.request], ['thought 1', 1]);
  }));

test('after an illegal move the bot is asked the same turn again', () =>
  play({ workers: 1 }, async ({ stream }) => {
    await begin(stream);
    stream.say(turn('m', 'play first', { turn: 2 }));
    assert.equal((await stream.hear('move')).turn, 2);
    stream.say({ fault: { matchId: 'm', turn: 2, kind: 6, message: 'illegal' } });
    const again = await stream.hear('move');
    assert.deepEqual([again.move.notation, again.turn], ['first', 2]);
  }));

test('a request that another has taken the place of is not answered', () =>
  play({ workers: 1 }, async ({ stream }) => {
    await begin(stream);
    const done = `${folder}/replaced`;
    stream.say(turn('m', `think ${done}`));
    await until('a thought', async () => existsSync(`${done}.begun`), (begun) => begun);
    stream.say(turn('m', 'play second', { request: 1 }));
    stream.say({ ping: { number: 1n } });
    await stream.hear('pong');
    writeFileSync(done, '');
    const move = await stream.hear('move');
    assert.deepEqual([move.move.notation, move.request], ['second', 1]);
  }));

test('a nonce is told in two steps, and revealed only if its hash is in the seat', () =>
  play({}, async ({ stream, lines }) => {
    stream.say(start('m', { match: { pinned: false } }));
    const { nonceHash } = await stream.hear('ready');
    assert.equal(nonceHash.length, 32);
    const reveal = (nonceHashes) => ({ revealNonce: { matchId: 'm', nonceHashes } });
    stream.say(reveal([nonceHash, sha256('other')]));
    const { nonce } = await stream.hear('nonce');
    assert.deepEqual(sha256(nonce), Buffer.from(nonceHash));
    // Hashes of others that are not those of before.
    stream.say(reveal([nonceHash, sha256('chosen')]), { ping: { number: 1n } });
    await stream.hear('pong');
    assert.match(lines.join('\n'), /error match m: THE DICE DO NOT FIT.*its nonce stays secret/);
  }));

test('a nonce whose hash another has in its place stays secret', () =>
  play({}, async ({ stream, lines }) => {
    stream.say(start('m', { match: { pinned: false } }));
    await stream.hear('ready');
    const nonceHashes = [sha256('chosen'), sha256('other')];
    stream.say({ revealNonce: { matchId: 'm', nonceHashes } }, { ping: { number: 1n } });
    await stream.hear('pong');
    assert.match(lines.join('\n'), /error match m: THE DICE DO NOT FIT.*its nonce stays secret/);
  }));

test('a nonce that another process of the bot drew is lost, and that is no mismatch', () =>
  play({}, async ({ stream, lines }) => {
    // The hashes were told before this process came.
    stream.say({ matchStart: { match: { matchId: 'm', pinned: false } } });
    const nonceHashes = [sha256('lost'), sha256('other')];
    stream.say({ revealNonce: { matchId: 'm', nonceHashes } }, { ping: { number: 1n } });
    await stream.hear('pong');
    assert.match(lines.join('\n'), /warning match m: the nonce .* was drawn by another process/);
    assert.doesNotMatch(lines.join('\n'), /DICE DO NOT FIT/);
  }));

test('dice that do not fit end in DATA_LOSS', () =>
  play({}, async ({ stream, ended }) => {
    await begin(stream);
    await drain(stream, { matchEnd: { matchId: 'm', verdict: { seed: Buffer.alloc(32, 8) } } });
    await assert.rejects(ended, { code: 'DATA_LOSS', message: /the dice of 1 match did not fit/ });
  }));

test('rolls that do not follow from the key are noticed', () =>
  play({}, async ({ stream, lines, ended }) => {
    stream.say(start('m', { match: { game: 'hypnosia' } }));
    await stream.hear('ready');
    stream.say({ turnPlayed: { matchId: 'm', dice: [6, 6] } });
    stream.say({ turnPlayed: { matchId: 'm', turn: 2, dice: [6, 6] } });
    await drain(stream, { matchEnd: { matchId: 'm', verdict: { seed: SEED } } });
    await assert.rejects(ended, { code: 'DATA_LOSS' });
    assert.match(lines.join('\n'), /in turn [12] seat 1 had the dice 6 6, but the key gives/);
  }));

test('it comes back to a referee that drains to return, and ends with one that does not', () =>
  play({}, async ({ stream, referee, ended, lines }) => {
    stream.say({ draining: { timeLeft: DURATION(1500), willReturn: true } });
    await stream.end();
    await drain(await referee.accept());
    await ended;
    assert.match(lines.join('\n'), /running matches have 1.5s; it will be back/);
  }));

for (const [number, code, said] of [
  [16, 'UNAUTHENTICATED', /does not know this bot's token: who\?/],
  [7, 'PERMISSION_DENIED', /does not admit this bot/],
  [3, 'INVALID_ARGUMENT', /did not understand this bot/],
  [10, 'ABORTED', /took its place/],
  [12, 'UNIMPLEMENTED', /is not a referee/],
]) {
  test(`${code} is final`, () =>
    play({}, async ({ stream, ended }) => {
      await stream.end(number, 'who?');
      await assert.rejects(ended, { code, message: said });
    }));
}

test('a message that makes no sense ends the stream, not the bot', () =>
  play({}, async ({ stream, referee, lines }) => {
    stream.sayBytes(Buffer.from([0x0a, 0xff]));
    await referee.accept();
    assert.match(lines.join('\n'), /lost the referee at .*: cannot read what the referee says/);
  }));

test('kinds that it does not know are passed over', () =>
  play({}, async ({ stream }) => {
    // A field of PlayResponse, and a kind of item, that there are not.
    stream.sayBytes(Buffer.from([0x3a, 0x01, 0x00, 0x0a, 0x04, 0xba, 0x3e, 0x01, 0x00]));
    stream.say({ ping: { number: 5n } });
    assert.equal((await stream.hear('pong')).number, 5n);
  }));

test('any other status is tried again', () =>
  play({}, async ({ stream, referee, lines }) => {
    await stream.end(8, 'too many versions');
    await referee.accept();
    assert.match(lines.join('\n'), /lost the referee at .*: too many versions; trying again in/);
  }));

test('after giveUpAfter it is UNAVAILABLE', async () => {
  const options = { address: '127.0.0.1:1', token: 't', workers: 0, giveUpAfter: 30 };
  const client = new Client(Told, { ...options, logLevel: 'none', backoff: () => 10 });
  await assert.rejects(client.run(), { code: 'UNAVAILABLE', message: /cannot reach a referee at/ });
});

test('notices, faults and forfeits are in the log', () =>
  play({}, async ({ stream, lines }) => {
    await begin(stream);
    stream.say({ notice: { text: 'take more matches' } });
    stream.say({ fault: { kind: 2, message: 'late', matchId: 'm' } });
    stream.say({
      seatForfeited: { matchId: 'm', seat: 0, cause: 1, turn: 4, detail: 'used 1 s of 500 ms' },
    });
    stream.say({ matchEnd: { matchId: 'm' } }, { ping: { number: 1n } });
    await stream.hear('pong');
    const log = lines.join('\n');
    assert.match(log, /warning the referee says: take more matches/);
    assert.match(log, /warning the referee objects: late \(match m\)/);
    assert.match(log, /warning match m: this bot forfeits in turn 4, TIMEOUT: used 1 s of 500 ms/);
    assert.match(log, /info match m: ended: OVER; won by us; scores: us 1, them 0/);
  }));

test('a match that ended while the link was lost is told to the bot', async () => {
  const ended = [];
  class Watcher extends Told {
    onMatchEnd(match, verdict) {
      ended.push([match.id, verdict.state]);
    }
  }
  await play({ bot: Watcher, limits: { retelling: 50 } }, async ({ stream, referee, lines }) => {
    await begin(stream);
    await begin(stream, 'n');
    referee.cut();
    const second = await referee.accept();
    await begin(second, 'n');
    assert.deepEqual(ended, []);
    await logged(lines, /match m: ended while the link was lost/);
    assert.deepEqual(ended, [['m', 0]]);
    second.say(turn('n'));
    await second.hear('move');
  });
});

test('what is said in several chunks, or much at once, is heard', () =>
  play({ maxMatches: 1024 }, async ({ stream }) => {
    const ids = Array.from({ length: 1000 }, (_, i) => `m${i}`);
    stream.say(...ids.map((id) => start(id)));
    for (const _ of ids) await stream.hear('ready');
    const long = 'x'.repeat(2000);
    stream.say(...ids.map((id) => turn(id, `play ${long}`)));
    const sent = long.slice(0, 320);
    for (const _ of ids) assert.equal((await stream.hear('move')).move.notation, sent);
  }));
