import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter } from '../../base/disposable';
import { t } from '../../base/l10n';
import { safeLabel, safeLine } from '../../base/shown/safeText';
import type { ApprovalRequest, EditedProposal, Log } from '../../engine';
import { CONTEXT_ARRIVING, PROPOSAL_SCHEME } from '../contributionPoints';
import { linesOf } from './linesOf';
import type { Proposal, ProposalHunk } from './proposal';
import type { ProposalFiles } from './proposalFiles';

/**
 * Shows proposed edits in the editor's diff view: the file on the left, the proposal on the right. The user may drop or rewrite
 * any part of the proposal before accepting it.
 */
export class DiffReview implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly shown = new Map<string, Proposal>();
  /** Ids of unanswered requests that the user wants to look at. */
  private readonly awaited = new Set<string>();
  private readonly carrying = new Set<Proposal>();
  /** By request id, what cancels a proposal that is still being written. */
  private readonly arriving = new Map<string, () => void>();
  private readonly changes: Emitter<undefined>;

  constructor(
    private readonly files: ProposalFiles,
    private readonly log: Log,
  ) {
    this.changes = this.disposables.add(new Emitter<undefined>((error) => log.error('A diff was not redrawn', error)));
    this.disposables.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.documentChanged(document)));
    this.disposables.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => this.documentOpened(uri)));
    this.documentOpened(vscode.Uri.from({ scheme: PROPOSAL_SCHEME, path: '/' }));
  }

  /** Calls the listener when the hunks of a proposal may have changed. */
  onChange(listener: () => void): Disposable {
    return this.changes.on(listener);
  }

  /** `preserveFocus` is set when the diff opens by itself, so that it never takes keystrokes from a user who is typing. */
  async open(request: ApprovalRequest, options: { preserveFocus: boolean }): Promise<void> {
    const proposal = await this.proposalOf(request);
    if (!proposal) return;
    const path = safeLine(proposal.change.relativePath, 300, 'exact');
    const title = safeLabel(t('{0} (proposed by {1})', path, request.agent), 400);
    await vscode.commands.executeCommand('vscode.diff', proposal.left, proposal.right, title, {
      preview: false,
      preserveFocus: options.preserveFocus,
      ...(options.preserveFocus && { viewColumn: vscode.ViewColumn.Beside }),
    });
    await this.carryOver(proposal);
  }

  /**
   * Marks a proposal as still being written, which means that it cannot be accepted yet; `cancel` stops the writing. Without
   * `cancel`, marks it as complete.
   */
  setArriving({ id }: ApprovalRequest, cancel?: () => void): void {
    if (cancel) this.arriving.set(id, cancel);
    else this.arriving.delete(id);
    void vscode.commands.executeCommand('setContext', CONTEXT_ARRIVING, this.arriving.size > 0);
    this.changes.emit(undefined);
  }

  /** Returns what cancels a proposal that is still being written; undefined if the URI belongs to no such proposal. */
  cancelOf(right: vscode.Uri): (() => void) | undefined {
    return this.arriving.get(this.shown.get(right.toString())?.request.id ?? '');
  }

  /**
   * The user's version of the proposal; empty if it was not shown or not changed. Throws while it is still being written, and
   * while the user has not resolved lines that they also changed in the file.
   */
  answerFor(request: ApprovalRequest): EditedProposal {
    const proposal = this.find(request);
    if (!proposal) return {};
    if (this.arriving.has(request.id))
      throw new Error(t('The edit is still being written. Wait for its end, or cancel it.'));
    const right = linesOf(this.textOf(proposal));
    const left = proposal.document('left');
    const merged = left && !proposal.isNewFile ? proposal.merge(linesOf(left.getText()), right) : right;
    if (left && this.hunksOf(proposal, merged).some(({ state }) => state === 'overlapping')) {
      throw new Error(
        t(
          'You edited lines in {0} that the proposal also changes. Keep or undo those changes in the diff first.',
          proposal.change.relativePath,
        ),
      );
    }
    return answerWith(proposal, merged, left);
  }

  /** Takes a part of the proposal or leaves it out, whether or not the diff is open. */
  async choosePart(request: ApprovalRequest, part: number, take: boolean): Promise<void> {
    const proposal = await this.proposalOf(request);
    if (!proposal) return;
    if (proposal.document('right')) {
      const { changeLines } = await import('./changeLines');
      await changeLines(proposal.right, (right) => proposal.withPart(linesOf(right.getText()), part, take));
    } else {
      const lines = proposal.withPart(linesOf(this.textOf(proposal)), part, take);
      this.files.writeFile(proposal.right, new TextEncoder().encode(lines.join(endingOf(proposal))));
    }
    this.changes.emit(undefined);
  }

  /** The parts of the proposal that the user left out, in the card or in the diff. */
  leftOut(request: ApprovalRequest): number[] {
    const proposal = this.find(request);
    return proposal ? proposal.leftOut(linesOf(this.textOf(proposal))) : [];
  }

  /** Closes the diff of a request that was answered or is gone. */
  async close(request: ApprovalRequest): Promise<void> {
    this.awaited.delete(request.id);
    const proposal = this.find(request);
    if (!proposal) return;
    this.shown.delete(proposal.right.toString());
    for (const tab of proposalTabs((uri) => uri.toString() === proposal.right.toString())) await closeTab(tab);
    this.files.remove(proposal.right);
  }

  /** The changes still to be decided or already taken; empty if the URI is not a proposal. */
  hunks(right: vscode.Uri): ProposalHunk[] {
    const proposal = this.shown.get(right.toString());
    return proposal ? this.hunksOf(proposal, linesOf(this.textOf(proposal))) : [];
  }

  /** Whether a proposal can be decided in parts rather than only as a whole. */
  hasParts(right: vscode.Uri): boolean {
    return this.shown.get(right.toString())?.isNewFile === false;
  }

  /** Toggles the mark that keeps a change. */
  toggleTaken(right: vscode.Uri, key: string): void {
    this.shown.get(right.toString())?.toggleTaken(key);
    this.changes.emit(undefined);
  }

  /** Removes a change from the proposal. */
  async leave(right: vscode.Uri, key: string): Promise<void> {
    const proposal = this.shown.get(right.toString());
    const left = proposal?.document('left');
    if (!proposal || !left) return;
    const { changeLines } = await import('./changeLines');
    await changeLines(right, (document) => {
      const old = linesOf(left.getText());
      const lines = linesOf(document.getText());
      const hunk = proposal.hunks(old, lines).find((one) => one.key === key);
      if (hunk) lines.splice(hunk.newStart, hunk.newEnd - hunk.newStart, ...old.slice(hunk.oldStart, hunk.oldEnd));
      return lines;
    });
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** The request's proposal, created if necessary; undefined if the request is not an edit. */
  private async proposalOf(request: ApprovalRequest): Promise<Proposal | undefined> {
    const { id, change } = request;
    if (!change) return undefined;
    this.awaited.add(id);
    const { Proposal } = await import('./proposal');
    const known = this.find(request);
    // It may have been answered in the meantime.
    if (known || !this.awaited.has(id)) return known;
    const proposal = new Proposal(request, change);
    this.shown.set(proposal.right.toString(), proposal);
    this.files.put(proposal.right, change.after);
    return proposal;
  }

  private find(request: ApprovalRequest): Proposal | undefined {
    return [...this.shown.values()].find((one) => one.request.id === request.id);
  }

  private hunksOf(proposal: Proposal, right: readonly string[]): ProposalHunk[] {
    const left = proposal.document('left');
    return proposal.hunks(left ? linesOf(left.getText()) : proposal.base, right);
  }

  private textOf(proposal: Proposal): string {
    return proposal.document('right')?.getText() ?? this.files.text(proposal.right);
  }

  private documentChanged(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    for (const proposal of this.shown.values()) {
      if (proposal.right.toString() === uri) this.changes.emit(undefined);
      if (proposal.left.toString() === uri) {
        this.carryOver(proposal).catch((error: unknown) => this.log.error('A proposal did not follow its file', error));
      }
    }
  }

  /** Merges the user's changes to the file into the proposal, which would otherwise undo them. */
  private async carryOver(proposal: Proposal): Promise<void> {
    if (this.carrying.has(proposal)) return;
    this.carrying.add(proposal);
    try {
      const { changeLines } = await import('./changeLines');
      while (this.shown.has(proposal.right.toString()) && !isCurrent(proposal)) {
        let left: readonly string[] = proposal.base;
        await changeLines(proposal.right, (right) => {
          left = linesOf(proposal.document('left')?.getText() ?? '');
          return proposal.merge(left, linesOf(right.getText()));
        });
        proposal.base = left;
      }
    } finally {
      this.carrying.delete(proposal);
      this.changes.emit(undefined);
    }
  }

  private documentOpened({ scheme }: vscode.Uri): void {
    if (scheme !== PROPOSAL_SCHEME) return;
    this.closeForgotten().catch((error: unknown) => this.log.error('An old proposal was not closed', error));
  }

  /** Closes tabs that the editor restored after a reload although their proposals are gone. */
  private async closeForgotten(): Promise<void> {
    for (const tab of proposalTabs((uri) => !this.shown.has(uri.toString()))) await closeTab(tab);
  }
}

