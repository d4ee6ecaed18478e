// The rules and the dice give what the referee's engine gives, by tests/golden.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { matchKey, pinnedSeed, sha256, uniform } from 'referee-sdk/dice';
import { IllegalMoveError, makeGame, NotationError, PositionError } from 'referee-sdk/rules';
import { bytes, forEachVector, golden } from './vectors.js';

const hex = (array) => Buffer.from(array).toString('hex');
const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const gameOf = (vector) => makeGame(vector.game, vector.seats, vector.options);
const stateOf = (vector) => gameOf(vector).parsePosition(vector.position);
const legalTexts = (game, state) => state.legalMoves().map((move) => game.notation(move));

function checkNext(vector, state) {
  assert.equal(state.phase === 'chance', 'roll' in vector);
  if (vector.roll) state.applyChance(vector.roll.map((die) => die - 1));
  assert.equal(state.position(), vector.next);
  assert.equal(state.phase === 'over', 'end' in vector);
  if (vector.end) assert.deepEqual(state.outcome(), vector.end);
}

test('dice follow from seed and nonces', () => {
  const checkKey = (vector) => {
    if (vector.pinned) assert.equal(hex(pinnedSeed(BigInt(vector.pinned))), vector.seed);
    assert.equal(hex(sha256(bytes(vector.seed))), vector.commitment);
    const nonces = (vector.nonces ?? []).map(bytes);
    assert.equal(hex(matchKey(bytes(vector.seed), nonces)), vector.key);
  };
  forEachVector('dice.jsonl', {
    key: checkKey,
    uniform: ({ key, label, n, values }) =>
      assert.deepEqual(uniform(bytes(key), label, n, values.length), values),
  });
});

test('positions are read and written, and bad ones name field and byte', () => {
  forEachVector('positions.jsonl', {
    position: (vector) => {
      const state = stateOf(vector);
      assert.equal(state.position(), vector.position);
      assert.equal(digest(state.position()), vector.digest);
      assert.equal(state.phase === 'over' ? null : state.seatToMove, vector.to_move);
      assert.deepEqual(state.phase === 'over' ? [] : state.dice, vector.roll);
      assert.deepEqual(vector.scores.map((_, seat) => state.score(seat)), vector.scores);
    },
    'bad-position': (vector) =>
      assert.throws(
        () => stateOf(vector),
        (error) =>
          error instanceof PositionError &&
          error.field === vector.field &&
          error.byte === vector.byte,
        `${vector.position}: ${vector.field} at ${vector.byte}`,
      ),
  });
});

test('moves are legal or not, and lead to the next position', () => {
  forEachVector('moves.jsonl', {
    legal: (vector) => {
      const game = gameOf(vector);
      assert.deepEqual(legalTexts(game, game.parsePosition(vector.position)), vector.moves);
    },
    apply: (vector) => {
      const state = stateOf(vector);
      const before = state.clone();
      state.apply(state.resolve(vector.move));
      checkNext(vector, state);
      assert.equal(before.position(), vector.position, 'a clone is not touched');
    },
    'bad-move': (vector) =>
      assert.throws(
        () => stateOf(vector).resolve(vector.move),
        (error) => error instanceof (vector.readable ? IllegalMoveError : NotationError),
        `"${vector.move}" in ${vector.position}`,
      ),
  });
});

test('ends and forfeits rank the seats', () => {
  forEachVector('ends.jsonl', {
    end: (vector) => assert.deepEqual(stateOf(vector).outcome(), vector.end),
    forfeit: (vector) => {
      const state = stateOf(vector);
      state.forfeit(vector.seat);
      checkNext(vector, state);
    },
  });
});

test('whole matches follow from their key and moves', () => {
  const draw = (state, key, setup) => {
    while (state.phase === 'chance') {
      const { label, sides, count } = state.chance();
      const outcome = uniform(key, label, sides, count);
      const [, round, seat] = /^setup\/(\d+)\/(\d+)$/.exec(label) ?? [];
      if (round) {
        setup.push({ round: Number(round), seat: Number(seat), roll: outcome.map((x) => x + 1) });
      }
      state.applyChance(outcome);
    }
  };
  forEachVector('matches.jsonl', {
    match: (vector) => {
      const game = gameOf(vector);
      const key = bytes(vector.key);
      const state = game.newState();
      const setup = [];
      draw(state, key, setup);
      assert.deepEqual(setup, vector.setup);
      assert.equal(state.firstSeat, vector.first);
      assert.equal(state.position(), vector.start);
      for (const turn of vector.turns) {
        if ('forfeit' in turn) {
          state.forfeit(turn.forfeit);
        } else {
          assert.equal(state.seatToMove, turn.seat);
          assert.equal(state.legalMoves().length, turn.legal);
          state.apply(state.resolve(turn.move));
        }
        draw(state, key, setup);
        assert.equal(state.position(), turn.next);
        assert.equal(digest(turn.next), turn.digest);
      }
      assert.deepEqual(state.outcome(), vector.end);
    },
  });
});

// --- Perft ---

