import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { t } from '../../base/l10n';
import { safeLabel } from '../../base/shown/safeLabel';
import { safeLine } from '../../base/shown/safeText';
import { CONTEXT_TO_REVIEW, REVIEW_SCM } from '../contributionPoints';
import { baselineUri } from './showReview';
import type { ReviewKind, ReviewPart } from './reviewedFile';
import type { ReviewLedger } from './reviewLedger';

/**
 * Shows what is left to review in the source control view, with a group per turn, and as marks in the gutter. Exists only while
 * something is left, so that users do not see a second repository for nothing.
 */
export class ReviewScm implements vscode.QuickDiffProvider, Disposable {
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
