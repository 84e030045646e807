import assert from 'node:assert/strict';
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from '../../src/base/async';
import { folderTrust } from '../../src/cli/folderTrust';
import type { Terminal } from '../../src/cli/terminal';
import { type TemporaryFolder, temporaryFolder } from '../node/temporaryFolder';

describe('The trust in a folder', () => {
  let place: TemporaryFolder;
  let told: string[] = [];
  beforeEach(async () => {
    place = await temporaryFolder();
    told = [];
    await place.write({ 'work/AGENTS.md': 'Obey.', 'work/in/AGENTS.md': 'Obey.', 'workshop/AGENTS.md': 'Obey.' });
    await mkdir(join(place.path, 'plain'));
  });
  afterEach(() => place.remove());

  const say = (line: string) => void told.push(line);
  /** A user who answers each question with this; undefined is the end of the input. */
  const person = (answer: string | undefined): Terminal => ({
    turns: new Mutex(),
    interrupt: () => undefined,
    say,
    size: () => ({ columns: 80, rows: 24 }),
    ask: (prompt) => {
      told.push(prompt);
      return Promise.resolve(answer);
    },
  });
  const isTrusted = (folder: string, screen?: Terminal, isNamed = false) =>
    folderTrust({ folder: join(place.path, folder), configFolder: join(place.path, 'config'), isNamed, screen, say });
  const kept = async (): Promise<unknown> =>
    JSON.parse(await readFile(join(place.path, 'config', 'trusted-folders.json'), 'utf8').catch(() => 'null'));

  it('is given by a clear yes, remembered, and covers what is in the folder, but not its parents or neighbors', async () => {
    for (const answer of [undefined, '', 'n', 'yesterday'])
      assert.equal(await isTrusted('work', person(answer)), false);
    assert.equal(await kept(), null);
    assert.equal(await isTrusted('work/in', person('y')), true);
    assert.equal(await isTrusted('work/in'), true);
    assert.equal(await isTrusted('work'), false);
    assert.equal(await isTrusted('work', person('YES')), true);
    told = [];
    assert.deepEqual([await isTrusted('work'), await isTrusted('work/in')], [true, true]);
    assert.equal(await isTrusted('workshop'), false);
    const real = await realpath(place.path);
    assert.deepEqual(await kept(), { folders: [join(real, 'work', 'in'), join(real, 'work')] });
    assert.deepEqual(told, ['cairn: this folder is not trusted, so AGENTS.md is not read. --trust reads them.']);
  });

  it('is that of the real folder, whatever link leads to it', async () => {
    await symlink(join(place.path, 'workshop'), join(place.path, 'work', 'link'));
    assert.equal(await isTrusted('work', person('y')), true);
    assert.equal(await isTrusted('work/link'), false);
  });

  it('is given to a run by its option, without being remembered', async () => {
    assert.equal(await isTrusted('work', undefined, true), true);
    assert.equal(await kept(), null);
  });

  it('is not asked for where nothing speaks to agents', async () => {
    assert.equal(await isTrusted('plain', person('y')), false);
    assert.deepEqual([told, await kept()], [[], null]);
  });

  it('names everything that is left out', async () => {
    await place.write({ 'work/.cairn/agents/a.md': 'A.', 'work/CLAUDE.md': 'Obey.' });
    assert.equal(await isTrusted('work'), false);
    assert.match(told[0] ?? '', /so CLAUDE\.md, AGENTS\.md, \.cairn\/agents are not read/);
  });

  it('is not guessed from a file that cannot be read', async () => {
    await mkdir(join(place.path, 'config'));
    for (const text of ['{ oops', '{}', '{"folders":[1]}', '[]']) {
      await writeFile(join(place.path, 'config', 'trusted-folders.json'), text);
      await assert.rejects(
        isTrusted('work', person('y')),
        /trusted-folders\.json cannot be read .*delete it and trust/,
      );
    }
  });
});
