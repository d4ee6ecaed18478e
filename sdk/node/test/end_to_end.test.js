// Bots with the real referee.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { bin, execute, folderFor, noPrograms, refctl, Running, sampleBots, until } from './programs.js';

const skip = noPrograms;
const random = `node ${sampleBots}random.js`;
const leader = `node ${sampleBots}leader.js`;

const duel = async (game, bots, ...more) =>
  JSON.parse(
    await refctl([
      ...['duel', '--game', game, '--seed', '1', '--time', '10s', '--json', '--quiet'],
      ...['--fail-on-forfeit', ...bots.flatMap((bot) => ['--bot', bot]), ...more],
    ]),
  );

/** What of a duel depends on the moves alone. */
const played = ({ matches }) => matches.map(({ reason, seats }) => [reason, seats.map((s) => [s.score, s.moves])]);

for (const [game, seats] of [
  ['hypnosia', 2],
  ['hypnosia', 6],
  ['isaac', 2],
]) {
  test(`random plays ${game} of ${seats} as random of the SDK in C++ does`, { skip }, async () => {
    const all = (bot) => Array.from({ length: seats }, (_, i) => `bot${i}=${bot}`);
    const more = ['--matches', '6'];
    const mixed = [...all(random).slice(0, 1), ...all(`${random} --workers 2`).slice(1)];
    const [ours, theirs] = await Promise.all([
      duel(game, mixed, ...more),
      duel(game, all(`${bin}/bots/random`), ...more),
    ]);
    assert.deepEqual(played(ours), played(theirs));
  });
}

for (const [game, seats] of [
  ['hypnosia', 4],
  ['isaac', 2],
]) {
  test(`${game}: what a turn has is what the rules say`, { skip }, async () => {
    const checker = `node ${new URL('checker.js', import.meta.url).pathname}`;
    const bots = Array.from({ length: seats }, (_, i) => `bot${i}=${checker}`);
    await duel(game, bots, '--matches', '4');
  });
}

for (const game of ['hypnosia', 'isaac']) {
  test(`leader, which knows the rules, beats random at ${game}`, { skip }, async () => {
    const { bots } = await duel(game, [`leader=${leader}`, `random=${random}`], '--matches', '40');
    assert.ok(bots[0].wins > 26, `${bots[0].wins} wins of 40`);
  });
}

for (const bot of [random, leader]) {
  test(`the doctor finds nothing wrong with ${bot}`, { skip }, async () => {
    const { status, stdout } = await execute(`${bin}/refctl`, ['doctor', '--json', '--bot', bot]);
    assert.deepEqual(JSON.parse(stdout).checks.filter(({ verdict }) => verdict === 'fail'), []);
    assert.equal(status, 0);
  });
}

test('a bot that thinks too long forfeits, and its log says why', { skip }, async (context) => {
  const folder = folderFor(context);
  await refctl([
    ...['duel', '--game', 'isaac', '--matches', '1', '--time', '50ms', '--quiet'],
    ...['--bot', `slow=node ${new URL('slow.js', import.meta.url).pathname}`, '--bot', random],
    ...['--bot-logs', folder],
  ]);
  assert.match(readFileSync(`${folder}/slow.log`, 'utf8'), /this bot forfeits in turn \d+, TIMEOUT/);
});

// --- A referee that goes on ---

/** Starts a referee in a folder; `restart` kills it and starts another. */
class Referee {
  constructor(folder, address = `unix:${folder}/referee`, ...flags) {
    this.flags = ['--data-dir', `${folder}/data`, '--listen', address, ...flags];
    this.environment = { REFEREE_ADDRESS: address };
    this.running = new Running(`${bin}/refereed`, this.flags);
  }

  async restart() {
    await this.running.end('SIGKILL');
    this.running = new Running(`${bin}/refereed`, this.flags);
  }

  /** Makes an account; its token. */
  async account(name, role) {
    const args = ['bot', 'add', name, '--role', role];
    const organiser = this.environment.REFEREE_TOKEN;
    const how = organiser ? [] : ['--data-dir', this.flags[1]];
    const { REFEREE_ADDRESS, ...others } = this.environment;
    return (await refctl([...args, ...how], organiser ? this.environment : others)).trim();
  }
}

