import * as vscode from 'vscode';

/** Formats a location for the composer, with 1-based lines: `@src/date.ts:3-10`. */
export function mention(uri: vscode.Uri, range?: vscode.Range): string {
  const first = vscode.workspace.workspaceFolders?.[0];
  const isInFirst = first !== undefined && vscode.workspace.getWorkspaceFolder(uri)?.index === 0;
  const path = isInFirst ? vscode.workspace.asRelativePath(uri, false) : uri.fsPath;
  return `@${path}${range ? lineNumbers(range) : ''}`;
}

/** Quotes a selection's text, so that the model has what the user sees, saved or not. */
export function quote(document: vscode.TextDocument, range: vscode.Range): string {
  const code = document.getText(range);
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const place = document.isUntitled ? '' : `${mention(document.uri, range)}\n`;
  return `${place}${fence}${document.languageId}\n${code}\n${fence}\n`;
}

/** The lines that a range covers, 1-based and inclusive. */
export function lineSpan({ start, end }: vscode.Range): { first: number; last: number } {
  // A selection that ends before the first character of a line does not cover that line.
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { first: start.line + 1, last };
}

function lineNumbers(range: vscode.Range): string {
  const { first, last } = lineSpan(range);
  return first === last ? `:${last}` : `:${first}-${last}`;
}

const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
const MAX_PROBLEMS = 50;

/** Describes the problems of one file, most severe first. */
export function problemText(uri: vscode.Uri, problems: readonly vscode.Diagnostic[]): string {
  const sorted = [...problems].sort((a, b) => a.severity - b.severity || a.range.start.line - b.range.start.line);
  const rows = sorted.slice(0, MAX_PROBLEMS).map(({ range, severity, message, source }) => {
    const from = source === undefined ? '' : ` (${source})`;
    return `- line ${range.start.line + 1}, ${SEVERITIES[severity]}: ${message}${from}`;
  });
  const more = sorted.length > MAX_PROBLEMS ? [`- and ${sorted.length - MAX_PROBLEMS} more`] : [];
  return [`Problems in ${mention(uri)}:`, ...rows, ...more, ''].join('\n');
}
