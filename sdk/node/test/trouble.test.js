// Bots that throw, are late, or are none: what their author, and the referee, are told.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { Bot, Client, Logger } from 'referee-sdk';
import { now } from '../dist/clock.js';
import { Watch } from '../dist/watch.js';
import { Told } from './bots.js';
import { DURATION, FakeReferee } from './fake_referee.js';
import { begin, logged, play as playing, start, turn } from './play.js';
import { execute, folderFor, Running, until } from './programs.js';

/** Runs `body` with a client that has begun match m. */
const play = (options, body) =>
  playing(options, async (all) => {
    await begin(all.stream);
    await body(all);
  });

for (const workers of [0, 1]) {
  for (const [what, reason] of [
    ['throw', /^Error: out of ideas$/],
    ['reject', /^Error: out of ideas, later$/],
    ['nothing', /^TypeError: chooseTurn returned nothing$/],
    ['odd', /^threw .*Symbol/],
    ['lines', /^OddError: two lines \?x\? é{80,90}$/],
    ['huge', /^RangeError: chooseTurn returned a move of \d+ bytes, which no game has$/],
    ['exit', /^the worker thread of this match has ended$/],
  ]) {
    if (what === 'exit' && workers === 0) continue;
    test(`with ${workers} workers a bot that does ${what} resigns that match with the reason`, () =>
      play({ workers, maxMatches: 2 }, async ({ stream, referee, lines }) => {
        if (what !== 'exit') await begin(stream, 'n');
        stream.say(turn('m', what));
        const told = await stream.hear('resign');
        assert.equal(told.matchId, 'm');
        assert.match(told.reason, reason);
        assert.ok(Buffer.byteLength(told.reason) <= 200);
        if (what === 'exit') return assert.match(lines.join('\n'), /1 matches that it had are resigned/);
        stream.say(turn('n', 'play on'), turn('m', 'play on', { turn: 2 }));
        assert.equal((await stream.hear('move')).matchId, 'n');
        referee.cut();
        const again = await referee.accept();
        again.say(start('m'));
        assert.equal((await again.hear('resign')).reason, told.reason);
      }));
  }

  test(`with ${workers} workers notation of 350 kB is a move, and no lost link`, () =>
    play({ workers }, async ({ stream }) => {
      stream.say(turn('m', 'long'));
      const { notation } = (await stream.hear('move')).move;
      assert.match(notation, /^5:L2>A35:L2>A3/);
      assert.ok(notation.length > 256 && notation.length <= 320);
    }));
}

test('a stack is logged once, however many matches it costs', () =>
  play({ maxMatches: 3 }, async ({ stream, lines }) => {
    await begin(stream, 'n');
    stream.say(turn('m', 'throw'), turn('n', 'throw'));
    await stream.hear('resign');
    await stream.hear('resign');
    const told = lines.join('\n');
    assert.equal(told.split('chooseTurn threw:').length, 2);
    assert.match(told, /match [mn]: chooseTurn threw:\nError: out of ideas\n +at Told.chooseTurn /);
    assert.doesNotMatch(told, /caller\.js/);
    for (const match of ['m', 'n']) assert.match(told, new RegExp(`match ${match} is resigned: Error: out`));
  }));

test('a promise that is kept late is in the log once its time is up', () =>
  play({}, async ({ stream, lines }) => {
    stream.say(turn('m', 'late', { turn: 3, limit: DURATION(50) }));
    const told = await logged(lines, /time is up/);
    assert.match(told, /warning match m: turn 3: the time is up, and the bot has not answered in \d+ms; it waits for something, or has not begun/);
  }));

test('so is one of a worker', () =>
  play({ workers: 1 }, async ({ stream, lines }) => {
    stream.say(turn('m', 'late 2000', { limit: DURATION(50) }));
    const told = await logged(lines, /time is up/);
    assert.match(told, /; it waits for something, or has not begun/);
    await begin(stream, 'n');
  }));

