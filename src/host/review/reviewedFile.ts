import { decodeText, encodeText, mergeLines } from '../../engine';
import { linesOf } from '../editor/linesOf';
import { type KeyedHunk, keyedHunks } from '../editor/keyedHunks';

/** The run that changed a file without asking, and the words that it is known by. */
export interface ReviewTurn {
  sessionId: string;
  runId: string;
  title: string;
}

/** How many earlier texts are remembered for undo, and how many characters of them. */
const MAX_REMEMBERED = 50;
const MAX_CHARACTERS = 4_000_000;

/**
 * A file that was changed without asking: what it was before, and what it is now. What is left to review is the
 * difference of the two, and is never stored.
 */
export class ReviewedFile {
  /** Text of the file → what counted as reviewed when it was that, so that the editor's undo and redo bring both back. */
  private readonly remembered = new Map<string, string>();
  private readonly reviewed: { text: string; encode: (text: string) => Uint8Array } | undefined;

  /** `before`: the file's bytes, null when it did not exist. `now`: its text, null when it does not exist or is no text. */
  constructor(
    readonly path: string,
    private readonly before: Uint8Array | null,
    private now: string | null,
    public turn: ReviewTurn,
  ) {
    const decoded = before && decodeText(before);
    if (!decoded) return;
    const { encoding } = decoded;
    this.reviewed = { text: decoded.text, encode: (text) => encodeText({ text, encoding }) };
  }

  /** What it is when everything left is undone; null when it is not there then. */
  get baseline(): Uint8Array | null {
    return this.reviewed ? this.reviewed.encode(this.reviewed.text) : this.before;
  }

  get baselineText(): string {
    return this.reviewed?.text ?? '';
  }

  get text(): string | null {
    return this.now;
  }

  get kind(): 'created' | 'removed' | 'changed' {
    if (this.before === null) return 'created';
    return this.now === null ? 'removed' : 'changed';
  }

  /** True when nothing is left to keep or undo. */
  get settled(): boolean {
    if (this.before === null) return this.now === null;
    return this.now !== null && this.hunks.length === 0 && this.reviewed !== undefined;
  }

  get hunks(): KeyedHunk[] {
    return this.now === null ? [] : keyedHunks(this.oldLines(), linesOf(this.now));
  }

  get counts(): { added: number; removed: number } {
    if (this.now === null) return { added: 0, removed: countLines(this.baselineText) };
    if (this.before === null) return { added: countLines(this.now), removed: 0 };
    const sum = { added: 0, removed: 0 };
    for (const { oldStart, oldEnd, newStart, newEnd } of this.hunks) {
      sum.added += newEnd - newStart;
      sum.removed += oldEnd - oldStart;
    }
    return sum;
  }

  agentChanged(text: string | null, turn: ReviewTurn): void {
    this.remember();
    this.now = text;
    this.turn = turn;
  }

  /** What somebody else changed is no part of what the agent did: outside of its changes it counts as reviewed. */
  personChanged(text: string | null, byUndo = false): void {
    if (text === this.now) return;
    this.remember();
    const { reviewed, now } = this;
    if (reviewed && text !== null && now !== null) {
      const earlier = byUndo ? this.remembered.get(text) : undefined;
      reviewed.text = earlier ?? this.joined(mergeLines(linesOf(now), this.oldLines(), linesOf(text)).lines);
    }
    this.now = text;
  }

  /** Counts changes as reviewed. */
  keep(keys: readonly string[]): void {
    const { reviewed, now } = this;
    if (!reviewed || now === null) return;
    this.remembered.clear();
    reviewed.text = this.joined(this.mixed(this.oldLines(), linesOf(now), keys));
  }

  /** The file's lines with these changes undone. */
  without(keys: readonly string[]): string[] {
    const now = linesOf(this.now ?? '');
    const others = this.hunks.map(({ key }) => key).filter((key) => !keys.includes(key));
    this.remember();
    return this.mixed(this.oldLines(), now, others);
  }

  /** The old lines, where the changes with these keys are made. */
  private mixed(old: readonly string[], now: readonly string[], keys: readonly string[]): string[] {
    const lines: string[] = [];
    let at = 0;
    for (const { key, oldStart, oldEnd, newStart, newEnd } of keyedHunks(old, now)) {
      if (!keys.includes(key)) continue;
      lines.push(...old.slice(at, oldStart), ...now.slice(newStart, newEnd));
      at = oldEnd;
    }
    return [...lines, ...old.slice(at)];
  }

  private oldLines(): string[] {
    return this.before === null ? [] : linesOf(this.baselineText);
  }

  private joined(lines: readonly string[]): string {
    return lines.join(this.baselineText.includes('\r\n') ? '\r\n' : '\n');
  }

  private remember(): void {
    if (this.now === null || !this.reviewed) return;
    this.remembered.delete(this.now);
    this.remembered.set(this.now, this.reviewed.text);
    let characters = 0;
    const entries = [...this.remembered].reverse();
    entries.forEach(([text], index) => {
      characters += text.length;
      if (index >= MAX_REMEMBERED || characters > MAX_CHARACTERS) this.remembered.delete(text);
    });
  }
}

function countLines(text: string): number {
  return text === '' ? 0 : linesOf(text.replace(/\r?\n$/, '')).length;
}
