import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import type { Equivalent } from './equivalent';
import { equivalents } from './equivalents';
import { findMutants } from './findMutants';
import { mutatedModules } from './mutatedModules';

describe('A module for mutation testing', () => {
  for (const { name, files, tests } of mutatedModules) {
    it(`has all its listed files and tests: ${name}`, () => {
      const lost = [...files, ...tests].filter((file) => !existsSync(path.join(repoRoot, file)));
      assert.deepEqual(lost, []);
    });
  }

  it('includes each file with an equivalent mutant', () => {
    const files = new Set(mutatedModules.flatMap((module) => module.files));
    assert.deepEqual(
      equivalents.filter(({ file }) => !files.has(file)).map(({ file }) => file),
      [],
    );
  });

  it('has each equivalent mutant exactly once', () => {
    const files = new Set(equivalents.map(({ file }) => file));
    const there = new Set([...files].flatMap((file) => changesIn(file).map(keyOf)));
    const keys = equivalents.map(keyOf);
    assert.deepEqual(
      keys.filter((key, at) => !there.has(key) || keys.indexOf(key) < at),
      [],
    );
  });
});

function changesIn(file: string): Omit<Equivalent, 'why'>[] {
  const mutants = findMutants(file, readFileSync(path.join(repoRoot, file), 'utf8'));
  return mutants.map(({ lineText, change }) => ({ file, line: lineText, change }));
}

function keyOf({ file, line, change }: Omit<Equivalent, 'why'>): string {
  return `${file}: ${line} (${change})`;
}
