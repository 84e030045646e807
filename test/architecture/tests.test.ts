import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { unitFolders } from '../tasks/unitFolders';
import { reachedFiles } from './reachedFiles';
import { type SourceFile, sourceFiles } from './sourceFiles';

const HERE = 'test/architecture/tests.test.ts';

/** Files that no script or test starts, kept for manual use → why. */
const BY_HAND: Readonly<Record<string, string>> = {
  'test/tasks/mocha.ts': 'runs a few bundles while somebody works on their tests',
  'test/webview/preview/screenshots.ts': 'takes pictures of the panel while somebody draws it',
};

describe('Unit tests', () => {
  it('do not start a browser, not even through their imports', () => {
    const files = sourceFiles('test');
    const units = files.filter(({ path }) => isTest(path) && unitFolders.includes(path.split('/')[1] ?? ''));
    assert.ok(units.length > 0);
    const reached = reachedFiles(files, { from: units.map(({ path }) => path), atRuntime: true });
    const wrong = files.filter((file) => reached.has(file.path) && startsBrowser(file));
    assert.deepEqual(
      wrong.map(({ path }) => wayTo(path, reached)),
      [],
    );
  });
});

describe('Every file in the test folder', () => {
  it('is a test, or is used by one or by a package.json script', () => {
    const files = sourceFiles('test').filter(({ path }) => !path.startsWith('test/fixtures/'));
    const tasks = scripts();
    const begun = new Set(files.map(({ path }) => path).filter((path) => isTest(path) || tasks.includes(path)));
    let reached = reachedFiles(files, { from: begun, atRuntime: false });
    for (let before = 0; before < begun.size;) {
      before = begun.size;
      const read = files.filter(({ path }) => reached.has(path) && path !== HERE);
      const text = read.map((file) => file.text).join('\n');
      for (const { path } of files) if (!reached.has(path) && names(text, path)) begun.add(path);
      reached = reachedFiles(files, { from: begun, atRuntime: false });
    }
    const left = files.map(({ path }) => path).filter((path) => !reached.has(path));
    assert.deepEqual(left, Object.keys(BY_HAND));
  });
});

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

/** Code that launches a browser imports this package, and code that locates one is in these files. */
function startsBrowser({ path, imports }: SourceFile): boolean {
  return (
    imports.some(({ target, typeOnly }) => target.startsWith('playwright') && !typeOnly) ||
    /\/(?:present|provision)Chromium\.ts$/.test(path)
  );
}

/** Returns the import path from the test to the file. */
function wayTo(path: string, reached: ReadonlyMap<string, string>): string {
  const way = [path];
  for (let from = reached.get(path) ?? ''; from !== ''; from = reached.get(from) ?? '') way.unshift(from);
  return way.join(' → ');
}

/** Returns the tasks that the scripts of package.json start. */
function scripts(): string[] {
  const text = readFileSync(join(repoRoot, 'package.json'), 'utf8');
  return [...text.matchAll(/test\/tasks\/run\.mjs (\w+)/g)].map(([, task = '']) => `test/tasks/${task}.ts`);
}

/** Whether a text causes the file to run: by its path, as a task, or as a program of the benchmark. */
function names(text: string, path: string): boolean {
  const name = basename(path, '.ts');
  if (text.includes(`'${path}'`) || text.includes(`'test/tasks/run.mjs', '${name}'`)) return true;
  return path.startsWith('test/bench/programs/') && (text.includes(`'${name}'`) || text.includes(`'${name}.ts'`));
}
