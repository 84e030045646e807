import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../../src/base/disposable';
import { watchFolder } from '../../src/node/nodeFileSystem';
import { poll } from './poll';
import { type TemporaryFolder, temporaryFolder } from './temporaryFolder';

describe('Watching a folder', () => {
  let folder: TemporaryFolder;
  let watching: Disposable | undefined;
  let told = 0;
  const at = (name: string) => path.join(folder.path, name);
  const watch = (name: string) => {
    told = 0;
    watching = watchFolder(at(name), () => {
      told += 1;
    });
  };
  /** Does something and waits until it is reported. */
  const tellsOf = async (what: string, work: () => Promise<unknown>) => {
    const before = told;
    await work();
    await poll(`to be told that ${what}`, () => told > before);
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    watching?.dispose();
    await folder.remove();
  });

  it('reports created, changed, renamed and removed files, also in new folders', async () => {
    await folder.write({ 'agents/a.md': 'one' });
    watch('agents');
    await tellsOf('a file changed', () => writeFile(at('agents/a.md'), 'two'));
    await tellsOf('a file came', () => writeFile(at('agents/b.md'), 'new'));
    await tellsOf('a file was renamed', () => rename(at('agents/b.md'), at('agents/c.md')));
    await tellsOf('a folder came', () => mkdir(at('agents/deep')));
    await tellsOf('a file came into it', () => writeFile(at('agents/deep/d.md'), 'new'));
    await tellsOf('a file went', () => rm(at('agents/deep/d.md')));
  });

  it('reports when a single file comes, changes, and goes, but nothing beside it', async () => {
    await folder.write({ 'other.json': '1' });
    watch('opencode.json');
    await tellsOf('it came', () => writeFile(at('opencode.json'), '1'));
    await tellsOf('it changed', () => writeFile(at('opencode.json'), '2'));
    await tellsOf('it went', () => rm(at('opencode.json')));
    const before = told;
    await writeFile(at('other.json'), '2');
    await tellsOf('it came back', () => writeFile(at('opencode.json'), '3'));
    assert.equal(told, before + 1);
  });

  it('waits for a folder that does not exist yet, however much of its path is missing', async () => {
    watch('.cairn/agents');
    await tellsOf('it came', () => folder.write({ '.cairn/agents/a.md': 'one' }));
    await tellsOf('a file in it changed', () => writeFile(at('.cairn/agents/a.md'), 'two'));
  });

  it('reports its removal, and the contents of its replacement', async () => {
    await folder.write({ 'agents/a.md': 'one' });
    watch('agents');
    await tellsOf('it went', () => rm(at('agents'), { recursive: true }));
    await tellsOf('another one came', () => folder.write({ 'agents/a.md': 'two' }));
    await tellsOf('a file in it changed', () => writeFile(at('agents/a.md'), 'three'));
  });

  it('follows a folder that is quickly recreated, even with the same inode', async () => {
    await folder.write({ 'agents/a.md': 'one' });
    watch('agents');
    for (let round = 0; round < 3; round++) {
      await tellsOf('it was made anew', () => {
        rmSync(at('agents'), { recursive: true });
        mkdirSync(at('agents'));
        writeFileSync(at('agents/a.md'), 'again');
        return Promise.resolve();
      });
      await tellsOf('a file in it changed', () => writeFile(at('agents/a.md'), `text ${round}`));
    }
  });

  it('keeps waiting when the parent it waits in is removed', async () => {
    await folder.write({ '.cairn/skills/a.md': 'one' });
    watch('.cairn/agents');
    await rm(at('.cairn'), { recursive: true });
    await tellsOf('it came', () => folder.write({ '.cairn/agents/a.md': 'one' }));
  });

  it('ignores its siblings', async () => {
    watch('agents');
    await folder.write({ 'other/a.md': 'one' });
    const beside = told;
    await tellsOf('it came', () => mkdir(at('agents')));
    assert.equal(beside, 0);
  });

  it('reports nothing after it is disposed', async () => {
    await folder.write({ 'agents/a.md': 'one' });
    let late = 0;
    const given = watchFolder(at('agents'), () => {
      late += 1;
    });
    watch('agents');
    given.dispose();
    await tellsOf('a file changed', () => writeFile(at('agents/a.md'), 'two'));
    assert.equal(late, 0);
  });
});
