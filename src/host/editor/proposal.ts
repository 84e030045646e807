import * as vscode from 'vscode';
import { type ApprovalRequest, type FileChange, lineHunks, mergeLines } from '../../engine';
import { type DiffPart, diffParts } from '../../protocol/diffParts';
import { EMPTY_SCHEME, PROPOSAL_SCHEME } from '../contributionPoints';
import { type KeyedHunk, keyedHunks } from './keyedHunks';
import { linesOf } from './linesOf';

/** One change of a proposal, from the file as it is now. */
export interface ProposalHunk extends KeyedHunk {
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

  /** The right side with this part of what was proposed, or without it; parts are counted as `diffParts` does. */
  withPart(right: readonly string[], index: number, take: boolean): string[] {
    const part = this.parts()[index];
    if (!part) return [...right];
    const [before, after] = this.proposed();
    const old = before.slice(part.oldStart, part.oldEnd);
    const without = [...after.slice(0, part.newStart), ...old, ...after.slice(part.newEnd)];
    return (take ? mergeLines(without, right, after) : mergeLines(after, right, without)).lines;
  }

  /** The parts that are not on the right side any more. */
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
      // A line counts with its ending, so what changes the last one may change the end of the file too.
      const ends = part.oldEnd >= before.length - 1 || part.newEnd >= after.length - 1;
      return ends && isLast(part, before, after) ? { ...part, oldEnd: before.length, newEnd: after.length } : part;
    });
  }

  private proposed(): [string[], string[]] {
    return [linesOf(this.change.before ?? ''), linesOf(this.change.after)];
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
export function proposalUri(approvalId: string, change: FileChange): vscode.Uri {
  return vscode.Uri.from({
    scheme: PROPOSAL_SCHEME,
    authority: approvalId.toLowerCase(),
    path: `/${change.relativePath}`,
  });
}

/** True when nothing but the empty line after a final line ending follows on both sides. */
function isLast({ oldEnd, newEnd }: DiffPart, before: readonly string[], after: readonly string[]): boolean {
  const rest = [...before.slice(oldEnd), ...after.slice(newEnd)];
  return rest.every((line) => line === '') && before.length - oldEnd <= 1 && after.length - newEnd <= 1;
}

function squeezed(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join('\n');
}
