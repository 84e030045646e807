import type * as vscode from 'vscode';
import { mention } from './mention';

const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
const MAX_PROBLEMS = 50;

/** Problems of one file in words, the worst first. */
export function problemText(uri: vscode.Uri, problems: readonly vscode.Diagnostic[]): string {
  const sorted = [...problems].sort((a, b) => a.severity - b.severity || a.range.start.line - b.range.start.line);
  const rows = sorted.slice(0, MAX_PROBLEMS).map(({ range, severity, message, source }) => {
    const from = source === undefined ? '' : ` (${source})`;
    return `- line ${range.start.line + 1}, ${SEVERITIES[severity]}: ${message}${from}`;
  });
  const more = sorted.length > MAX_PROBLEMS ? [`- and ${sorted.length - MAX_PROBLEMS} more`] : [];
  return [`Problems in ${mention(uri)}:`, ...rows, ...more, ''].join('\n');
}
