// Options, flags, durations, logs, chance.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { Bot, Client, Logger, Rng } from 'referee-sdk';
import { tlsAdvice, tlsFor } from '../dist/address.js';
import { formatDuration, parseDuration } from '../dist/durations.js';
import { parseCommandLine } from '../dist/flags.js';
import { dialLimit, fullJitter } from '../dist/link.js';
import { settle } from '../dist/options.js';
import { matchSeed, turnChance } from '../dist/rng.js';
import { bin, execute, folderFor, noPrograms } from './programs.js';

const parse = (...args) => parseCommandLine(args, 'bot', { software: 'told' });
const settled = (options, environment = {}) =>
  settle({ address: 'localhost:1', token: 't', ...options }, environment);

test('--help is that of the SDK in C++, and --workers', { skip: noPrograms }, async () => {
  const program = `${bin}/bots/random`;
  const expected = (await execute(program, ['--help'])).stdout.replace(program, 'bot');
  const lines = parse('--help').text.split('\n');
  const own = lines.filter((line) => !line.startsWith('  --workers'));
  const text = own.join('\n');
  assert.match(text, /one for each worker, or for each thread without workers/);
  assert.equal(text.replace('worker, or for each thread without workers', 'thread'), expected);
  assert.equal(lines.length - own.length, 1);
});

test('--version is that of the SDK in C++', { skip: noPrograms }, async () => {
  const { stdout } = await execute(`${bin}/bots/random`, ['--version']);
  assert.equal(parse('--version').text.replace('told', 'random'), stdout);
});

test('flags are read over what the bot says', (context) => {
  const folder = folderFor(context);
  writeFileSync(`${folder}/token`, ' secret \nmore\n');
  const line = parse(
    ...['--address', 'unix:x', '--token-file', `${folder}/token`, '--bot-version=2.0'],
    ...['--max-matches', '64', '--threads', '2', '--workers', '0', '--keep-existing', '--tls'],
    ...['--fleet-domain', 'example.org'],
    ...['--parallel-turns', '32'],
    ...['--give-up-after', '1m30s', '--log-level', 'DEBUG'],
  );
  assert.deepEqual(line.options, {
    software: 'told',
    address: 'unix:x',
    token: 'secret',
    version: '2.0',
    maxMatches: 64,
    parallelTurns: 32,
    threads: 2,
    workers: 0,
    keepsExisting: true,
    tls: true,
    fleetDomain: 'example.org',
    giveUpAfter: 90_000,
    logLevel: 'debug',
  });
});

for (const [args, said] of [
  [['--nonsense'], /--nonsense.*see --help/],
  [['spare'], /spare.*see --help/],
  [['--address'], /--address/],
  [['--threads', 'x'], /Could not convert: --threads = x/],
  [['--give-up-after', 'soon'], /--give-up-after "soon": it must be a duration such as 500ms/],
  [['--token-file', '/nowhere'], /--token-file "\/nowhere": ENOENT: no such file/],
  [['--log-level', 'loud'], /--log-level "loud": it must be debug, info/],
]) {
  test(`${args.join(' ')} is refused`, () => {
    assert.throws(() => parse(...args), { code: 'INVALID_ARGUMENT', message: said });
  });
}

