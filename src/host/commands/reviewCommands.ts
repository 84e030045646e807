import * as vscode from 'vscode';
import { isRecord } from '../../base/isRecord';
import { t } from '../../base/l10n';
import type { Command, Host } from '../host';
import type { ReviewLedger } from '../review/reviewLedger';
import type { ReviewedFile } from '../review/reviewedFile';
import { showReview, undoTurn } from '../review/showReview';
import { notify, NotPossible } from '../shown/notify';

/** Opens the diff of the longest-waiting edit in the current chat, otherwise all changes to review. */
export function reviewChanges({ approvals, currentChat, ledger }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const edit = chat.state.approvals.find(({ diff }) => diff !== null);
      if (edit) await approvals.openDiff(edit.approvalId);
      else if (ledger.files.length > 0) await showReview(ledger.files);
      else void notify('info', t('No changes to review.'));
    },
  };
}

/** Marks all changes as reviewed, of one turn or of all. */
export function keepAll({ ledger }: Host): Command {
  return {
    run(argument) {
      const { files, runId } = reviewedFiles(ledger, argument);
      for (const { path } of files) {
        if (runId === undefined) ledger.keep(path);
        else ledger.keepTurn(path, runId);
      }
      return Promise.resolve();
    },
  };
}

/** Undoes all changes made without asking, of one turn or of all. */
export function undoAll({ ledger }: Host): Command {
  return {
    async run(argument) {
      const { files, runId } = reviewedFiles(ledger, argument);
      if (runId === undefined) for (const { path } of files) await ledger.undo(path);
      else await undoTurn(ledger, files, runId);
    },
  };
}

/** Marks all changes of a file as reviewed. */
export function keepFile({ ledger }: Host): Command {
  return {
    run(argument) {
      ledger.keep(reviewedFile(ledger, argument).path);
      return Promise.resolve();
    },
  };
}

/** Undoes all changes of a file that were made without asking. */
export function undoFile({ ledger }: Host): Command {
  return {
    async run(argument) {
      await ledger.undo(reviewedFile(ledger, argument).path);
    },
  };
}

/** Marks a change that was made without asking as reviewed. */
export function keepHunk({ ledger }: Host): Command {
  return {
    run(argument, ...more) {
      const target = hunkTarget(ledger, argument, more);
      if (target) ledger.keep(target.path, target.keys);
      return Promise.resolve();
    },
  };
}

/** Undoes a change that was made without asking. */
export function undoHunk({ ledger }: Host): Command {
  return {
    async run(argument, ...more) {
      const target = hunkTarget(ledger, argument, more);
      if (target) await ledger.undo(target.path, target.keys);
    },
  };
}

/** The file that a title button, a row of the source control view, or the active editor refers to. */
function reviewedFile(ledger: ReviewLedger, argument: unknown): ReviewedFile {
  const uri = uriOf(argument) ?? vscode.window.activeTextEditor?.document.uri;
  const file = uri && ledger.get(uri.with({ scheme: 'file' }).fsPath);
  if (!file || file.settled) throw new NotPossible(t('This file has no changes to review.'));
  return file;
}

/** Files with changes to review. With a `runId`, only those of that turn. */
interface FilesToReview {
  files: readonly ReviewedFile[];
  runId: string | undefined;
}

/** The files of the turn that a group of the source control view refers to; all files without a group. */
function reviewedFiles(ledger: ReviewLedger, argument: unknown): FilesToReview {
  const runId = typeof argument === 'string' ? argument : hasId(argument) ? argument.id : undefined;
  const files = runId === undefined ? ledger.files : ledger.ofTurn(runId);
  if (files.length === 0) throw new NotPossible(t('No changes to review.'));
  return { files, runId };
}

function uriOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  const row = isRecord(argument) ? argument['resourceUri'] : undefined;
  return row instanceof vscode.Uri ? row : undefined;
}

/** A whole source control also has an id, but refers to all of its groups. */
function hasId(argument: unknown): argument is { id: string } {
  return isRecord(argument) && 'resourceStates' in argument && typeof argument['id'] === 'string';
}

/** Changes of one file that a command applies to. */
interface HunkTarget {
  path: string;
  keys: readonly string[];
}

/**
 * Resolves the arguments passed by a code lens or by the peek of a gutter mark. The editor may group changes differently than
 * Cairn, so a peek yields every change that touches its lines.
 */
function hunkTarget(ledger: ReviewLedger, argument: unknown, more: readonly unknown[]): HunkTarget | undefined {
  if (isHunk(argument)) return { path: argument.path, keys: [argument.key] };
  const [changes, index] = more;
  if (!(argument instanceof vscode.Uri) || !Array.isArray(changes) || typeof index !== 'number') return undefined;
  const change: unknown = changes[index];
  const file = ledger.get(argument.fsPath);
  if (!file || !isLineChange(change)) return undefined;
  // Lines are 1-based. An end of 0 means that there are no lines, and the start is then the line before.
  const { modifiedStartLineNumber: first, modifiedEndLineNumber: last } = change;
  const [start, end] = last === 0 ? [first, first] : [first - 1, last];
  const met = file.hunks.filter(({ newStart, newEnd }) => newStart <= end && newEnd >= start);
  const strictly = met.filter(({ newStart, newEnd }) => newStart < end && newEnd > start);
  const keys = (strictly.length > 0 ? strictly : met).map(({ key }) => key);
  return keys.length > 0 ? { path: file.path, keys } : undefined;
}

function isHunk(value: unknown): value is { path: string; key: string } {
  return isRecord(value) && typeof value['path'] === 'string' && typeof value['key'] === 'string';
}

function isLineChange(value: unknown): value is { modifiedStartLineNumber: number; modifiedEndLineNumber: number } {
  return (
    isRecord(value) &&
    typeof value['modifiedStartLineNumber'] === 'number' &&
    typeof value['modifiedEndLineNumber'] === 'number'
  );
}
