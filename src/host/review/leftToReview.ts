import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { t } from '../../base/l10n';
import { safeLabel, safeLine } from '../../base/shown/safeText';
import { lensTitle } from '../editor/hunkLenses';
import { commandId, CONTEXT_TO_REVIEW, REVIEW_SCM } from '../contributionPoints';
import type { ReviewKind, ReviewPart } from './reviewedFile';
import type { ReviewLedger } from './reviewLedger';
import { baselineUri } from './showReview';

/** Shows what is left to review as lenses in the files and in the source control view. */
export function leftToReview(ledger: ReviewLedger): Disposable {
  const parts = new DisposableStore();
  parts.add(new ReviewLenses(ledger));
  parts.add(new ReviewScm(ledger));
  return parts;
}

/**
 * Shows what is left to review in the source control view, with a group per turn, and as marks in the gutter. Exists only while
 * something is left, so that users do not see a second repository for nothing.
 */
class ReviewScm implements vscode.QuickDiffProvider, Disposable {
  private readonly listening: Disposable;
  private readonly groups = new Map<string, vscode.SourceControlResourceGroup>();
  private marked = '';
  private control: vscode.SourceControl | undefined;

  constructor(private readonly ledger: ReviewLedger) {
    this.listening = ledger.onChange(() => this.update());
    this.update();
  }

  provideOriginalResource(uri: vscode.Uri): vscode.Uri | undefined {
    const file = uri.scheme === 'file' ? this.ledger.get(uri.fsPath) : undefined;
    return file && !file.settled ? baselineUri(file.path) : undefined;
  }

  dispose(): void {
    this.listening.dispose();
    this.close();
  }

  private update(): void {
    const { files } = this.ledger;
    const paths = files.map(({ path }) => path);
    void vscode.commands.executeCommand('setContext', CONTEXT_TO_REVIEW, paths.length > 0 ? paths : undefined);
    if (files.length === 0) return this.close();
    const control = (this.control ??= this.open());
    control.count = files.length;
    if (this.marked !== paths.join('\n')) {
      this.marked = paths.join('\n');
      // The editor asks again only when the provider is set again, and a newly listed file has no marks yet.
      control.quickDiffProvider = this;
    }
    const rows = files.flatMap(({ path, parts }) => parts.map((part) => ({ path, part })));
    const titles = new Map(rows.map(({ part: { turn } }) => [turn.runId, turn.title]));
    for (const [runId, group] of this.groups) if (!titles.has(runId)) this.dropGroup(runId, group);
    for (const [runId, title] of titles) {
      const group = this.groups.get(runId) ?? control.createResourceGroup(runId, safeLabel(title));
      this.groups.set(runId, group);
      const states = rows
        .filter(({ part }) => part.turn.runId === runId)
        .map(({ path, part }) => resourceOf(path, part));
      if (!isDeepStrictEqual(states.map(shownOf), group.resourceStates.map(shownOf))) group.resourceStates = states;
    }
  }

  private open(): vscode.SourceControl {
    const control = vscode.scm.createSourceControl(REVIEW_SCM, t('Cairn: Changes to Review'));
    control.inputBox.visible = false;
    return control;
  }

  private dropGroup(runId: string, group: vscode.SourceControlResourceGroup): void {
    group.dispose();
    this.groups.delete(runId);
  }

  private close(): void {
    for (const [runId, group] of this.groups) this.dropGroup(runId, group);
    this.control?.dispose();
    this.control = undefined;
    this.marked = '';
  }
}

const TOOLTIPS: Record<ReviewKind, string> = {
  get created() {
    return t('Created');
  },
  get removed() {
    return t('Removed');
  },
  get changed() {
    return t('Changed');
  },
};

/** The properties in which two rows can differ. */
function shownOf({ resourceUri, command, decorations }: vscode.SourceControlResourceState): unknown {
  return [resourceUri.toString(), command?.command, decorations?.tooltip];
}

function resourceOf(path: string, { turn, kind, added, removed }: ReviewPart): vscode.SourceControlResourceState {
  const resourceUri = vscode.Uri.file(path);
  const name = safeLine(vscode.workspace.asRelativePath(resourceUri), 300, 'exact');
  const title = safeLabel(t('{0} (to review)', name), 400);
  const before = baselineUri(path, turn.runId);
  const command =
    kind === 'changed'
      ? { command: 'vscode.diff', title: t('Show Changes'), arguments: [before, resourceUri, title] }
      : { command: 'vscode.open', title: t('Open'), arguments: [kind === 'created' ? resourceUri : before] };
  const tooltip = t('{0}: {1} added, {2} removed', TOOLTIPS[kind], added, removed);
  return { resourceUri, command, decorations: { tooltip, strikeThrough: kind === 'removed' } };
}

/** A change that was made without asking, as passed by a lens to its command. */
interface ReviewedHunk {
  path: string;
  key: string;
}

/** Keep and Undo lenses above each change that was made without asking. Registered only while there are such changes. */
class ReviewLenses implements vscode.CodeLensProvider, Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly listening: Disposable;
  private registered: vscode.Disposable | undefined;
  readonly onDidChangeCodeLenses = this.changes.event;

  constructor(private readonly ledger: ReviewLedger) {
    this.listening = ledger.onChange(() => this.update());
    this.update();
  }

  provideCodeLenses({ uri, lineCount }: vscode.TextDocument): vscode.CodeLens[] {
    const file = this.ledger.get(uri.fsPath);
    if (!file || file.settled) return [];
    if (file.kind === 'created')
      return lensesAt(0, [commandId('keepFile'), commandId('undoFile')], uri, t('Keep this new file'));
    return file.hunks.flatMap(({ key, newStart }) => {
      const hunk: ReviewedHunk = { path: file.path, key };
      return lensesAt(
        Math.min(newStart, lineCount - 1),
        [commandId('keepHunk'), commandId('undoHunk')],
        hunk,
        t('Keep'),
      );
    });
  }

  dispose(): void {
    this.listening.dispose();
    this.registered?.dispose();
    this.changes.dispose();
  }

  private update(): void {
    const wanted = this.ledger.files.length > 0;
    if (wanted) this.registered ??= vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this);
    this.changes.fire();
    if (wanted) return;
    this.registered?.dispose();
    this.registered = undefined;
  }
}

function lensesAt(
  line: number,
  [keep, undo]: readonly [string, string],
  argument: unknown,
  keepWords: string,
): vscode.CodeLens[] {
  const range = new vscode.Range(line, 0, line, 0);
  return [
    { title: lensTitle('check', keepWords), command: keep, arguments: [argument] },
    { title: lensTitle('discard', t('Undo')), command: undo, arguments: [argument] },
  ].map((command) => new vscode.CodeLens(range, command));
}
