import { type Disposable, DisposableStore, Emitter, onDispose } from '../../src/base/disposable';
import type { ChatEntry } from '../../src/protocol/chatState';
import type { ChatStore } from '../store/chatStore';
import type { TranscriptList } from '../transcript/transcriptList';
import { entryText } from './entryText';

/** One match: the nth in an entry, 0-based. */
interface Hit {
  entryId: string;
  nth: number;
}

/** Parts of an entry that are not its text: screen reader text, code headers, buttons. */
const ASIDE = '.visually-hidden, .code-head, vscode-button, .row-actions, .approval-bar, textarea';

const BLOCKS = 'p, li, td, th, h2, h3, h4, h5, h6, pre, blockquote, div, button';

interface TextPiece {
  node: Text;
  /** Its offset in the text of the whole entry. */
  from: number;
}

/** Minimum interval between searches after changes, so that streaming costs no more with the bar open. */
const AGAIN_MS = 100;
const HITS = 'find-hit';
const CURRENT = 'find-current';

/**
 * Finds text in the whole conversation, whether rendered or not. Rendered matches are highlighted without touching their nodes.
 * The counts update while text streams.
 */
export class TranscriptFind implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changes = this.disposables.add(new Emitter<undefined>((error) => reportError(error)));
  private readonly index = new HitIndex();
  private readonly mutations = new MutationObserver(() => this.later());
  private listening: Disposable | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pattern: RegExp | null = null;
  private current: Hit | null = null;
  /** The match to scroll to once it is rendered. */
  private wanted: Hit | null = null;
  private place = 0;
  query = '';
  matchCase = false;

  constructor(
    private readonly chat: ChatStore,
    private readonly list: TranscriptList,
  ) {
    this.disposables.add(onDispose(() => this.end()));
  }

  get total(): number {
    return this.index.total;
  }

  /** Number of the current match, 1-based; 0 if there is none. */
  get number(): number {
    return this.index.numberOf(this.current);
  }

  onChange(listener: () => void): Disposable {
    return this.changes.on(listener);
  }

  /** Starts at the user's scroll position and repeats the last search. */
  begin(): void {
    this.end();
    this.place = this.list.topIndex;
    this.listening = this.chat.onChange(() => this.later());
    this.mutations.observe(this.list.element, { childList: true, characterData: true, subtree: true });
    this.search(this.query, this.matchCase);
  }

  search(query: string, matchCase: boolean): void {
    this.query = query;
    this.matchCase = matchCase;
    this.pattern = findPattern(query, matchCase);
    this.index.begin(this.pattern);
    this.index.read(this.chat.state?.entries ?? []);
    this.show(this.index.firstFrom(this.place));
  }

  go(to: 'next' | 'previous'): void {
    this.show(this.index.at(this.number + (to === 'next' ? 1 : -1)));
  }

  /** Removes the highlights. Returns the entry of the current match. */
  end(): string | undefined {
    this.listening?.dispose();
    this.listening = undefined;
    this.mutations.disconnect();
    clearTimeout(this.timer);
    this.timer = undefined;
    CSS.highlights.delete(HITS);
    CSS.highlights.delete(CURRENT);
    const entryId = this.current?.entryId;
    this.current = null;
    this.wanted = null;
    return entryId;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private show(hit: Hit | null): void {
    this.current = hit;
    this.wanted = hit;
    if (hit) {
      const at = this.chat.state?.entries.findIndex(({ id }) => id === hit.entryId) ?? -1;
      if (at >= 0) this.place = at;
      this.list.bringIntoView(hit.entryId, this.pattern);
    }
    this.mark();
    this.changes.emit(undefined);
  }

  private later(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.index.read(this.chat.state?.entries ?? []);
      if (this.number === 0) this.current = this.index.firstFrom(this.place);
      this.mark();
      this.changes.emit(undefined);
    }, AGAIN_MS);
  }

  private mark(): void {
    const { pattern, current } = this;
    const hits = new Highlight();
    const shown = new Highlight();
    shown.priority = 1;
    for (const article of pattern ? this.list.element.querySelectorAll('article:not([hidden])') : []) {
      if (!(article instanceof HTMLElement) || !pattern) continue;
      const ranges = drawnRanges(article, pattern);
      const isCurrent = article.dataset['entryId'] === current?.entryId;
      const at = isCurrent && current ? Math.min(current.nth, ranges.length - 1) : -1;
      ranges.forEach((range, nth) => (nth === at ? shown : hits).add(range));
      const range = ranges[at];
      if (isCurrent) this.reveal(range, ranges.length);
    }
    CSS.highlights.set(HITS, hits);
    CSS.highlights.set(CURRENT, shown);
  }

  /** Scrolls to the wanted match. If the entry shows fewer matches than it contains, expands it first; highlighting follows that change. */
  private reveal(range: Range | undefined, drawn: number): void {
    const { wanted } = this;
    if (!wanted) return;
    if (drawn < this.index.countOf(wanted.entryId) && this.list.unfold(wanted.entryId)) return;
    this.wanted = null;
    if (range) this.list.scroll.revealRange(range);
  }
}

