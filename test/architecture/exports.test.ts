import assert from 'node:assert/strict';
import ts from 'typescript';
import { type SourceFile, sourceFiles } from './sourceFiles';

/** Exports that no file of Cairn imports → who reads them. */
const READ_ELSEWHERE: Readonly<Record<string, string>> = {
  'src/cli/zodConfig.ts: zodConfig': 'the build, which injects it',
  'src/extension.ts: activate': 'the editor',
  'src/extension.ts: deactivate': 'the editor',
  'src/node/scripts/modules/scriptHooks.ts: load': 'Node, as a hook of its module loader',
  'src/node/scripts/modules/scriptHooks.ts: resolve': 'Node, as a hook of its module loader',
};

describe('Exports', () => {
  it('are imported by another file', () => {
    const files = sourceFiles('src', 'webview', 'test');
    const wordsOfImporters = new Map<string, Set<string>>();
    for (const { text, imports } of files) {
      const words = text.match(/[\w$]+/g) ?? [];
      for (const target of new Set(imports.filter(({ ours }) => ours).map((one) => one.target))) {
        const known = wordsOfImporters.get(target) ?? new Set();
        for (const word of words) known.add(word);
        wordsOfImporters.set(target, known);
      }
    }
    const unread = files
      .filter(({ path }) => !path.startsWith('test/'))
      .flatMap((file) => exportsOf(file).map((name) => ({ path: file.path, name })))
      .filter(({ path, name }) => !wordsOfImporters.get(path)?.has(name));
    assert.deepEqual(unread.map(({ path, name }) => `${path}: ${name}`).sort(), Object.keys(READ_ELSEWHERE));
  });
});

/** Returns the names of the declarations that a file exports. */
function exportsOf({ tree }: SourceFile): string[] {
  return tree.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    return isExported ? namesOf(statement) : [];
  });
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  return ts.isDeclarationStatement(statement) && statement.name ? [statement.name.getText()] : [];
}
