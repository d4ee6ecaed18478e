// What others get: the package and its lock file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { bin, execute, folderFor, noPrograms, refctl, sampleBots } from './programs.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (program, args, cwd) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

test('what npm packs plays, with its dependencies', { skip: noPrograms }, async (context) => {
  const folder = folderFor(context);
  const packed = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root),
  );
  const names = packed[0].files.map(({ path }) => path);
  assert.deepEqual(
    names.filter((name) => !/^(dist\/.*\.(js|d\.ts)|package\.json|README\.md)$/.test(name)),
    [],
  );
  // As npm would install it, without asking a registry for the dependencies.
  mkdirSync(`${folder}/node_modules`);
  run('tar', ['-xzf', packed[0].filename, '-C', 'node_modules'], folder);
  run('mv', ['node_modules/package', 'node_modules/referee-sdk'], folder);
  for (const name of ['@bufbuild', '@noble']) {
    symlinkSync(`${root}node_modules/${name}`, `${folder}/node_modules/${name}`);
  }
  for (const name of ['random.js', 'leader.js', 'package.json']) {
    cpSync(`${sampleBots}${name}`, `${folder}/${name}`);
  }
  const { status, stderr } = await execute(`${bin}/refctl`, [
    ...['duel', '--game', 'isaac', '--matches', '2', '--fail-on-forfeit', '--time', '10s'],
    ...['--bot', `node ${folder}/random.js`, '--bot', `node ${folder}/leader.js`],
  ]);
  assert.equal(status, 0, stderr);

  // And so does the bot of README.md.
  const [, hunter] = /`hunter.js`:\s+```js\n([^`]+)```/.exec(readFileSync(`${root}README.md`, 'utf8'));
  writeFileSync(`${folder}/hunter.js`, hunter);
  const { bots } = JSON.parse(
    await refctl([
      ...['duel', '--game', 'hypnosia', '--matches', '40', '--fail-on-forfeit', '--time', '10s'],
      ...['--bot', `node ${folder}/hunter.js`, '--bot', `node ${folder}/random.js`, '--json', '-q'],
    ]),
  );
  assert.ok(bots[0].wins > 30, `${bots[0].wins} wins of 40`);
});

test('the lock file names no registry, and is that of package.json', () => {
  const lock = readFileSync(`${root}package-lock.json`, 'utf8');
  assert.doesNotMatch(lock, /"resolved"|registry/);
  const { packages } = JSON.parse(lock);
  const { dependencies, devDependencies, version } = JSON.parse(
    readFileSync(`${root}package.json`, 'utf8'),
  );
  assert.deepEqual(packages[''].dependencies, dependencies);
  assert.deepEqual(packages[''].devDependencies, devDependencies);
  assert.equal(packages[''].version, version);
  for (const [path, one] of Object.entries(packages)) {
    assert.ok(path === '' || one.integrity, `${path} has no checksum`);
  }
});