/** Returns a pattern for literal text; null if the query is empty. */
function findPattern(query: string, matchCase: boolean): RegExp | null {
  if (query === '') return null;
  // Line breaks and runs of spaces are rendered as a single space.
  const source = query.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\s+/g, '\\s+');
  return new RegExp(source, matchCase ? 'gu' : 'giu');
}

/** Returns the matches in the rendered entry, including those that span highlighted tokens. */
function drawnRanges(article: Element, pattern: RegExp): Range[] {
  const { text, nodes } = readText(article);
  const ranges: Range[] = [];
  pattern.lastIndex = 0;
  for (const match of text.matchAll(pattern)) {
    const start = place(nodes, match.index, false);
    const end = place(nodes, match.index + match[0].length, true);
    if (!start || !end) continue;
    const range = document.createRange();
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset);
    ranges.push(range);
  }
  return ranges;
}

function readText(article: Element): { text: string; nodes: TextPiece[] } {
  const nodes: TextPiece[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node instanceof Element) return node.matches(ASIDE) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    return NodeFilter.FILTER_ACCEPT;
  });
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!(node instanceof Text)) continue;
    const own = node.parentElement?.closest(BLOCKS) ?? null;
    if (own !== block && text !== '') text += '\n';
    block = own;
    nodes.push({ node, from: text.length });
    text += node.data;
  }
  return { text, nodes };
}

function place(nodes: readonly TextPiece[], at: number, isEnd: boolean): { node: Text; offset: number } | undefined {
  const piece = nodes.findLast(({ from }) => (isEnd ? from < at : from <= at));
  return piece && { node: piece.node, offset: Math.min(at - piece.from, piece.node.data.length) };
}

/** The matches in all entries of a chat. Unchanged entries are not searched again. */
class HitIndex {
  private counts = new WeakMap<ChatEntry, number>();
  /** Entries with matches, in order. */
  private found: { entryId: string; at: number; count: number; before: number }[] = [];
  private pattern: RegExp | null = null;
  total = 0;

  /** Sets a new pattern. */
  begin(pattern: RegExp | null): void {
    this.pattern = pattern;
    this.counts = new WeakMap();
  }

  read(entries: readonly ChatEntry[]): void {
    this.found = [];
    this.total = 0;
    entries.forEach((entry, at) => {
      const count = this.countIn(entry);
      if (count === 0) return;
      this.found.push({ entryId: entry.id, at, count, before: this.total });
      this.total += count;
    });
  }

  countOf(entryId: string): number {
    return this.found.find((one) => one.entryId === entryId)?.count ?? 0;
  }

  /** Returns the number of a match among all, 1-based; 0 if it no longer exists. */
  numberOf(hit: Hit | null): number {
    const one = hit && this.found.find(({ entryId }) => entryId === hit.entryId);
    return one && hit.nth < one.count ? one.before + hit.nth + 1 : 0;
  }

  /** Returns the match with this number, wrapping around. Null if there are no matches. */
  at(number: number): Hit | null {
    if (this.total === 0) return null;
    const wanted = (number - 1 + this.total) % this.total;
    const one = this.found.findLast(({ before }) => before <= wanted);
    return one ? { entryId: one.entryId, nth: wanted - one.before } : null;
  }

  /** Returns the first match in the entry at this index or later, or else the first overall. */
  firstFrom(place: number): Hit | null {
    const one = this.found.find(({ at }) => at >= place) ?? this.found[0];
    return one ? { entryId: one.entryId, nth: 0 } : null;
  }

  private countIn(entry: ChatEntry): number {
    const { pattern } = this;
    if (!pattern) return 0;
    const known = this.counts.get(entry);
    if (known !== undefined) return known;
    let count = 0;
    pattern.lastIndex = 0;
    for (const text = entryText(entry); pattern.test(text);) count++;
    this.counts.set(entry, count);
    return count;
  }
}
