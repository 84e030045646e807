import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { sourceFiles } from '../architecture/sourceFiles';
import { repoRoot } from '../editor/repoRoot';

const read = (path: string): string => readFileSync(join(repoRoot, path), 'utf8');

/** The groups that have ratios with a budget: the name in RESULTS.md, the name in the benchmark, and the file that measures them. */
const GROUPS = [
  { said: 'command line', group: 'cli', file: 'test/bench/measureCommandLine.ts' },
  { said: 'search', group: 'search', file: 'test/bench/programs/searchRows.ts' },
  { said: 'sessions', group: 'sessions', file: 'test/bench/programs/sessionRows.ts' },
  { said: 'panel', group: 'panel', file: 'test/bench/panel/measurePanel.ts' },
];

describe('The ratios checked in CI', () => {
  const [, line = ''] = /^npm run bench -- (.+?) </m.exec(read('.ci/run')) ?? [];

  it('are the ones that RESULTS.md lists', () => {
    const results = read('test/bench/RESULTS.md');
    const [, said = ''] = /the ratios of times of ([^.]+?)\s+with \d+ % for noise/.exec(results) ?? [];
    const named = said.split(/,\s+|\s+and\s+/).map((name) => name.replace(/^the\s+/, ''));
    assert.deepEqual(
      named,
      GROUPS.map((one) => one.said),
    );
    assert.deepEqual(
      / --only (\S+)/.exec(line)?.[1]?.split(','),
      GROUPS.map(({ group }) => group),
    );
    assert.match(line, /^--check /);
  });

  it('include every ratio with a budget', () => {
    const found = sourceFiles('test/bench').filter(({ path, tree }) => !path.endsWith('.test.ts') && hasRatio(tree));
    assert.deepEqual(found.map(({ path }) => path).sort(), GROUPS.map(({ file }) => file).sort());
  });
});

/** Returns true if the code creates a ratio with a budget, which is the last argument of `ratioRow`. */
function hasRatio(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && node.expression.getText() === 'ratioRow' && node.arguments.length > 3) return true;
  if (ts.isObjectLiteralExpression(node)) {
    const properties = node.properties.map((one) => one.getText());
    if (properties.includes("unit: '×'") && properties.some((one) => one.startsWith('budget'))) return true;
  }
  return ts.forEachChild(node, (child) => hasRatio(child) || undefined) ?? false;
}
