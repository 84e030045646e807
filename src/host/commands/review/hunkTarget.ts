import * as vscode from 'vscode';
import type { ReviewLedger } from '../../review/reviewLedger';

/** Changes of one file that a command is about. */
export interface HunkTarget {
  path: string;
  keys: readonly string[];
}

/**
 * What a lens or the peek of a mark beside the lines hands over. The editor may put changes together otherwise than we do,
 * so of a peek it is every change that touches its lines.
 */
export function hunkTarget(ledger: ReviewLedger, argument: unknown, more: readonly unknown[]): HunkTarget | undefined {
  if (isHunk(argument)) return { path: argument.path, keys: [argument.key] };
  const [changes, index] = more;
  if (!(argument instanceof vscode.Uri) || !Array.isArray(changes) || typeof index !== 'number') return undefined;
  const change: unknown = changes[index];
  const file = ledger.get(argument.fsPath);
  if (!file || !isLineChange(change)) return undefined;
  // Lines from 1; an end of 0 says that there are none, and the start is then the line before.
  const { modifiedStartLineNumber: first, modifiedEndLineNumber: last } = change;
  const [start, end] = last === 0 ? [first, first] : [first - 1, last];
  const met = file.hunks.filter(({ newStart, newEnd }) => newStart <= end && newEnd >= start);
  const strictly = met.filter(({ newStart, newEnd }) => newStart < end && newEnd > start);
  const keys = (strictly.length > 0 ? strictly : met).map(({ key }) => key);
  return keys.length > 0 ? { path: file.path, keys } : undefined;
}

function isHunk(value: unknown): value is { path: string; key: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'key' in value &&
    typeof value.key === 'string'
  );
}

function isLineChange(value: unknown): value is { modifiedStartLineNumber: number; modifiedEndLineNumber: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'modifiedStartLineNumber' in value &&
    typeof value.modifiedStartLineNumber === 'number' &&
    'modifiedEndLineNumber' in value &&
    typeof value.modifiedEndLineNumber === 'number'
  );
}
