import * as vscode from 'vscode';
import type { ApprovalRequest, FileChange } from '../../engine';
import { EMPTY_SCHEME, PROPOSAL_SCHEME } from '../contributionPoints';
import type { ProposalFiles } from './proposalFiles';

/**
 * Shows proposed edits in the editor's own diff view: left the file itself, right the proposal, which the person may
 * change before accepting it.
 */
export class DiffPreview {
  constructor(private readonly proposals: ProposalFiles) {}

  /** `preserveFocus`: when the diff opens by itself, so that it never takes the keys of a person who is typing. */
  async open(request: ApprovalRequest, options: { preserveFocus: boolean }): Promise<void> {
    const { change } = request;
    if (!change) return;
    const right = proposalUri(request.id, change);
    this.proposals.put(right, change.after);
    const left =
      change.before === null
        ? vscode.Uri.from({ scheme: EMPTY_SCHEME, path: right.path })
        : vscode.Uri.file(change.path);
    const title = `${change.relativePath} (proposed by ${request.agent})`;
    await vscode.commands.executeCommand('vscode.diff', left, right, title, {
      preview: false,
      preserveFocus: options.preserveFocus,
      ...(options.preserveFocus && { viewColumn: vscode.ViewColumn.Beside }),
    });
  }

  /** What the person made of the proposal; undefined when it was not shown or not changed. */
  editedContents(request: ApprovalRequest): string | undefined {
    if (!request.change) return undefined;
    const uri = proposalUri(request.id, request.change).toString();
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri && !one.isClosed);
    const text = document?.getText();
    return text === undefined || sameLines(text, request.change.after) ? undefined : text;
  }

  /** Closes the diff of a request that was answered or is gone. */
  async close(request: ApprovalRequest): Promise<void> {
    if (!request.change) return;
    const uri = proposalUri(request.id, request.change);
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString());
    if (tabs.length > 0) {
      // A dirty proposal would ask whether to save it; what was typed has been taken already.
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
      if (document?.isDirty) await document.save();
      await vscode.window.tabGroups.close(tabs, true);
    }
    this.proposals.remove(uri);
  }
}

/** The approval that a proposal's address belongs to. */
export function approvalIdOf(uri: vscode.Uri): string | undefined {
  return uri.scheme === PROPOSAL_SCHEME ? uri.authority : undefined;
}

/** Keeps the file's name at the end, so that the editor knows its language. */
function proposalUri(approvalId: string, change: FileChange): vscode.Uri {
  return vscode.Uri.from({
    scheme: PROPOSAL_SCHEME,
    authority: approvalId.toLowerCase(),
    path: `/${change.relativePath}`,
  });
}

function sameLines(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
}
