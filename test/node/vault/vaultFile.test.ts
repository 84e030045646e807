import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import { chmod, readFile, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EngineError } from '../../../src/engine';
import { changeVault, readVault } from '../../../src/node/vault/vaultFile';
import { unattendedKey } from '../../../src/node/vault/vaultKey';
import { type TemporaryFolder, temporaryFolder } from '../temporaryFolder';

const KEY = 'correct horse battery staple';

/** A vault as users have it, written with Node's own functions. */
const KEPT = {
  ...{ format: 'cairn-vault', version: 1, salt: 'Y2Fpcm4gdGVzdCBzYWx0Lg==', nonce: 'YSB0ZXN0IG5vbmNl' },
  data: 'eTx5xGWAkEzZ4i9pjm1B44/vEVF/2lCqgxoFoVM+xcEy3S9Z6gwHVZPSakHRzdMn8a/JXjeltK/e',
  checksum: '9b2497bdee3133913f80eb8a93440fa7ad73fe4c984a133c4656608d97711e82',
};

describe('The command-line vault', function () {
  this.timeout(60_000);
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = path.join(folder.path, 'own', 'vault.json');
  });
  afterEach(() => folder.remove());

  const keep = (name: string, value: string, key = KEY) => changeVault(file, key, (all) => void all.set(name, value));

  it('returns what was stored, whatever its name and number of lines', async () => {
    const values: [string, string][] = [
      ['__proto__', 'polluted'],
      ['CERTIFICATE', 'one\ntwo\n'],
      ['ключ', '🗝️'],
    ];
    for (const [name, value] of values) await keep(name, value);
    assert.deepEqual([...(await readVault(file, KEY))], values);
  });

  it('opens the files that its first version wrote', async () => {
    await folder.write({ 'own/vault.json': JSON.stringify(KEPT) });
    assert.deepEqual([...(await readVault(file, KEY))], [['DEPLOY_TOKEN', 'Zq7Wx9KvJy4Bn2Rt8Lp5']]);
  });

  it('reveals neither names nor values in its file, which only the owner can read', async () => {
    await keep('DEPLOY_TOKEN', 'Zq7Wx9KvJy4Bn2Rt8Lp5');
    const text = await readFile(file, 'utf8');
    assert.doesNotMatch(text, /DEPLOY_TOKEN|Zq7Wx9KvJy4Bn2Rt8Lp5/);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(path.dirname(file)), ['vault.json']);
  });

  it('is encrypted anew with each change, so that equal contents are not recognizable', async () => {
    await keep('A', 'first value');
    const before = await readFile(file, 'utf8');
    await keep('A', 'first value');
    const after = await readFile(file, 'utf8');
    for (const field of ['nonce', 'data']) assert.notEqual(fieldOf(after, field), fieldOf(before, field));
    assert.equal(fieldOf(after, 'salt'), fieldOf(before, 'salt'), 'its key is not made again');
  });

  it('derives its slow key once for several changes', async () => {
    let derived = 0;
    const hook = createHook({ init: (_id, type) => void (derived += type === 'SCRYPTREQUEST' ? 1 : 0) }).enable();
    try {
      await keep('A', 'first');
      await keep('B', 'second');
      await readVault(file, KEY);
    } finally {
      hook.disable();
    }
    assert.equal(derived, 1);
  });

  it('is read again after another process changes it, and its readers get separate copies', async () => {
    await keep('A', 'first');
    (await readVault(file, KEY)).clear();
    assert.equal((await readVault(file, KEY)).get('A'), 'first');
    const old = await readFile(file, 'utf8');
    await keep('A', 'second');
    assert.equal((await readVault(file, KEY)).get('A'), 'second');
    await folder.write({ 'own/vault.json': old });
    assert.equal((await readVault(file, KEY)).get('A'), 'first');
    await rm(file);
    assert.equal((await readVault(file, KEY)).size, 0);
    await folder.write({ 'own/vault.json': old });
    await assert.rejects(readVault(file, 'another passphrase'), /key does not open/);
  });

  it('loses nothing in concurrent changes', async () => {
    await Promise.all(['A', 'B', 'C'].map((name) => keep(name, `value of ${name}`)));
    assert.deepEqual([...(await readVault(file, KEY)).keys()].sort(), ['A', 'B', 'C']);
  });

  it('opens with the same passphrase in another Unicode normalization', async () => {
    await keep('A', 'value', 'schöne Grüße'.normalize('NFD'));
    assert.equal((await readVault(file, 'schöne Grüße'.normalize('NFC'))).get('A'), 'value');
  });

  it('distinguishes a wrong key, a damaged file and a newer version, and leaves the file unchanged', async () => {
    await keep('A', 'value');
    const good = await readFile(file, 'utf8');
    const data = fieldOf(good, 'data');
    const cases: [string, string, EngineError['reason'], RegExp][] = [
      [good, 'another passphrase', 'denied', /key does not open.*vault\.json.*created with/],
      [good.slice(0, 80), KEY, 'damaged', /vault\.json is damaged.*restore a copy/],
      ['', KEY, 'damaged', /is damaged/],
      [good.replace(data, flipped(data)), KEY, 'damaged', /is damaged/],
      [good.replace('cairn-vault', 'other-vault'), KEY, 'damaged', /is damaged/],
      [good.replace('"version": 1', '"version": 0'), KEY, 'damaged', /is damaged/],
      [good.replace('"version": 1', '"version": 2'), KEY, 'invalid-state', /newer version.*format 2.*Update Cairn/],
    ];
    for (const [text, key, reason, message] of cases) {
      await folder.write({ 'own/vault.json': text });
      for (const attempt of [readVault(file, key), keep('B', 'more', key)]) {
        const error: unknown = await attempt.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        assert.ok(EngineError.is(error, reason), String(error));
        assert.match(error.message, message);
      }
      assert.equal(await readFile(file, 'utf8'), text);
    }
  });

  it('stays unchanged after a refused change', async () => {
    await keep('A', 'value');
    const before = await readFile(file, 'utf8');
    const refused = changeVault(file, KEY, (all) => {
      all.clear();
      throw new Error('refused');
    });
    await assert.rejects(refused, /refused/);
    assert.equal(await readFile(file, 'utf8'), before);
  });
});

describe('The key of the vault', () => {
  it('is read from a pipe regardless of its permissions', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = await temporaryFolder();
    try {
      const pipe = path.join(folder.path, 'key');
      execFileSync('mkfifo', ['-m', '644', pipe]);
      const [key] = await Promise.all([unattendedKey({ CAIRN_VAULT_KEY_FILE: pipe }), writeFile(pipe, `${KEY}\n`)]);
      assert.equal(key, KEY);
    } finally {
      await folder.remove();
    }
  });

  it('is read from a file that does not stay open', async function () {
    if (process.platform !== 'linux') this.skip();
    const folder = await temporaryFolder();
    try {
      await folder.write({ key: KEY });
      const file = path.join(folder.path, 'key');
      await chmod(file, 0o600);
      assert.equal(await unattendedKey({ CAIRN_VAULT_KEY_FILE: file }), KEY);
      const open = await Promise.all(
        (await readdir('/proc/self/fd')).map((one) => readlink(`/proc/self/fd/${one}`).catch(() => '')),
      );
      assert.ok(!open.includes(file));
    } finally {
      await folder.remove();
    }
  });
});

function fieldOf(text: string, field: string): string {
  return new RegExp(`"${field}": "([^"]+)"`).exec(text)?.[1] ?? '';
}

function flipped(text: string): string {
  return `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
}
