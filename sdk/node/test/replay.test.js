// Replays are read, played and verified as the referee itself does it.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { isPack, KeyRing, readPack, Replay, verify } from 'referee-sdk/replay';
import { makeGame } from 'referee-sdk/rules';
import { bin, execute, folderFor, noPrograms, refctl } from './programs.js';
import { encode, fileOf, goldenReplays, lies, tampered, zstdFrame } from './replays.js';
import { decodeRecords } from '../dist/replay/records.js';

const skip = noPrograms;
const all = [...goldenReplays()];
const [sample] = all.filter(({ form }) => form === '4-two-steps');
const lines = (text) => text.trimEnd().split('\n').map((line) => JSON.parse(line));

test('golden replays verify with their keys', async () => {
  assert.ok(all.length >= 30);
  for (const { path, bytes, keys } of all) {
    const { ok, problem, notChecked, replay } = await verify(bytes, KeyRing.parse(keys));
    assert.ok(ok, `${path}: ${problem}`);
    assert.equal(path, path.replace(/[^/]+\.rpl$/, `${replay.matchId}.rpl`));
    assert.deepEqual(notChecked, []);
  }
});

test('a replay with an interrupted turn verifies only if it says so', async () => {
  const interrupted = all.filter(({ form }) => form === '7-interrupted');
  assert.ok(interrupted.length > 0);
  for (const { path, bytes } of interrupted) {
    let interrupts = 0;
    const { ok, problem } = await verify(
      tampered(bytes, (records) => {
        for (const { forfeit } of records) {
          if (!forfeit?.interruptsTurn) continue;
          forfeit.interruptsTurn = false;
          interrupts += 1;
        }
      }),
    );
    assert.equal(interrupts, 1, path);
    assert.ok(!ok, path);
    assert.match(problem, /but the limit was 300000000 ns/, path);
  }
});

test('a resignation that interrupted a turn came after the nonces', async () => {
  const [{ bytes }] = all.filter(({ form }) => form === '6-resigned-first');
  const { problem } = await verify(
    tampered(bytes, (records) => {
      records.find(({ forfeit }) => forfeit).forfeit.interruptsTurn = true;
    }),
  );
  assert.match(problem, /it was not revealed, and yet the seat was not taken out/);
});

test('what was not checked is said', async () => {
  const { ok, notChecked } = await verify(sample.bytes);
  assert.ok(ok);
  assert.match(notChecked.join(), /^whose signature it is: no keys were given/);

  const other = tampered(sample.bytes, ([{ opening }]) => void (opening.game = 'go'));
  const unknown = await verify(other);
  assert.deepEqual([unknown.ok, unknown.problem], [false, '']);
  assert.match(
    unknown.notChecked.join(),
    /turns, dice, clocks and result: the rules are not in this package/,
  );
});

test('options are written out as the referee settles them', async () => {
  const problemOf = async (bytes, change) => {
    const { ok, problem } = await verify(tampered(bytes, ([{ opening }]) => void change(opening)));
    assert.equal(ok, problem === '');
    return problem;
  };
  const isaac = all.find(({ bytes }) => Replay.parse(bytes).opening.game === 'isaac').bytes;
  const options = Replay.parse(isaac).opening.options.map(({ name }) => name);
  assert.equal(await problemOf(isaac, () => {}), '');
  for (const [i, name] of options.entries()) {
    const leavesOut = (opening) => opening.options.splice(i, 1);
    assert.match(await problemOf(isaac, leavesOut), new RegExp(`^option "${name}": it is left out`));
  }
  const empty = { name: 'position', value: Buffer.alloc(0) };
  const addsEmpty = ({ options }) => options.splice(2, 0, empty);
  assert.match(await problemOf(isaac, addsEmpty), /^option "position": it is "", .* left out/);

  // The roll in a position that a match starts from is not that of the match.
  const { state } = Replay.parse(sample.bytes).steps().next().value;
  const position = state.position();
  assert.match(position, / [1-6]{2}$/);
  const game = makeGame('hypnosia', state.rules.seats, { position });
  assert.equal(game.options.position, position.replace(/..$/, '-'));
});