test('a ladder goes on after the referee and a bot were killed', { skip }, async (context) => {
  const folder = folderFor(context);
  const referee = new Referee(folder);
  const bots = [];
  context.after(() => Promise.all([referee.running, ...bots].map((one) => one.end('SIGKILL'))));
  referee.environment.REFEREE_TOKEN = await referee.account('olga', 'organiser');
  const join = (token, ...flags) => {
    const environment = { ...referee.environment, REFEREE_TOKEN: token };
    bots.push(new Running('node', [`${sampleBots}random.js`, '--max-matches', '8', ...flags], environment));
    return bots.at(-1);
  };
  const tokens = [];
  for (const name of ['ann', 'bob']) tokens.push(await referee.account(name, 'bot'));
  const [ann] = [join(tokens[0], '--workers', '1'), join(tokens[1])];
  const competition = ['spring', '--format', 'ladder', '--game', 'hypnosia', '--bots', 'ann,bob'];
  const more = ['--pace', '6000', '--time', '5s', '--start'];
  await refctl(['competition', 'create', ...competition, ...more], referee.environment);
  const counted = async () => {
    const { stdout } = await execute(
      `${bin}/refctl`,
      ['competition', 'show', 'spring', '--json'],
      referee.environment,
    );
    return Number(/"blocks_counted":"?(\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  };

  const before = await until('blocks', counted, (blocks) => blocks >= 2);
  await referee.restart();
  const after = await until('blocks of another referee', counted, (blocks) => blocks >= before + 2);
  await ann.end('SIGKILL');
  join(tokens[0]);
  await until('blocks of another bot', counted, (blocks) => blocks >= after + 2);
  // The dice of a ladder are committed: the bots had a part in them, and checked them.
  for (const bot of bots) assert.doesNotMatch(bot.stderr, /DICE DO NOT FIT|threw|objects/);
  assert.match(ann.stderr, /lost the referee at .*; trying again in/);
  assert.equal(await bots[1].end(), 0, 'SIGTERM is a good end');
});

test('over TLS with certificates of both sides', { skip }, async (context) => {
  const folder = folderFor(context);
  const openssl = (...args) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    ...['req', '-x509', ...key, '-days', '2', '-subj', '/CN=referee'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', 'key.pem', '-out', 'cert.pem'],
  );
  const files = ['--tls-cert', 'cert', '--tls-key', 'key', '--tls-client-ca', 'cert'];
  const pem = (name) => (name.startsWith('--') ? name : `${folder}/${name}.pem`);
  const referee = new Referee(folder, '127.0.0.1:0', ...files.map(pem));
  context.after(() => referee.running.end('SIGKILL'));
  const ready = /ready: listening on ([\d.:]+)/;
  const said = await until('the referee', async () => referee.running.stderr, (text) => ready.test(text));
  const [, address] = ready.exec(said);
  const token = await referee.account('ann', 'bot');
  const tls = ['--tls-ca', `${folder}/cert.pem`];
  const own = ['--tls-cert', `${folder}/cert.pem`, '--tls-key', `${folder}/key.pem`];
  const bot = (...flags) => {
    const args = [`${sampleBots}random.js`, '--address', address, ...flags];
    const running = new Running('node', args, { REFEREE_TOKEN: token });
    context.after(() => running.end('SIGKILL'));
    return running;
  };
  const says = (running, what) => until(String(what), async () => running.stderr, (text) => what.test(text));

  await says(bot(...tls, ...own), /connected to refereed .* as ann/);
  await says(bot('--tls'), /self.signed certificate.*name the file with that in --tls-ca/);
  await says(bot(...tls), /cannot reach .*if it asks for a certificate, give --tls-cert and --tls-key/);
  await says(bot(), /cannot reach .*if it wants TLS, give --tls or --tls-ca/);
});

test('an unknown token ends with status 2', { skip }, async (context) => {
  const folder = folderFor(context);
  const referee = new Referee(folder);
  context.after(() => referee.running.end('SIGKILL'));
  const bot = new Running('node', [`${sampleBots}random.js`], {
    ...referee.environment,
    REFEREE_TOKEN: 'rfb_nobody',
  });
  assert.equal(await bot.exited, 2);
  assert.match(bot.stderr, /random.js: the referee at unix:.* does not know this bot's token/);
});
