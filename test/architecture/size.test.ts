import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import ts from 'typescript';
import { sourceFiles } from './sourceFiles';

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 50;
const MAX_FOLDER_FILES = 25;

describe('Source size', () => {
  const product = sourceFiles('src', 'webview');
  const all = [...product, ...sourceFiles('test')];

  it(`stays under ${MAX_FILE_LINES} lines per file`, () => {
    const long = all.map(({ path, text }) => [path, text.split('\n').length] as const);
    assert.deepEqual(
      long.filter(([, lines]) => lines > MAX_FILE_LINES),
      [],
    );
  });

  it(`stays under ${MAX_FUNCTION_LINES} lines per function`, () => {
    const long: string[] = [];
    for (const { path, tree } of product) {
      const visit = (node: ts.Node) => {
        if (ts.isFunctionLike(node) && linesOf(node, tree) > MAX_FUNCTION_LINES) {
          long.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(tree);
    }
    assert.deepEqual(long, []);
  });

  it(`stays within ${MAX_FOLDER_FILES} files per folder`, () => {
    const counts = new Map<string, number>();
    for (const { path } of product) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    assert.deepEqual(
      [...counts].filter(([, count]) => count > MAX_FOLDER_FILES),
      [],
    );
  });
});

describe('Types', () => {
  it('use no any, no suppressed errors and no disabled rules', () => {
    const holes: string[] = [];
    for (const { path, tree, text } of sourceFiles('src', 'webview', 'test')) {
      const visit = (node: ts.Node) => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) {
          holes.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1} any`);
        }
        ts.forEachChild(node, visit);
      };
      visit(tree);
      if (/\/[/*]\s*(@ts-(ignore|expect-error|nocheck)|eslint-disable)/.test(text))
        holes.push(`${path} suppresses errors`);
    }
    assert.deepEqual(holes, []);
  });

  it('are cast only at the two ends of the wire', () => {
    const casts: string[] = [];
    for (const { path, tree } of sourceFiles('src', 'webview')) {
      const visit = (node: ts.Node) => {
        const cast = ts.isAsExpression(node) && !ts.isConstTypeReference(node.type);
        if (cast && node.type.kind !== ts.SyntaxKind.UnknownKeyword) casts.push(path);
        if (ts.isNonNullExpression(node)) casts.push(path);
        ts.forEachChild(node, visit);
      };
      visit(tree);
    }
    assert.deepEqual([...new Set(casts)].sort(), ['src/protocol/hostClient.ts', 'src/protocol/hostServer.ts']);
  });
});

function linesOf(node: ts.Node, tree: ts.SourceFile): number {
  const first = tree.getLineAndCharacterOfPosition(node.getStart()).line;
  return tree.getLineAndCharacterOfPosition(node.getEnd()).line - first + 1;
}
