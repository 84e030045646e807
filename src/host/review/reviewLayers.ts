import type { LineHunk } from '../../engine';
import type { FileContent } from './fileContent';
import type { LineDifferences } from './lineDifferences';

/** The run that changed a file without asking, and the words that it is known by. */
export interface ReviewTurn {
  sessionId: string;
  runId: string;
  title: string;
}

/** What one turn made of a file: from `base` to the base of the layer above, or to what the file is now. */
export interface ReviewLayer {
  turn: ReviewTurn;
  base: FileContent;
  /** True when it counts as reviewed and only stays because it lies on changes that do not. */
  kept: boolean;
}

export interface WithoutTurn {
  content: FileContent;
  layers: ReviewLayers;
  left: boolean;
}

/** Lines of a file; null when it is not there. */
type Lines = readonly string[] | null;

/** What turns that are not reviewed made of one file, the earliest first. Never changed: each operation gives others. */
export class ReviewLayers {
  constructor(
    private readonly differences: LineDifferences,
    readonly all: readonly ReviewLayer[],
  ) {}

  /** The lines of all bases that are text, the latest first. */
  get versions(): (readonly string[])[] {
    return this.all.flatMap(({ base }) => (base.lines ? [base.lines] : [])).reverse();
  }

  /** The turn changes the file, which is `base` now. Changes of one turn in a row are one. */
  begun(turn: ReviewTurn, base: FileContent): ReviewLayers {
    const last = this.all.at(-1);
    if (last && !last.kept && last.turn.runId === turn.runId) return this;
    return this.of([...this.all, { turn, base, kept: false }]);
  }

  /** What a layer's turn made of its base; `now`: what the file is. */
  end(index: number, now: Lines): Lines {
    const above = this.all[index + 1];
    return above ? above.base.lines : now;
  }

  /**
   * Somebody changed the file from `now` to `later`. Outside of what the turns changed that goes into every base; inside it is
   * a part of the topmost turn that changed the place; and where it is as it was before a turn, that turn is gone.
   */
  carried(now: Lines, later: Lines): ReviewLayers {
    const back = this.all.findIndex(({ base }) => base.has(later));
    if (back >= 0) return this.of(this.all.slice(0, back));
    if (!now || !later) return this;
    const { differences } = this;
    const changes = differences.between(now, later);
    let below: Lines = null;
    return this.rebased((lines) => {
      const restored = below ? untouched(changes, differences.between(later, below)) : [];
      const partly = differences.with(now, later, (hunk) => restored.includes(hunk));
      return (below = differences.merged(partly, differences.merged(now, partly, lines).lines, later).lines);
    });
  }

  /** Some of what is left counts as reviewed: `without` are the lines without it, `first` the first base with it. */
  keptLines(now: readonly string[], without: readonly string[], first: readonly string[]): ReviewLayers {
    return this.rebased((lines, index) => (index === 0 ? first : this.differences.merged(without, now, lines).lines));
  }

  /** Some of what is left was undone, which made `without` of the file: no turn changes it any more. */
  withoutLines(now: readonly string[], without: readonly string[]): ReviewLayers {
    return this.rebased((lines, index) => (index === 0 ? lines : this.differences.merged(now, without, lines).lines));
  }

  keptTurn(runId: string): ReviewLayers {
    return this.of(this.all.map((layer) => (layer.turn.runId === runId ? { ...layer, kept: true } : layer)));
  }

  /** The file without a turn, and what is left then; something of the turn itself where it was changed again later. */
  withoutTurn(runId: string, now: FileContent): WithoutTurn {
    let result: WithoutTurn = { content: now, layers: this, left: false };
    for (let index = this.all.length - 1; index >= 0; index--) {
      const layer = result.layers.all[index];
      if (!layer || layer.kept || layer.turn.runId !== runId) continue;
      const next = result.layers.withoutLayer(index, result.content);
      result = { ...next, left: next.left || result.left };
    }
    return result;
  }

  /** Takes what counts as reviewed below all that does not, as far as it does not lie on that. */
  settled(now: Lines): ReviewLayers {
    let layers = this.of(this.all);
    this.all.forEach(({ kept }, index) => {
      if (kept) layers = layers.sunk(index, now);
    });
    return layers.tidied(now);
  }

  /** Without what has come to nothing or need not be told apart any more. */
  tidied(now: Lines): ReviewLayers {
    const all = this.all.filter(({ base }, index) => !base.has(this.end(index, now)));
    // Who counts the removal of a file as reviewed has decided about what was changed in it.
    if (now === null && all.at(-1)?.kept) return this.of([]);
    const open = all.findIndex(({ kept }) => !kept);
    const rest = open < 0 ? [] : all.slice(open);
    return this.of(rest.filter(({ kept }, index) => !kept || !rest[index - 1]?.kept));
  }

  private withoutLayer(index: number, content: FileContent): WithoutTurn {
    const base = this.all[index]?.base ?? content;
    const above = this.all[index + 1]?.base;
    if (!above) return { content: base, layers: this.of(this.all.slice(0, index)), left: false };
    if (!base.lines || !above.lines || !content.lines) return { content, layers: this, left: true };
    const end = above.lines;
    const undone = this.undoneWhereFree(base.lines, end, content.lines);
    const { differences } = this;
    const layers = this.rebased((lines, at) => (at <= index ? lines : differences.merged(end, lines, undone).lines));
    const merged = content.withLines(differences.merged(end, content.lines, undone).lines);
    return { content: merged, layers, left: undone !== base.lines };
  }

  /** Takes what a layer changed below all others, as far as it does not lie on what they changed. */
  private sunk(index: number, now: Lines): ReviewLayers {
    const first = this.all[0]?.base.lines;
    const base = this.all[index]?.base.lines;
    const end = this.end(index, now);
    if (!first || !base || !end) return this;
    const { differences } = this;
    const lowest = differences.merged(base, first, end).lines;
    return this.rebased((lines, at) => (at <= index ? differences.merged(first, lines, lowest).lines : lines));
  }

  /** The end of a layer with its changes undone, but for those that `now` changed again; the base itself when there are none. */
  private undoneWhereFree(base: readonly string[], end: readonly string[], now: readonly string[]): readonly string[] {
    const { differences } = this;
    const isFree = (undone: readonly string[]) => differences.merged(end, now, undone).overlaps.length === 0;
    if (isFree(base)) return base;
    const free = differences
      .between(end, base)
      .filter((hunk) => isFree(differences.with(end, base, (one) => one === hunk)));
    return differences.with(end, base, (hunk) => free.includes(hunk));
  }

  private of(all: readonly ReviewLayer[]): ReviewLayers {
    return new ReviewLayers(this.differences, all);
  }

  /** With other bases, but for those that are no text. */
  private rebased(by: (lines: readonly string[], index: number) => readonly string[]): ReviewLayers {
    return this.of(
      this.all.map((layer, index) => {
        const { lines } = layer.base;
        return lines ? withBase(layer, by(lines, index)) : layer;
      }),
    );
  }
}

function withBase(layer: ReviewLayer, lines: readonly string[]): ReviewLayer {
  return layer.base.has(lines) ? layer : { ...layer, base: layer.base.withLines(lines) };
}

/** Those of the changes after which nothing else was changed at their place. */
function untouched(changes: readonly LineHunk[], others: readonly LineHunk[]): LineHunk[] {
  return changes.filter(({ newStart, newEnd }) =>
    others.every(({ oldStart, oldEnd }) => oldEnd < newStart || oldStart > newEnd),
  );
}
