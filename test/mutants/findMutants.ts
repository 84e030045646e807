import ts from 'typescript';
import type { Mutant } from './mutant';
import { changesOf } from './changesOf';

const MAX_SHOWN = 60;

/** Returns every change of a source that can be tried, in source order. */
export function findMutants(file: string, text: string): Mutant[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kindOf(file));
  const lines = text.split('\n');
  const found: Mutant[] = [];
  const visit = (node: ts.Node, isAtLoad: boolean): void => {
    if (isForTypesOnly(node)) return;
    for (const { place, replacement } of changesOf(node)) {
      const [start, end] = [place.getStart(), place.getEnd()];
      const { line } = tree.getLineAndCharacterOfPosition(start);
      const change = `${shown(text.slice(start, end))} → ${shown(replacement ?? 'nothing')}`;
      const lineText = lines[line]?.trim() ?? '';
      found.push({ file, line: line + 1, lineText, change, isAtLoad, start, end, replacement });
    }
    const isInside = isAtLoad && !ts.isFunctionLike(node);
    ts.forEachChild(node, (child) => visit(child, isInside));
  };
  visit(tree, true);
  return found;
}

function kindOf(file: string): ts.ScriptKind {
  return file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}

function isForTypesOnly(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)} …` : line;
}
