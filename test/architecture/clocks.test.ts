import assert from 'node:assert/strict';
import ts from 'typescript';
import { unitFolders } from '../tasks/unitFolders';
import { sourceFiles } from './sourceFiles';

/** Unit tests that may measure elapsed time → why. */
const MEASURE: Readonly<Record<string, string>> = {
  'test/host/reviewedTurns.test.ts': 'processor time only, and thirty times what is needed',
  'test/node/nodeClock.test.ts': 'it is about the clock itself, which must not wake too early',
};

/** Clock functions whose only purpose is to measure elapsed time. */
const STOPWATCH = /^(?:performance\.\w+|process\.(?:hrtime(?:\.bigint)?|cpuUsage|uptime)|console\.time(?:End|Log)?)$/;

describe('Unit tests', () => {
  it('do not measure elapsed time', () => {
    const found = sourceFiles('test').filter(
      ({ path, tree }) =>
        path.endsWith('.test.ts') && unitFolders.includes(path.split('/')[1] ?? '') && measures(tree, tree),
    );
    assert.deepEqual(
      found.map(({ path }) => path),
      Object.keys(MEASURE),
    );
  });

  for (const [text, isMeasured] of [
    ['const begun = Date.now(); work(); assert.ok(Date.now() - begun < 100);', true],
    ['const begun = new Date(); work(); const took = new Date().getTime() - begun.getTime();', true],
    ['const [a, , b] = [Date.now(), work(), Date.now()]; assert.ok(b - a < 100);', true],
    ['const begun = performance.now();', true],
    ['const start = process.hrtime.bigint();', true],
    ['await utimes(file, new Date(Date.now() - 5_000), new Date());', false],
    ['const { time } = record; assert.ok(Math.abs(Date.now() - time) < 60_000);', false],
  ] as const) {
    it(`are scanned for clock readings: ${text}`, () => {
      const tree = ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest, true);
      assert.equal(measures(tree, tree), isMeasured);
    });
  }
});

/** Returns true if a stopwatch function is called or one clock reading is subtracted from another. */
function measures(node: ts.Node, tree: ts.SourceFile): boolean {
  if (ts.isCallExpression(node) && STOPWATCH.test(node.expression.getText(tree))) return true;
  const isDifference = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.MinusToken;
  if (isDifference && [node.left, node.right].every((side) => isReading(side, tree))) return true;
  return ts.forEachChild(node, (child) => measures(child, tree) || undefined) ?? false;
}

/**
 * Whether the expression is `Date.now()`, `new Date()`, the `getTime()` or `valueOf()` of such a date, or a variable set to one
 * of these.
 */
function isReading(node: ts.Expression, tree: ts.SourceFile): boolean {
  if (ts.isNewExpression(node)) return node.getText(tree) === 'new Date()';
  if (ts.isIdentifier(node)) return namesReading(node.text, tree, tree);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression, name } = node.expression;
  if (/^(?:getTime|valueOf)$/.test(name.text)) return isReading(expression, tree);
  return node.getText(tree) === 'Date.now()';
}

/** Returns true if a variable with this name is initialized with a clock reading, directly or by array destructuring. */
function namesReading(name: string, node: ts.Node, tree: ts.SourceFile): boolean {
  if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
    const { initializer, name: declared } = node;
    const isNamed = ts.isIdentifier(declared) && declared.text === name;
    if (isNamed && initializer.getText(tree) !== name && isReading(initializer, tree)) return true;
    const place = ts.isArrayBindingPattern(declared)
      ? declared.elements.findIndex((one) => one.getText(tree) === name)
      : -1;
    const value = ts.isArrayLiteralExpression(initializer) ? initializer.elements[place] : undefined;
    if (value !== undefined && isReading(value, tree)) return true;
  }
  return ts.forEachChild(node, (child) => namesReading(name, child, tree) || undefined) ?? false;
}
