import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { equivalents } from './equivalents';
import { mutatedModules } from './mutatedModules';

describe('a module that is changed to see what tests notice', () => {
  for (const { name, files, tests } of mutatedModules) {
    it(`has its files and its tests where they are said to be: ${name}`, () => {
      const lost = [...files, ...tests].filter((file) => !existsSync(path.join(repoRoot, file)));
      assert.deepEqual(lost, []);
    });
  }

  it('has each file of which a change is explained', () => {
    const files = new Set(mutatedModules.flatMap((module) => module.files));
    assert.deepEqual(
      equivalents.filter(({ file }) => !files.has(file)).map(({ file }) => file),
      [],
    );
  });
});
