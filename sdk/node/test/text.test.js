// Tokens, addresses and plain text are read as tests/golden has it for all SDKs.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { readAddress } from '../dist/address.js';
import { parseCommandLine } from '../dist/flags.js';
import { settle } from '../dist/options.js';
import { cut, isPlain, plain, readToken } from '../dist/text.js';
import { execute, folderFor } from './programs.js';
import { goldenLines } from './vectors.js';

for (const { given, address, local, host, port, path, refused, write } of goldenLines('addresses.jsonl')) {
  test(`the address ${JSON.stringify(given).slice(0, 60)} is ${refused ? 'refused' : 'taken'}`, () => {
    if (!refused) {
      const read = readAddress(given);
      assert.deepEqual([read.text, read.local], [address, local]);
      assert.deepEqual(read.place, path === undefined ? { host, port } : { path });
      assert.equal(settle({ address: given, token: 't' }, {}).address, address);
      return;
    }
    const said = ({ code, message }) => {
      assert.equal(code, 'INVALID_ARGUMENT');
      assert.ok(isPlain(message));
      if (write) assert.ok(message.endsWith(`: write ${write}`), message);
      else assert.match(message, /it must be host:port or unix:path/);
      return true;
    };
    assert.throws(() => readAddress(given), said);
  });
}

for (const { bytes, source, token, refused, byte } of goldenLines('tokens.jsonl')) {
  test(`the token ${bytes.slice(0, 40)} of a ${source} is ${refused ? 'refused' : 'taken'}`, (context) => {
    const raw = Buffer.from(bytes, 'hex');
    const read = () => {
      if (source === 'variable') {
        // Node gives no other bytes of a variable than those of UTF-8.
        const given = settle({ address: 'h:1' }, { REFEREE_TOKEN: raw.toString() });
        return given.token;
      }
      const file = `${folderFor(context)}/token`;
      writeFileSync(file, raw);
      const { options } = parseCommandLine(['--token-file', file], 'bot', {});
      return settle({ address: 'h:1', ...options }, {}).token;
    };
    if (!refused) return assert.equal(read(), token);
    assert.throws(read, ({ message }) => {
      const begins = source === 'file' ? '--token-file' : /REFEREE_TOKEN(:| in)/;
      assert.match(message, typeof begins === 'string' ? new RegExp(`^${begins}`) : begins);
      if (byte) assert.match(message, new RegExp(`: byte ${byte} is `));
      return true;
    });
  });
}

test('a token of the command line is looked at, too', () => {
  const parse = () => parseCommandLine(['--token', 'rfbé'], 'bot', {});
  assert.throws(parse, { message: /^--token: byte 4 is 0xc3/ });
  assert.throws(() => settle({ address: 'h:1', token: 'a b' }, {}), { message: /^the token: byte 2 is a blank/ });
  assert.equal(readToken('x', '\ufefft\r\n'), 't');
});

for (const [address, said] of [
  ['::1:7450', /REFEREE_ADDRESS: address "::1:7450": write \[::1\]:7450\n$/],
  ['ipv4:127.0.0.1:7450', /write 127.0.0.1:7450\n$/],
  ['my host:7450', /it must be host:port or unix:path/],
  ['[127.0.0.1]:7450', /write 127.0.0.1:7450\n$/],
  ['http://127.0.0.1:7450', /write 127.0.0.1:7450\n$/],
]) {
  test(`run refuses ${address} at once with status 2`, async () => {
    const environment = { REFEREE_ADDRESS: address, REFEREE_TOKEN: 'rfb_x' };
    const bot = new URL('slow.js', import.meta.url).pathname;
    const { status, stderr } = await execute('node', [bot], environment);
    assert.equal(status, 2);
    assert.match(stderr, said);
    assert.equal(stderr.split('\n').length, 2, stderr);
  });
}

for (const { bytes, plain: expected } of goldenLines('plain_text.jsonl')) {
  test(`${bytes} is ${expected ? '' : 'no '}plain text`, () => {
    let text;
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'hex'));
    } catch {
      return assert.equal(expected, false);
    }
    assert.equal(isPlain(text), expected);
    assert.ok(isPlain(plain(text, 200)));
  });
}

test('text is made plain, and cut between two characters', () => {
  assert.equal(plain('a\nb\tc\u202e\x1b[1m\ufeff\ud800', 200), 'a b c?[1m?');
  assert.equal(plain('é'.repeat(200), 201), 'é'.repeat(100));
  assert.equal(cut('a😀', 4), 'a');
});
