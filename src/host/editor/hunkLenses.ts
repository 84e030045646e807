import * as vscode from 'vscode';
import { isRecord } from '../../base/isRecord';
import { t } from '../../base/l10n';
import { commandId, PROPOSAL_SCHEME } from '../contributionPoints';
import type { DiffReview } from './diffReview';
import type { ProposalHunk } from './proposal';

/** One change of a proposal, as passed by a lens to its command. */
interface HunkAddress {
  right: vscode.Uri;
  key: string;
}

const FIRST = new vscode.Range(0, 0, 0, 0);

/** The title of a lens with an icon. The editor drops an ordinary blank between the two. */
export function lensTitle(icon: string, words: string): string {
  return `$(${icon})\u00a0${words}`;
}

/** Lenses above each change of a proposal to take it or leave it out, and in the first line for the whole proposal. */
export class HunkLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly disposables: vscode.Disposable[];
  readonly onDidChangeCodeLenses = this.changes.event;

  constructor(private readonly review: DiffReview) {
    const listening = review.onChange(() => this.changes.fire());
    const registered = vscode.languages.registerCodeLensProvider({ scheme: PROPOSAL_SCHEME }, this);
    this.disposables = [registered, new vscode.Disposable(() => listening.dispose())];
  }

  provideCodeLenses({ uri, lineCount }: vscode.TextDocument): vscode.CodeLens[] {
    if (this.review.cancelOf(uri)) return arrivingLenses(uri);
    const hunks = this.review.hunks(uri);
    if (hunks.length === 0) return [];
    if (!this.review.hasParts(uri)) return wholeLenses(uri, t('Accept new file'));
    return [...summaryLenses(uri, hunks), ...hunks.flatMap((hunk) => lensesOf(uri, hunk, lineCount))];
  }

  dispose(): void {
    for (const one of this.disposables) one.dispose();
    this.changes.dispose();
  }
}

function summaryLenses(uri: vscode.Uri, hunks: readonly ProposalHunk[]): vscode.CodeLens[] {
  const taken = hunks.filter(({ state }) => state === 'taken').length;
  const words = hunks.length === 1 ? t('Accept 1 change') : t('Accept {0} changes', hunks.length);
  const told = new vscode.CodeLens(FIRST, { title: t('{0} kept', taken), command: '' });
  return [...wholeLenses(uri, words), ...(taken > 0 ? [told] : [])];
}

function arrivingLenses(uri: vscode.Uri): vscode.CodeLens[] {
  const told = { title: `$(loading~spin) ${t('Editing')}`, command: '' };
  const cancel = { title: t('Cancel'), command: commandId('reject'), arguments: [uri] };
  return [told, cancel].map((command) => new vscode.CodeLens(FIRST, command));
}

function wholeLenses(uri: vscode.Uri, acceptWords: string): vscode.CodeLens[] {
  const accept = { title: lensTitle('check', acceptWords), command: commandId('approve'), arguments: [uri] };
  const reject = { title: t('Reject'), command: commandId('reject'), arguments: [uri] };
  return [accept, reject].map((command) => new vscode.CodeLens(FIRST, command));
}

function lensesOf(right: vscode.Uri, { key, state, shownStart, whitespaceOnly }: ProposalHunk, lineCount: number) {
  const line = Math.min(shownStart, lineCount - 1);
  const address: HunkAddress = { right, key };
  const overlaps = whitespaceOnly
    ? t('You changed this too: use the proposal (white space only)')
    : t('You changed this too: use the proposal');
  const words = {
    open: { take: whitespaceOnly ? t('Keep (white space only)') : t('Keep'), leave: t('Undo') },
    taken: { take: lensTitle('check', whitespaceOnly ? t('Kept (white space only)') : t('Kept')), leave: t('Undo') },
    overlapping: { take: `$(warning) ${overlaps}`, leave: t('Keep mine') },
  }[state];
  const take = { title: words.take, command: commandId('takeHunk'), arguments: [address] };
  const leave = { title: words.leave, command: commandId('leaveHunk'), arguments: [address] };
  const range = new vscode.Range(line, 0, line, 0);
  return [take, leave].map((command) => new vscode.CodeLens(range, command));
}

export function isHunkAddress(value: unknown): value is HunkAddress {
  return isRecord(value) && value['right'] instanceof vscode.Uri && typeof value['key'] === 'string';
}