for (const [options, said] of [
  [{ address: '' }, /no address: give --address, or set REFEREE_ADDRESS in the environment/],
  [{ token: '' }, /no token: give --token-file, or set REFEREE_TOKEN in the environment/],
  [{ address: 'here' }, /address "here": write here:7450$/],
  [{ address: 'here:70000' }, /it must be host:port or unix:path/],
  [{ token: 'x'.repeat(257) }, /the token: the token has 257 bytes/],
  [{ version: 'x'.repeat(33) }, /the bot's version has 33 bytes: at most 32/],
  [{ threads: 0 }, /threads is 0: it must be 1 to 1024/],
  [{ maxMatches: 1025 }, /max-matches is 1025: it must be 1 to 1024/],
  [{ parallelTurns: -1 }, /parallel-turns is -1/],
  [{ fleetDomain: 'a b' }, /--fleet-domain "a b": it must be a domain/],
]) {
  test(`options ${JSON.stringify(options).slice(0, 40)} are refused`, () => {
    assert.throws(() => settled(options), { code: 'INVALID_ARGUMENT', message: said });
    class Any extends Bot {}
    assert.throws(() => new Client(Any, { address: 'localhost:1', token: 't', ...options }));
  });
}

test('the environment has what options leave out, but not for who asks for plain text', () => {
  const environment = {
    REFEREE_ADDRESS: 'referee.example.org:7450',
    REFEREE_TOKEN: 'secret',
    REFEREE_TLS_CA: 'ca.pem',
    REFEREE_FLEET_DOMAIN: 'example.org',
  };
  const options = settle({}, environment);
  assert.deepEqual(
    [options.address, options.token, options.tlsCa, options.fleetDomain],
    ['referee.example.org:7450', 'secret', 'ca.pem', 'example.org'],
  );
  assert.equal(settle({ insecure: true }, environment).tlsCa, undefined);
});

test('a bot takes a block, and says that it thinks about a turn for each thread, or worker', () => {
  const of = (options) => {
    const { maxMatches, parallelTurns, workers } = settled(options);
    return [maxMatches, parallelTurns, workers];
  };
  assert.deepEqual(of({}), [8, 1, 1]);
  assert.deepEqual(of({ threads: 12 }), [12, 12, 12]);
  assert.deepEqual(of({ maxMatches: 64, workers: 0 }), [64, 1, 0]);
  assert.deepEqual(of({ maxMatches: 64, threads: 4, workers: 2 }), [64, 2, 2]);
  assert.deepEqual(of({ maxMatches: 64, parallelTurns: 64 }), [64, 0, 1]);
  assert.deepEqual(of({ maxMatches: 2, threads: 4 }), [2, 0, 4]);
  assert.deepEqual(of({ parallelTurns: 9 }), [9, 9, 1]);
});

test('plain text stays on this machine, unless it is asked for', () => {
  const tls = (address, options = {}) => tlsFor({ address, ...options }) !== undefined;
  assert.equal(tls('unix:/run/referee'), false);
  assert.equal(tls('127.0.0.9:1'), false);
  assert.equal(tls('[::1]:1'), false);
  assert.equal(tls('localhost:1', { tls: true }), true);
  assert.equal(tls('example.org:1'), true);
  assert.equal(tls('example.org:1', { insecure: true }), false);
  assert.throws(() => tls('localhost:1', { tlsCert: 'c' }), /--tls-cert without --tls-key/);
  assert.throws(() => tls('localhost:1', { insecure: true, tls: true }), /choose one/);
  assert.throws(() => tls('localhost:1', { tlsCa: '/nowhere' }), /--tls-ca "\/nowhere": cannot/);
  assert.throws(() => tls('localhost:1', { tlsCa: import.meta.filename ?? process.argv[1] }), /PEM/);
  assert.match(tlsAdvice({ address: 'localhost:1' }, 'read ECONNRESET'), /give --tls or --tls-ca/);
});

test('durations are read and written as in the SDK in C++', () => {
  for (const [text, ms] of [
    ['1m30s', 90_000],
    ['1.5s', 1500],
    ['20ms', 20],
    ['1h2m', 3_720_000],
    ['2us', 0.002],
    ['0', 0],
    ['inf', Infinity],
    ['-3s', -3000],
  ]) {
    assert.equal(parseDuration(text), ms);
    assert.equal(formatDuration(ms), text);
  }
  for (const text of ['', '5', 's', '1 s', '1s2', 'soon']) assert.equal(parseDuration(text), undefined);
});

test('backing off doubles, up to ten seconds', () => {
  assert.deepEqual(
    [0, 1, 8, 9, 1000].map((attempt) => fullJitter(attempt, 1)),
    [20, 40, 5120, 10_000, 10_000],
  );
  assert.equal(fullJitter(5, 0), 0);
});

test('a dial may take twice as long after each that failed, up to half a minute', () => {
  const limits = [0, 1, 3, 4, 1000].map((failed) => dialLimit(3000, failed));
  assert.deepEqual(limits, [3000, 6000, 24_000, 30_000, 30_000]);
});

test('chance is that of the other SDKs, and differs in each match of a block', () => {
  const commitment = Uint8Array.from({ length: 32 }, (_, i) => i);
  assert.deepEqual(
    ['ann', 'bob'].map((bot) => turnChance(matchSeed(1, commitment, bot), 7)),
    [1616034103337092269n, 5017184269829859537n],
  );
});

test('chance depends on commitment, seat and turn, and is even', () => {
  const seed = (seat, text) => matchSeed(seat, Buffer.from(text), 'a');
  const numbers = new Set();
  for (const text of ['c', 'd']) {
    for (let seat = 0; seat < 6; ++seat) {
      assert.equal(seed(seat, text), seed(seat, text));
      for (let turn = 1; turn <= 100; ++turn) numbers.add(turnChance(seed(seat, text), turn));
    }
  }
  assert.equal(numbers.size, 1200);
  // The first two are what SplitMix64 gives for 0 and 1.
  assert.deepEqual(
    [turnChance(0n, 0), turnChance(0n, 1)],
    [0xe220a8397b1dcdafn, 0x910a2dec89025cc1n],
  );
  const counts = new Array(10).fill(0);
  const rng = new Rng(seed(1, 'x'));
  for (let i = 0; i < 10_000; ++i) ++counts[rng.below(10)];
  for (const count of counts) assert.ok(count > 850 && count < 1150, String(counts));
});

test('a log has the lines of its level and above', () => {
  const lines = [];
  const log = new Logger('warning', (level, line) => lines.push([level, line])).withPrefix('m: ');
  log.info('no');
  log.warning('yes');
  log.error('yes');
  assert.deepEqual(lines, [
    ['warning', 'm: yes'],
    ['error', 'm: yes'],
  ]);
});
