import { type LineHunk, lineHunks, mergeLines } from '../../engine';
import { withHunks } from '../editor/withHunks';
import type { FileContent } from './fileContent';

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

/** So many turns of a file are told apart; with more, the second counts to the first, so that typing stays fast. */
const MAX_LAYERS = 10;

/** What turns that are not reviewed made of one file, the earliest first. Never changed: each operation gives others. */
export class ReviewLayers {
  constructor(readonly all: readonly ReviewLayer[] = []) {}

  /** The turn changes the file, which is `base` now. Changes of one turn in a row are one. */
  begun(turn: ReviewTurn, base: FileContent): ReviewLayers {
    const last = this.all.at(-1);
    if (last && !last.kept && last.turn.runId === turn.runId) return this;
    return new ReviewLayers([...this.all, { turn, base, kept: false }]);
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
    if (back >= 0) return new ReviewLayers(this.all.slice(0, back));
    if (!now || !later) return this;
    const changes = lineHunks(now, later);
    let below: Lines = null;
    return this.rebased((lines) => {
      const restored = below ? untouched(changes, lineHunks(later, below)) : [];
      const partly = withHunks(now, later, restored);
      return (below = mergeLines(partly, mergeLines(now, partly, lines).lines, later).lines);
    });
  }

  /** Some of what is left counts as reviewed: `without` are the lines without it, `first` the first base with it. */
  keptLines(now: readonly string[], without: readonly string[], first: readonly string[]): ReviewLayers {
    return this.rebased((lines, index) => (index === 0 ? first : mergeLines(without, now, lines).lines));
  }

  /** Some of what is left was undone, which made `without` of the file: no turn changes it any more. */
  withoutLines(now: readonly string[], without: readonly string[]): ReviewLayers {
    return this.rebased((lines, index) => (index === 0 ? lines : mergeLines(now, without, lines).lines));
  }

  keptTurn(runId: string): ReviewLayers {
    return new ReviewLayers(this.all.map((layer) => (layer.turn.runId === runId ? { ...layer, kept: true } : layer)));
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

  /** Without what has come to nothing or need not be told apart any more. */
  tidied(now: Lines): ReviewLayers {
    let layers = new ReviewLayers(this.all);
    this.all.forEach(({ kept }, index) => {
      if (kept) layers = layers.sunk(index, now);
    });
    const all = layers.all.filter(({ base }, index) => !base.has(layers.end(index, now)));
    // Who counts the removal of a file as reviewed has decided about what was changed in it.
    if (now === null && all.at(-1)?.kept) return new ReviewLayers();
    const open = all.findIndex(({ kept }) => !kept);
    const rest = open < 0 ? [] : all.slice(open);
    return new ReviewLayers(rest.filter((_, index) => index === 0 || index > rest.length - MAX_LAYERS));
  }

  private withoutLayer(index: number, content: FileContent): WithoutTurn {
    const base = this.all[index]?.base ?? content;
    const above = this.all[index + 1]?.base;
    if (!above) return { content: base, layers: new ReviewLayers(this.all.slice(0, index)), left: false };
    if (!base.lines || !above.lines || !content.lines) return { content, layers: this, left: true };
    const end = above.lines;
    const undone = undoneWhereFree(base.lines, end, content.lines);
    const layers = this.rebased((lines, at) => (at <= index ? lines : mergeLines(end, lines, undone).lines));
    const merged = content.withLines(mergeLines(end, content.lines, undone).lines);
    return { content: merged, layers, left: undone !== base.lines };
  }

  /** Takes what a layer changed below all others, as far as it does not lie on what they changed. */
  private sunk(index: number, now: Lines): ReviewLayers {
    const first = this.all[0]?.base.lines;
    const base = this.all[index]?.base.lines;
    const end = this.end(index, now);
    if (!first || !base || !end) return this;
    const lowest = mergeLines(base, first, end).lines;
    return this.rebased((lines, at) => (at <= index ? mergeLines(first, lines, lowest).lines : lines));
  }

  /** With other bases, but for those that are no text. */
  private rebased(by: (lines: readonly string[], index: number) => readonly string[]): ReviewLayers {
    return new ReviewLayers(
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

/** The end of a layer with its changes undone, but for those that `now` changed again; the base itself when there are none. */
function undoneWhereFree(base: readonly string[], end: readonly string[], now: readonly string[]): readonly string[] {
  const isFree = (undone: readonly string[]) => mergeLines(end, now, undone).overlaps.length === 0;
  if (isFree(base)) return base;
  const free = lineHunks(end, base).filter((hunk) => isFree(withHunks(end, base, [hunk])));
  return withHunks(end, base, free);
}

/** Those of the changes after which nothing else was changed at their place. */
function untouched(changes: readonly LineHunk[], others: readonly LineHunk[]): LineHunk[] {
  return changes.filter(({ newStart, newEnd }) =>
    others.every(({ oldStart, oldEnd }) => oldEnd < newStart || oldStart > newEnd),
  );
}