test('restarts without end are refused before they fill the memory', () => {
  const records = [...Replay.parse(sample.bytes).records];
  const readWith = (count) => {
    // Times that do not shrink, as honest ones do not.
    const timeOf = (i) => BigInt((i * 2654435761) % 1e12);
    const restarts = Array.from({ length: count }, (_, i) => ({ resumed: { resumeTimeUs: timeOf(i) } }));
    return Replay.parse(fileOf(encode([...records.slice(0, -1), ...restarts, records.at(-1)])));
  };
  assert.equal(readWith(100_000).records.length, records.length + 100_000);
  assert.throws(() => readWith(100_001), {
    name: 'ReplayError',
    message: /^record \d+ .*: there are more than 100000 restarts/,
  });
});

test('equal records without end are refused before they fill the memory', () => {
  const flood = (kind, count) => {
    const has = ({ bytes }) => Replay.parse(bytes).records.some((record) => record[kind]);
    const records = [...Replay.parse(all.find(has).bytes).records];
    const at = records.findIndex((record) => record[kind]);
    records.splice(at, 0, ...new Array(count).fill(records[at]));
    return () => Replay.parse(fileOf(encode(records)));
  };
  assert.throws(flood('draw', 10_000), /there are more than 10000 draws/);
  assert.throws(flood('turn', 1), /its number does not follow turn 1/);
  assert.throws(flood('fault', 1_000), /there are more than 1000 faults in the turn/);
  assert.throws(flood('forfeit', 11), /there are more forfeits than seats/);
});

test('a frame holds fewer records than it has bytes, but for draws', () => {
  const has = ({ bytes }) => Replay.parse(bytes).records.some((record) => record.fault);
  const records = [...Replay.parse(all.find(has).bytes).records];
  const { fault } = records.find((record) => record.fault);
  const at = records.findIndex((record) => record.turn);
  const { turn } = records[at];
  // As many faults as one turn may have, again and again.
  const flood = Array.from({ length: 40 }, (_, i) => [
    { turn: { ...turn, number: i + 1 } },
    ...new Array(1000).fill({ fault }),
  ]);
  records.splice(at, 0, ...flood.flat());
  const read = () => decodeRecords(encode(records), 1000);
  assert.throws(read, /^ReplayError: record 11001 .* cannot hold so many records/);
});

test('a frame that cannot hold what it states is not unpacked', () => {
  const frame = zstdFrame(Buffer.alloc(5000));
  const file = fileOf(Buffer.alloc(60 << 20), frame);
  assert.throws(() => Replay.parse(file), /^ReplayError: byte 12: .* cannot hold records/);
});

test('positions are those that the referee exports', { skip }, async (context) => {
  const folder = folderFor(context);
  const paths = all.map(({ path }) => path);
  const output = `${folder}/all.jsonl`;
  const flags = ['--format', 'jsonl', '--positions', '--output', output];
  await refctl(['replay', 'export', ...flags, ...paths]);
  for (const [i, match] of lines(readFileSync(output, 'utf8')).entries()) {
    const replay = Replay.parse(all[i].bytes);
    const steps = [...replay.steps()];
    const expected = match.records.flatMap(({ position }) => position || []);
    if (match.start_position) expected.unshift(match.start_position);
    assert.deepEqual(
      steps.map(({ state }) => state.position()),
      expected,
      all[i].path,
    );
    assert.deepEqual(replay.bots, match.bots);
    assert.equal(steps.filter(({ turn }) => turn).length, replay.turns.length);
  }
});