test('a worker in a loop has its stack in the log, and goes on', () =>
  play({ workers: 2, maxMatches: 2 }, async ({ stream, lines }) => {
    await begin(stream, 'n');
    // Long enough for the worker to begin, also on a busy machine.
    stream.say(turn('m', 'loop 4000', { limit: DURATION(1500) }), turn('n', 'play on'));
    assert.equal((await stream.hear('move')).matchId, 'n');
    const told = await logged(lines, /time is up/);
    assert.match(
      told,
      /match m: turn 1: the time is up, .*; its thread is at\n +at endless \(\S*bots.js:\d+:\d+\)\n +at (Told\.)?chooseTurn \(\S*bots.js/,
    );
    assert.doesNotMatch(told, /caller\.js|node:/);
    assert.equal((await stream.hear('move')).move.notation, 'at last');
    stream.say(turn('m', 'loop 200', { turn: 2, limit: DURATION(50) }), turn('n', 'play', { turn: 2 }));
    await stream.hear('move');
    await stream.hear('move');
    assert.equal(lines.filter((line) => /time is up/.test(line)).length, 1, 'once a match');
  }));

test('a turn that waits behind another match is not said to run', () =>
  play({ workers: 1, maxMatches: 2 }, async ({ stream, lines }) => {
    await begin(stream, 'n');
    stream.say(turn('m', 'loop 3000'), turn('n', 'play on', { limit: DURATION(50) }));
    const told = await logged(lines, /time is up/);
    assert.match(told, /match n: turn 1: the time is up, and the bot has not answered in .*; its thread is at\n +at endless/);
  }));

test('a worker that takes the place of another is watched, too', () =>
  play({ workers: 1, maxMatches: 2 }, async ({ stream, lines }) => {
    stream.say(turn('m', 'exit', { limit: DURATION(50) }));
    await stream.hear('resign');
    await begin(stream, 'n');
    stream.say(turn('n', 'late 2000', { limit: DURATION(50) }));
    const told = await logged(lines, /time is up/);
    assert.match(told, /match n: turn 1: the time is up/);
  }));

test('a turn that is answered while the thread is looked at is not in the log', async () => {
  const lines = [];
  const log = new Logger('debug', (level, line) => lines.push(line));
  let found;
  const watch = new Watch(log, () => new Promise((resolve) => (found = resolve)));
  const at = now();
  const call = (match, seq) => {
    const due = { until: at + 1, id: `match${match}`, turn: 3 };
    watch.called({ match, method: 'chooseTurn', seq, received: at, due, bytes: new Uint8Array() });
  };
  call(1, 7);
  call(2, 7);
  await until('a look', async () => found, (value) => value);
  watch.answered({ match: 1, method: 'chooseTurn', seq: 7 });
  found('    at somewhere');
  await until('the log', async () => lines.length, (count) => count > 0);
  assert.equal(lines.length, 1);
  assert.match(lines[0], /^match match2: turn 3: .*; its thread is at\n {4}at somewhere$/);
  found = undefined;
  call(1, 8); // it was not said of this match
  await until('a look', async () => found, (value) => value);
  found('');
  await until('the log', async () => lines.length, (count) => count > 1);
  assert.match(lines[1], /^match match1: .*; it waits for something, or has not begun$/);
  watch.close();
});

test('a bot in a loop on the main thread has its stack on stderr', async (context) => {
  const folder = folderFor(context);
  const referee = await FakeReferee.start();
  context.after(() => referee.stop());
  writeFileSync(`${folder}/package.json`, '{"type": "module"}');
  writeFileSync(
    `${folder}/loops.js`,
    `import { Bot, run } from '${new URL('../dist/index.js', import.meta.url).href}';
     class Loops extends Bot {
       chooseTurn() { for (;;); }
     }
     await run(Loops, import.meta.url, { workers: 0 });`,
  );
  const bot = new Running('node', [`${folder}/loops.js`], {
    REFEREE_ADDRESS: referee.address,
    REFEREE_TOKEN: 't',
  });
  context.after(() => bot.end('SIGKILL'));
  const stream = await referee.accept();
  await begin(stream);
  stream.say(turn('m', 'p', { turn: 7, limit: DURATION(1500) }));
  const told = await until('the log', async () => bot.stderr, (text) => /time is up/.test(text));
  assert.match(told, /warning match m: turn 7: the time is up, and the bot has not answered in .*; its thread is at\n +at (Loops\.)?chooseTurn \(\S*loops.js:3:/);
});

class Misspelt extends Bot {
  chooseTrun() {}
}
class Snake extends Bot {
  choose_turn() {}
}
class Empty extends Bot {}
class Fields extends Bot {
  chooseTurn = (turn) => turn.moves[0];
}
class Duck {
  chooseTurn() {}
}

for (const [bot, said] of [
  [Misspelt, 'Misspelt has no method chooseTurn(turn); it has chooseTrun'],
  [new Snake(), 'Snake has no method chooseTurn(turn); it has choose_turn'],
  [Empty, 'Empty has no method chooseTurn(turn)'],
  [Bot, 'Bot has no method chooseTurn(turn)'],
  [Duck, 'Duck is not a bot: write class ... extends Bot'],
  [undefined, 'undefined is not a bot: write class ... extends Bot'],
  [(turn) => turn.moves[0], ' is not a bot: write class ... extends Bot'],
]) {
  test(`it is refused at once that ${said}`, () => {
    const options = { address: 'h:1', token: 't' };
    assert.throws(() => new Client(bot, options), ({ code, message }) => {
      assert.equal(code, 'INVALID_ARGUMENT');
      assert.ok(message.endsWith(said), message);
      return true;
    });
  });
}

test('a class whose methods are fields is a bot', () => {
  new Client(Fields, { address: 'h:1', token: 't' });
});

test('an object plays all matches', () => {
  class Counts extends Told {
    turns = 0;
    chooseTurn(turn) {
      ++this.turns;
      return super.chooseTurn(turn);
    }
  }
  const bot = new Counts();
  return play({ bot }, async ({ stream }) => {
    await begin(stream, 'n');
    stream.say(turn('m', 'play on'), turn('n', 'play on'));
    await stream.hear('move');
    await stream.hear('move');
    assert.equal(bot.turns, 2);
  });
});

for (const [what, line, said] of [
  ['an object', 'run(new B(), import.meta.url)', /^$/],
  ['a class without chooseTurn', 'run(class E extends Bot {}, import.meta.url)', /E has no method chooseTurn/],
  ['no module', 'run(B)', /run\(bot, import\.meta\.url\) takes the URL of its module, not undefined/],
]) {
  test(`run is given ${what}`, async (context) => {
    const folder = folderFor(context);
    writeFileSync(`${folder}/package.json`, '{"type": "module"}');
    writeFileSync(
      `${folder}/bot.js`,
      `import { Bot, run } from '${new URL('../dist/index.js', import.meta.url).href}';
       class B extends Bot { chooseTurn(turn) { return turn.moves[0]; } }
       await ${line};`,
    );
    const flags = ['--address', `unix:${folder}/nobody`, '--token', 't', '--give-up-after', '1ms'];
    const { status, stderr } = await execute('node', [`${folder}/bot.js`, ...flags]);
    assert.equal(status, 2);
    if (what === 'an object') assert.match(stderr, /cannot reach a referee/);
    else assert.match(stderr, said);
  });
}
