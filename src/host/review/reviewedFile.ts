import type { LineHunk } from '../../engine';
import { type KeyedHunk, keyedHunks } from '../editor/keyedHunks';
import { linesOf } from '../editor/linesOf';
import { FileContent } from './fileContent';
import { LineDifferences } from './lineDifferences';
import { type ReviewLayer, ReviewLayers, type ReviewTurn, type WithoutTurn } from './reviewLayers';

/** Limits for the earlier texts remembered for undo: how many, their total characters, and the total lines of their versions. */
const MAX_REMEMBERED = 50;
const MAX_CHARACTERS = 20_000_000;
const MAX_LINES = 2_000_000;

export type ReviewKind = 'created' | 'removed' | 'changed';

/** What is left to review of one turn in a file. */
export interface ReviewPart {
  turn: ReviewTurn;
  kind: ReviewKind;
  added: number;
  removed: number;
}

/**
 * A file that was changed without asking: its content before each turn, and now. What is left to review is the difference between
 * the first content and the current one, and is never stored.
 */
export class ReviewedFile {
  /** Maps a text of the file to what was left to review at that point, so that the editor's undo and redo restore both. */
  private readonly remembered = new Map<string, { lines: readonly string[]; turns: ReviewLayers }>();
  private readonly differences: LineDifferences;
  /** The lines of the text, sharing equal ones with its earlier versions; null if there is no text. */
  private lines: readonly string[] | null;
  private turns: ReviewLayers;
  private planned: Pick<WithoutTurn, 'content' | 'layers'> | undefined;

  /** `now`: the text; null if the file does not exist or is not text. */
  constructor(
    readonly path: string,
    private now: string | null,
    layers: readonly ReviewLayer[] = [],
  ) {
    this.lines = now === null ? null : linesOf(now);
    this.differences = new LineDifferences(this.lines);
    this.turns = new ReviewLayers(this.differences, layers);
    this.differences.moveTo(this.lines, this.turns.versions);
  }

  /** The file before its first change; `bytes` is null if it does not exist. */
  static firstSeen(this: void, path: string, bytes: Uint8Array | null): ReviewedFile {
    return new ReviewedFile(path, FileContent.ofBytes(bytes).text);
  }

  get layers(): readonly ReviewLayer[] {
    return this.turns.all;
  }

  /** The same file under another path. */
  movedTo(path: string): ReviewedFile {
    return new ReviewedFile(path, this.now, this.layers);
  }

  /** The content once everything left is undone. */
  get baseline(): FileContent {
    return this.layers[0]?.base ?? this.content;
  }

  get text(): string | null {
    return this.now;
  }

  get kind(): ReviewKind {
    return this.kindFrom(this.baseline);
  }

  /** True if nothing is left to keep or undo. */
  get settled(): boolean {
    if (this.layers.length === 0) return true;
    const { exists, lines } = this.baseline;
    if (!exists) return this.now === null;
    return lines !== null && this.lines !== null && this.differences.between(lines, this.lines).length === 0;
  }

  /** Whether changes can be kept and undone individually. */
  get hasParts(): boolean {
    return this.kind === 'changed' && this.baseline.lines !== null;
  }

  get hunks(): KeyedHunk[] {
    if (!this.lines) return [];
    const old = this.oldLines();
    return keyedHunks(old, this.lines, this.differences.between(old, this.lines));
  }

  /** What is left of each turn, earliest first. */
  get parts(): ReviewPart[] {
    const parts = new Map<string, ReviewPart>();
    this.layers.forEach(({ turn, base, kept }, index) => {
      if (kept) return;
      const { added, removed } = this.countChanges(index);
      const known = parts.get(turn.runId) ?? { turn, kind: this.kindFrom(base), added: 0, removed: 0 };
      parts.set(turn.runId, { ...known, added: known.added + added, removed: known.removed + removed });
    });
    return [...parts.values()];
  }

  /** What a layer's turn changed; null if there are no lines before or after it. */
  changesOf(layer: number): readonly LineHunk[] | null {
    const [from, to] = [this.layers[layer]?.base.lines, this.turns.end(layer, this.lines)];
    return from && to ? this.differences.between(from, to) : null;
  }

  /** `before`: the bytes when the tool started; null if the file did not exist. */
  agentChanged(before: Uint8Array | null, text: string | null, turn: ReviewTurn): void {
    this.remember();
    const found = FileContent.ofBytes(before);
    const { lines } = this;
    const known = lines && found.has(lines) ? found.sharing(lines) : lines ? found.withLines(lines) : found;
    this.turns = this.turns.begun(turn, known);
    this.become(text, this.linesLike(text));
  }

