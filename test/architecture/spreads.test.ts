import assert from 'node:assert/strict';
import ts from 'typescript';
import { sourceFiles } from './sourceFiles';

describe('Object literals', () => {
  it('are not spread into others, where excess properties would go unnoticed', () => {
    const found: string[] = [];
    for (const { path, tree } of sourceFiles('webview', 'src')) {
      const visit = (node: ts.Node) => {
        if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) {
          found.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(tree);
    }
    assert.deepEqual(found, []);
  });
});
