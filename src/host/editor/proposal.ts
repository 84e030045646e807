import * as vscode from 'vscode';
import { type ApprovalRequest, type FileChange, lineHunks, mergeLines } from '../../engine';
import { type DiffPart, diffParts } from '../../protocol/diffParts';
import { EMPTY_SCHEME, PROPOSAL_SCHEME } from '../contributionPoints';
import { type KeyedHunk, keyedHunks, shownStarts } from './keyedHunks';
import { linesOf } from './linesOf';

/** One change of a proposal, relative to the file's current text. */
export interface ProposalHunk extends KeyedHunk {
  /** `overlapping`: the user has changed the same lines of the file and has to choose between the two. */
  state: 'open' | 'taken' | 'overlapping';
  /** The diff editor does not highlight such changes. */
  whitespaceOnly: boolean;
  /** The line of the right side at which the diff editor shows it. */
  shownStart: number;
}

/** A proposed edit under review. Hunks are never stored; they are the current difference between the two sides. */
export class Proposal {
  readonly right: vscode.Uri;
  readonly left: vscode.Uri;
  /** The lines of the file that the right side is based on. */
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

  /** Undefined while that side is not open. */
  document(side: 'left' | 'right'): vscode.TextDocument | undefined {
    const uri = this[side].toString();
    return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri && !one.isClosed);
  }

  /** Merges the user's changes to the file into the right side, which wins where both changed the same lines. */
  merge(left: readonly string[], right: readonly string[]): string[] {
    const { lines, overlaps } = mergeLines(this.base, right, left);
    const met = keyedHunks(left, lines).filter(({ newStart, newEnd }) =>
      overlaps.some(({ start, end }) => newStart <= end && newEnd >= start),
    );
    this.overlaps = new Set([...this.overlaps, ...met.map(({ key }) => key)]);
    return lines;
  }

  hunks(left: readonly string[], right: readonly string[]): ProposalHunk[] {
    const hunks = keyedHunks(left, right);
    const starts = shownStarts(left, right, hunks);
    return hunks.map((hunk, index) => ({
      ...hunk,
      shownStart: starts[index] ?? hunk.newStart,
      state: this.taken.has(hunk.key) ? 'taken' : this.overlaps.has(hunk.key) ? 'overlapping' : 'open',
      whitespaceOnly:
        squeezed(left.slice(hunk.oldStart, hunk.oldEnd)) === squeezed(right.slice(hunk.newStart, hunk.newEnd)),
    }));
  }

  /** The right side with or without this part of the proposal. Parts are counted as by `diffParts`. */
  withPart(right: readonly string[], index: number, take: boolean): string[] {
    const part = this.parts()[index];
    if (!part) return [...right];
    const [before, after] = this.proposed();
    const old = before.slice(part.oldStart, part.oldEnd);
    const without = [...after.slice(0, part.newStart), ...old, ...after.slice(part.newEnd)];
    return (take ? mergeLines(without, right, after) : mergeLines(after, right, without)).lines;
  }

  /** The parts no longer on the right side. */
  leftOut(right: readonly string[]): number[] {
    const hunks = lineHunks(linesOf(this.change.before ?? ''), right);
    return this.parts().flatMap(({ oldStart, oldEnd }, index) =>
      hunks.some((hunk) => hunk.oldStart <= oldEnd && hunk.oldEnd >= oldStart) ? [] : [index],
    );
  }

  private parts(): DiffPart[] {
    const { diff } = this.request;
    const [before, after] = this.proposed();
    return (diff ? diffParts(diff) : []).map((part) => {
      // A line includes its line ending, so a change of the last line may also change the end of the file.
      const ends = part.oldEnd >= before.length - 1 || part.newEnd >= after.length - 1;
      return ends && isLast(part, before, after) ? { ...part, oldEnd: before.length, newEnd: after.length } : part;
    });
  }

  private proposed(): [string[], string[]] {
    return [linesOf(this.change.before ?? ''), linesOf(this.change.after)];
  }

  /** Toggles the mark that keeps a change, whatever else is left out. */
  toggleTaken(key: string): void {
    if (!this.taken.delete(key)) this.taken.add(key);
  }
}

/** The id of the approval that a proposal's URI belongs to. */
export function approvalIdOf(uri: vscode.Uri): string | undefined {
  return uri.scheme === PROPOSAL_SCHEME ? uri.authority : undefined;
}

/** Ends with the file's name, so that the editor detects its language. */
export function proposalUri(approvalId: string, change: FileChange): vscode.Uri {
  return vscode.Uri.from({
    scheme: PROPOSAL_SCHEME,
    authority: approvalId.toLowerCase(),
    path: `/${change.relativePath}`,
  });
}

/** Whether only the empty line after a final line ending follows on both sides. */
function isLast({ oldEnd, newEnd }: DiffPart, before: readonly string[], after: readonly string[]): boolean {
  const rest = [...before.slice(oldEnd), ...after.slice(newEnd)];
  return rest.every((line) => line === '') && before.length - oldEnd <= 1 && after.length - newEnd <= 1;
}

function squeezed(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join('\n');
}