  /** Changes by someone else are not the agent's: outside the agent's changes they count as reviewed. */
  personChanged(text: string | null, byUndo = false): void {
    if (text === this.now) return;
    this.remember();
    const earlier = byUndo && text !== null ? this.remembered.get(text) : undefined;
    const lines = earlier?.lines ?? this.linesLike(text);
    const { planned } = this;
    if (earlier) this.turns = earlier.turns;
    else if (planned?.content.has(lines)) this.turns = planned.layers.settled(lines);
    else this.turns = this.turns.carried(this.lines, lines);
    this.become(text, lines);
  }

  /** Marks changes as reviewed. */
  keep(keys: readonly string[]): void {
    const now = this.lines;
    if (!now) return;
    this.forget();
    const rest = this.with(now, (key) => !keys.includes(key));
    const first = this.with(now, (key) => keys.includes(key));
    this.settle(this.turns.keptLines(now, rest, first));
  }

  /** Marks a turn's changes as reviewed. */
  keepTurn(runId: string): void {
    this.forget();
    this.settle(this.turns.keptTurn(runId));
  }

  /** Returns the file without these changes. They count as undone if the file changes to that next. */
  undoHunks(keys: readonly string[]): FileContent {
    const now = this.lines;
    if (!now) return this.baseline;
    const rest = this.with(now, (key) => !keys.includes(key));
    const content = this.content.withLines(rest);
    this.plan({ content, layers: this.turns.withoutLines(now, rest) });
    return content;
  }

  /** Returns the file without a turn's changes. `left`: some of them remain because they were changed again later. */
  withoutTurn(runId: string): WithoutTurn {
    return this.turns.withoutTurn(runId, this.content);
  }

  /** Like `withoutTurn`. The turn counts as undone if the file changes to that next. */
  undoTurn(runId: string): WithoutTurn {
    const without = this.withoutTurn(runId);
    this.plan(without);
    return without;
  }

  private get content(): FileContent {
    return this.lines ? FileContent.absent.withLines(this.lines) : FileContent.absent;
  }

  private kindFrom({ exists }: FileContent): ReviewKind {
    if (!exists) return 'created';
    return this.now === null ? 'removed' : 'changed';
  }

  private become(text: string | null, lines: readonly string[] | null): void {
    this.planned = undefined;
    this.now = text;
    this.lines = lines;
    this.turns = this.turns.tidied(lines);
    this.differences.moveTo(lines, this.turns.versions);
  }

  /** Records what is left to review if the file changes to this content next. */
  private plan(planned: Pick<WithoutTurn, 'content' | 'layers'>): void {
    this.planned = planned;
    // The text may already match, if a later turn reverted the same changes.
    if (planned.content.has(this.lines)) this.settle(planned.layers);
  }

  private settle(turns: ReviewLayers): void {
    this.turns = turns.settled(this.lines);
    this.differences.moveTo(this.lines, this.turns.versions);
  }

  /** The original lines with some of the changes applied. */
  private with(now: readonly string[], isMade: (key: string) => boolean): readonly string[] {
    const made = this.hunks.filter(({ key }) => isMade(key)).map(({ oldStart }) => oldStart);
    return this.differences.with(this.oldLines(), now, ({ oldStart }) => made.includes(oldStart));
  }

  /** The lines of the next text: the planned ones if they match, otherwise sharing equal lines with the current ones. */
  private linesLike(text: string | null): readonly string[] | null {
    if (text === null) return null;
    const lines = linesOf(text);
    const planned = this.planned?.content;
    if (planned?.has(lines)) return planned.lines;
    return this.lines ? this.differences.sharing(this.lines, lines) : lines;
  }

  private oldLines(): readonly string[] {
    return this.baseline.lines ?? [];
  }

  private forget(): void {
    this.planned = undefined;
    this.remembered.clear();
  }

  private remember(): void {
    if (this.now === null || !this.lines) return;
    this.remembered.delete(this.now);
    this.remembered.set(this.now, { lines: this.lines, turns: this.turns });
    let [characters, size] = [0, 0];
    [...this.remembered].reverse().forEach(([text, { lines, turns }], index) => {
      characters += text.length;
      size += lines.length * (1 + turns.all.length);
      const isMuch = index >= MAX_REMEMBERED || characters > MAX_CHARACTERS || size > MAX_LINES;
      if (isMuch) this.remembered.delete(text);
    });
  }

  private countChanges(layer: number): { added: number; removed: number } {
    const changes = this.changesOf(layer);
    const [from, to] = [this.layers[layer]?.base.lines ?? [], this.turns.end(layer, this.lines) ?? []];
    if (!changes) return { added: countLines(to), removed: countLines(from) };
    return {
      added: sum(changes.map(({ newStart, newEnd }) => newEnd - newStart)),
      removed: sum(changes.map(({ oldStart, oldEnd }) => oldEnd - oldStart)),
    };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function countLines(lines: readonly string[]): number {
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}
