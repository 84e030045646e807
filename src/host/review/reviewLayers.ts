import { type LineHunk, lineHunks, mergeLines } from '../../engine';
import { FileContent } from './fileContent';

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
    const carried: ReviewLayer[] = [];
    for (const layer of this.all) {
      const below = carried.at(-1)?.base.lines;
      const back = below ? untouched(changes, lineHunks(later, below)) : [];
      const { lines } = layer.base;
      if (!lines) carried.push(layer);
      else carried.push(withBase(layer, mergeLines(...movedBack(now, later, back, lines), later).lines));
    }
    return new ReviewLayers(carried);
  }

  /** Some of what is left counts as reviewed: `without` are the lines without it, `first` the first base with it. */
  keptLines(now: readonly string[], without: readonly string[], first: readonly string[]): ReviewLayers {
    return new ReviewLayers(
      this.all.map((layer, index) => {
        if (index === 0) return withBase(layer, first);
        const { lines } = layer.base;
        return lines ? withBase(layer, mergeLines(without, now, lines).lines) : layer;
      }),
    );
  }

  keptTurn(runId: string): ReviewLayers {
    return new ReviewLayers(
      this.all.map((layer) => (layer.turn.runId === runId ? { ...layer, kept: true } : layer)),
    );
  }

  /** What the file is without a turn, and whether something of the turn is left because it was changed again later. */
  without(runId: string, now: FileContent): { content: FileContent; left: boolean } {
    let layers = new ReviewLayers(this.all);
    let content = now;
    let left = false;
    for (let index = this.all.length - 1; index >= 0; index--) {
      const layer = layers.all[index];
      if (!layer || layer.kept || layer.turn.runId !== runId) continue;
      const undone = layers.withoutLayer(index, content);
      left ||= undone.left;
      layers = layers.carried(content.lines, undone.content.lines);
      content = undone.content;
    }
    return { content, left };
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

  private withoutLayer(index: number, content: FileContent): { content: FileContent; left: boolean } {
    const base = this.all[index]?.base ?? content;
    const above = this.all[index + 1]?.base;
    if (!above) return { content: base, left: false };
    if (!base.lines || !above.lines || !content.lines) return { content, left: true };
    const { lines, overlaps } = mergeLines(above.lines, content.lines, base.lines);
    return { content: content.withLines(lines), left: overlaps.length > 0 };
  }

  /** Takes what a layer changed below all others, as far as it does not lie on what they changed. */
  private sunk(index: number, now: Lines): ReviewLayers {
    const first = this.all[0]?.base.lines;
    const base = this.all[index]?.base.lines;
    const end = this.end(index, now);
    if (!first || !base || !end) return this;
    const lowest = mergeLines(base, first, end).lines;
    return new ReviewLayers(
      this.all.map((layer, at) => {
        const { lines } = layer.base;
        return at <= index && lines ? withBase(layer, mergeLines(first, lines, lowest).lines) : layer;
      }),
    );
  }
}

function withBase(layer: ReviewLayer, lines: readonly string[]): ReviewLayer {
  return layer.base.has(lines) ? layer : { ...layer, base: layer.base.withLines(lines) };
}

/** The file with some of the changes made, and the base as it is then: where they meet what it had, they stay. */
function movedBack(
  now: readonly string[],
  later: readonly string[],
  changes: readonly LineHunk[],
  base: readonly string[],
): [now: readonly string[], base: readonly string[]] {
  if (changes.length === 0) return [now, base];
  const changed: string[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    changed.push(...now.slice(at, oldStart), ...later.slice(newStart, newEnd));
    at = oldEnd;
  }
  changed.push(...now.slice(at));
  return [changed, mergeLines(now, changed, base).lines];
}

/** Those of the changes after which nothing else was changed at their place. */
function untouched(changes: readonly LineHunk[], others: readonly LineHunk[]): LineHunk[] {
  return changes.filter(({ newStart, newEnd }) =>
    others.every(({ oldStart, oldEnd }) => oldEnd < newStart || oldStart > newEnd),
  );
}