interface ProposalTab {
  tab: vscode.Tab;
  right: vscode.Uri;
}

function proposalTabs(which: (right: vscode.Uri) => boolean): ProposalTab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap((tab) => (tab.input instanceof vscode.TabInputTextDiff ? [{ tab, right: tab.input.modified }] : []))
    .filter(({ right }) => right.scheme === PROPOSAL_SCHEME && which(right));
}

async function closeTab({ tab, right }: ProposalTab): Promise<void> {
  // Closing a dirty proposal would prompt to save it, although its text has been taken already.
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === right.toString());
  if (document?.isDirty) await document.save();
  await vscode.window.tabGroups.close(tab, true);
}

/** Returns false if the user has changed the file since the proposal was last updated from it. */
function isCurrent(proposal: Proposal): boolean {
  const left = proposal.document('left');
  return !left || proposal.isNewFile || sameLines(linesOf(left.getText()), proposal.base);
}

function answerWith({ change, isNewFile }: Proposal, lines: readonly string[], left?: vscode.TextDocument) {
  const contents = lines.join(endingOf({ change }));
  const now = left?.getText();
  if (now !== undefined && !isNewFile && !sameLines(linesOf(now), linesOf(change.before ?? ''))) {
    return { contents, basedOn: now };
  }
  return sameLines(lines, linesOf(change.after)) ? {} : { contents };
}

function endingOf({ change }: Pick<Proposal, 'change'>): string {
  return change.after.includes('\r\n') ? '\r\n' : '\n';
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