/** Counts the sequences of moves, and the positions that they lead to, as refctl rules perft does. */
function perft(game, start, depth, rolls) {
  const diceOf = (turn) => rolls[Math.min(turn, rolls.length - 1)].map((die) => die - 1);
  let nodes = new Map([[start.position(), { state: start, ways: 1 }]]);
  let legal = 0;
  for (let turn = 1; turn <= depth; ++turn) {
    const next = new Map();
    legal = 0;
    for (const { state, ways } of nodes.values()) {
      if (state.phase === 'over') continue;
      for (const move of state.legalMoves()) {
        legal += ways;
        const after = state.clone();
        after.apply(move);
        if (after.phase === 'chance') after.applyChance(diceOf(turn));
        const position = after.position();
        const known = next.get(position);
        if (known) known.ways += ways;
        // Of the last positions only the number is wanted.
        else next.set(position, turn < depth ? { state: after, ways } : { ways });
      }
    }
    nodes = next;
  }
  return `legal=${legal} distinct=${nodes.size}`;
}

test('perft counts are those of the engine', () => {
  const lines = readFileSync(new URL('perft.txt', golden), 'utf8').trimEnd().split('\n');
  for (let i = 0; i < lines.length; i += 2) {
    const flags = new Map();
    const options = {};
    for (const [, name, quoted, plain] of lines[i].matchAll(/--(\S+) (?:"([^"]*)"|(\S+))/g)) {
      const value = quoted ?? plain;
      if (name === 'option') options[value.split('=')[0]] = value.split('=')[1];
      else flags.set(name, value);
    }
    const position = flags.get('position');
    const seats = flags.get('game') === 'isaac' ? 2 : position.split(' ')[1].split(',').length;
    const game = makeGame(flags.get('game'), seats, options);
    const state = game.parsePosition(position);
    const rolls = flags.has('dice')
      ? flags.get('dice').split(',').map((roll) => [...roll].map(Number))
      : [[...state.dice]];
    const counts = perft(game, state, Number(flags.get('depth')), rolls);
    assert.equal(counts, lines[i + 1], lines[i]);
  }
});

test('rules, dice and replays need nothing of Node', () => {
  const seen = new Set();
  const visit = (url) => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    for (const [, from] of readFileSync(url, 'utf8').matchAll(/from ['"]([^'"]+)['"]/g)) {
      if (from.startsWith('.')) visit(new URL(from, url));
      else assert.match(from, /^(@bufbuild\/protobuf\/wire|@noble\/hashes\/\w+)$/, url.pathname);
    }
  };
  for (const module of ['rules/index.js', 'refdice.js', 'replay/index.js']) {
    visit(new URL(`../dist/${module}`, import.meta.url));
  }
  assert.ok(seen.size > 20);
});

for (const name of ['hypnosia', 'isaac']) {
  test(`${name}: a seat that there is not is refused`, () => {
    const state = makeGame(name, 2).newState();
    assert.equal(state.score(1), 0);
    for (const seat of [2, 7, -1, 0.5, undefined]) {
      const expected = { name: 'RangeError', message: `there is no seat ${seat}: there are 2 seats, 0 to 1` };
      assert.throws(() => state.score(seat), expected);
      assert.throws(() => state.forfeit(seat), expected);
    }
  });
}

test('hypnosia: a board file that is wrong is refused with its field', () => {
  const board = {
    name: 'tiny',
    rings: [{ size: 7, bridges: [{ from: 0 }, { from: 2 }] }],
    lane_entries: [0, 1, 2, 3, 4, 5],
    centre_places: 2,
  };
  const make = (changed) => makeGame('hypnosia', 2, { board: JSON.stringify({ ...board, ...changed }) });
  assert.equal(make({}).name, 'hypnosia');
  for (const [changed, message] of [
    [{ wheels: [] }, /the file: there is no field 'wheels'; it has name, rings, lane_entries, centre_places/],
    [{ name: 5 }, /name: 5 is not a string/],
    [{ rings: 7 }, /rings: 7 is not a list/],
    [{ rings: [7] }, /rings\[0\]: 7 is not an object with size, bridges/],
    [{ rings: [{ size: -7 }] }, /rings\[0\]\.size: -7 is not a whole number from 7 to 99/],
    [{ rings: [{ size: 7, bridges: [{ from: 9 }] }] }, /rings\[0\]\.bridges\[0\]\.from: 9 is not a whole number from 0 to 6/],
    [{ rings: [{ size: 7, bridges: [{ from: 0 }, { from: 0 }] }] }, /bridges\[1\]\.from: another bridge starts from space 0/],
    [{ rings: [{ size: 7, bridges: [{ from: 0, to: 1 }] }] }, /bridges\[0\]\.to: bridges of the innermost ring/],
    [{ rings: [{ size: 8, bridges: [{ from: 0 }] }, ...board.rings] }, /rings\[0\]\.bridges\[0\]\.to: not set/],
    [{ rings: [{ size: 7 }] }, /rings\[0\]\.bridges: a ring has at least one bridge/],
    [{ lane_entries: [0, 1, 2, 3, 4] }, /lane_entries: there are 5/],
    [{ lane_entries: [0, 1, 2, 3, 4, 4] }, /lane_entries\[5\]: another lane opens onto space 4/],
    [{ centre_places: null }, /centre_places: null is not a whole number/],
  ]) {
    assert.throws(() => make(changed), { name: 'RulesError', message });
  }
  for (const text of ['{"name"', '{'.repeat(60_000)]) {
    assert.throws(() => makeGame('hypnosia', 2, { board: text }), /the file is not JSON/);
  }
});
