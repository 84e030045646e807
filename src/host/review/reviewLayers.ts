import type { LineHunk } from '../../engine';
import type { FileContent } from './fileContent';
import type { LineDifferences } from './lineDifferences';

/** The run that changed a file without asking, with a title to show. */
export interface ReviewTurn {
  sessionId: string;
  runId: string;
  title: string;
}

/** What one turn changed in a file: from `base` to the base of the next layer, or to the file's current content. */
export interface ReviewLayer {
  turn: ReviewTurn;
  base: FileContent;
  /** True if the layer is reviewed and only stays because it builds on changes that are not. */
  kept: boolean;
}

export interface WithoutTurn {
  content: FileContent;
  layers: ReviewLayers;
  left: boolean;
}

/** A file's lines; null if the file does not exist. */
type Lines = readonly string[] | null;

/** The unreviewed changes of turns to one file, earliest first. Immutable: each operation returns a new instance. */
export class ReviewLayers {
  constructor(
    private readonly differences: LineDifferences,
    readonly all: readonly ReviewLayer[],
  ) {}

  /** The lines of all text bases, latest first. */
  get versions(): (readonly string[])[] {
    return this.all.flatMap(({ base }) => (base.lines ? [base.lines] : [])).reverse();
  }

  /** Records that the turn changes the file, whose content is now `base`. Consecutive changes by one turn form one layer. */
  begun(turn: ReviewTurn, base: FileContent): ReviewLayers {
    const last = this.all.at(-1);
    if (last && !last.kept && last.turn.runId === turn.runId) return this;
    return this.of([...this.all, { turn, base, kept: false }]);
  }

  /** The result of a layer's turn. `now`: the file's current lines. */
  end(index: number, now: Lines): Lines {
    const above = this.all[index + 1];
    return above ? above.base.lines : now;
  }

  /**
   * Applies a change by someone else, from `now` to `later`. Outside the turns' changes, it goes into every base. Inside, it
   * becomes part of the topmost turn that changed the place. If the file is back to its state before a turn, that turn is
   * dropped.
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

  /** Marks some of the changes as reviewed. `without` is the text without them, `first` the first base with them. */
  keptLines(now: readonly string[], without: readonly string[], first: readonly string[]): ReviewLayers {
    return this.rebased((lines, index) => (index === 0 ? first : this.differences.merged(without, now, lines).lines));
  }

  /** Removes changes that were undone, which left the file as `without`, from all turns. */
  withoutLines(now: readonly string[], without: readonly string[]): ReviewLayers {
    return this.rebased((lines, index) => (index === 0 ? lines : this.differences.merged(now, without, lines).lines));
  }

  keptTurn(runId: string): ReviewLayers {
    return this.of(this.all.map((layer) => (layer.turn.runId === runId ? { ...layer, kept: true } : layer)));
  }

  /** The file without a turn, and the remaining layers. Changes of the turn that were changed again later remain. */
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

  /** Moves reviewed layers below unreviewed ones, as far as they do not build on those. */
  settled(now: Lines): ReviewLayers {
    let layers = this.of(this.all);
    this.all.forEach(({ kept }, index) => {
      if (kept) layers = layers.sunk(index, now);
    });
    return layers.tidied(now);
  }

  /** Drops layers without an effect and merges those that no longer need to be told apart. */
  tidied(now: Lines): ReviewLayers {
    const all = this.all.filter(({ base }, index) => !base.has(this.end(index, now)));
    // Whoever accepts that the file was removed has decided about the changes in it.
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

  /** Moves a layer's changes below all others, as far as they do not build on what those changed. */
  private sunk(index: number, now: Lines): ReviewLayers {
    const first = this.all[0]?.base.lines;
    const base = this.all[index]?.base.lines;
    const end = this.end(index, now);
    if (!first || !base || !end) return this;
    const { differences } = this;
    const lowest = differences.merged(base, first, end).lines;
    return this.rebased((lines, at) => (at <= index ? differences.merged(first, lines, lowest).lines : lines));
  }

  /** The end of a layer with its changes undone, except those that `now` changed again; `base` itself if there are none of those. */
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

  /** Replaces the bases that are text. */
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

/** The changes whose places were not changed again. */
function untouched(changes: readonly LineHunk[], others: readonly LineHunk[]): LineHunk[] {
  return changes.filter(({ newStart, newEnd }) =>
    others.every(({ oldStart, oldEnd }) => oldEnd < newStart || oldStart > newEnd),
  );
}
