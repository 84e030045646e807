import * as vscode from 'vscode';
import { type ApprovalRequest, type FileChange, type LineHunk, lineHunks, mergeLines } from '../../engine';
import { EMPTY_SCHEME, PROPOSAL_SCHEME } from '../contributionPoints';
import { linesOf } from './changeLines';

/** One change of a proposal, from the file as it is now. `key` is made of its content, so it survives a list that moved. */
export interface ProposalHunk extends LineHunk {
  key: string;
  /** `overlapping`: the person changed the same lines of the file meanwhile, and has to say which it shall be. */
  state: 'open' | 'taken' | 'overlapping';
  /** Such a change is not painted by the diff editor. */
  whitespaceOnly: boolean;
}

/** A proposed edit under review. Hunks are never kept: they are what the two sides differ in at the moment. */
export class Proposal {
  readonly right: vscode.Uri;
  readonly left: vscode.Uri;
  /** The file's lines that the right side was made from. */
  base: readonly string[];
  private readonly taken = new Set<string>();
  private overlaps: ReadonlySet<string> = new Set<string>();

  constructor(
    readonly request: ApprovalRequest,
    readonly change: FileChange,
  ) {
    this.right = proposalUri(request.id, change);
    this.left =
      change.before === null
        ? vscode.Uri.from({ scheme: EMPTY_SCHEME, path: this.right.path })
        : vscode.Uri.file(change.path);
    this.base = linesOf(change.before ?? '');
  }

  get isNewFile(): boolean {
    return this.change.before === null;
  }

  /** Undefined while the side is not open. */
  document(side: 'left' | 'right'): vscode.TextDocument | undefined {
    const uri = this[side].toString();
    return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri && !one.isClosed);
  }

  /** The right side with what the person changed in the file since; `ours` stays where both changed the same. */
  merge(left: readonly string[], right: readonly string[]): string[] {
    const { lines, overlaps } = mergeLines(this.base, right, left);
    const met = keyedHunks(left, lines).filter(({ newStart, newEnd }) =>
      overlaps.some(({ start, end }) => newStart <= end && newEnd >= start),
    );
    this.overlaps = new Set([...this.overlaps, ...met.map(({ key }) => key)]);
    return lines;
  }

  hunks(left: readonly string[], right: readonly string[]): ProposalHunk[] {
    return keyedHunks(left, right).map((hunk) => ({
      ...hunk,
      state: this.taken.has(hunk.key) ? 'taken' : this.overlaps.has(hunk.key) ? 'overlapping' : 'open',
      whitespaceOnly:
        squeezed(left.slice(hunk.oldStart, hunk.oldEnd)) === squeezed(right.slice(hunk.newStart, hunk.newEnd)),
    }));
  }

  /** Keeps a change, whatever else is left out; marking it again takes the mark away. */
  toggleTaken(key: string): void {
    if (!this.taken.delete(key)) this.taken.add(key);
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

function keyedHunks(left: readonly string[], right: readonly string[]): (LineHunk & { key: string })[] {
  const seen = new Map<string, number>();
  return lineHunks(left, right).map((hunk) => {
    const content = JSON.stringify([left.slice(hunk.oldStart, hunk.oldEnd), right.slice(hunk.newStart, hunk.newEnd)]);
    const earlier = seen.get(content) ?? 0;
    seen.set(content, earlier + 1);
    return { ...hunk, key: `${earlier}:${content}` };
  });
}

function squeezed(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join('\n');
}
