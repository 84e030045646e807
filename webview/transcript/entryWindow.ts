import type { Disposable } from '../../src/base/disposable';
import type { EntryView } from './entryView';
import { SumTree } from './sumTree';

export interface MountedEntry {
  article: HTMLElement;
  view: EntryView;
}

/** What the list provides to the window. */
interface EntrySource {
  /** Renders the entry. */
  mount(index: number): MountedEntry;
  /** Entries that stay mounted regardless of scrolling: they contain the focus or a selection, or wait for an answer. */
  held(): readonly number[];
  /** Called when heights have changed, before the paint. */
  resized(): void;
}

/** Entries up to this distance from the view are mounted. */
const MARGIN_PX = 800;
/** Space above the first entry and below the last. */
const TOP_PX = 12;
const BOTTOM_PX = 16;
/** Hidden entries have no height, so the number kept in the document is limited. */
const MOST_HIDDEN = 100;

/**
 * The mounted part of a long list. The height of every entry is known, measured or estimated. Entries near the view are in normal
 * flow, with margins in place of missing ones.
 */
export class EntryWindow implements Disposable {
  readonly heights = new SumTree();
  /** 1 for each visible entry, 0 for each hidden one. */
  private readonly shown = new SumTree();
  private readonly mounted = new Map<number, MountedEntry>();
  private readonly indexes = new WeakMap<Element, number>();
  private readonly sizes = new ResizeObserver((sizes) => this.measured(sizes));
  private range = { start: 0, end: 0 };

  constructor(
    private readonly feed: HTMLElement,
    private readonly source: EntrySource,
  ) {}

  get length(): number {
    return this.heights.length;
  }

  /** Returns where the entry starts in the scrollable content. */
  top(index: number): number {
    return TOP_PX + this.heights.before(index);
  }

  /** The height of the content. */
  get height(): number {
    return TOP_PX + this.heights.total + BOTTOM_PX;
  }

  /** Returns the entry at this offset of the content. */
  indexAt(y: number): number {
    return this.heights.indexAt(Math.max(0, y - TOP_PX));
  }

  /** Starts over with as many entries as there are estimates; those of 0 are hidden. None is mounted until the next `show`. */
  reset(guesses: readonly number[]): void {
    for (const index of [...this.mounted.keys()]) this.unmount(index);
    this.heights.fill(guesses);
    this.shown.fill(guesses.map((guess) => (guess > 0 ? 1 : 0)));
  }

  add(guess: number): void {
    this.heights.push(guess);
    this.shown.push(guess > 0 ? 1 : 0);
  }

  isShown(index: number): boolean {
    return this.shown.at(index) === 1;
  }

  /** Hides an entry or shows it again. */
  setShown(index: number, isShown: boolean, guess: number): void {
    if (!this.shown.set(index, isShown ? 1 : 0)) return;
    this.heights.set(index, isShown ? guess : 0);
    const entry = this.mounted.get(index);
    if (entry) entry.article.hidden = !isShown;
  }

  get(index: number): MountedEntry | undefined {
    return this.mounted.get(index);
  }

  /** Returns the entry that contains an element. */
  indexOf(element: Element | null): number | undefined {
    const article = element?.closest('article');
    return article ? this.indexes.get(article) : undefined;
  }

  /** Mounts the entries near this part of the content and the held ones; unmounts the others. */
  show(top: number, height: number): void {
    let start = this.indexAt(top - MARGIN_PX);
    // Hidden entries have the same offset as the one after them.
    for (let hidden = 0; start > 0 && !this.isShown(start - 1) && hidden < MOST_HIDDEN; hidden++) start--;
    const end = Math.min(this.length, this.indexAt(top + height + MARGIN_PX) + 1);
    this.range = { start, end };
    const wanted = this.wanted(start, end);
    for (const index of [...this.mounted.keys()]) if (!wanted.has(index)) this.unmount(index);
    for (const index of wanted) if (!this.mounted.has(index)) this.mount(index);
    this.space();
  }

  /** Returns true if no other entries need to be mounted for this part of the content. */
  covers(top: number, height: number): boolean {
    const { start, end } = this.range;
    return this.top(start) <= Math.max(TOP_PX, top) && (end >= this.length || this.top(end) >= top + height);
  }

  /**
   * Measures newly mounted entries without waiting for the next frame. They are in normal flow, so their heights do not depend on
   * margins.
   */
  measure(): void {
    for (const [index, { article }] of this.mounted) {
      const { height } = article.getBoundingClientRect();
      if (height > 0) this.heights.set(index, height);
    }
  }

  dispose(): void {
    this.sizes.disconnect();
    for (const { view } of this.mounted.values()) view.dispose();
    this.mounted.clear();
  }

  private wanted(start: number, end: number): Set<number> {
    const wanted = new Set(this.source.held());
    let hidden = 0;
    // From the end, where the latest entries are.
    for (let index = end - 1; index >= start; index--) {
      if (this.isShown(index) || ++hidden <= MOST_HIDDEN) wanted.add(index);
    }
    return wanted;
  }

  private mount(index: number): void {
    const entry = this.source.mount(index);
    entry.article.hidden = !this.isShown(index);
    this.mounted.set(index, entry);
    this.indexes.set(entry.article, index);
    this.sizes.observe(entry.article);
  }

  private unmount(index: number): void {
    const entry = this.mounted.get(index);
    if (!entry) return;
    this.mounted.delete(index);
    this.sizes.unobserve(entry.article);
    entry.view.dispose();
    entry.article.remove();
  }

  /** Orders and positions the mounted entries, and numbers them for assistive technology. */
  private space(): void {
    const size = String(this.shown.total);
    let next = this.feed.firstElementChild;
    let above = 0;
    for (const [index, { article }] of [...this.mounted].sort(([a], [b]) => a - b)) {
      if (article === next) next = next.nextElementSibling;
      else this.feed.insertBefore(article, next);
      if (!this.isShown(index)) continue;
      setLength(article, 'marginTop', this.heights.before(index) - this.heights.before(above));
      above = index + 1;
      const position = String(this.shown.before(index) + 1);
      if (article.ariaPosInSet !== position) article.ariaPosInSet = position;
      if (article.ariaSetSize !== size) article.ariaSetSize = size;
    }
    setLength(this.feed, 'paddingTop', TOP_PX);
    setLength(this.feed, 'paddingBottom', BOTTOM_PX + this.heights.total - this.heights.before(above));
  }

  private measured(sizes: readonly ResizeObserverEntry[]): void {
    let changed = false;
    for (const { target, borderBoxSize } of sizes) {
      const index = this.indexes.get(target);
      const [box] = borderBoxSize;
      // An entry without height is hidden, alone or with the whole panel, which says nothing about its actual height.
      if (index === undefined || !box?.blockSize || !this.isShown(index)) continue;
      if (this.mounted.get(index)?.article === target) changed = this.heights.set(index, box.blockSize) || changed;
    }
    if (changed) this.source.resized();
  }
}

function setLength(element: HTMLElement, side: 'marginTop' | 'paddingTop' | 'paddingBottom', px: number): void {
  const length = `${Math.max(0, Math.round(px * 64) / 64)}px`;
  if (element.style[side] !== length) element.style[side] = length;
}