test('lies are found where the referee finds them', { skip }, async (context) => {
  const folder = folderFor(context);
  const told = new Map();
  for (const { bytes, path } of all) {
    for (const { what, file } of lies(bytes, 61)) {
      const name = `${folder}/${told.size}.rpl`;
      writeFileSync(name, file);
      told.set(name, { what: `${path}: ${what}`, file });
    }
  }
  assert.ok(told.size > 300);
  const { stdout } = await execute(`${bin}/refctl`, ['replay', 'verify', '--json', '-v', folder]);
  const found = lines(stdout);
  assert.equal(found.length, told.size);
  for (const { file: name, ok, turn = 0, problem, verified_in_part: inPart } of found) {
    const { what, file } = told.get(name);
    const ours = await verify(file);
    assert.equal(ours.ok, ok, `${what}: ${problem || 'true'}, here ${ours.problem || 'true'}`);
    // Without the rules this package checks less than the referee.
    if (ours.notChecked.length === 1 && !inPart)
      assert.equal(ours.turn, turn, `${what}: ${problem}`);
  }
});

test('a changed byte is found wherever it is', async () => {
  for (let at = 0; at < sample.bytes.length; at += 7) {
    const bytes = Buffer.from(sample.bytes);
    bytes[at] ^= 1 << (at % 8);
    const { ok, problem } = await verify(bytes);
    assert.ok(!ok && problem, `byte ${at}`);
  }
});

test('bytes that are no replay are refused with their place', () => {
  const good = sample.bytes;
  const refused = (bytes, message) =>
    assert.throws(() => Replay.parse(bytes), { name: 'ReplayError', message });
  refused(Buffer.alloc(0), /^byte 0: this is not a replay file/);
  refused(good.subarray(0, 100), /^byte 100: the file is cut/);
  refused(good.subarray(0, -1), /the file is cut: it should have \d+ bytes/);
  refused(Buffer.concat([good, Buffer.alloc(1)]), /the file goes on after its end/);
  const newer = Buffer.from(good);
  newer[7] = 2;
  refused(newer, /^byte 7: a replay of format version 2; this program knows version 1/);
  const larger = Buffer.from(good);
  larger.writeUInt32LE(0xffffffff, 12);
  refused(larger, /the replay has 4294967295 bytes/);
  refused(fileOf(Buffer.alloc(0)), /^record 1: it is missing/);
  refused(fileOf(Buffer.from([5, 1])), /^byte 0 of the records: its length is wrong/);
  refused(fileOf(Buffer.from([1, 7])), /^record 1 .*: it is not a record/);
  refused(fileOf(Buffer.alloc(9), Buffer.alloc(30)), /not one zstd frame of the size stated/);
  const { records } = Replay.parse(good);
  refused(fileOf(encode(records.slice(0, -1))), /it is missing: a replay ends with an end/);
  refused(fileOf(encode(records.slice(1))), /^record 1 .*: it is not in its place/);
  for (const field of ['stallPerMoveNs', 'stallPerMatchNs']) {
    const without = tampered(good, ([{ opening }]) => void (opening[field] = undefined));
    refused(without, /^record 1 .*: time control: .* versions before 0.9 wrote such records/);
  }
  const committed = all.map(({ bytes }) => bytes).find((bytes) => Replay.parse(bytes).start?.nonces.length);
  const withoutHashes = tampered(committed, (records) => void (records[1].start.nonceHashes = []));
  refused(withoutHashes, /^record 2 .*: there are 0 hashes of nonces, not 2/);
});

test('whose signature it is, the keys tell', async () => {
  const problemBy = async (keys) => (await verify(sample.bytes, KeyRing.parse(keys))).problem;
  const key = Buffer.from(sample.bytes.subarray(-96, -64)).toString('hex');
  assert.equal(await problemBy(`# ours\n${key.toUpperCase()} - -\n`), '');
  assert.match(
    await problemBy('00'.repeat(32)),
    /^signature: not this referee's: by the key with fingerprint [0-9a-f]{32}, not /,
  );
  assert.match(
    await problemBy(`${key} - 2020-01-01T00:00:00.5Z`),
    /former key .* in use until 2020-01-01T00:00:00.5Z/,
  );
  assert.equal(await problemBy(`${key} 2020-01-01T00:00:00Z 2999-01-01T00:00:00Z`), '');
  assert.throws(() => KeyRing.parse(''), /there is no key in it/);
  assert.throws(() => KeyRing.parse(`${key}\n${key} yesterday`), /line 2: expected 64 hex digits/);
});

