import { lineHunks } from '../../engine';
import { type KeyedHunk, keyedHunks } from '../editor/keyedHunks';
import { linesOf } from '../editor/linesOf';
import { withHunks } from '../editor/withHunks';
import { FileContent } from './fileContent';
import { type ReviewLayer, ReviewLayers, type ReviewTurn, type WithoutTurn } from './reviewLayers';

/** How many earlier texts are remembered for undo, and how many characters of them. */
const MAX_REMEMBERED = 50;
const MAX_CHARACTERS = 4_000_000;

export type ReviewKind = 'created' | 'removed' | 'changed';

/** What is left of one turn in a file. */
export interface ReviewPart {
  turn: ReviewTurn;
  kind: ReviewKind;
  added: number;
  removed: number;
}

/**
 * A file that was changed without asking: what it was before each turn, and what it is now. What is left to review is the
 * difference of what it was first and what it is, and is never stored.
 */
export class ReviewedFile {
  /** Text of the file → what was left when it was that, so that the editor's undo and redo bring both back. */
  private readonly remembered = new Map<string, ReviewLayers>();
  private turns: ReviewLayers;
  private planned: Pick<WithoutTurn, 'content' | 'layers'> | undefined;

  /** `now`: its text, null when it does not exist or is no text. */
  constructor(
    readonly path: string,
    private now: string | null,
    layers: readonly ReviewLayer[] = [],
  ) {
    this.turns = new ReviewLayers(layers);
  }

  get layers(): readonly ReviewLayer[] {
    return this.turns.all;
  }

  /** What it is when everything left is undone. */
  get baseline(): FileContent {
    return this.layers[0]?.base ?? this.content;
  }

  get text(): string | null {
    return this.now;
  }

  get kind(): ReviewKind {
    return this.kindFrom(this.baseline);
  }

  /** True when nothing is left to keep or undo. */
  get settled(): boolean {
    if (this.layers.length === 0) return true;
    const { exists, lines } = this.baseline;
    if (!exists) return this.now === null;
    return lines !== null && this.now !== null && this.hunks.length === 0;
  }

  /** Whether its changes can be kept and undone one by one. */
  get hasParts(): boolean {
    return this.kind === 'changed' && this.baseline.lines !== null;
  }

  get hunks(): KeyedHunk[] {
    return this.now === null ? [] : keyedHunks(this.oldLines(), linesOf(this.now));
  }

  /** What is left of each turn, the earliest first. */
  get parts(): ReviewPart[] {
    const parts = new Map<string, ReviewPart>();
    this.layers.forEach(({ turn, base, kept }, index) => {
      if (kept) return;
      const { added, removed } = countChanges(base.lines, this.turns.end(index, this.nowLines()));
      const known = parts.get(turn.runId) ?? { turn, kind: this.kindFrom(base), added: 0, removed: 0 };
      parts.set(turn.runId, { ...known, added: known.added + added, removed: known.removed + removed });
    });
    return [...parts.values()];
  }

  /** `before`: its bytes when the tool began, null when it did not exist. */
  agentChanged(before: Uint8Array | null, text: string | null, turn: ReviewTurn): void {
    this.remember();
    const found = FileContent.ofBytes(before);
    const lines = this.nowLines();
    this.turns = this.turns.begun(turn, !lines || found.has(lines) ? found : found.withLines(lines));
    this.become(text);
  }

  /** What somebody else changed is no part of what the agent did: outside of its changes it counts as reviewed. */
  personChanged(text: string | null, byUndo = false): void {
    if (text === this.now) return;
    this.remember();
    const { planned } = this;
    const [now, lines] = [this.nowLines(), text === null ? null : linesOf(text)];
    const earlier = byUndo && text !== null ? this.remembered.get(text) : undefined;
    this.turns = earlier ?? (planned?.content.has(lines) ? planned.layers : this.turns.carried(now, lines));
    this.become(text);
  }

  /** Counts changes as reviewed. */
  keep(keys: readonly string[]): void {
    const now = this.nowLines();
    if (!now) return;
    this.forget();
    const rest = this.with((key) => !keys.includes(key));
    const first = this.with((key) => keys.includes(key));
    this.turns = this.turns.keptLines(now, rest, first).tidied(now);
  }

  /** Counts what a turn changed as reviewed. */
  keepTurn(runId: string): void {
    this.forget();
    this.turns = this.turns.keptTurn(runId).tidied(this.nowLines());
  }

  /** The file without these changes; they are undone when the next that it becomes is that. */
  undoHunks(keys: readonly string[]): FileContent {
    const now = this.nowLines() ?? [];
    const rest = this.with((key) => !keys.includes(key));
    const content = this.content.withLines(rest);
    this.plan({ content, layers: this.turns.withoutLines(now, rest) });
    return content;
  }

  /** The file without what a turn changed. `left`: something of it stays, because it was changed again later. */
  withoutTurn(runId: string): WithoutTurn {
    return this.turns.withoutTurn(runId, this.content);
  }

  /** As `withoutTurn`; the turn is undone when the next that the file becomes is that. */
  undoTurn(runId: string): WithoutTurn {
    const without = this.withoutTurn(runId);
    this.plan(without);
    return without;
  }

  private get content(): FileContent {
    const lines = this.nowLines();
    return lines ? FileContent.absent.withLines(lines) : FileContent.absent;
  }

  private kindFrom({ exists }: FileContent): ReviewKind {
    if (!exists) return 'created';
    return this.now === null ? 'removed' : 'changed';
  }

  private become(text: string | null): void {
    this.planned = undefined;
    this.now = text;
    this.turns = this.turns.tidied(this.nowLines());
  }

  /** What is left when the next that the file becomes is this. */
  private plan(planned: Pick<WithoutTurn, 'content' | 'layers'>): void {
    this.planned = planned;
    // The text may be that already, when a later turn took the same back.
    if (planned.content.has(this.nowLines())) this.turns = planned.layers.tidied(this.nowLines());
  }

  /** What it was first, with some of the changes. */
  private with(isMade: (key: string) => boolean): string[] {
    const hunks = this.hunks.filter(({ key }) => isMade(key));
    return withHunks(this.oldLines(), this.nowLines() ?? [], hunks);
  }

  private oldLines(): readonly string[] {
    return this.baseline.lines ?? [];
  }

  private nowLines(): string[] | null {
    return this.now === null ? null : linesOf(this.now);
  }

  private forget(): void {
    this.planned = undefined;
    this.remembered.clear();
  }

  private remember(): void {
    if (this.now === null) return;
    this.remembered.delete(this.now);
    this.remembered.set(this.now, this.turns);
    let characters = 0;
    const entries = [...this.remembered].reverse();
    entries.forEach(([text, { all }], index) => {
      characters += text.length * (1 + all.length);
      if (index >= MAX_REMEMBERED || characters > MAX_CHARACTERS) this.remembered.delete(text);
    });
  }
}

function countChanges(
  from: readonly string[] | null,
  to: readonly string[] | null,
): { added: number; removed: number } {
  if (!from || !to) return { added: countLines(to ?? []), removed: countLines(from ?? []) };
  const sum = { added: 0, removed: 0 };
  for (const { oldStart, oldEnd, newStart, newEnd } of lineHunks(from, to)) {
    sum.added += newEnd - newStart;
    sum.removed += oldEnd - oldStart;
  }
  return sum;
}

function countLines(lines: readonly string[]): number {
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}
