import * as vscode from 'vscode';
import { lineSpan } from '../mention';

/** Lines of a document from `first` up to but not including `end`, 0-based. */
export interface EditedLines {
  first: number;
  end: number;
}

/** How long to wait for a language server. */
const MAX_WAIT_MS = 1500;

/**
 * The lines of the selection. Without one, the lines of the smallest function or other block around the caret, otherwise the
 * caret's line.
 */
export async function editedLines({ document, selection }: vscode.TextEditor): Promise<EditedLines> {
  const { first, last } = lineSpan(selection);
  const line = { first: first - 1, end: last };
  if (!selection.isEmpty || document.lineAt(selection.active).isEmptyOrWhitespace) return line;
  const blocks = await blocksOf(document.uri);
  const around = blocks.filter(({ start, end }) => start.line <= line.first && end.line >= line.first);
  const smallest = around.filter(({ isSingleLine }) => !isSingleLine).sort((a, b) => sizeOf(a) - sizeOf(b))[0];
  return smallest ? { first: smallest.start.line, end: smallest.end.line + 1 } : line;
}

async function blocksOf(uri: vscode.Uri): Promise<vscode.Range[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), MAX_WAIT_MS)));
  const asked = vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  try {
    return ((await Promise.race([asked, late])) ?? []).flatMap(rangesIn);
  } finally {
    clearTimeout(timer);
  }
}

function rangesIn(symbol: vscode.DocumentSymbol | vscode.SymbolInformation): vscode.Range[] {
  return 'children' in symbol ? [symbol.range, ...symbol.children.flatMap(rangesIn)] : [symbol.location.range];
}

function sizeOf({ start, end }: vscode.Range): number {
  return end.line - start.line;
}