test('times of a key ring are those of RFC 3339, and keys are there once', async () => {
  const key = 'ab'.repeat(32);
  const until = (time) => KeyRing.parse(`${key} - ${time}`).keys[0].until;
  const noon = until('2026-11-20T12:00:00Z');
  assert.equal(until('2026-11-20T13:30:00+01:30'), noon);
  assert.equal(until('2026-11-20T08:00:00-04:00'), noon);
  assert.equal(until('2028-02-29T00:00:00.25Z'), 1835395200250000n);
  const refused = (text) => assert.throws(() => KeyRing.parse(text), /^Error: keys: line/);
  for (const time of ['2026-02-31', '2026-13-01', '2026-02-29']) refused(`${key} - ${time}T00:00:00Z`);
  refused(`${key} - 2026-11-20T12:00:00+24:00`);
  refused(`${key}\n${key.toUpperCase()} - 2020-01-01T00:00:00Z`);
  refused(`\ufeff${key}`);
  refused(`${key}\u00a0-`);
  // Only \n ends a line, and with it what is after '#'.
  assert.equal(KeyRing.parse(`# a\u2028b\rc\n${key} # d\u2028e\r\n`).keys.length, 1);
});

test('keys of small order, for which anybody can sign, are refused', async () => {
  const points = ['00', '01', 'ec', 'ed', 'ee'].map((low) => {
    const tail = low < '02' ? '00'.repeat(31) : `${'ff'.repeat(30)}7f`;
    return low + tail;
  });
  points.push('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
  points.push('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
  const good = sample.bytes;
  for (const point of points.map((text) => Buffer.from(text, 'hex'))) {
    for (const sign of [0, 0x80]) {
      point[31] = (point[31] & 0x7f) | sign;
      const s = Buffer.alloc(32);
      const byKey = Buffer.concat([good.subarray(0, -96), point, point, s]);
      const { ok, problem } = await verify(byKey);
      assert.ok(!ok);
      assert.match(problem, /^signature: it is not that of this file/);
    }
  }
});

test('packs give the replays in them', { skip }, async (context) => {
  const folder = folderFor(context);
  for (const { bytes } of all) {
    const { matchId, opening } = Replay.parse(bytes);
    const day = new Date(Number(opening.createTimeUs / 1000n)).toISOString().slice(0, 10);
    const place = `${folder}/replays/${day.replaceAll('-', '/')}`;
    mkdirSync(place, { recursive: true });
    writeFileSync(`${place}/${matchId}.rpl`, bytes);
  }
  await refctl(['archive', 'pack', '--data-dir', folder]);
  const { stdout } = await execute('find', [`${folder}/replays/packs`, '-name', '*.pack']);
  const packs = stdout.trim().split('\n').map((path) => readFileSync(path));
  const entries = packs.flatMap((pack) => [...readPack(pack)]);
  assert.deepEqual(
    new Set(entries.map(({ matchId }) => matchId)),
    new Set(all.map(({ bytes }) => Replay.parse(bytes).matchId)),
  );
  for (const { matchId, file, damaged } of entries) {
    assert.ok(!damaged);
    assert.equal(Replay.parse(file).matchId, matchId);
  }

  const [pack] = packs;
  assert.ok(isPack(pack) && !isPack(sample.bytes));
  const [first] = readPack(pack);
  const cut = pack.subarray(0, 8 + 8 + 26 + first.file.length - 1);
  assert.equal([...readPack(cut)].length, 0, 'an entry that is not whole');
  const flipped = Buffer.from(pack);
  flipped[50] ^= 1;
  assert.ok([...readPack(flipped)][0].damaged);
  assert.throws(() => [...readPack(sample.bytes)], /byte 0: this is not a pack/);
});
